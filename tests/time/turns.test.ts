import { describe, expect, test } from 'bun:test'
import { MINUTES_MAX, OVERDUE_AFTER } from '../../src/time/limits'
import type { TimeEntry } from '../../src/time/schema'
import { completeForOwner, confirm, pauseForOwner, transition } from '../../src/time/server/timerTransitions'
import { anEntry } from '../support/shapes'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const BEGAN = Date.parse('2026-11-20T09:00:00Z')

const timer = (given: Partial<TimeEntry>) =>
  anEntry({
    ...{ startTime: new Date(BEGAN).toISOString(), day: '2026-11-20', createdAt: new Date(BEGAN).toISOString() },
    ...{ status: 'ACTIVE', runningSince: new Date(BEGAN).toISOString(), duration: 0 },
    ...given,
  })
const resting = (counted: number, more: Partial<TimeEntry> = {}) =>
  timer({ status: 'PAUSED', runningSince: null, counted, confirmed: counted, ...more })

/** The same timer after a change. */
const after = (entry: TimeEntry, turn: ReturnType<typeof transition>): TimeEntry => {
  const { runningSince, endTime, askedAt: _, ...rest } = { runningSince: undefined, endTime: undefined, askedAt: null, ...turn }
  const { status } = { ...entry, ...rest }
  return {
    ...entry,
    ...rest,
    ...(runningSince !== undefined && { runningSince: runningSince && (runningSince as Date).toISOString() }),
    // Of a paused timer it is not shown.
    ...(status === 'completed' && endTime && { endTime: endTime.toISOString() }),
  }
}
const play = (entry: TimeEntry, ...acts: [at: number, Parameters<typeof transition>[1]][]) =>
  acts.reduce((now, [at, change]) => after(now, transition(now, change, BEGAN + at)), entry)

describe('a timer', () => {
  test('counts what lies between its starts and its stops, and nothing else', () => {
    const done = play(
      timer({}),
      [10 * MINUTE, { status: 'PAUSED' }],
      [3 * HOUR, { status: 'ACTIVE' }],
      [3 * HOUR + 5 * MINUTE + 29 * SECOND, { status: 'PAUSED' }],
      [50 * HOUR, { status: 'ACTIVE' }],
      [50 * HOUR + 5 * MINUTE, { status: 'completed' }],
    )
    expect(done).toMatchObject({ status: 'completed', counted: 20 * MINUTE + 29 * SECOND, duration: 20, runningSince: null })
    expect(done.endTime).toBe(new Date(BEGAN + 50 * HOUR + 5 * MINUTE).toISOString())
  })

  test('that is paused or resumed twice stays as it is', () => {
    const paused = play(timer({}), [MINUTE, { status: 'PAUSED' }])
    expect(play(paused, [HOUR, { status: 'PAUSED' }])).toEqual(paused)
    const twice = play(
      paused,
      [HOUR, { status: 'ACTIVE' }],
      [HOUR + MINUTE, { status: 'ACTIVE' }],
      [HOUR + 2 * MINUTE, { status: 'PAUSED' }],
    )
    expect(twice.counted).toBe(3 * MINUTE)
  })

  test.each([
    [0, 1],
    [29 * SECOND, 1],
    [89_999, 1],
    [90 * SECOND, 2],
    [10 * MINUTE + 29_999, 10],
    [10 * MINUTE + 30 * SECOND, 11],
  ])('of %d ms is completed with %d minutes', (counted, minutes) => {
    expect(transition(timer({}), { status: 'completed' }, BEGAN + counted)).toMatchObject({ duration: minutes })
    expect(transition(resting(counted), { status: 'completed' }, BEGAN + HOUR)).toMatchObject({ duration: minutes })
  })

  test('shows whole minutes while it rests', () => {
    expect(transition(timer({}), { status: 'PAUSED' }, BEGAN + 59_999)).toMatchObject({ duration: 0 })
    expect(transition(timer({}), { status: 'PAUSED' }, BEGAN + 119_999)).toMatchObject({ duration: 1 })
  })

  test('never counts less than nothing where the clock jumps back', () => {
    const back = BEGAN - HOUR
    expect(transition(timer({ counted: 5 * MINUTE }), { status: 'PAUSED' }, back)).toMatchObject({
      counted: 5 * MINUTE,
      duration: 5,
    })
    expect(transition(timer({}), { status: 'completed' }, back)).toMatchObject({ counted: 0, duration: 1 })
    expect(pauseForOwner(timer({}), back)).toMatchObject({ counted: 0 })
  })

  test('is never longer than a month', () => {
    const years = 20_000 * HOUR
    expect(transition(timer({ confirmed: years }), { status: 'completed' }, BEGAN + years)).toMatchObject({
      duration: MINUTES_MAX,
    })
    expect(transition(timer({ confirmed: years }), { status: 'PAUSED' }, BEGAN + years)).toMatchObject({ duration: MINUTES_MAX })
  })

  test('goes on from what its owner says it has counted', () => {
    const said = play(timer({}), [9 * HOUR, { duration: 30 }])
    expect(said).toMatchObject({ status: 'ACTIVE', counted: 30 * MINUTE, confirmed: 30 * MINUTE, duration: 30 })
    expect(play(said, [9 * HOUR + MINUTE, { status: 'completed' }]).duration).toBe(31)
    expect(play(resting(MINUTE), [HOUR, { duration: 5 }])).toMatchObject({ status: 'PAUSED', counted: 5 * MINUTE, duration: 5 })
  })

  test('that was stopped is none any more', () => {
    const done = play(timer({}), [MINUTE, { status: 'completed' }])
    for (const status of ['ACTIVE', 'PAUSED'] as const)
      expect(() => transition(done, { status }, BEGAN + HOUR)).toThrow('This timer was already stopped.')
    expect(transition(done, { status: 'completed' }, BEGAN + HOUR)).toEqual({})
    expect(transition(done, { duration: 7 }, BEGAN + HOUR)).toEqual({ duration: 7 })
  })
})

