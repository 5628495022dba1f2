import { expect, test } from 'bun:test'
import { weekText } from '../../src/time/page/myTimeCache'
import { NOT_A_DURATION, parseDuration, TOO_LONG } from '../../src/time/page/parseDuration'

test.each([
  ['1:30', 90],
  [':45', 45],
  ['0:05', 5],
  ['1.5', 90],
  ['1,25', 75],
  ['.5', 30],
  ['2', 120],
  ['24', 1_440],
  ['1h 30m', 90],
  ['1H30', 90],
  ['1.5h', 90],
  ['2 hours', 120],
  ['90m', 90],
  ['90 min', 90],
  ['', 0],
  ['0', 0],
])('a time that is written as “%s” is %d minutes', (text, minutes) => expect(parseDuration(` ${text} `)).toEqual({ minutes }))

test.each(['x', '1:60', '1:2:3', '-1', '1.5m', 'h', '1h30m5', '90 mm', '１'])('“%s” is no time', (text) =>
  expect(parseDuration(text)).toEqual({ error: NOT_A_DURATION }),
)

test.each(['24:01', '25', '1441m', '9999'])('“%s” is more than a day has', (text) =>
  expect(parseDuration(text)).toEqual({ error: TOO_LONG }),
)

test.each([
  ['2026-11-16', '2026-11-22', 'Nov 16 – 22, 2026'],
  ['2026-11-30', '2026-12-06', 'Nov 30 – Dec 6, 2026'],
  ['2026-12-28', '2027-01-03', 'Dec 28, 2026 – Jan 3, 2027'],
])('the week from %s to %s is told as one', (from, to, text) => expect(weekText({ from, to })).toBe(text))
