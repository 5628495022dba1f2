import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Received } from '../../protocol'
import type { Snapshot } from '../../tasks/schema'
import { displayName } from '../../users/schema'
import { client, fetchInTime } from '../../web/client'
import { changeKind } from '../../web/live/changeKinds'
import { liveKey, liveQuery } from '../../web/live/liveQuery'
import { predicted, useLive } from '../../web/live/predictions'
import { NoAnswer, ReadRefused } from '../../web/live/reachability'
import { applyToSnapshot } from '../../web/live/reducers'
import type { Handlers } from '../../web/live/socket'
import { forgetAnswersOf } from '../../web/live/storedAnswers'
import { useChange } from '../../web/live/undoableChanges'
import { queryClient, trpc } from '../../web/queryClient'
import { deniedOr, refusalOf } from '../../web/refusal'
import { startDownload } from '../../web/sendFile'
import { LONG_SHOWN_FOR, UPDATE_SHOWN_FOR } from '../../web/toast'
import { useRequestKey } from '../../web/useCall'
import { CREATOR_STAYS, inOwnOrder, RESTORABLE_DAYS } from '../limits'
import type { BoardChanges, BoardListItem, BoardMessage, NewBoard } from '../schema'

export const boardsQuery = () => trpc.boards.list.queryOptions(undefined, { meta: { kept: true } })

export const snapshotQuery = (boardId: number) => ({
  ...liveQuery({
    key: [boardId, 'board'],
    read: (signal) => readSnapshot(boardId, signal),
    apply: applyToSnapshot<Snapshot>,
    versionOf: ({ board }) => board.version,
  }),
  // The reducers keep unchanged parts; comparing 5,000 tasks would only take time.
  structuralSharing: false,
})

/** Depends on the viewer, so the snapshot cannot say it. */
export const useIsLocked = (boardId: number): boolean =>
  useQuery(boardsQuery()).data?.some((board) => board.id === boardId && board.locked) ?? false

export const useBoard = (boardId: number) => useLive(snapshotQuery(boardId), applyToSnapshot<Snapshot>)

export const useBoardView = (boardId: number): Snapshot | undefined => useBoard(boardId).data

/** The same, outside a render. */
export const boardViewNow = (boardId: number): Snapshot | undefined =>
  predicted(liveKey(boardId, 'board'), applyToSnapshot<Snapshot>)

export const ARRANGING = ['arrange boards']

/** A read while an order is being saved would show the old one, so it waits until that is done. */
const readBoardsAgain = () => {
  if (queryClient.isMutating({ mutationKey: ARRANGING }) === 0) void queryClient.invalidateQueries(boardsQuery())
}

/** An imported name disappears when a user claims it. */
function readWhereNamesGo({ boardId }: { boardId: number }) {
  const hasNames = queryClient.getQueryData(boardsQuery().queryKey)?.some(({ id, nameCount }) => id === boardId && nameCount > 0)
  if (hasNames) readBoardsAgain()
}

export const boardListHandlers: Handlers = {
  BOARD_UPDATED: readBoardsAgain,
  board_member_added: readBoardsAgain,
  board_member_removed: readBoardsAgain,
  board_handed_over: readBoardsAgain,
  board_deleted: readAllBoardsAgain,
  board_restored: readAllBoardsAgain,
  boards_arranged: readBoardsAgain,
  user_profile_updated: readWhereNamesGo,
}

export const useOwnBoards = () =>
  useQuery({ ...boardsQuery(), select: inOwnOrder<BoardListItem>, refetchOnWindowFocus: 'always' })

type BoardChange = Received<BoardMessage>
const updated = (changes: BoardChanges, { name, description, inviteLinks }: Snapshot['board']): BoardChange => ({
  type: 'BOARD_UPDATED',
  payload: {
    updates: {
      name: changes.name ?? name,
      description: changes.description === undefined ? description : changes.description,
      inviteLinks: changes.inviteLinks ?? inviteLinks,
    },
  },
})
const memberRemoved = (userId: number): BoardChange => ({ type: 'board_member_removed', payload: { userId } })

