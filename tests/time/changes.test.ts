import { describe, expect, test } from 'bun:test'
import type { BoardChange, ServerMessage } from '../../src/protocol'
import type { Snapshot } from '../../src/tasks/schema'
import { elapsedMs, isOverdue, OVERDUE_AFTER } from '../../src/time/limits'
import { applyToEntries, applyToNewest } from '../../src/time/page/entriesCache'
import { addedEntry, changedEntry, confirmedTimer, startedTimer } from '../../src/time/page/predictions'
import { applyToTimers, taskMinutes } from '../../src/time/page/reducers'
import { applyToReport, concernsReport } from '../../src/time/page/reportCache'
import type { Report, TimeEntry, Timer } from '../../src/time/schema'
import { applyChange } from '../../src/web/live/reducers'
import { anEntry, aPerson, aTask } from '../support/shapes'

const TASK = 7
const ada = aPerson(1)
const NOON = Date.parse('2026-11-21T12:00:00Z')
const HOUR = 3_600_000
const at = (ms: number) => new Date(ms).toISOString()

const entry = (id: number, given: Partial<TimeEntry> = {}) =>
  anEntry({ id, taskId: TASK, boardId: 3, task: 'Chairs', startTime: at(NOON + id * 1000), day: '2026-11-21', ...given })
const running = (id: number, since = NOON, given: Partial<TimeEntry> = {}) =>
  entry(id, { status: 'ACTIVE', runningSince: at(since), duration: 0, ...given })
const task = aTask({ id: TASK, title: 'Chairs', boardId: 3 })

const added = (entry: TimeEntry) => ({ type: 'time_entry_added', payload: { taskId: TASK, entry, minutes: 9 } }) as const
const updated = (entry: TimeEntry) => ({ type: 'time_entry_updated', payload: { taskId: TASK, entry, minutes: 9 } }) as const
const deleted = (entryId: number) => ({ type: 'time_entry_deleted', payload: { taskId: TASK, entryId, minutes: 9 } }) as const
const moved = { type: 'task_updated', payload: { task: { ...task, title: 'Garden chairs' } } } as const

describe('a change applied to the entries of a task', () => {
  const list = [entry(4), entry(2), entry(1)]
  for (const [what, change, ids] of [
    ['a new one goes where it began', added(entry(3)), [4, 3, 2, 1]],
    ['the earliest goes last', added(entry(9, { startTime: at(0) })), [4, 2, 1, 9]],
    ['one that is there already is there once', added(entry(2)), [4, 2, 1]],
    ['one that is moved to another day changes its place', updated(entry(4, { startTime: at(0) })), [2, 1, 4]],
    ['one that is gone is gone', deleted(2), [4, 1]],
    ['what is not there cannot go', deleted(8), [4, 2, 1]],
  ] as const)
    test(what, () => {
      const once = applyToEntries(TASK, list, change)
      expect(once.map(({ id }) => id)).toEqual([...ids])
      expect(applyToEntries(TASK, once, change)).toEqual(once)
    })

  test('leaves other tasks alone', () => expect(applyToEntries(8, list, added(entry(3)))).toBe(list))

  test('that is predicted goes by the id that its creation has by now', () => {
    const given = { startTime: at(NOON + 5000), duration: 30, note: ' x ', billable: false, timeZone: 'UTC', notify: true }
    const [first] = applyToEntries(TASK, list, added(addedEntry(-9, task, ada, given)))
    expect(first).toMatchObject({ id: -9, duration: 30, note: 'x', billable: false, status: 'completed' })
    expect(applyToEntries(TASK, [entry(5), ...list], added(addedEntry(5, task, ada, given))).map(({ id }) => id)).toEqual([
      5, 4, 2, 1,
    ])
    expect(applyToEntries(TASK, [running(6)], added(startedTimer(6, task, ada, NOON))).map(({ id }) => id)).toEqual([6])
  })
})

