import { describe, expect, test } from 'bun:test'
import { snapshotReducers } from '../../src/app/start'
import type { BoardChange } from '../../src/protocol'
import { movedTo, placeAt } from '../../src/tasks/page/reducers'
import { applyToDescription } from '../../src/tasks/page/TaskDescription'
import { type BoardTask, type Snapshot, STATUSES, type Task } from '../../src/tasks/schema'
import { applyToSnapshot, setSnapshotReducers } from '../../src/web/live/reducers'
import { aBoard, anEntry, aPerson, aTask } from '../support/shapes'

setSnapshotReducers(snapshotReducers)

const task = (id: number, position: string, given: Partial<Task> = {}) => aTask({ id, title: `Task ${id}`, position, ...given })

const remark = {
  id: 9,
  taskId: 3,
  userId: 1,
  content: 'Why?',
  createdAt: '2026-01-01T00:00:00.000Z',
  revision: 1,
  user: aPerson(1),
}

const garden: Snapshot = {
  board: aBoard({ members: [aPerson(1), aPerson(2)], memberCount: 2, version: 7 }),
  timers: [
    { entryId: 11, taskId: 3, userId: 1, runningSince: '2026-01-01T00:00:00.000Z', counted: 0 },
    { entryId: 12, taskId: 1, userId: 2, runningSince: '2026-01-01T00:00:00.000Z', counted: 60_000 },
  ],
  tasks: [
    task(1, 'a0', { assignees: [aPerson(2)] }),
    task(2, 'a1'),
    task(3, 'a0', { status: 'inprogress' }),
    task(4, 'a0', { status: 'done', assignees: [aPerson(1), aPerson(2)] }),
  ],
}

const running = { status: 'ACTIVE', runningSince: '2026-01-02T00:00:00.000Z' } as const

const NOW = '2026-11-27T21:00:00.000Z'

const changes: BoardChange[] = [
  { type: 'new_task', payload: { task: task(5, 'a0V') } },
  { type: 'task_updated', payload: { task: task(2, 'a0V', { status: 'inprogress', title: 'Moved' }) } },
  { type: 'task_deleted', payload: { taskId: 1 } },
  { type: 'task_deleted', payload: { taskId: 99 } },
  { type: 'task_assignee_added', payload: { taskId: 3, user: aPerson(2) } },
  { type: 'task_assignee_removed', payload: { taskId: 4, userId: 2 } },
  { type: 'new_comment', payload: { taskId: 3, comment: remark, commentCount: 4, updatedAt: NOW } },
  { type: 'comment_updated', payload: { taskId: 3, comment: remark, updatedAt: NOW } },
  { type: 'comment_deleted', payload: { taskId: 3, commentId: 9, commentCount: 2, updatedAt: NOW } },
  { type: 'attachment_deleted', payload: { taskId: 3, attachmentId: 9, fileCount: 2, updatedAt: NOW } },
  { type: 'board_member_added', payload: { user: aPerson(3) } },
  { type: 'board_member_removed', payload: { userId: 2 } },
  { type: 'user_profile_updated', payload: { user: { ...aPerson(2), username: 'renamed', name: 'Bob' } } },
  { type: 'time_entry_added', payload: { taskId: 2, entry: anEntry({ id: 13, taskId: 2, ...running }), minutes: 0 } },
  { type: 'time_entry_updated', payload: { taskId: 3, entry: anEntry({ id: 11, taskId: 3 }), minutes: 60 } },
  { type: 'time_entry_deleted', payload: { taskId: 3, entryId: 11, minutes: 0 } },
  { type: 'BOARD_UPDATED', payload: { updates: { name: 'Orchard', description: 'Apples' } } },
  { type: 'board_deleted', payload: {} },
]

const ids = (snapshot: Snapshot) => snapshot.tasks.map(({ id }) => id)

