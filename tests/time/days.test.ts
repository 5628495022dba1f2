import { describe, expect, test } from 'bun:test'
import { dayIn, timeZoneOf } from '../../src/time/limits'
import { offsetOn, startChanges } from '../../src/time/page/predictions'
import type { TimeEntry } from '../../src/time/schema'
import { onEachDatabase } from '../support/databases'

describe('the day of a moment', () => {
  test.each([
    // Around midnight, and the ends of months and years.
    ['2026-12-01T04:59:59.999Z', 'America/Toronto', '2026-11-30'],
    ['2026-12-01T05:00:00.000Z', 'America/Toronto', '2026-12-01'],
    ['2027-01-01T04:59:59Z', 'America/Toronto', '2026-12-31'],
    ['2028-02-29T23:59:59Z', 'UTC', '2028-02-29'],
    ['2028-03-01T04:59:59Z', 'America/Toronto', '2028-02-29'],
    // Toronto goes to summer time on 8 March 2026, and back on 1 November.
    ['2026-03-08T04:59:59Z', 'America/Toronto', '2026-03-07'],
    ['2026-03-08T05:00:00Z', 'America/Toronto', '2026-03-08'],
    ['2026-03-09T03:59:59Z', 'America/Toronto', '2026-03-08'],
    ['2026-03-09T04:00:00Z', 'America/Toronto', '2026-03-09'],
    ['2026-11-01T03:59:59Z', 'America/Toronto', '2026-10-31'],
    ['2026-11-01T04:00:00Z', 'America/Toronto', '2026-11-01'],
    ['2026-11-02T04:59:59Z', 'America/Toronto', '2026-11-01'],
    ['2026-11-02T05:00:00Z', 'America/Toronto', '2026-11-02'],
    // Newfoundland is half an hour off.
    ['2026-11-21T03:29:59Z', 'America/St_Johns', '2026-11-20'],
    ['2026-11-21T03:30:00Z', 'America/St_Johns', '2026-11-21'],
    ['2026-07-21T02:29:59Z', 'America/St_Johns', '2026-07-20'],
    ['2026-07-21T02:30:00Z', 'America/St_Johns', '2026-07-21'],
    // One zone under both of its names, and others far from Greenwich.
    ['2026-11-20T18:29:59Z', 'Asia/Kolkata', '2026-11-20'],
    ['2026-11-20T18:30:00Z', 'Asia/Kolkata', '2026-11-21'],
    ['2026-11-20T18:30:00Z', 'Asia/Calcutta', '2026-11-21'],
    ['2026-11-20T18:30:00Z', 'asia/kolkata', '2026-11-21'],
    ['2026-11-20T18:15:00Z', 'Asia/Kathmandu', '2026-11-21'],
    ['2026-11-20T10:00:00Z', 'Pacific/Kiritimati', '2026-11-21'],
    ['2026-11-20T10:59:59Z', 'Pacific/Pago_Pago', '2026-11-19'],
    ['2026-11-20T18:30:00Z', '+05:30', '2026-11-21'],
    ['2026-11-21T03:29:59Z', '-03:30', '2026-11-20'],
    ['1970-01-02T00:00:00Z', '-12:00', '1970-01-01'],
    ['2999-12-30T23:59:59Z', '+14:00', '2999-12-31'],
  ])('%s in %s is %s', (moment, zone, day) => expect(dayIn(new Date(moment), zone)).toBe(day))

  test('is where it was said to be, else where its offset says, else nowhere', () => {
    expect(timeZoneOf({ timeZone: 'Asia/Kolkata', startTime: '2026-11-20T10:00:00-03:30' })).toBe('Asia/Kolkata')
    expect(timeZoneOf({ startTime: '2026-11-20T10:00:00-03:30' })).toBe('-03:30')
    expect(timeZoneOf({ startTime: '2026-11-20T10:00:00Z' })).toBeUndefined()
    expect(timeZoneOf({})).toBeUndefined()
  })
})