describe('a change applied to the newest entries of a task', () => {
  const part = { entries: [entry(4), entry(2)], more: true }
  const after = (change: BoardChange, before = part) => applyToNewest(TASK, before, change)

  test('leaves out what comes before them', () => {
    expect(after(added(entry(3))).entries.map(({ id }) => id)).toEqual([4, 3, 2])
    expect(after(added(entry(1))).entries.map(({ id }) => id)).toEqual([4, 2])
    expect(after(updated(entry(4, { startTime: at(0) }))).entries.map(({ id }) => id)).toEqual([2])
  })

  test('has all of them where there are no more', () =>
    expect(after(added(entry(1)), { ...part, more: false }).entries.map(({ id }) => id)).toEqual([4, 2, 1]))
})

test('a task has the minutes that its entries told of last', () => {
  const board: Snapshot = {
    board: {
      ...{ id: 3, name: 'Spring', description: null, createdBy: 1, creator: { id: 1 } },
      ...{ members: [], memberCount: 0, version: 1, createdAt: at(NOON), importedAt: null, inviteLinks: true },
    },
    timers: [],
    tasks: [task, { ...task, id: 8 }],
  }
  for (const change of [added(entry(3)), updated(entry(3)), deleted(3)])
    expect(applyChange(taskMinutes, board, change).tasks.map(({ minutes }) => minutes)).toEqual([9, 0])
})

describe('a change applied to the timers of a person', () => {
  const nameOf = (boardId: number) => new Map([[3, 'Spring']]).get(boardId)
  const timers: Timer[] = [{ ...running(4), board: 'Spring' }]
  const after = (change: BoardChange, userId = ada.id) => applyToTimers(timers, change, userId, nameOf)

  test('takes those that begin, rest and end', () => {
    expect(after(added(running(5))).map(({ id }) => id)).toEqual([4, 5])
    expect(after(updated(entry(4, { status: 'PAUSED' }))).map(({ status }) => status)).toEqual(['PAUSED'])
    expect(after(updated(entry(4)))).toEqual([])
    expect(after(deleted(4))).toEqual([])
  })

  test('leaves a timer on its own board, whichever board the change was made on', () => {
    const elsewhere = running(5, NOON, { taskId: 8, boardId: 4, task: 'Beds' })
    const both: Timer[] = [{ ...elsewhere, board: 'Autumn' }]
    const start = [updated(changedEntry(elsewhere, { status: 'PAUSED' }, NOON)), added(startedTimer(-1, task, ada, NOON))]
    const after = start.reduce((known, change) => applyToTimers(known, change, ada.id, nameOf), both)
    expect(after.map(({ task, status, boardId, board }) => [task, status, boardId, board])).toEqual([
      ['Beds', 'PAUSED', 4, 'Autumn'],
      ['Chairs', 'ACTIVE', 3, 'Spring'],
    ])
  })

  test('knows nothing of others, and the new name of a task', () => {
    expect(after(added({ ...running(5), userId: 2 }))).toBe(timers)
    expect(after(moved)[0]?.task).toBe('Garden chairs')
  })
})

