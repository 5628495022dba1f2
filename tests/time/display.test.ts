import { afterEach, describe, expect, test } from 'bun:test'
import { dayAt } from '../../src/days'
import { durationText } from '../../src/format'
import { dayText } from '../../src/time/limits'
import { barsOf } from '../../src/time/page/Charts'
import { momentText, stripPage } from '../../src/time/page/EntryStrip'
import { choicesIn } from '../../src/time/page/LogFilters'
import { pagesAround } from '../../src/time/page/LogTable'
import { daysOfPeriod, type Period } from '../../src/time/page/logFilter'
import { hoursAndMinutes, parseHoursAndMinutes } from '../../src/time/page/parseDuration'
import { inOrder } from '../../src/time/page/reducers'
import { onDay } from '../../src/time/page/TimeForm'
import { clockText } from '../../src/web/clock'

/** Where tests are at home, unless they are told otherwise. */
const home = process.env.TZ ?? 'Etc/UTC'
afterEach(() => {
  process.env.TZ = home
})

describe('a duration', () => {
  test('is hours and minutes', () => {
    expect([0, 1, 59, 60, 135, 44_640].map(durationText)).toEqual(['0h 0m', '0h 1m', '0h 59m', '1h 0m', '2h 15m', '744h 0m'])
  })

  for (const [hours, minutes, total] of [
    ['1', '0', 60],
    ['0', '59', 59],
    ['', '', 0],
    ['', '5', 5],
    ['two', '5', 5],
    ['-1', '30', 0],
    ['2', '-30', 0],
    ['1.5', '0', 90],
    ['Infinity', '1', 1],
    [' 2 ', '03', 123],
  ] as const)
    test(`typed as "${hours}" and "${minutes}" is ${total} minutes`, () =>
      expect(parseHoursAndMinutes({ hours, minutes })).toBe(total))

  test('stands in the fields as it was typed', () => {
    for (const minutes of [1, 60, 61, 1439, 44_640]) expect(parseHoursAndMinutes(hoursAndMinutes(minutes))).toBe(minutes)
  })

  test('of a timer counts seconds', () => {
    expect([0, 999, 1000, 61_000, 3_599_999, 3_600_000, 90_061_000].map(clockText)).toEqual([
      '0:00:00',
      '0:00:00',
      '0:00:01',
      '0:01:01',
      '0:59:59',
      '1:00:00',
      '25:01:01',
    ])
  })
})

describe('a period', () => {
  test.each<[Period, string, number, string, string]>([
    ['last7days', '2026-11-21', 0, '2026-11-15', '2026-11-21'],
    ['last30days', '2026-11-21', 0, '2026-10-23', '2026-11-21'],
    ['last90days', '2026-11-21', 0, '2026-08-24', '2026-11-21'],
    ['thisMonth', '2026-11-21', 0, '2026-11-01', '2026-11-30'],
    // From the weekday on which a week starts.
    ['thisWeek', '2026-11-22', 0, '2026-11-16', '2026-11-22'],
    ['thisWeek', '2026-11-22', 6, '2026-11-22', '2026-11-28'],
    // Over the ends of months and years.
    ['lastWeek', '2027-01-01', 5, '2026-12-19', '2026-12-25'],
    ['last7days', '2028-03-03', 0, '2028-02-26', '2028-03-03'],
    ['last7days', '2027-01-01', 0, '2026-12-26', '2027-01-01'],
    ['thisMonth', '2028-02-29', 0, '2028-02-01', '2028-02-29'],
    ['thisMonth', '2026-12-31', 0, '2026-12-01', '2026-12-31'],
    ['lastMonth', '2028-03-31', 0, '2028-02-01', '2028-02-29'],
    ['lastMonth', '2027-01-01', 0, '2026-12-01', '2026-12-31'],
  ])('%s on %s, with weeks that start on weekday %d, goes from %s to %s', (period, today, weekday, from, to) =>
    expect(daysOfPeriod(period, today, weekday)).toEqual({ from, to }),
  )

  test('is of no days where it is all time', () => expect(daysOfPeriod('all', '2026-11-21', 0)).toEqual({}))

  for (const [zone, moment, today] of [
    ['America/St_Johns', '2026-11-21T03:29:59Z', '2026-11-20'],
    ['America/St_Johns', '2026-11-21T03:30:00Z', '2026-11-21'],
    ['Pacific/Kiritimati', '2026-11-20T10:00:00Z', '2026-11-21'],
    ['Pacific/Pago_Pago', '2026-11-21T10:59:59Z', '2026-11-20'],
    // The hour that comes twice, and the one that does not come.
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-25'],
    ['Europe/Berlin', '2026-03-29T21:59:59Z', '2026-03-29'],
  ] as const)
    test(`in ${zone} is of ${today} at ${moment}, whatever the clocks did in it`, () => {
      process.env.TZ = zone
      const { from, to } = daysOfPeriod('last7days', dayAt(new Date(moment)), 0)
      expect(to).toBe(today)
      expect((Date.parse(to ?? '') - Date.parse(from ?? '')) / 86_400_000).toBe(6)
    })
})