onEachDatabase('the day of an entry', (server) => {
  async function logging() {
    const people = await server.peopleWithTask()
    const { ada, task } = people
    const log = (given: object) => ada.http('POST', '/api/time-entries', { taskId: task.id, duration: 30, ...given })
    const change = async (id: number, given: object) =>
      (await ada.http('PATCH', `/api/time-entries/${id}`, given)).body as TimeEntry
    return { ...people, log, change }
  }
  const LATE = '2026-11-21T04:30:00.000Z'

  test('is that of whoever logs it, and the report goes by it, whoever reads it', async () => {
    const { bob, board, log } = await logging()
    const days = []
    const zones = [{ timeZone: 'America/Toronto' }, { timeZone: 'America/St_Johns' }, {}]
    for (const zone of [...zones, { startTime: '2026-11-20T23:30:00-05:00' }])
      days.push(((await log({ startTime: LATE, ...zone })).body as TimeEntry).day)
    expect(days).toEqual(['2026-11-20', '2026-11-21', '2026-11-21', '2026-11-20'])
    for (const [from, to, entries] of [
      ['2026-11-20', '2026-11-20', 2],
      ['2026-11-21', '2026-11-21', 2],
      ['2026-11-20', '2026-11-21', 4],
      ['2026-11-19', '2026-11-19', 0],
      ['2026-11-22', '2999-01-01', 0],
    ] as const)
      expect(await bob.api.time.report.query({ boardId: board.id, from, to })).toMatchObject({ entries })
  })

  test('of a timer is that on which it was started', async () => {
    const { ada, task } = await logging()
    const timer = await ada.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE', timeZone: 'Pacific/Kiritimati' })
    expect(timer.day).toBe(dayIn(new Date(timer.startTime), 'Pacific/Kiritimati'))
  })

  test('changes with the moment, and not with where one is when one corrects something else', async () => {
    const { log, change } = await logging()
    const { id } = (await log({ startTime: LATE, timeZone: 'America/Toronto' })).body as TimeEntry
    const dayAfter = async (given: object) => (await change(id, given)).day
    expect(await dayAfter({ note: 'Deeper', timeZone: 'Asia/Kolkata', startTime: LATE })).toBe('2026-11-20')
    expect(await dayAfter({ startTime: '2026-11-22T04:30:00.000Z' })).toBe('2026-11-21')
    expect(await dayAfter({ startTime: '2026-11-21T23:30:00-03:30' })).toBe('2026-11-21')
    expect(await dayAfter({ timeZone: 'Asia/Kolkata' })).toBe('2026-11-22')
    expect(await dayAfter({ startTime: LATE, timeZone: 'America/St_Johns' })).toBe('2026-11-21')
  })

  test('is as before once a move to another day was undone, wherever that is done', async () => {
    const { log, change } = await logging()
    for (const zone of ['Asia/Tokyo', 'UTC', 'Pacific/Pago_Pago', 'Pacific/Kiritimati', 'America/Toronto'])
      for (const hour of ['00', '05', '11', '15', '23']) {
        const { id, startTime, day } = (await log({ startTime: `2026-05-01T${hour}:30:00Z`, timeZone: zone })).body as TimeEntry
        for (const given of [{ startTime: '2026-05-09T12:00:00Z' }, {}]) {
          const moved = await change(id, { ...given, timeZone: 'Europe/London' })
          const back = startChanges(moved, startTime, offsetOn(startTime, day))
          expect(await change(id, back)).toMatchObject({ startTime, day })
        }
      }
  })

  test('work that is moved to another day keeps its length', async () => {
    const { log, change } = await logging()
    const { id } = (await log({ startTime: '2026-11-20T10:00:00Z', endTime: '2026-11-20T10:30:00Z' })).body as TimeEntry
    const moved = await change(id, { startTime: '2026-11-25T08:00:00Z' })
    expect(moved).toMatchObject({ day: '2026-11-25', endTime: '2026-11-25T08:30:00.000Z' })
    expect((await change(id, { endTime: null })).endTime).toBeNull()
  })

  test('cannot be made of what is no moment, or lies beyond all calendars, or in no zone', async () => {
    const { ada, task, log } = await logging()
    const noMoments = ['yesterday', '', '2026-11-20', '2026-02-30T10:00:00Z', 5, null]
    const bad = [
      ...[...noMoments, '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'].map((startTime) => ({ startTime })),
      ...['Mars/Olympus', '', 'UTC\0', 'x'.repeat(1_000), 7, null].map((timeZone) => ({ startTime: LATE, timeZone })),
      { startTime: LATE, endTime: '2026-11-21T04:29:59Z' },
    ]
    for (const given of bad) expect([given, (await log(given)).status]).toEqual([given, 400])
    expect(await ada.api.time.ofTask.query({ taskId: task.id })).toEqual([])
  })
})
