import { useCallback } from 'react'
import type { Received } from '../../protocol'
import { isAboutTask } from '../../tasks/page/reducers'
import type { Snapshot } from '../../tasks/schema'
import { updateAuthor } from '../../users/page/reducers'
import type { UserMessage } from '../../users/schema'
import { client } from '../../web/client'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changeQueue'
import { liveQuery } from '../../web/live/liveQuery'
import { ofTask, useLive } from '../../web/live/predictions'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import { notUndone } from '../../web/live/revisions'
import { useChange } from '../../web/live/undoableChanges'
import type { Attachment, AttachmentMessage } from '../schema'

const attachmentReducers: Reducers<Attachment[], AttachmentMessage | UserMessage> = {
  attachment_added: (attachments, { attachment }) =>
    [...attachments.filter(({ id }) => id !== attachment.id), attachment].sort((a, b) => a.id - b.id),
  attachment_deleted: (attachments, { attachmentId }) => attachments.filter(({ id }) => id !== attachmentId),
  user_profile_updated: (attachments, { user }) => updateAuthor(attachments, user),
}

export const applyToAttachments = (taskId: number, attachments: Attachment[], change: Change): Attachment[] =>
  isAboutTask(change, taskId) === false ? attachments : applyChange(attachmentReducers, attachments, change)

const readAttachments = (taskId: number, signal: AbortSignal) =>
  client.attachments.list.query({ taskId }, { signal }).catch((error: unknown) => {
    if (!signal.aborted) console.warn('The attachments could not be read', error)
    throw error
  })

/** With pending changes; read again each time the task is opened. */
export function useAttachments(boardId: number, taskId: number) {
  const apply = useCallback((list: Attachment[], change: Change) => applyToAttachments(taskId, list, change), [taskId])
  const read = (signal: AbortSignal) => readAttachments(taskId, signal)
  const query = liveQuery({ key: [boardId, 'attachments', taskId], read, apply })
  const { data, error, isError, isFetching, refetch } = useLive(ofTask(taskId, { ...query, staleTime: 0 }, []), apply)
  return { attachments: data, error, isError, isFetching, refetch }
}

type AttachmentChange = Received<AttachmentMessage>

const deleted = ({ id, taskId }: Attachment, { at }: Made, board: Snapshot | undefined): AttachmentChange => ({
  type: 'attachment_deleted',
  payload: { taskId, attachmentId: id, fileCount: countOf(board, taskId) - 1, updatedAt: new Date(at).toISOString() },
})

const countOf = (board: Snapshot | undefined, taskId: number) => board?.tasks.find(({ id }) => id === taskId)?.fileCount ?? 0

const restore = changeKind({
  name: 'attachments.restore',
  online: true,
  send: ({ attachmentId }: { attachmentId: number }, call) => client.attachments.restore.mutate({ attachmentId }, call),
  texts: { failure: notUndone },
})

const remove = changeKind({
  name: 'attachments.remove',
  online: true,
  send: ({ id: attachmentId }: Attachment, call) => client.attachments.delete.mutate({ attachmentId }, call),
  predict: (attachment, made, board: Snapshot | undefined) => [deleted(attachment, made, board)],
  undo:
    ({ id: attachmentId, originalFilename: description }, _board, boardId) =>
    () => ({ title: 'Attachment Removed', description, run: () => submit(boardId, restore, { attachmentId }) }),
  texts: { failure: { title: 'Removal Failed', description: 'Could not remove the file. Please try again.' } },
})

export const useRemoveAttachment = (boardId: number) => useChange(boardId, remove)