describe('a change applied to a board', () => {
  for (const change of changes) {
    test(`${change.type} leaves the board it was given as it was, and twice is as once`, () => {
      const before = structuredClone(garden)
      const once = applyToSnapshot(garden, change)
      expect(garden).toEqual(before)
      expect(applyToSnapshot(once, change)).toEqual(once)
    })
  }

  test('tasks stay in the columns’ order', () => {
    expect(ids(applyToSnapshot(garden, { type: 'new_task', payload: { task: task(5, 'a0V') } }))).toEqual([1, 5, 2, 3, 4])
    const moved = task(1, 'a1', { status: 'inprogress' })
    expect(ids(applyToSnapshot(garden, { type: 'task_updated', payload: { task: moved } }))).toEqual([2, 3, 1, 4])
  })

  test('a task counts its comments, and is updated by them', () => {
    const counts = (snapshot: Snapshot) => snapshot.tasks.map(({ commentCount }) => commentCount)
    const more = applyToSnapshot(garden, {
      type: 'new_comment',
      payload: { taskId: 3, comment: remark, commentCount: 1, updatedAt: NOW },
    })
    expect(counts(more)).toEqual([0, 0, 1, 0])
    expect(more.tasks.map(({ updatedAt }) => updatedAt)).toEqual([null, null, NOW, null])
    const less = applyToSnapshot(more, {
      type: 'comment_deleted',
      payload: { taskId: 3, commentId: 9, commentCount: 0, updatedAt: NOW },
    })
    expect(counts(less)).toEqual([0, 0, 0, 0])
  })

  test('a task counts its files', () => {
    const less = applyToSnapshot(garden, {
      type: 'attachment_deleted',
      payload: { taskId: 3, attachmentId: 9, fileCount: 2, updatedAt: NOW },
    })
    expect(less.tasks.map(({ fileCount }) => fileCount)).toEqual([0, 0, 2, 0])
  })

  test('the timers that run are those of who has one, one each', () => {
    const timersAfter = (change: BoardChange) =>
      applyToSnapshot(garden, change).timers.map(({ entryId, taskId }) => [entryId, taskId])
    const at = (id: number, taskId: number, given = {}) => ({ taskId, entry: anEntry({ id, taskId, ...given }), minutes: 0 })
    expect(timersAfter({ type: 'time_entry_added', payload: at(13, 2, running) })).toEqual([
      [12, 1],
      [13, 2],
    ])
    const paused = { status: 'PAUSED' } as const
    for (const ends of [
      { type: 'time_entry_updated', payload: at(11, 3) },
      { type: 'time_entry_updated', payload: at(11, 3, paused) },
      { type: 'time_entry_deleted', payload: { taskId: 3, entryId: 11, minutes: 0 } },
      { type: 'task_deleted', payload: { taskId: 3 } },
      { type: 'board_member_removed', payload: { userId: 1 } },
    ] satisfies BoardChange[])
      expect(timersAfter(ends)).toEqual([[12, 1]])
    expect(applyToSnapshot(garden, { type: 'time_entry_updated', payload: at(14, 2, paused) }).timers).toBe(garden.timers)
  })

  test('a person has their new name wherever the board shows them', () => {
    const user = { ...aPerson(2), username: 'renamed', name: 'Bob', avatar: '/uploads/avatars/x' }
    const { board, tasks } = applyToSnapshot(garden, { type: 'user_profile_updated', payload: { user } })
    expect(board.members).toEqual([aPerson(1), user])
    expect(tasks.map(({ assignees }) => assignees)).toEqual([[user], [], [], [aPerson(1), user]])
  })

  test('with a membership, its assignments go', () => {
    const left = applyToSnapshot(garden, { type: 'board_member_removed', payload: { userId: 2 } })
    expect(left.board.memberCount).toBe(1)
    expect(left.tasks.flatMap(({ assignees }) => assignees.map(({ id }) => id))).toEqual([1])
  })
})

describe('a description', () => {
  const cut: BoardTask = task(2, 'a0V', { description: 'The beg' })
  const after = (changed: BoardTask) =>
    applyToDescription(2, 'The beginning', { type: 'task_updated', payload: { task: changed } })

  test('follows what is said of its task, and is not taken for a cut one', () => {
    expect(after(cut)).toBe('The beg')
    expect(after({ ...cut, cut: true })).toBe('The beginning')
    expect(after({ ...cut, description: null })).toBe('')
    expect(after({ ...cut, id: 3 })).toBe('The beginning')
    expect(changes.map((change) => applyToDescription(4, 'Whole', change))).toEqual(changes.map(() => 'Whole'))
  })

  test('stays cut where its task is moved in the page', () => {
    const board: BoardTask[] = [{ ...cut, cut: true }]
    expect(movedTo(board, { ...cut, cut: true }, { status: 'done' })).toMatchObject({ status: 'done', cut: true })
  })
})

describe('a place for a task', () => {
  test('every index of every column leads there', () => {
    for (const moved of garden.tasks)
      for (const status of STATUSES) {
        const others = garden.tasks.filter((other) => other.status === status && other.id !== moved.id).map(({ id }) => id)
        for (let index = 0; index <= others.length; index += 1) {
          const result = movedTo(garden.tasks, moved, placeAt(garden.tasks, moved.id, status, index))
          const after = applyToSnapshot(garden, { type: 'task_updated', payload: { task: result } })
          const column = after.tasks.filter((other) => other.status === status).map(({ id }) => id)
          expect(column).toEqual(others.toSpliced(index, 0, moved.id))
        }
      }
  })
})
