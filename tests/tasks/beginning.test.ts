import { expect, test } from 'bun:test'
import { type BoardTask, STATUSES } from '../../src/tasks/schema'
import { beginningOf } from '../../src/tasks/server/snapshot/beginning'
import { toPieces, withChanged } from '../../src/tasks/server/snapshot/pieces'
import type { CachedSnapshot } from '../../src/tasks/server/snapshotCache'
import { random } from '../support/random'

const tasksIn = (counts: number[]) =>
  STATUSES.flatMap((status, column) =>
    Array.from({ length: counts[column] ?? 0 }, (_, n) => ({
      id: column * 1_000 + n,
      status,
      position: String(1_000 + n),
      // Of several pieces.
      description: 'long '.repeat(200),
    })),
  ) as BoardTask[]

test('a board begins with the first eight tasks of each column, whatever has gone since it was read', async () => {
  const { below } = random('columns that lose tasks')
  for (let round = 0; round < 60; round++) {
    let tasks = tasksIn(STATUSES.map(() => below(130)))
    let pieces = await toPieces(tasks)
    while (tasks.length > 0) {
      const gone = new Set(tasks.filter(() => below(10) < 7).map(({ id }) => id))
      tasks = tasks.filter(({ id }) => !gone.has(id))
      pieces = await withChanged(pieces, gone, [])
      const firsts = STATUSES.flatMap((status) => tasks.filter((task) => task.status === status).slice(0, 8))
      expect((await beginningOf({ pieces } as CachedSnapshot)).tasks).toEqual(firsts)
    }
  }
})
