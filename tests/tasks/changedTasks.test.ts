import { expect, test } from 'bun:test'
import type { AnnouncedChange } from '../../src/protocol'
import { createChangedTasks } from '../../src/tasks/server/snapshot/changedTasks'

/** The announcement of a task; what is not given does not matter here. */
const updated = (boardId: number, version: number, id: number) =>
  ({ type: 'task_updated', payload: { task: { id, description: null }, boardId, version, by: 1 } }) as AnnouncedChange
const deleted = (boardId: number, version: number, taskId: number) =>
  ({ type: 'task_deleted', payload: { taskId, boardId, version, by: 1 } }) as AnnouncedChange

function following(...boardIds: number[]) {
  const { hear, follow, forget, between } = createChangedTasks()
  for (const boardId of boardIds) follow(boardId, 0)
  /** The ids of announced tasks, and of those that are to be read. */
  const found = (boardId: number, from: number, to: number) => {
    const changed = between(boardId, from, to)
    return changed && [changed.lines.map(({ id }) => id), changed.unread]
  }
  return { hear, follow, forget, found }
}

test('of changed tasks the last 500 are kept, of all boards together, and the ids of those before them', () => {
  const { hear, follow, forget, found } = following(1, 2, 3)
  hear(updated(1, 1, 11))
  hear(updated(2, 1, 21))
  for (let version = 1; version <= 499; version++) hear(updated(3, version, 30))
  expect(found(1, 0, 1)).toEqual([[], [11]])
  expect(found(2, 0, 1)).toEqual([[21], []])
  expect(found(3, 0, 499)).toEqual([[30], []])
  follow(3, 499)
  forget(2)
  for (const version of [500, 501]) hear(updated(3, version, 30 + version))
  expect(found(3, 499, 501)).toEqual([[530, 531], []])
  expect(found(2, 0, 1)).toBeUndefined()
})

test('a board that changed more than 500 times is read whole, and takes no place from others', () => {
  const { hear, found } = following(1, 2)
  hear(updated(1, 1, 11))
  for (let version = 1; version <= 600; version++) hear(updated(2, version, 20))
  expect(found(2, 0, 600)).toBeUndefined()
  hear(updated(1, 2, 12))
  expect(found(1, 1, 2)).toEqual([[12], []])
})

test('a task of which anything was not announced is to be read, though it was announced afterwards', () => {
  const { hear, found } = following(1)
  hear(updated(1, 1, 11))
  hear(deleted(1, 2, 11))
  hear(updated(1, 3, 11))
  hear(updated(1, 4, 12))
  expect(found(1, 0, 1)).toEqual([[11], []])
  expect(found(1, 0, 4)).toEqual([[12], [11]])
  expect(found(1, 2, 4)).toEqual([[11, 12], []])
})
