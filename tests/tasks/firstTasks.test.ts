import { expect, test } from 'bun:test'
import type { Board } from '../../src/boards/schema'
import { type BoardTask, STATUSES } from '../../src/tasks/schema'
import { toLine } from '../../src/tasks/server/boardTasks.store'
import { firstTasksOf } from '../../src/tasks/server/snapshotCache'

test('a board begins with the first eight tasks of each column', () => {
  const counts = [12, 0, 8]
  const tasks = STATUSES.flatMap((status, column) =>
    Array.from({ length: counts[column] ?? 0 }, (_, n) => ({ id: column * 1_000 + n, status, position: String(1_000 + n) })),
  ) as BoardTask[]
  const initial = firstTasksOf({ board: {} as Board, timers: [], lines: tasks.map(toLine) })
  expect(initial.tasks).toEqual([...tasks.slice(0, 8), ...tasks.slice(12)])
})