describe('work on a chosen day', () => {
  for (const [zone, day, time] of [
    ['America/St_Johns', '2026-11-01', '2026-11-21T03:30:00Z'],
    ['Europe/Berlin', '2026-03-29', '2026-11-21T01:30:00Z'],
    ['Europe/Berlin', '2026-10-25', '2026-11-21T01:30:00Z'],
    // There midnight does not come on that day.
    ['America/Santiago', '2026-09-06', '2026-11-21T03:15:00Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2026-11-20T10:00:00Z'],
  ] as const)
    test(`stays on ${day} in ${zone}`, () => {
      process.env.TZ = zone
      expect(dayAt(onDay(day, new Date(time)))).toBe(day)
    })

  test('is at the same time of day', () => {
    process.env.TZ = 'America/St_Johns'
    expect(onDay('2026-07-01', new Date('2026-11-21T15:00:00Z')).toISOString()).toBe('2026-07-01T14:00:00.000Z')
  })

  test('is written as the specification has it', () => {
    process.env.TZ = 'America/St_Johns'
    expect([dayText('2026-03-05'), momentText('2026-11-21T03:05:00Z')]).toEqual(['Mar 5, 2026', 'Nov 20, 2026 11:35 PM'])
  })
})

describe('pages', () => {
  for (const [page, pages, shown] of [
    [1, 0, []],
    [1, 1, [1]],
    [4, 7, [1, 2, 3, 4, 5, 6, 7]],
    [1, 8, [1, 2, 3, 4, 5, 'gap', 8]],
    [4, 8, [1, 2, 3, 4, 5, 'gap', 8]],
    [5, 8, [1, 'gap', 4, 5, 6, 7, 8]],
    [8, 8, [1, 'gap', 4, 5, 6, 7, 8]],
    [5, 9, [1, 'gap', 4, 5, 6, 'gap', 9]],
    [50, 100, [1, 'gap', 49, 50, 51, 'gap', 100]],
  ] as const)
    test(`around ${page} of ${pages}`, () => expect(pagesAround(page, pages)).toEqual([...shown]))

  test('above 7 keep their number, and all of them can be reached', () => {
    for (const pages of [8, 9, 30])
      for (let page = 1; page <= pages; page++) {
        const shown = pagesAround(page, pages)
        expect(shown.length).toBe(7)
        for (const one of [1, page, Math.max(1, page - 1), Math.min(pages, page + 1), pages]) expect(shown).toContain(one)
      }
  })

  test('of the strip have three entries, and where one is gone the last is shown', () => {
    const entries = [1, 2, 3, 4, 5, 6, 7]
    expect(stripPage(entries, 1)).toEqual({ shown: [1, 2, 3], page: 1, pages: 3 })
    expect(stripPage(entries, 3)).toEqual({ shown: [7], page: 3, pages: 3 })
    expect(stripPage(entries.slice(0, 6), 3)).toEqual({ shown: [4, 5, 6], page: 2, pages: 2 })
    expect(stripPage([], 1)).toEqual({ shown: [], page: 1, pages: 1 })
  })
})

test('the timer that runs comes first, then the youngest', () => {
  const timer = (id: number, status: 'ACTIVE' | 'PAUSED') => ({ id, status })
  const timers = [timer(1, 'PAUSED'), timer(2, 'ACTIVE'), timer(3, 'PAUSED')]
  expect(inOrder(timers).map(({ id }) => id)).toEqual([2, 3, 1])
})

describe('bars', () => {
  const day = (day: string, minutes: number) => ({ day, minutes })

  test('of days hold those on which nothing was done, over a change of the clocks too', () => {
    expect(barsOf([day('2026-10-26', 5), day('2026-10-24', 60)])).toEqual({
      unit: 'day',
      bars: [
        { start: '2026-10-24', minutes: 60 },
        { start: '2026-10-25', minutes: 0 },
        { start: '2026-10-26', minutes: 5 },
      ],
    })
    expect(barsOf([])).toEqual({ unit: 'day', bars: [] })
    expect(barsOf([], { from: '2026-01-01', to: '2026-01-31' }).bars).toEqual([])
  })

  test('span the days that were asked for, unless those are out of all proportion', () => {
    const ofMonth = barsOf([day('2026-10-24', 60)], { from: '2026-10-01', to: '2026-10-31' })
    expect([ofMonth.unit, ofMonth.bars.length, ofMonth.bars[23]]).toEqual(['day', 31, { start: '2026-10-24', minutes: 60 }])
    expect(barsOf([day('2026-10-24', 60)], { from: '2026-10-20' }).bars.length).toBe(5)
    expect(barsOf([day('2026-10-24', 60)], { from: '1000-01-01', to: '9999-12-31' }).bars.length).toBe(1)
  })

  for (const [last, unit, count] of [
    ['2026-03-03', 'day', 62],
    ['2026-03-04', 'week', 10],
    ['2027-03-01', 'week', 62],
    ['2027-03-08', 'month', 15],
    ['2031-02-28', 'month', 62],
    ['2031-03-01', 'year', 6],
    ['2999-12-30', 'year', 974],
  ] as const)
    test(`from January 2026 to ${last} are by ${unit}, and lose no minute`, () => {
      const found = barsOf([day('2026-01-01', 7), day(last, 30)])
      expect([found.unit, found.bars.length]).toEqual([unit, count])
      expect(found.bars.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(37)
    })

  test('of weeks begin on Monday', () => {
    const { bars } = barsOf([day('2026-01-01', 1), day('2026-11-22', 2), day('2026-11-16', 4)])
    expect([bars[0], bars.at(-1)]).toEqual([
      { start: '2025-12-29', minutes: 1 },
      { start: '2026-11-16', minutes: 6 },
    ])
  })
})

test('what is chosen from is found by its text, and a hundred of it are shown', () => {
  const options = Array.from({ length: 20_000 }, (_, id) => ({ id, label: `Task ${id}` }))
  expect([choicesIn(options, '').shown.length, choicesIn(options, '').more]).toEqual([100, true])
  expect(choicesIn(options, ' task 19999 ')).toEqual({ shown: [{ id: 19_999, label: 'Task 19999' }], more: false })
})
