import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { queryClient } from '../queryClient'
import { kindOf } from './changeKinds'
import { EVERY_BOARD, type Live, type LiveKey, liveKey } from './liveQuery'
import { type Pending, pendingChanges, useOfPending } from './pendingChanges'
import { applyToSnapshot, type Change, type LiveBoard } from './reducers'
import { isTemporary, resolved, storedId } from './temporaryIds'

/** A pending change's effect on a board's data, and the version that will include it. */
type Prediction = { boardId: number; version: number | undefined; changes: Change[] }

type Cached = { pending: readonly Pending[]; boards: Map<number, LiveBoard | undefined>; predictions: Prediction[] }
let cached: Cached = { pending: [], boards: new Map(), predictions: [] }

const boardKey = (boardId: number) => liveKey(boardId, 'board')
const boardOf = (boardId: number) => queryClient.getQueryData<Live<LiveBoard>>(boardKey(boardId))

/** All predictions, each based on the result of the earlier ones; recomputed when either changes. */
function predictions(): Prediction[] {
  const pending = pendingChanges()
  const isCurrent = cached.pending === pending && [...cached.boards].every(([id, board]) => boardOf(id)?.data === board)
  if (isCurrent) return cached.predictions
  const boards = new Map(pending.map(({ boardId }) => [boardId, boardOf(boardId)?.data]))
  const current = new Map(boards)
  const all = pending.flatMap((change) => {
    const board = current.get(change.boardId)
    const prediction = predict(change, board)
    if (!prediction) return []
    if (board && isAhead(prediction, boardOf(change.boardId)))
      current.set(change.boardId, prediction.changes.reduce(applyToSnapshot, board))
    return [prediction]
  })
  cached = { pending, boards, predictions: all }
  return all
}

function predict({ name, input, state, version, ...made }: Pending, board: LiveBoard | undefined) {
  const kind = kindOf(name)
  if (!kind?.predict || (kind.waits && state === 'new')) return undefined
  try {
    // A kind gets the input it was submitted with.
    const changes = kind.predict(resolved(input).input as never, { ...made, id: storedId(made.id) }, board as never)
    return { boardId: made.boardId, version, changes }
  } catch (error) {
    console.warn('A change could not be shown before it was saved', error)
    return undefined
  }
}

const isAhead = ({ boardId, version }: Prediction, live: Live<unknown> | undefined) =>
  version === undefined || (live?.versions[boardId] ?? 0) < version

function overlaid<Data>(live: Live<Data>, scope: number | typeof EVERY_BOARD, apply: (data: Data, change: Change) => Data): Data {
  return predictions()
    .filter((prediction) => (scope === EVERY_BOARD || prediction.boardId === scope) && isAhead(prediction, live))
    .flatMap(({ changes }) => changes)
    .reduce(apply, live.data)
}

export function predicted<Data>(key: LiveKey, apply: (data: Data, change: Change) => Data): Data | undefined {
  const live = queryClient.getQueryData<Live<Data>>(key)
  return live && overlaid(live, key[1], apply)
}

type Query<Data> = UseQueryOptions<Live<Data>, Error, Live<Data>, LiveKey> & { queryKey: LiveKey }

/** Live data overlaid with pending changes; `apply` must be a stable function. */
export function useLive<Data>(query: Query<Data>, apply: (data: Data, change: Change) => Data, unread?: NoInfer<Data>) {
  const result = useQuery(query)
  const scope = query.queryKey[1] as number | typeof EVERY_BOARD
  const live = result.data
  const read = useCallback(
    () => (live ? overlaid(live, scope, apply) : ownOf(unread, scope, apply)),
    [live, scope, apply, unread],
  )
  return { ...result, data: useOfPending(read), live }
}

/** Pending changes show even if the rest could not be read yet. */
function ownOf<Data>(unread: Data | undefined, scope: number | typeof EVERY_BOARD, apply: (data: Data, change: Change) => Data) {
  if (unread === undefined) return undefined
  const own = overlaid({ data: unread, versions: {} }, scope, apply)
  return own === unread ? undefined : own
}

/** The parts of a task that the server does not know yet are empty. */
export const ofTask = <Data>(taskId: number, query: Query<Data>, none: NoInfer<Data>): Query<Data> =>
  isTemporary(taskId) ? { ...query, enabled: false, initialData: { data: none, versions: {} } } : query
