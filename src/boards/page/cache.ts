import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { BoardChange } from '../../protocol'
import { applyTaskChange } from '../../tasks/page/cache'
import type { Snapshot } from '../../tasks/schema'
import type { UserSummary } from '../../users/schema'
import { client, deniedOr, queryClient, refusalOf, trpc } from '../../web/trpc'
import { type BoardChanges, CREATOR_STAYS, type NewBoard } from '../schema'
import { useBoardMutation } from './boardMutation'
import { fold } from './snapshotSync'

export const boardsQuery = () => trpc.boards.list.queryOptions()

const snapshotKey = (boardId: number) => ['snapshot', boardId] as const

export const snapshotQuery = (boardId: number) =>
  queryOptions({
    queryKey: snapshotKey(boardId),
    queryFn: async ({ signal }) => {
      const response = await fetch(`/api/boards/${boardId}/snapshot`, { signal })
      if (!response.ok) throw new BoardUnavailable(response.status)
      // The server is our own, and it makes this answer as a Snapshot.
      return fold((await response.json()) as Snapshot)
    },
    // What changes keep of the board is the same objects already; comparing 5,000 tasks at each would only take time.
    structuralSharing: false,
    // Whether the server can be reached, the socket knows better than the browser.
    networkMode: 'always',
  })

/** The board cannot be read: it is not there, not for this user, or the server is out of reach. */
export class BoardUnavailable extends Error {
  constructor(readonly status: number) {
    super(`The board answered ${status}`)
  }
}

export const useSnapshot = (boardId: number) => useQuery(snapshotQuery(boardId))

/** Whether the viewer may only read: it depends on who looks, so it is not in the board's own answer. */
export const useIsLocked = (boardId: number): boolean =>
  useQuery(boardsQuery()).data?.some((board) => board.id === boardId && board.locked) ?? false

/** One change of a board applied to it. Pure and idempotent; the socket's messages and optimism both come through here. */
export function applyChange(snapshot: Snapshot, change: BoardChange): Snapshot {
  const { board } = snapshot
  switch (change.type) {
    case 'BOARD_UPDATED':
      return { ...snapshot, board: { ...board, ...change.payload.updates } }
    case 'board_member_added':
      return withMembers(snapshot, [...board.members.filter(({ id }) => id !== change.payload.user.id), change.payload.user])
    case 'board_member_removed':
      return withoutMember(snapshot, change.payload.userId)
    case 'user_profile_updated':
      return withPerson(snapshot, change.payload.user)
    case 'board_deleted':
    // Invitations are read with the popover that shows them: see invitations/cache.ts.
    case 'invitation_changed':
    // Files are read with their task: see attachments/cache.ts.
    case 'attachment_added':
    case 'attachment_deleted':
      return snapshot
    default:
      return { ...snapshot, tasks: applyTaskChange(snapshot.tasks, change) }
  }
}

const withMembers = (snapshot: Snapshot, members: Snapshot['board']['members']): Snapshot => ({
  ...snapshot,
  board: { ...snapshot.board, members, memberCount: members.length },
})

/** Wherever a board shows a person, as they are now. */
const withPerson = (snapshot: Snapshot, user: UserSummary): Snapshot => ({
  board: { ...snapshot.board, members: asNow(snapshot.board.members, user) },
  tasks: snapshot.tasks.map((task) => ({ ...task, assignees: asNow(task.assignees, user) })),
})

const asNow = (people: UserSummary[], user: UserSummary) => people.map((person) => (person.id === user.id ? user : person))

/** With a membership, its assignments go (contract.md, section 3). */
function withoutMember(snapshot: Snapshot, userId: number): Snapshot {
  const tasks = snapshot.tasks.map((task) =>
    task.assignees.some(({ id }) => id === userId)
      ? { ...task, assignees: task.assignees.filter(({ id }) => id !== userId) }
      : task,
  )
  const rest = snapshot.board.members.filter(({ id }) => id !== userId)
  return withMembers({ ...snapshot, tasks }, rest)
}

export const useCreateBoard = () =>
  useMutation({
    mutationFn: (given: NewBoard) => client.boards.create.mutate(given),
    onSuccess: (board) => {
      queryClient.setQueryData(snapshotQuery(board.id).queryKey, { board, tasks: [] })
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
    send: (changes: BoardChanges, stamp) => client.boards.update.mutate({ boardId, ...changes }, stamp),
    foresee: (changes, { board }) => [
      {
        type: 'BOARD_UPDATED',
        payload: {
          updates: {
            name: changes.name ?? board.name,
            description: changes.description === undefined ? board.description : changes.description,
          },
        },
      },
    ],
    learned: ({ name, description }) => [{ type: 'BOARD_UPDATED', payload: { updates: { name, description } } }],
    meta: {
      success: { title: 'Board Updated', duration: 2_000 },
      failure: { title: 'Update Failed', description: `Could not update board ${field}. Please try again.` },
    },
  })

export const useDeleteBoard = (boardId: number) =>
  useBoardMutation(boardId, {
    send: (_: undefined, stamp) => client.boards.delete.mutate({ boardId }, stamp),
    meta: {
      success: { title: 'Board Deleted', description: 'The board has been deleted successfully.' },
      failure: deniedOr({ title: 'Delete Failed', description: 'Could not delete the board. Please try again.' }),
    },
  })

const INVITED_SHOWN = 30
const shortened = (email: string) => (email.length > INVITED_SHOWN ? `${email.slice(0, INVITED_SHOWN)}...` : email)

/** Adds whoever has an account with the address, and invites anyone else by mail. */
export const useAddMember = (boardId: number, viewer: { id: number }) =>
  useBoardMutation(boardId, {
    send: async (email: string, stamp) => ({ email, ...(await client.boards.addMember.mutate({ boardId, email }, stamp)) }),
    learned: (answer) =>
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
    send: (userId: number, stamp) => client.boards.removeMember.mutate({ boardId, userId }, stamp),
    foresee: (userId) => [{ type: 'board_member_removed', payload: { userId } }],
    learned: (_answer, userId) => [{ type: 'board_member_removed', payload: { userId } }],
    meta: {
      success: { title: 'Member Removed', description: 'The member has been removed from the board.' },
      failure: (error) =>
        refusalOf(error)?.message === CREATOR_STAYS
          ? { title: 'Cannot Remove Creator', description: CREATOR_STAYS }
          : deniedOr(NOT_REMOVED)(error),
    },
  })

/** Forgets a board that one has left for good. */
export const forgetBoard = (boardId: number): void => queryClient.removeQueries(snapshotQuery(boardId))
