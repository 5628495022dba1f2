import { useQuery } from '@tanstack/react-query'
import { useBoardMutation, useWithForeseen } from '../../boards/page/boardMutation'
import { learn } from '../../boards/page/snapshotSync'
import type { BoardChange } from '../../protocol'
import { withPerson } from '../../users/schema'
import { listQuery } from '../../web/liveLists'
import { client } from '../../web/trpc'
import type { Attachment } from '../schema'

type AttachmentChange = Extract<BoardChange, { type: `attachment_${string}` | 'user_profile_updated' }>
const isOfTask = (change: BoardChange, taskId: number): change is AttachmentChange =>
  change.type === 'user_profile_updated' ||
  (change.type.startsWith('attachment_') && 'taskId' in change.payload && change.payload.taskId === taskId)

/** The attachments of a task, oldest first, after one change of them. Pure and idempotent. */
export function applyAttachmentChange(attachments: Attachment[], change: AttachmentChange): Attachment[] {
  switch (change.type) {
    case 'attachment_added': {
      const { attachment } = change.payload
      return [...attachments.filter(({ id }) => id !== attachment.id), attachment].sort((a, b) => a.id - b.id)
    }
    case 'attachment_deleted':
      return attachments.filter(({ id }) => id !== change.payload.attachmentId)
    case 'user_profile_updated':
      return withPerson(attachments, change.payload.user)
  }
}

/** For each task the same function, so that React sees nothing new in it. */
const reducers = new Map<number, (attachments: Attachment[], change: BoardChange) => Attachment[]>()
function reducerOf(taskId: number) {
  const reducer =
    reducers.get(taskId) ??
    ((attachments, change) => (isOfTask(change, taskId) ? applyAttachmentChange(attachments, change) : attachments))
  reducers.set(taskId, reducer)
  return reducer
}

const attachmentsQuery = (boardId: number, taskId: number) =>
  listQuery<Attachment[]>(
    boardId,
    ['attachments', taskId],
    (signal) =>
      client.attachments.list.query({ taskId }, { signal }).catch((error: unknown) => {
        if (!signal.aborted) console.warn('The attachments could not be read', error)
        throw error
      }),
    reducerOf(taskId),
  )

/** The attachments of a task as they will be when all that is in flight has arrived; read anew when it is opened. */
export function useAttachments(boardId: number, taskId: number) {
  const { data, isError, isFetching, refetch } = useQuery({ ...attachmentsQuery(boardId, taskId), staleTime: 0 })
  return { attachments: useWithForeseen(boardId, data, reducerOf(taskId)), isError, isFetching, refetch }
}

/** Shows a file that was just uploaded, before the socket tells of it. */
export const learnAttachment = (boardId: number, version: number | undefined, attachment: Attachment): void =>
  learn(boardId, version, [{ type: 'attachment_added', payload: { taskId: attachment.taskId, attachment } }])

const deletionOf = ({ id, taskId }: Attachment) =>
  ({ type: 'attachment_deleted', payload: { taskId, attachmentId: id } }) as const

export const useRemoveAttachment = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (attachment: Attachment, stamp) => client.attachments.delete.mutate({ attachmentId: attachment.id }, stamp),
    foresee: (attachment) => [deletionOf(attachment)],
    learned: (_answer, attachment) => [deletionOf(attachment)],
    meta: {
      success: { title: 'Attachment Removed' },
      failure: { title: 'Removal Failed', description: 'Could not remove the file. Please try again.' },
    },
  })
