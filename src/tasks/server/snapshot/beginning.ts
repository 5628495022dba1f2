import { type BoardTask, type Snapshot, STATUSES, type Status } from '../../schema'
import type { CachedSnapshot } from '../snapshotCache'
import { textOf } from './gzip'
import type { Piece } from './pieces'

/** As many as a column shows without scrolling. */
const SHOWN = 8

const known = new WeakMap<CachedSnapshot, Promise<Snapshot>>()

/** A board with the first tasks of each column. */
export function beginningOf(snapshot: CachedSnapshot): Promise<Snapshot> {
  const beginning = known.get(snapshot) ?? read(snapshot)
  known.set(snapshot, beginning)
  return beginning
}

/** Pieces become shorter as tasks go, so what a column begins with may lie in many. */
async function read({ board, timers, pieces }: CachedSnapshot): Promise<Snapshot> {
  const tasks: BoardTask[] = []
  const firstOf = (status: Status) => tasks.filter((task) => task.status === status).slice(0, SHOWN)
  for (const [nth, piece] of pieces.entries()) {
    const { status } = piece.last
    const goesOn = pieces[nth - 1]?.last.status === status
    if (!goesOn || firstOf(status).length < SHOWN) tasks.push(...(await tasksOf(piece)))
  }
  return { board, timers, tasks: STATUSES.flatMap(firstOf) }
}

const tasksOf = async (piece: Piece): Promise<BoardTask[]> => JSON.parse(`[${await textOf(piece)}]`)
