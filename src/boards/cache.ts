import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { BoardChange, BoardMessage, ServerMessage } from '../live/messages'
import { applyTaskChange } from '../tasks/cache'
import { useBoardMutation } from '../web/optimistic'
import { client, queryClient, refusalOf, trpc } from '../web/trpc'
import type { BoardChanges, NewBoard, Snapshot } from './inputs'

export const boardsQuery = () => trpc.boards.list.queryOptions()

const snapshotKey = (boardId: number) => ['snapshot', boardId] as const

/** Messages that came while their board was being read, or after a gap. */
const waiting = new Map<number, BoardMessage[]>()

export const snapshotQuery = (boardId: number) =>
  queryOptions({
    queryKey: snapshotKey(boardId),
    queryFn: async ({ signal }) => {
      const response = await fetch(`/api/boards/${boardId}/snapshot`, { signal })
      if (!response.ok) throw new BoardUnavailable(response.status)
      // The server is our own, and it makes this answer as a Snapshot.
      return drain((await response.json()) as Snapshot)
    },
  })

/** The board cannot be read: it is not there, not for this user, or the server is out of reach. */
export class BoardUnavailable extends Error {
  constructor(readonly status: number) {
    super(`The board answered ${status}`)
  }
}

export const useSnapshot = (boardId: number) => useQuery(snapshotQuery(boardId))

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
    case 'board_deleted':
      return snapshot
    default:
      return { ...snapshot, tasks: applyTaskChange(snapshot.tasks, change) }
  }
}

const withMembers = (snapshot: Snapshot, members: Snapshot['board']['members']): Snapshot => ({
  ...snapshot,
  board: { ...snapshot.board, members, memberCount: members.length },
})

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

function applyMessage(snapshot: Snapshot, message: BoardMessage): Snapshot {
  const changed = applyChange(snapshot, message)
  return { ...changed, board: { ...changed.board, version: message.payload.version } }
}

/** A fresh board with what came while it was being read; what lies beyond a gap goes on waiting. */
function drain(fresh: Snapshot): Snapshot {
  const boardId = fresh.board.id
  const held = waiting.get(boardId)?.sort((a, b) => a.payload.version - b.payload.version) ?? []
  const caughtUp = held.reduce(
    (snapshot, message) => (message.payload.version === snapshot.board.version + 1 ? applyMessage(snapshot, message) : snapshot),
    fresh,
  )
  const beyond = held.filter((message) => message.payload.version > caughtUp.board.version)
  if (beyond.length > 0) waiting.set(boardId, beyond)
  else waiting.delete(boardId)
  return caughtUp
}

/** Applies what the server answered to a change before the socket tells of it; the version stays. */
export function learn(boardId: number, changes: BoardChange[]): void {
  queryClient.setQueryData(snapshotQuery(boardId).queryKey, (snapshot) => snapshot && changes.reduce(applyChange, snapshot))
}

/** Takes a message of the live channel into the cache. A gap in the version has the board read again. */
export function receive(message: ServerMessage): void {
  if (message.type === 'joined_board') catchUp(message.payload.boardId, message.payload.version)
  else if (isStored(message)) takeIn(message)
}

const PASSING = new Set(['typing_started', 'typing_stopped', 'editing_status', 'current_user_updated', 'error'])
const isStored = (message: ServerMessage): message is BoardMessage => !PASSING.has(message.type)

function takeIn(message: BoardMessage) {
  const { boardId, version } = message.payload
  const aboutTask = 'task' in message.payload || 'taskId' in message.payload
  if (!aboutTask) void queryClient.invalidateQueries(boardsQuery())
  const query = queryClient.getQueryCache().find({ queryKey: snapshotKey(boardId) })
  if (query?.state.fetchStatus === 'fetching') {
    hold(message)
    return
  }
  const snapshot = queryClient.getQueryData(snapshotQuery(boardId).queryKey)
  if (!snapshot || version <= snapshot.board.version) return
  if (version === snapshot.board.version + 1) {
    queryClient.setQueryData(snapshotQuery(boardId).queryKey, applyMessage(snapshot, message))
  } else if (query?.isActive()) {
    hold(message)
    void reread(boardId)
  }
}

function hold(message: BoardMessage) {
  const { boardId } = message.payload
  waiting.set(boardId, [...(waiting.get(boardId) ?? []), message])
}

/** After a join: reads the board again where it is older than what was joined. */
function catchUp(boardId: number, version: number) {
  const { queryKey } = snapshotQuery(boardId)
  if (queryClient.getQueryState(queryKey)?.fetchStatus === 'fetching') {
    // What is being read may have been read before the join: it is looked at again when it is there.
    void queryClient.fetchQuery(snapshotQuery(boardId)).then(() => catchUp(boardId, version), ignoreHere)
    return
  }
  const snapshot = queryClient.getQueryData(queryKey)
  if (snapshot && snapshot.board.version < version) void reread(boardId)
}

/** The page shows a board that cannot be read; the next join tries again. */
const ignoreHere = () => {}

async function reread(boardId: number): Promise<void> {
  const { queryKey } = snapshotQuery(boardId)
  await queryClient.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false })
  const state = queryClient.getQueryState(queryKey)
  const version = queryClient.getQueryData(queryKey)?.board.version
  if (state?.status !== 'success' || version === undefined) return
  if (waiting.get(boardId)?.some((message) => message.payload.version > version)) await reread(boardId)
}

export const useCreateBoard = () =>
  useMutation({
    mutationFn: (given: NewBoard) => client.boards.create.mutate(given),
    onSuccess: () => queryClient.invalidateQueries(boardsQuery()),
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
    name: 'update',
    send: (changes: BoardChanges) => client.boards.update.mutate({ boardId, ...changes }),
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
    name: 'delete',
    send: () => client.boards.delete.mutate({ boardId }),
    meta: {
      success: { title: 'Board Deleted', description: 'The board has been deleted successfully.' },
      failure: { title: 'Delete Failed', description: 'Could not delete the board. Please try again.' },
    },
  })

const INVITED_SHOWN = 30
const shortened = (email: string) => (email.length > INVITED_SHOWN ? `${email.slice(0, INVITED_SHOWN)}...` : email)

export const useAddMember = (boardId: number) =>
  useBoardMutation(boardId, {
    name: 'addMember',
    send: async (email: string) => ({ email, ...(await client.boards.addMember.mutate({ boardId, email })) }),
    learned: ({ user }) => [{ type: 'board_member_added', payload: { user } }],
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

export const useRemoveMember = (boardId: number) =>
  useBoardMutation(boardId, {
    name: 'removeMember',
    send: (userId: number) => client.boards.removeMember.mutate({ boardId, userId }),
    foresee: (userId) => [{ type: 'board_member_removed', payload: { userId } }],
    learned: (_answer, userId) => [{ type: 'board_member_removed', payload: { userId } }],
    meta: {
      success: { title: 'Member Removed', description: 'The member has been removed from the board.' },
      failure: { title: 'Removal Failed', description: 'Could not remove the member from the board. Please try again.' },
    },
  })
