import { queryOptions } from '@tanstack/react-query'
import type { AnnouncedChange, BoardChange } from '../protocol'
import { queryClient } from './trpc'

/**
 * Lists that belong to a board and are not in its snapshot, such as the comments of a task. The messages that keep the
 * board true keep them true; where some may have been missed, they are read again.
 */
type Apply<List> = (list: List, change: BoardChange) => List
type Read = { boardId: number; heard: BoardChange[] }

/** The lists of a board, or those of one kind. */
export const listsOf = (boardId: number, ...kind: string[]) => ['list', boardId, ...kind] as const

/** What is being read, with the changes that were heard of meanwhile. */
const reads = new Set<Read>()

/** For each board, the version up to which its lists heard of everything. */
const reached = new Map<number, number>()

/** A list as a query; `apply` is pure and idempotent, for what is read may hold a change that is told later. */
export const listQuery = <List>(
  boardId: number,
  name: readonly (string | number)[],
  read: (signal: AbortSignal) => Promise<List>,
  apply: Apply<List>,
) =>
  queryOptions({
    queryKey: [...listsOf(boardId), ...name],
    queryFn: async ({ signal }) => {
      const own: Read = { boardId, heard: [] }
      reads.add(own)
      try {
        const list = await read(signal)
        return own.heard.reduce(apply, list)
      } finally {
        reads.delete(own)
      }
    },
    meta: { apply },
    networkMode: 'always',
  })

/** Takes a message of the live channel into the lists of its board. */
export function tellLists(message: AnnouncedChange): void {
  const { boardId, version } = message.payload
  const before = reached.get(boardId) ?? version - 1
  reached.set(boardId, Math.max(before, version))
  changeLists(boardId, message)
  if (version > before + 1) readAgain(boardId)
}

/** Whoever joins a board at another version than they heard of has missed something. */
export function joinLists(boardId: number, version: number): void {
  if (reached.get(boardId) === version) return
  reached.set(boardId, version)
  readAgain(boardId)
}

/** Takes what the server answered to a change, unless the channel told of it already, or of something newer. */
export function answerLists(boardId: number, version: number, changes: BoardChange[]): void {
  if (version > (reached.get(boardId) ?? 0)) for (const change of changes) changeLists(boardId, change)
}

function changeLists(boardId: number, change: BoardChange) {
  for (const read of reads) if (read.boardId === boardId) read.heard.push(change)
  for (const { queryKey, state, meta } of queryClient.getQueryCache().findAll({ queryKey: listsOf(boardId) })) {
    // What is to be read again would count as fresh once it is written.
    if (state.data === undefined || state.isInvalidated) continue
    // Each list brought the reducer of its own kind along, above.
    const { apply } = meta as { apply: Apply<unknown> }
    queryClient.setQueryData(queryKey, apply(state.data, change))
  }
}

const readAgain = (boardId: number) => void queryClient.invalidateQueries({ queryKey: listsOf(boardId) })
