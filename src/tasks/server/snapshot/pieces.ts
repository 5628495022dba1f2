import type { BoardTask } from '../../schema'
import { byPlace, type Place } from '../lookup'
import { type Segment, textOf, toSegment } from './gzip'

const TASKS_A_PIECE = 32

/** Some tasks in the order of the board, as JSON without brackets; `last` is where the last of them stands. */
export type Piece = Segment & { ids: Set<number>; last: Place }

export const toPieces = (tasks: BoardTask[]): Promise<Piece[]> => Promise.all(chunksOf(tasks).map(toPiece))

async function toPiece(tasks: BoardTask[]): Promise<Piece> {
  const segment = await toSegment(JSON.stringify(tasks).slice(1, -1))
  return { ...segment, ids: new Set(tasks.map(({ id }) => id)), last: tasks.at(-1) ?? FIRST }
}

/** The pieces with the `changed` tasks as they are now, or without them where they are gone; all others are kept. */
export async function withChanged(pieces: Piece[], changed: Set<number>, tasks: BoardTask[]): Promise<Piece[]> {
  const added = new Map<Piece | undefined, BoardTask[]>()
  for (const task of tasks) {
    const at = pieces.find(({ last }) => byPlace(task, last) <= 0) ?? pieces.at(-1)
    added.set(at, [...(added.get(at) ?? []), task])
  }
  if (pieces.length === 0) return toPieces(tasks.toSorted(byPlace))
  const remade = pieces.map(async (piece) => {
    const own = added.get(piece) ?? []
    if (own.length === 0 && changed.isDisjointFrom(piece.ids)) return [piece]
    const kept = (JSON.parse(`[${await textOf(piece)}]`) as BoardTask[]).filter(({ id }) => !changed.has(id))
    return toPieces([...kept, ...own].toSorted(byPlace))
  })
  return (await Promise.all(remade)).flat()
}

const FIRST: Place = { status: 'todo', position: '' }

/** None is over twice as long as others, so that it can grow before it is cut. */
function chunksOf(tasks: BoardTask[]): BoardTask[][] {
  if (tasks.length <= 2 * TASKS_A_PIECE) return tasks.length > 0 ? [tasks] : []
  return [tasks.slice(0, TASKS_A_PIECE), ...chunksOf(tasks.slice(TASKS_A_PIECE))]
}
