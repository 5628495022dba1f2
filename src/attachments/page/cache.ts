import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Received } from '../../protocol'
import { isAboutTask } from '../../tasks/page/isAboutTask'
import { updateAuthor } from '../../users/page/updateUser'
import type { UserMessage } from '../../users/schema'
import { liveListQuery } from '../../web/live/liveLists'
import { useBoardMutation, usePredicted } from '../../web/live/optimisticMutation'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import { applyAnswer } from '../../web/live/snapshot'
import type { Attachment, AttachmentMessage } from '../schema'
import { attachmentsApi } from './api'

const attachmentReducers: Reducers<Attachment[], AttachmentMessage | UserMessage> = {
  attachment_added: (attachments, { attachment }) =>
    [...attachments.filter(({ id }) => id !== attachment.id), attachment].sort((a, b) => a.id - b.id),
  attachment_deleted: (attachments, { attachmentId }) => attachments.filter(({ id }) => id !== attachmentId),
  user_profile_updated: (attachments, { user }) => updateAuthor(attachments, user),
}

/** A task's attachments, oldest first, after one change of its board. */
export const applyToAttachments = (taskId: number, attachments: Attachment[], change: Change): Attachment[] =>
  isAboutTask(change, taskId) === false ? attachments : applyChange(attachmentReducers, attachments, change)

const readAttachments = (taskId: number, signal: AbortSignal) =>
  attachmentsApi.list.query({ taskId }, { signal }).catch((error: unknown) => {
    if (!signal.aborted) console.warn('The attachments could not be read', error)
    throw error
  })

/** A task's attachments with what is in flight; read again each time the task is opened. */
export function useAttachments(boardId: number, taskId: number) {
  const apply = useCallback((list: Attachment[], change: Change) => applyToAttachments(taskId, list, change), [taskId])
  const query = liveListQuery(boardId, ['attachments', taskId], (signal) => readAttachments(taskId, signal), apply)
  const { data, isError, isFetching, refetch } = useQuery({ ...query, staleTime: 0 })
  return { attachments: usePredicted(boardId, data, apply), isError, isFetching, refetch }
}

type AttachmentChange = Received<AttachmentMessage>

/** Shows a file that was just uploaded, before the socket announces it. */
export function applyUpload(boardId: number, version: number | undefined, attachment: Attachment): void {
  const added: AttachmentChange = { type: 'attachment_added', payload: { taskId: attachment.taskId, attachment } }
  applyAnswer(boardId, version, [added])
}

const deleted = ({ id, taskId }: Attachment): AttachmentChange => ({
  type: 'attachment_deleted',
  payload: { taskId, attachmentId: id },
})

export const useRemoveAttachment = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (attachment: Attachment, stamp) => attachmentsApi.delete.mutate({ attachmentId: attachment.id }, stamp),
    predict: (attachment) => [deleted(attachment)],
    fromAnswer: (_answer, attachment) => [deleted(attachment)],
    meta: {
      success: { title: 'Attachment Removed' },
      failure: { title: 'Removal Failed', description: 'Could not remove the file. Please try again.' },
    },
  })
