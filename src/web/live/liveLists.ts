import { queryOptions } from '@tanstack/react-query'
import type { AnnouncedChange } from '../../protocol'
import { queryClient } from '../queryClient'
import type { Change } from './reducers'

/**
 * Lists that belong to a board and are not in its snapshot, such as the comments of a task. Live messages keep them up
 * to date; where some may have been missed, the lists are read again.
 */
type Apply<List> = (list: List, change: Change) => List
type Read = { boardId: number; changes: Change[] }

/** The key of a board's lists, or of those of one kind. */
export const liveListKey = (boardId: number, ...kind: string[]) => ['list', boardId, ...kind] as const

/** The reads under way, with the changes that came meanwhile. */
const reads = new Set<Read>()

/** For each board, the version up to which its lists have every change. */
const versions = new Map<number, number>()

/** A list as a query; `apply` is pure and idempotent, for a read may already contain a change that is announced later. */
export const liveListQuery = <List>(
  boardId: number,
  name: readonly (string | number)[],
  read: (signal: AbortSignal) => Promise<List>,
  apply: Apply<List>,
) =>
  queryOptions({
    queryKey: [...liveListKey(boardId), ...name],
    queryFn: async ({ signal }) => {
      const own: Read = { boardId, changes: [] }
      reads.add(own)
      try {
        const list = await read(signal)
        return own.changes.reduce(apply, list)
      } finally {
        reads.delete(own)
      }
    },
    meta: { apply },
    networkMode: 'always',
  })

export function applyToLists(message: AnnouncedChange): void {
  const { boardId, version } = message.payload
  const before = versions.get(boardId) ?? version - 1
  versions.set(boardId, Math.max(before, version))
  changeLists(boardId, message)
  if (version > before + 1) readAgain(boardId)
}

/** A board that is joined at another version than the known one has changes that were missed. */
export function catchUpLists(boardId: number, version: number): void {
  if (versions.get(boardId) === version) return
  versions.set(boardId, version)
  readAgain(boardId)
}

/** Applies the answer to a mutation, unless it, or something newer, was announced already. */
export function applyAnswerToLists(boardId: number, version: number, changes: Change[]): void {
  if (version > (versions.get(boardId) ?? 0)) for (const change of changes) changeLists(boardId, change)
}

function changeLists(boardId: number, change: Change) {
  for (const read of reads) if (read.boardId === boardId) read.changes.push(change)
  for (const { queryKey, state, meta } of queryClient.getQueryCache().findAll({ queryKey: liveListKey(boardId) })) {
    // A write would mark a list as fresh that is still to be read again.
    if (state.data === undefined || state.isInvalidated) continue
    // Set by `liveListQuery` above.
    const { apply } = meta as { apply: Apply<unknown> }
    queryClient.setQueryData(queryKey, apply(state.data, change))
  }
}

const readAgain = (boardId: number) => void queryClient.invalidateQueries({ queryKey: liveListKey(boardId) })
