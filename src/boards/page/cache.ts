import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { InvitationMessage } from '../../invitations/schema'
import type { Received } from '../../protocol'
import type { Snapshot } from '../../tasks/schema'
import type { Handlers } from '../../web/live/messageHandlers'
import { useBoardMutation, usePredicted } from '../../web/live/optimisticMutation'
import { applyToSnapshot, snapshotKey, withWaiting } from '../../web/live/snapshot'
import { queryClient } from '../../web/queryClient'
import { deniedOr, refusalOf } from '../../web/refusal'
import { LONG } from '../../web/toast'
import { type BoardChanges, type BoardMessage, CREATOR_STAYS, type NewBoard } from '../schema'
import { boardsApi } from './api'
import { readAllBoardsAgain, useRestoreBoard } from './deletedBoardsCache'

export const boardsQuery = () => boardsApi.list.queryOptions()

export const snapshotQuery = (boardId: number) =>
  queryOptions({
    queryKey: snapshotKey(boardId),
    queryFn: async ({ signal }) => {
      const response = await fetch(`/api/boards/${boardId}/snapshot`, { signal })
      if (!response.ok) throw new BoardUnavailable(response.status)
      // Our own server sends it.
      return withWaiting((await response.json()) as Snapshot)
    },
    // The reducers keep what did not change; comparing 5,000 tasks would only take time.
    structuralSharing: false,
    // The socket knows better than the browser whether the server can be reached.
    networkMode: 'always',
  })

export class BoardUnavailable extends Error {
  constructor(readonly status: number) {
    super(`The board answered ${status}`)
  }
}

export const useSnapshot = (boardId: number) => useQuery(snapshotQuery(boardId))

/** Depends on the viewer, so it is not part of the snapshot. */
export const useIsLocked = (boardId: number): boolean =>
  useQuery(boardsQuery()).data?.some((board) => board.id === boardId && board.locked) ?? false

export const useBoardView = (boardId: number) => usePredicted(boardId, useSnapshot(boardId).data, applyToSnapshot)

const readBoardsAgain = () => void queryClient.invalidateQueries(boardsQuery())

export const boardListHandlers: Handlers = {
  BOARD_UPDATED: readBoardsAgain,
  board_member_added: readBoardsAgain,
  board_member_removed: readBoardsAgain,
  board_deleted: readAllBoardsAgain,
  board_restored: readAllBoardsAgain,
}

type BoardChange = Received<BoardMessage>
const renamed = (updates: { name: string; description: string | null }): BoardChange => ({
  type: 'BOARD_UPDATED',
  payload: { updates },
})
const memberRemoved = (userId: number): BoardChange => ({ type: 'board_member_removed', payload: { userId } })

export const useCreateBoard = () =>
  useMutation({
    mutationFn: (given: NewBoard) => boardsApi.create.mutate(given),
    onSuccess: (board) => {
      queryClient.setQueryData(snapshotQuery(board.id).queryKey, { board, timers: [], tasks: [] })
      void queryClient.invalidateQueries(boardsQuery())
    },
    meta: {
      success: { title: 'Board Created', description: 'Your new board has been created successfully.' },
      failure: (error) =>
        refusalOf(error)?.requiresUpgrade
          ? null
          : { title: 'Creation Failed', description: 'Could not create the board. Please try again.' },
    },
  })

export const useUpdateBoard = (boardId: number, field: 'name' | 'description') =>
  useBoardMutation(boardId, {
    send: (changes: BoardChanges, stamp) => boardsApi.update.mutate({ boardId, ...changes }, stamp),
    predict: ({ name, description }, snapshot: Snapshot | undefined) =>
      snapshot
        ? [
            renamed({
              name: name ?? snapshot.board.name,
              description: description === undefined ? snapshot.board.description : description,
            }),
          ]
        : [],
    fromAnswer: ({ name, description }) => [renamed({ name, description })],
    meta: {
      success: { title: 'Board Updated', duration: 2_000 },
      failure: { title: 'Update Failed', description: `Could not update board ${field}. Please try again.` },
    },
  })

export function useDeleteBoard(boardId: number) {
  const restore = useRestoreBoard()
  return useBoardMutation(boardId, {
    send: (_: undefined, stamp) => boardsApi.delete.mutate({ boardId }, stamp),
    meta: {
      success: {
        title: 'Board Deleted',
        description: 'The board has been deleted successfully.',
        duration: LONG,
        actions: [{ label: 'Restore', run: () => restore.mutate(boardId) }],
      },
      failure: deniedOr({ title: 'Delete Failed', description: 'Could not delete the board. Please try again.' }),
    },
  })
}

const INVITED_SHOWN = 30
const shortened = (email: string) => (email.length > INVITED_SHOWN ? `${email.slice(0, INVITED_SHOWN)}...` : email)

/** Adds a user who has an account with the address, and invites anyone else by mail. */
export const useAddMember = (boardId: number, viewer: { id: number }) =>
  useBoardMutation(boardId, {
    send: async (email: string, stamp) => ({ email, ...(await boardsApi.addMember.mutate({ boardId, email }, stamp)) }),
    fromAnswer: (answer): Received<BoardMessage | InvitationMessage>[] =>
      'user' in answer
        ? [{ type: 'board_member_added', payload: { user: answer.user } }]
        : [{ type: 'invitation_changed', payload: { invitation: { ...answer.invitation, invitedBy: viewer.id } } }],
    meta: {
      success: (answer) => ({
        title: 'Invitation Sent',
        description: `${shortened((answer as { email: string }).email)} has been invited to the board.`,
      }),
      failure: (error) => ({
        title: 'Invitation Failed',
        description: refusalOf(error)?.message ?? 'Could not invite user to the board. Please try again.',
      }),
    },
  })

const NOT_REMOVED = {
  title: 'Removal Failed',
  description: 'Could not remove the member from the board. Please try again.',
}

export const useRemoveMember = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (userId: number, stamp) => boardsApi.removeMember.mutate({ boardId, userId }, stamp),
    predict: (userId) => [memberRemoved(userId)],
    fromAnswer: (_answer, userId) => [memberRemoved(userId)],
    meta: {
      success: { title: 'Member Removed', description: 'The member has been removed from the board.' },
      failure: (error) =>
        refusalOf(error)?.message === CREATOR_STAYS
          ? { title: 'Cannot Remove Creator', description: CREATOR_STAYS }
          : deniedOr(NOT_REMOVED)(error),
    },
  })

export const forgetBoard = (boardId: number): void => queryClient.removeQueries(snapshotQuery(boardId))
