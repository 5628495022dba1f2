import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { BoardChange, ServerMessage } from '../live/messages'
import { useBoardMutation, useForeseen } from '../web/optimistic'
import { besideBoard, learn, versionOf } from '../web/sync'
import { client, queryClient } from '../web/trpc'
import type { Attachment } from './inputs'

type AttachmentChange = Extract<BoardChange, { type: `attachment_${string}` }>
const isOfTask = (change: { type: string; payload: object }, taskId: number): change is AttachmentChange =>
  change.type.startsWith('attachment_') && 'taskId' in change.payload && change.payload.taskId === taskId

/** The attachments of a task, oldest first, after one change of them. Pure and idempotent. */
export function applyAttachmentChange(attachments: Attachment[], change: AttachmentChange): Attachment[] {
  switch (change.type) {
    case 'attachment_added': {
      const { attachment } = change.payload
      return [...attachments.filter(({ id }) => id !== attachment.id), attachment].sort((a, b) => a.id - b.id)
    }
    case 'attachment_deleted':
      return attachments.filter(({ id }) => id !== change.payload.attachmentId)
  }
}

/** Read whenever the task is opened; while it is open, live messages keep it true. */
const attachmentsQuery = (boardId: number, taskId: number) =>
  queryOptions({
    queryKey: [...besideBoard(boardId), 'attachments', taskId],
    queryFn: () =>
      client.attachments.list.query({ taskId }).catch((error: unknown) => {
        console.warn('The attachments could not be read', error)
        throw error
      }),
    staleTime: 0,
    networkMode: 'always',
  })

function take(boardId: number, change: AttachmentChange) {
  const filter = { queryKey: attachmentsQuery(boardId, change.payload.taskId).queryKey, exact: true }
  // What is being read may be older than the change.
  if (queryClient.isFetching(filter)) void queryClient.cancelQueries(filter).then(() => queryClient.refetchQueries(filter))
  else queryClient.setQueryData(filter.queryKey, (attachments) => attachments && applyAttachmentChange(attachments, change))
}

/** Takes a message of the live channel while a task is open. */
export function hear(boardId: number, taskId: number, message: ServerMessage): void {
  if (isOfTask(message, taskId)) take(boardId, message)
}

/** The attachments of a task as they will be when all that is in flight has arrived. */
export function useAttachments(boardId: number, taskId: number) {
  const { data, isError, refetch } = useQuery(attachmentsQuery(boardId, taskId))
  const foreseen = useForeseen(boardId)
  const attachments = useMemo(
    () => data && foreseen.filter((change) => isOfTask(change, taskId)).reduce(applyAttachmentChange, data),
    [data, foreseen, taskId],
  )
  return { attachments, isError, refetch }
}

/** Shows a file that was just uploaded, before the socket tells of it; not after that, for it may be gone again. */
export function learnAttachment(boardId: number, version: number | undefined, attachment: Attachment): void {
  const change = { type: 'attachment_added', payload: { taskId: attachment.taskId, attachment } } as const
  if (version !== undefined && version > versionOf(boardId)) take(boardId, change)
  learn(boardId, version, [change])
}

const deletionOf = ({ id, taskId }: Attachment) =>
  ({ type: 'attachment_deleted', payload: { taskId, attachmentId: id } }) as const

export const useRemoveAttachment = (boardId: number) =>
  useBoardMutation(boardId, {
    send: async (attachment: Attachment, stamp) => {
      const answer = await client.attachments.delete.mutate({ attachmentId: attachment.id }, stamp)
      take(boardId, deletionOf(attachment))
      return answer
    },
    foresee: (attachment) => [deletionOf(attachment)],
    learned: (_answer, attachment) => [deletionOf(attachment)],
    meta: {
      success: { title: 'Attachment Removed' },
      failure: { title: 'Removal Failed', description: 'Could not remove the file. Please try again.' },
    },
  })