export function useCreateBoard() {
  const key = useRequestKey()
  return useMutation({
    mutationFn: (given: NewBoard) => client.boards.create.mutate(given, key.of(given)),
    onSuccess: (board) => {
      key.forget()
      queryClient.setQueryData(snapshotQuery(board.id).queryKey, {
        data: { board, timers: [], tasks: [] },
        versions: { [board.id]: board.version },
      })
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
}

type Field = 'name' | 'description' | 'invite links'

const update = (field: Field) =>
  changeKind({
    name: `boards.update.${field}`,
    send: (input: BoardChanges & { boardId: number }, call) => client.boards.update.mutate(input, call),
    predict: (changes, _made, board: Snapshot | undefined) => (board ? [updated(changes, board.board)] : []),
    textOf: ({ name, description }) => name ?? description ?? '',
    texts: {
      success: { title: 'Board Updated', duration: UPDATE_SHOWN_FOR },
      failure: { title: 'Update Failed', description: `Could not update board ${field}. Please try again.` },
    },
  })

const updates = { name: update('name'), description: update('description'), 'invite links': update('invite links') }

export function useUpdateBoard(boardId: number, field: Field) {
  const { run, isPending } = useChange(boardId, updates[field])
  return {
    isPending,
    async run(changes: BoardChanges) {
      showInList(boardId, changes)
      const outcome = await run({ boardId, ...changes })
      if (!outcome) readBoardsAgain()
      else void outcome.later?.then((answer) => answer ?? readBoardsAgain())
      return outcome
    },
  }
}

/** Shows a change to the list before it is answered; `putBack` if it failed. */
export async function changeList(change: (boards: BoardListItem[]) => BoardListItem[]) {
  const { queryKey } = boardsQuery()
  await queryClient.cancelQueries({ queryKey })
  const former = queryClient.getQueryData(queryKey)
  queryClient.setQueryData(queryKey, former && change(former))
  return { putBack: () => void queryClient.setQueryData(queryKey, former) }
}

function showInList(id: number, { name, description }: BoardChanges) {
  const shown = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
  const changed = (board: BoardListItem) => (board.id === id ? { ...board, ...shown } : board)
  queryClient.setQueryData(boardsQuery().queryKey, (boards) => boards?.map(changed))
}

const isListed = (boardId: number) => queryClient.getQueryData(boardsQuery().queryKey)?.some(({ id }) => id === boardId)

export function useDeleteBoard(boardId: number) {
  const restore = useRestoreBoard()
  return useMutation({
    mutationFn: () => client.boards.delete.mutate({ boardId }),
    onMutate: () => changeList((boards) => boards.filter(({ id }) => id !== boardId)),
    onError(_error, _nothing, former) {
      former?.putBack()
      readBoardsAgain()
    },
    meta: {
      success: {
        title: 'Board Deleted',
        description: `The board has been deleted successfully. You can restore it from the dashboard for ${RESTORABLE_DAYS} days.`,
        duration: LONG_SHOWN_FOR,
        actions: [{ label: 'Restore', run: () => isListed(boardId) || restore.mutate(boardId) }],
      },
      failure: deniedOr({ title: 'Delete Failed', description: 'Could not delete the board. Please try again.' }),
    },
  })
}

const INVITED_SHOWN = 30
const shortened = (who: string) => ([...who].length > INVITED_SHOWN ? `${[...who].slice(0, INVITED_SHOWN).join('')}...` : who)

type Added = Awaited<ReturnType<typeof client.boards.addMember.mutate>>

function invitedText(added: Added, who: string) {
  const title = 'Invitation Sent'
  if ('user' in added)
    return { title: 'Member Added', description: `${shortened(displayName(added.user))} was added to the board.` }
  const { user } = added.invitation
  if (user)
    return { title, description: `${shortened(displayName(user))} left this board earlier, so we sent an invitation instead.` }
  return { title, description: `${shortened(who)} has been invited to the board.` }
}

/** The link of an invitation that cannot be mailed. */
export const inviteLinkOf = (added: Added | undefined): string | undefined =>
  added && 'invitation' in added ? added.invitation.link : undefined

/** Adds the user with this address or username, and invites any other address by email. */
const addMember = changeKind({
  name: 'boards.addMember',
  online: true,
  send: ({ boardId, who }: { boardId: number; who: string }, call) =>
    client.boards.addMember.mutate({ boardId, ...(isAddress(who) ? { email: who } : { username: who }) }, call),
  texts: {
    success: (answer, { who }) => invitedText(answer, who),
    failure: (error) => ({ title: 'Invitation Failed', description: notInvited(error) }),
  },
})

/** Usernames have no `@`. */
const isAddress = (who: string) => who.includes('@')
const notInvited = (error: unknown) => refusalOf(error)?.message ?? 'Could not invite user to the board. Please try again.'

export function useAddMember(boardId: number) {
  const { run, isPending } = useChange(boardId, addMember)
  const [failure, setFailure] = useState<string>()
  return {
    run(who: string) {
      setFailure(undefined)
      return run({ boardId, who }, (error) => setFailure(notInvited(error)))
    },
    isPending,
    failure,
    forget: () => setFailure(undefined),
  }
}

const NOT_REMOVED = {
  title: 'Removal Failed',
  description: 'Could not remove the member from the board. Please try again.',
}

const removeMember = changeKind({
  name: 'boards.removeMember',
  online: true,
  send: (input: { boardId: number; userId: number }, call) => client.boards.removeMember.mutate(input, call),
  predict: ({ userId }) => [memberRemoved(userId)],
  texts: {
    success: { title: 'Member Removed', description: 'The member has been removed from the board.' },
    failure: (error) =>
      refusalOf(error)?.message === CREATOR_STAYS
        ? { title: 'Cannot Remove Creator', description: CREATOR_STAYS }
        : deniedOr(NOT_REMOVED)(error),
  },
})

export function useRemoveMember(boardId: number) {
  const { run, isPending } = useChange(boardId, removeMember)
  return { run: (userId: number) => run({ boardId, userId }), isPending }
}

/** Boards that the viewer is no longer on, or that were deleted: nothing of them can be saved. */
export const boardsLeft = new Set<number>()

export function forgetBoard(boardId: number): void {
  queryClient.removeQueries({ queryKey: liveKey(boardId) })
  void forgetAnswersOf(boardId)
}

export const deletedBoardsQuery = () => ({ ...trpc.boards.deleted.queryOptions(), staleTime: 0 })

export const downloadHours = (boardId: number): void => startDownload(`/api/boards/${boardId}/my-hours.csv`)

export function readAllBoardsAgain(): void {
  void queryClient.invalidateQueries(trpc.boards.list.queryOptions())
  void queryClient.invalidateQueries(deletedBoardsQuery())
}

/** Calls `onLimit` if the plan allows no further board; without it a toast says so. */
export const useRestoreBoard = (onLimit?: () => void) =>
  useMutation({
    mutationFn: (boardId: number) => client.boards.restore.mutate({ boardId }),
    onSettled: readAllBoardsAgain,
    onError: (error) => refusalOf(error)?.requiresUpgrade && onLimit?.(),
    meta: {
      failure: (error) =>
        onLimit && refusalOf(error)?.requiresUpgrade
          ? null
          : {
              title: 'Restore Failed',
              description: refusalOf(error)?.message ?? 'Could not restore the board. Please try again.',
            },
    },
  })

export const exportBoard = (boardId: number): void => startDownload(`/api/boards/${boardId}/archive`)

async function readSnapshot(boardId: number, signal: AbortSignal): Promise<Snapshot> {
  const response = await fetchInTime(`/api/boards/${boardId}/snapshot`, { signal }).catch(noAnswer)
  if (response.status >= BAD_GATEWAY) return noAnswer(response.status)
  if (!response.ok) throw new ReadRefused(response.status, response.headers.get('x-request-id'))
  // Our own server sends it.
  return response.json().catch(noAnswer) as Promise<Snapshot>
}

const BAD_GATEWAY = 502

function noAnswer(reason: unknown): never {
  throw new NoAnswer(`The board did not answer: ${reason}`)
}