describe('a forgotten timer', () => {
  const night = 14 * HOUR

  test('is not completed unasked, and says how long it ran', () => {
    expect(() => transition(timer({}), { status: 'completed' }, BEGAN + night)).toThrow(
      'This timer ran for 14h 0m. How long did you work?',
    )
    expect(transition(timer({}), { status: 'completed', duration: 95 }, BEGAN + night)).toMatchObject({
      status: 'completed',
      duration: 95,
    })
  })

  test('is asked about at eight hours, not a moment earlier', () => {
    expect(transition(timer({}), { status: 'completed' }, BEGAN + OVERDUE_AFTER - 1)).toMatchObject({ duration: 480 })
    expect(() => transition(timer({}), { status: 'completed' }, BEGAN + OVERDUE_AFTER)).toThrow('8h 0m')
  })

  test('stays forgotten while it rests and when it is resumed or its note is changed', () => {
    const paused = play(timer({}), [night, { status: 'PAUSED' }])
    expect(paused).toMatchObject({ status: 'PAUSED', counted: night, confirmed: 0, duration: 8 * 60 })
    expect(transition(timer({}), { status: 'PAUSED' }, BEGAN + night)).not.toHaveProperty('askedAt')
    expect(() => play(paused, [night, { status: 'completed' }])).toThrow('14h 0m')
    expect(() =>
      play(paused, [night, { status: 'ACTIVE' }], [night + MINUTE, {}], [night + MINUTE, { status: 'completed' }]),
    ).toThrow('14h 1m')
  })

  test('is none while its owner comes back now and then', () => {
    const day = play(
      timer({}),
      [7 * HOUR, {}],
      [14 * HOUR, { status: 'PAUSED' }],
      [15 * HOUR, { status: 'ACTIVE' }],
      [22 * HOUR, {}],
    )
    expect(day).toMatchObject({ confirmed: 21 * HOUR, counted: 21 * HOUR })
    expect(play(day, [29 * HOUR, { status: 'completed' }]).duration).toBe(28 * 60)
  })

  test('whose owner says that they still work counts all of it', () => {
    const entry = timer({})
    const seen = { ...entry, confirmed: confirm(entry, BEGAN + night).confirmed }
    expect(confirm(entry, BEGAN + night)).toEqual({ confirmed: night, askedAt: null })
    expect(play(seen, [night + HOUR, { status: 'completed' }]).duration).toBe(15 * 60)
  })

  test('of whoever goes counts what they confirmed and eight hours more', () => {
    expect(completeForOwner(timer({}), BEGAN + night)).toMatchObject({ status: 'completed', duration: 480 })
    expect(completeForOwner(timer({ confirmed: 2 * HOUR }), BEGAN + night)).toMatchObject({ duration: 600 })
    expect(completeForOwner(timer({}), BEGAN + HOUR)).toMatchObject({ duration: 60 })
    expect(completeForOwner(resting(10 * SECOND), BEGAN + night)).toMatchObject({ duration: 1 })
  })

  test('that is put away without its owner is asked about all the same', () => {
    const away = { ...timer({}), ...pauseForOwner(timer({}), BEGAN + night), runningSince: null, endTime: null }
    expect(away).toMatchObject({ status: 'PAUSED', confirmed: 0 })
    expect(() => transition(away, { status: 'completed' }, BEGAN + night)).toThrow('14h 0m')
  })
})