describe('a change applied to a report', () => {
  const report: Report = {
    page: 1,
    rows: [
      { ...entry(2), cents: 5_000 },
      { ...running(1), cents: null },
    ],
    entries: 12,
    exportable: 11,
    minutes: 600,
    cents: 5_000,
    amounts: 'everyone',
    billed: 600,
    unrated: 0,
    byUser: [],
    byTask: [],
    byDay: [],
  }

  test('is in the row and in the sum, once', () => {
    const change = updated(entry(2, { duration: 90 }))
    const once = applyToReport(report, change)
    expect([once.rows[0]?.duration, once.minutes, once.entries]).toEqual([90, 630, 12])
    expect(applyToReport(once, change)).toEqual(once)
  })

  test('of what runs is in the sum when it rests', () => {
    expect(applyToReport(report, updated(entry(1, { status: 'PAUSED', duration: 5 }))).minutes).toBe(605)
    expect(applyToReport(report, deleted(1)).minutes).toBe(600)
    expect(
      [updated(entry(1, { status: 'PAUSED' })), deleted(1), deleted(2)].map((change) => applyToReport(report, change).exportable),
    ).toEqual([12, 11, 10])
  })

  test('is read anew for time, titles and people, and not for a card that moves', () => {
    const stamp = { boardId: 3, version: 1, by: 2 }
    const titled = (id: number, title: string) =>
      ({ type: 'task_updated', payload: { ...stamp, task: { ...task, id, title, status: 'done' } } }) as const
    const concerned = (message: ServerMessage, boardId = 3) => concernsReport(message, boardId, report)
    expect(concerned(titled(TASK, 'Chairs'))).toBe(false)
    expect(concerned(titled(8, 'Beds'))).toBe(false)
    expect(concerned(titled(TASK, 'Beds'))).toBe(true)
    expect(concerned({ type: 'time_entry_deleted', payload: { ...stamp, taskId: 8, entryId: 99, minutes: 0 } })).toBe(true)
    expect(concerned({ type: 'board_member_removed', payload: { ...stamp, userId: 2 } })).toBe(true)
    expect(concerned(titled(TASK, 'Beds'), 4)).toBe(false)
  })

  test('takes what is gone out, once', () => {
    const once = applyToReport(report, deleted(2))
    expect([once.rows.length, once.minutes, once.entries]).toEqual([1, 540, 11])
    expect(applyToReport(once, deleted(2))).toBe(once)
  })

  test('of what is on no shown page is left to the database', () => expect(applyToReport(report, added(entry(9)))).toBe(report))
})

describe('what the page foresees', () => {
  test('of a pause and a resumption keeps every second', () => {
    const rests = changedEntry(running(1, NOON - 90_500), { status: 'PAUSED' }, NOON)
    expect(rests).toMatchObject({ status: 'PAUSED', counted: 90_500, duration: 1, runningSince: null, confirmed: 90_500 })
    const runs = changedEntry(rests, { status: 'ACTIVE' }, NOON + HOUR)
    expect(elapsedMs(runs, NOON + HOUR + 1_000)).toBe(91_500)
  })

  test('of a pause is no more than an entry can have, and of a forgotten timer no more than the server counts', () => {
    const long = running(1, NOON - 40 * 24 * HOUR)
    const watched = { ...long, confirmed: 40 * 24 * HOUR - HOUR }
    const paused = [watched, long].map((timer) => changedEntry(timer, { status: 'PAUSED' }, NOON).duration)
    expect(paused).toEqual([44_640, 480])
  })

  test('of an overdue timer leaves its question open, and a confirmation answers it', () => {
    const forgotten = running(1, NOON - OVERDUE_AFTER)
    expect(isOverdue(forgotten, NOON)).toBe(true)
    const rests = changedEntry(forgotten, { status: 'PAUSED' }, NOON)
    expect(isOverdue(rests, NOON + HOUR)).toBe(true)
    expect(isOverdue(confirmedTimer(rests, NOON), NOON + HOUR)).toBe(false)
  })

  test('of a stop is a minute at least, and what was said where something was', () => {
    const stopped = (since: number, duration?: number) =>
      changedEntry(running(1, since), { status: 'completed', ...(duration && { duration }) }, NOON).duration
    expect([stopped(NOON - 10), stopped(NOON - 89_999), stopped(NOON - 90_000), stopped(NOON - HOUR, 12)]).toEqual([1, 1, 2, 12])
  })

  test('of an edit changes only what is given', () => {
    const before = entry(1, { note: 'kept' })
    expect(changedEntry(before, { duration: 5 }, NOON)).toEqual({ ...before, duration: 5, revision: 2 })
    expect(changedEntry(before, { note: '  ' }, NOON).note).toBeNull()
  })
})
