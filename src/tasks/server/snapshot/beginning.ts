import { type BoardTask, type Snapshot, STATUSES, type Status } from '../../schema'
import type { CachedSnapshot } from '../snapshotCache'
import { textOf } from './gzip'
import { compare, type Piece } from './pieces'

/** As many as a column shows without scrolling. */
const SHOWN = 8

const known = new WeakMap<CachedSnapshot, Promise<Snapshot>>()

/** A board with the first tasks of each column. */
export function beginningOf(snapshot: CachedSnapshot): Promise<Snapshot> {
  const beginning = known.get(snapshot) ?? read(snapshot)
  known.set(snapshot, beginning)
  return beginning
}

async function read({ board, timers, pieces }: CachedSnapshot): Promise<Snapshot> {
  const firsts = STATUSES.map((status) => pieces.findIndex(({ last }) => compare({ status, position: '' }, last) <= 0))
  const near = pieces.filter((_, nth) => firsts.some((first) => first === nth || first === nth - 1))
  const tasks = (await Promise.all(near.map(tasksOf))).flat()
  const firstOf = (status: Status) => tasks.filter((task) => task.status === status).slice(0, SHOWN)
  return { board, timers, tasks: STATUSES.flatMap(firstOf) }
}

const tasksOf = async (piece: Piece): Promise<BoardTask[]> => JSON.parse(`[${await textOf(piece)}]`)
