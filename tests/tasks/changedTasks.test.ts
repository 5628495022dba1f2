import { expect, test } from 'bun:test'
import type { AnnouncedChange } from '../../src/protocol'
import { createChangedTasks } from '../../src/tasks/server/snapshot/changedTasks'

/** The announcement of a task; what is not given does not matter here. */
const updated = (boardId: number, version: number, id: number) =>
  ({ type: 'task_updated', payload: { task: { id, description: null }, boardId, version, by: 1 } }) as AnnouncedChange

test('of changed tasks the last 500 are kept whole, of all boards together, and the numbers of those before them', () => {
  const changed = createChangedTasks()
  for (const boardId of [1, 2, 3]) changed.follow(boardId, 0)
  changed.hear(updated(1, 1, 11))
  changed.hear(updated(2, 1, 21))
  for (let version = 1; version <= 499; version++) changed.hear(updated(3, version, 30))
  expect([...(changed.between(1, 0, 1) ?? [])]).toEqual([[11, undefined]])
  expect(changed.between(2, 0, 1)?.get(21)?.id).toBe(21)
  expect(changed.between(3, 0, 499)?.get(30)?.id).toBe(30)
  changed.follow(3, 499)
  changed.forget(2)
  for (const version of [500, 501]) changed.hear(updated(3, version, 30 + version))
  expect([...(changed.between(3, 499, 501)?.values() ?? [])].map((task) => task?.id)).toEqual([530, 531])
  expect(changed.between(2, 0, 1)).toBeUndefined()
})
