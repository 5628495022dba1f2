import { describe, expect, test } from 'bun:test'
import { tagsOfLine } from '../../src/activity/page/ActivitySentence'
import { mayChangeFeed, withNewest, withOlder } from '../../src/activity/page/cache'
import { groupActivities, groupByDay } from '../../src/activity/page/Feed'
import type { Activity, Feed } from '../../src/activity/schema'
import type { ActivityEvent } from '../../src/boards/activity'
import { dayName, durationText } from '../../src/format'
import type { ServerMessage } from '../../src/protocol'

const NOON = Date.parse('2026-11-18T12:00:00')
const MINUTE = 60_000

/** What happened `minutes` after noon, by user 1 or 2 to a task. */
const at = (minutes: number, happening: ActivityEvent, user = 1, taskId: number | null = 7): Activity => ({
  id: 10_000 + minutes,
  boardId: 3,
  taskId,
  taskTitle: taskId === null ? null : 'Dig',
  user: { id: user, username: `user${user}`, name: null, avatar: '' },
  whom: null,
  createdAt: new Date(NOON + minutes * MINUTE).toISOString(),
  ...happening,
})
const renamed = (from: string, to: string): ActivityEvent => ({ kind: 'renamed', detail: { from, to } })
const described: ActivityEvent = { kind: 'described', detail: {} }
const logged: ActivityEvent = { kind: 'time', detail: { did: 'logged', minutes: 5 } }
const unlogged: ActivityEvent = { kind: 'time', detail: { did: 'removed', minutes: 5 } }
/** The moments of each line; given oldest first, as they happen. */
const lines = (...given: Activity[]) => groupActivities(given.toReversed()).map((line) => line.map(({ id }) => id - 10_000))

describe('what reads as one line', () => {
  test('is the same kind by the same person on the same task within five minutes', () => {
    expect(lines(at(0, renamed('a', 'b')), at(2, renamed('b', 'c')), at(4, renamed('c', 'd')))).toEqual([[4, 2, 0]])
    expect(lines(at(0, renamed('a', 'b')), at(6, renamed('b', 'c')))).toEqual([[6], [0]])
    expect(lines(at(0, described), at(1, described, 2))).toEqual([[1], [0]])
    expect(lines(at(0, described), at(1, described, 1, 8))).toEqual([[1], [0]])
    expect(lines(at(0, logged), at(1, unlogged), at(2, unlogged))).toEqual([[2, 1], [0]])
  })

  test('may have other changes by the same hand in between, but none of others', () => {
    expect(lines(at(0, described), at(1, renamed('a', 'b')), at(2, described))).toEqual([[2, 0], [1]])
    expect(lines(at(0, described), at(1, renamed('a', 'b'), 2), at(2, described))).toEqual([[2], [1], [0]])
  })

  test('says in all which tags came and went', () => {
    const tagged = (added: string[], removed: string[]): ActivityEvent => ({ kind: 'tagged', detail: { added, removed } })
    const [line] = groupActivities([at(2, tagged(['c'], ['a'])), at(1, tagged([], ['b'])), at(0, tagged(['a', 'd'], []))])
    expect(line && tagsOfLine(line)).toEqual({ added: ['c', 'd'], removed: ['b'] })
  })
})

test('lines stand under their days', () => {
  const day = 24 * 60
  const given = groupActivities([at(day, described), at(0, described), at(-5, renamed('a', 'b')), at(-day * 400, described)])
  const now = new Date(NOON + day * MINUTE)
  expect(groupByDay(given).map(({ day, lines }) => [dayName(day, now), lines.length])).toEqual([
    ['Today', 1],
    ['Yesterday', 2],
    ['Oct 14, 2025', 1],
  ])
  expect(dayName('2026-11-18', new Date('2026-11-21T09:00:00'))).toBe('Nov 18')
  expect([0, 45, 60, 125].map(durationText)).toEqual(['0h 0m', '0h 45m', '1h 0m', '2h 5m'])
})

describe('a feed', () => {
  const part = (newest: number, oldest: number, nextCursor: number | null): Feed => ({
    activities: Array.from({ length: newest - oldest + 1 }, (_, n) => ({ ...at(0, described), id: newest - n })),
    nextCursor,
  })
  const ids = ({ activities }: Feed) => activities.map(({ id }) => id)

  test('goes on below, once for each time it is asked', () => {
    const shown = part(90, 61, 61)
    const more = withOlder(shown, 61, part(60, 31, 31))
    expect(more).toEqual(part(90, 31, 31))
    expect(withOlder(more, 61, part(60, 31, 31))).toBe(more)
  })

  test('takes what is new, and keeps what was read below', () => {
    expect(withNewest(undefined, part(90, 61, 61))).toEqual(part(90, 61, 61))
    expect(withNewest(part(90, 31, 31), part(95, 66, 66))).toEqual(part(95, 31, 31))
    expect(withNewest(part(90, 61, 61), part(90, 61, 61))).toEqual(part(90, 61, 61))
    expect(withNewest(part(20, 1, null), part(21, 1, null))).toEqual(part(21, 1, null))
  })

  test('has no gap: where too much is new, it begins anew', () => {
    expect(withNewest(part(90, 31, 31), part(150, 121, 121))).toEqual(part(150, 121, 121))
  })

  test('forgets what went with an account', () => {
    const without: Feed = { activities: part(92, 61, 61).activities.filter(({ id }) => id !== 80), nextCursor: 61 }
    expect(ids(withNewest(part(90, 31, 31), without))).not.toContain(80)
  })

  test('is read again for what is about it, and after rejoining', () => {
    const stamp = { boardId: 3, version: 9, by: 1 }
    const messages: [ServerMessage, boolean, boolean][] = [
      [{ type: 'joined_board', payload: { boardId: 3, version: 9 } }, true, true],
      [{ type: 'joined_board', payload: { boardId: 4, version: 9 } }, false, false],
      [{ type: 'task_deleted', payload: { ...stamp, taskId: 7 } }, true, true],
      [{ type: 'task_deleted', payload: { ...stamp, taskId: 8 } }, true, false],
      [{ type: 'task_deleted', payload: { ...stamp, boardId: 4, taskId: 7 } }, false, false],
      [{ type: 'BOARD_UPDATED', payload: { ...stamp, updates: { name: 'x', description: null } } }, true, false],
      [{ type: 'typing_stopped', payload: { boardId: 3, version: 9, userId: 1, taskId: 7 } }, false, false],
    ]
    for (const [message, board, task] of messages)
      expect([mayChangeFeed(message, { boardId: 3 }), mayChangeFeed(message, { boardId: 3, taskId: 7 })]).toEqual([board, task])
  })
})
