import { describe, expect, test } from 'bun:test'
import { typedDay } from '../../src/web/ui/day/typedDay'

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
  ])('%s is %s, or %s where it has been', (text, ahead, past) => {
    expect([typedDay(text, TODAY), typedDay(text, TODAY, true)]).toEqual([ahead, past])
  })

  test.each(['', 'soon', 'mo', 'constructor', 'feb 30', 'may', '31.11.', '2026-13-01', '0999-01-01', '12', 'next', 'Nov 25 26'])(
    '“%s” is none',
    (text) => expect(typedDay(text, TODAY)).toBeUndefined(),
  )
})
