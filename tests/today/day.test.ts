import { expect, test } from 'bun:test'
import { firstWeekday, WEEKDAYS, type WeekStart, weekOf } from '../../src/days'
import { groupOf } from '../../src/today/groups'
import { dayAround } from '../../src/today/server/store'

const began = (now: string, timeZone: string) => {
  const { day, since } = dayAround(new Date(now), timeZone)
  return [day, since.toISOString()]
}

test.each([
  ['before midnight', '2026-11-22T04:59:59.999Z', 'America/Toronto', ['2026-11-21', '2026-11-21T05:00:00.000Z']],
  ['at midnight', '2026-11-22T05:00:00.000Z', 'America/Toronto', ['2026-11-22', '2026-11-22T05:00:00.000Z']],
  ['the day of 25 hours', '2026-11-02T04:30:00Z', 'America/Toronto', ['2026-11-01', '2026-11-01T04:00:00.000Z']],
  ['the day of 23 hours', '2026-03-09T03:30:00Z', 'America/Toronto', ['2026-03-08', '2026-03-08T05:00:00.000Z']],
  ['a day without midnight', '2026-04-24T10:00:00Z', 'Africa/Cairo', ['2026-04-24', '2026-04-23T22:00:00.000Z']],
  ['a quarter of an hour', '2026-11-22T18:20:00Z', 'Asia/Kathmandu', ['2026-11-23', '2026-11-22T18:15:00.000Z']],
  ['an offset', '2026-11-22T18:20:00Z', '+14:00', ['2026-11-23', '2026-11-22T10:00:00.000Z']],
])('a day begins at its midnight: %s', (_, now, zone, expected) => {
  expect(began(now, zone)).toEqual(expected)
})

test.each<[WeekStart | undefined, string | undefined, string]>([
  ['automatic', 'en-US', 'Sun'],
  ['automatic', 'en', 'Sun'],
  ['automatic', 'fr-CA', 'Sun'],
  ['automatic', 'en-GB', 'Mon'],
  ['automatic', 'de', 'Mon'],
  ['automatic', 'ar', 'Sat'],
  ['automatic', 'he', 'Sun'],
  ['automatic', undefined, 'Mon'],
  ['automatic', '-', 'Mon'],
  // Of a page that was kept from the release before.
  [undefined, 'en-US', 'Sun'],
  ['monday', 'en-US', 'Mon'],
  ['sunday', 'de', 'Sun'],
  ['saturday', 'de', 'Sat'],
])('weeks that start on %s, in %s, start on %s', (chosen, language, weekday) => {
  expect(WEEKDAYS[firstWeekday(chosen, language)]).toBe(weekday)
})

test('a week has seven days from its first weekday on, whichever of its days it is', () => {
  const week = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22']
  for (const day of week) expect(weekOf(day, 0)).toEqual(week)
  expect(weekOf('2027-01-01', 0)[0]).toBe('2026-12-28')
  expect(['2026-11-21', '2026-11-22', '2026-11-27'].map((day) => weekOf(day, 5)[0])).toEqual([
    '2026-11-21',
    '2026-11-21',
    '2026-11-21',
  ])
  expect(['2026-11-21', '2026-11-22', '2026-11-28'].map((day) => weekOf(day, 6)[0])).toEqual([
    '2026-11-15',
    '2026-11-22',
    '2026-11-22',
  ])
})

test.each([
  ['2026-11-17', 'todo', 'overdue'],
  ['2026-11-18', 'todo', 'today'],
  ['2026-11-24', 'inprogress', 'week'],
  ['2026-11-25', 'todo', 'later'],
  [null, 'todo', 'undated'],
  ['2026-11-17', 'done', 'today'],
] as const)('a task due on %s that is %s stands under %s', (dueDate, status, group) => {
  expect(groupOf({ dueDate, status }, '2026-11-18')).toBe(group)
})
