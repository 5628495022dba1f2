import { describe, expect, test } from 'bun:test'
import { dayInTitle, parseDay } from '../../src/web/ui/day/parseDay'

/** A Sunday. */
const TODAY = '2026-11-22'

describe('a day in words or numbers', () => {
  test.each([
    ['today', '2026-11-22', '2026-11-22'],
    [' Tomorrow ', '2026-11-23', '2026-11-23'],
    ['yesterday', '2026-11-21', '2026-11-21'],
    ['next week', '2026-11-23', '2026-11-23'],
    ['Monday', '2026-11-23', '2026-11-16'],
    ['fri', '2026-11-27', '2026-11-20'],
    ['next Friday', '2026-11-27', '2026-11-27'],
    ['last thurs', '2026-11-19', '2026-11-19'],
    // The day that it is.
    ['sun', '2026-11-29', '2026-11-22'],
    ['last sunday', '2026-11-15', '2026-11-15'],
    ['in 3 days', '2026-11-25', '2026-11-25'],
    ['2 weeks ago', '2026-11-08', '2026-11-08'],
    ['+10', '2026-12-02', '2026-12-02'],
    ['2w', '2026-12-06', '2026-12-06'],
    ['Nov 25', '2026-11-25', '2025-11-25'],
    ['25. november', '2026-11-25', '2025-11-25'],
    ['Jan 1st', '2027-01-01', '2026-01-01'],
    ['Mar 9, 2031', '2031-03-09', '2031-03-09'],
    ['feb 29', '2028-02-29', '2024-02-29'],
    ['2026-1-5', '2026-01-05', '2026-01-05'],
    ['11/25/2026', '2026-11-25', '2026-11-25'],
    ['25/11', '2026-11-25', '2025-11-25'],
    ['25.11.', '2026-11-25', '2025-11-25'],
    ['3.12.2026', '2026-12-03', '2026-12-03'],
    ['3.12.26', '2026-12-03', '2026-12-03'],
  ])('%s is %s, or %s where it has been', (text, ahead, past) => {
    expect([parseDay(text, TODAY), parseDay(text, TODAY, { past: true })]).toEqual([ahead, past])
  })

  test('is in the order of day and month in which the reader writes them', () => {
    for (const monthFirst of [true, false]) {
      const day = monthFirst ? '2026-12-03' : '2027-03-12'
      expect(parseDay('12/3', TODAY, { monthFirst })).toBe(day)
      expect(dayInTitle('12/3', TODAY, { monthFirst })).toBe(day)
      expect(parseDay('13/3', TODAY, { monthFirst })).toBe('2027-03-13')
      expect(parseDay('3.12.', TODAY, { monthFirst })).toBe('2026-12-03')
    }
  })

  test('of the next and the last week is the first one of it, on whichever weekday that is', () => {
    // A Sunday: where weeks start on it, this week has just begun.
    const weeks = (first: number) => ['next week', 'last week'].map((text) => parseDay(text, '2026-11-22', { first }))
    expect([0, 5, 6].map(weeks)).toEqual([
      ['2026-11-23', '2026-11-09'],
      ['2026-11-28', '2026-11-14'],
      ['2026-11-29', '2026-11-15'],
    ])
    expect(dayInTitle('next week', '2026-11-22', { first: 6 })).toBe('2026-11-29')
  })

  test.each([
    ['3.12.', '2026-12-03'],
    ['3.12.2026', '2026-12-03'],
    ['3. Dec', '2026-12-03'],
    ['3 dec', '2026-12-03'],
    ['in 2 weeks', '2026-12-06'],
    ['next fri', '2026-11-27'],
    ['on Friday', '2026-11-27'],
  ])('%s is %s in a field and at the end of a title', (text, day) => {
    expect([parseDay(text, TODAY), dayInTitle(text, TODAY)]).toEqual([day, day])
  })

  test.each(['Tom', '1.2', 'Frida', '24/7', '2w', '+3'])('%s is none at the end of a title', (text) =>
    expect(dayInTitle(text, TODAY)).toBeUndefined(),
  )

  test.each(['', 'soon', 'mo', 'constructor', 'feb 30', 'may', '31.11.', '2026-13-01', '0999-01-01', '12', 'next', 'Nov 25 26'])(
    '“%s” is none',
    (text) => expect(parseDay(text, TODAY)).toBeUndefined(),
  )
})
