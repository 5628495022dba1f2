import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { timeEntries } from '../../src/db/tables'
import { timeEntry } from '../../src/time/schema'
import { onEachDatabase } from '../support/databases'
import type { Person } from '../support/people'

const PATH = '/api/time-entries'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

onEachDatabase('a timer whose button was clicked without a connection', (server) => {
  async function twoTasks() {
    const people = await server.peopleWithTask()
    const sow = await people.ada.api.tasks.create.mutate({ boardId: people.board.id, title: 'Sow' })
    return { ...people, dig: people.task, sow }
  }
  const ago = (milliseconds: number, now = Date.now()) => new Date(now - milliseconds).toISOString()
  const start = async ({ http }: Person, { id }: { id: number }, at?: string) =>
    timeEntry.parse((await http('POST', PATH, { taskId: id, status: 'ACTIVE', at })).body)
  const turn = async ({ http }: Person, { id }: { id: number }, given: object) =>
    timeEntry.parse((await http('PATCH', `${PATH}/${id}`, given)).body)
  const serverTime = async ({ api }: Person) => Date.parse((await api.time.timers.query()).now)
  /** Moves what was, so that there is room for something between it and now. */
  const wait = (milliseconds: number) => {
    const before = (moment: unknown) => sql`${moment} - ${milliseconds} * interval '1 millisecond'`
    const { startTime, runningSince, endTime } = timeEntries
    return server.db
      .update(timeEntries)
      .set({ startTime: before(startTime), runningSince: before(runningSince), endTime: before(endTime) })
  }

  test('counts from the click to the click', async () => {
    const { ada, dig } = await twoTasks()
    const now = Date.now()
    const [began, paused, resumed, ended] = [ago(3 * HOUR, now), ago(2 * HOUR, now), ago(HOUR, now), ago(HOUR / 2, now)]
    const timer = await start(ada, dig, began)
    expect([timer.startTime, timer.runningSince, timer.counted]).toEqual([began, began, 0])
    expect(await turn(ada, timer, { status: 'PAUSED', at: paused })).toMatchObject({ counted: HOUR, duration: 60, endTime: null })
    expect(await turn(ada, timer, { status: 'ACTIVE', at: resumed })).toMatchObject({ counted: HOUR, runningSince: resumed })
    expect(await turn(ada, timer, { status: 'completed', at: ended })).toMatchObject({ duration: 90, endTime: ended })
  })

  test('is believed for a day, and not in the future', async () => {
    const { ada, dig, sow } = await twoTasks()
    const early = await start(ada, dig, ago(90 * HOUR))
    expect(Math.abs((await serverTime(ada)) - Date.parse(early.startTime) - 24 * HOUR)).toBeLessThan(MINUTE)
    const late = await start(ada, sow, new Date(Date.now() + 5 * HOUR).toISOString())
    expect(Date.parse(late.startTime)).toBeLessThanOrEqual(await serverTime(ada))
    expect(Date.parse(late.startTime)).toBeGreaterThan((await serverTime(ada)) - MINUTE)
    const paused = await turn(ada, late, { status: 'PAUSED', at: new Date(Date.now() + 5 * HOUR).toISOString() })
    expect(paused.counted).toBeLessThan(MINUTE)
    expect((await ada.http('POST', PATH, { taskId: dig.id, status: 'ACTIVE', at: 'yesterday' })).status).toBe(400)
  })

  test('does not begin before the one that it pauses, which counts until then', async () => {
    const { ada, dig, sow } = await twoTasks()
    const first = await start(ada, dig, ago(2 * HOUR))
    const second = await start(ada, sow, ago(5 * HOUR))
    expect(second.startTime).toBe(first.startTime)
    const third = await start(ada, dig, ago(HOUR))
    const { timers } = await ada.api.time.timers.query()
    expect(timers.map(({ id, status }) => [id, status])).toEqual([
      [third.id, 'ACTIVE'],
      [second.id, 'PAUSED'],
      [first.id, 'PAUSED'],
    ])
    expect(timers.find(({ id }) => id === first.id)?.counted).toBe(0)
    expect(Math.abs((timers.find(({ id }) => id === second.id)?.counted ?? 0) - HOUR)).toBeLessThan(MINUTE)
    const resumed = await turn(ada, first, { status: 'ACTIVE', at: ago(20 * HOUR) })
    expect(resumed.runningSince).toBe(third.startTime)
  })

  test('does not change before its own last change', async () => {
    const { ada, dig } = await twoTasks()
    const timer = await start(ada, dig, ago(2 * HOUR))
    expect(await turn(ada, timer, { status: 'PAUSED', at: ago(3 * HOUR) })).toMatchObject({ counted: 0 })
    await turn(ada, timer, { status: 'ACTIVE', at: ago(HOUR) })
    const paused = await turn(ada, timer, { status: 'PAUSED' })
    await wait(10 * MINUTE)
    const resumed = await turn(ada, timer, { status: 'ACTIVE', at: ago(HOUR) })
    expect(Math.abs(Date.now() - Date.parse(resumed.runningSince ?? '') - 10 * MINUTE)).toBeLessThan(MINUTE)
    expect(resumed.counted).toBe(paused.counted)
    await turn(ada, timer, { status: 'PAUSED' })
    // As of one that was paused before wrk noted when.
    await server.db.update(timeEntries).set({ endTime: null, startTime: sql`now() - interval '3 hours'`, counted: 2 * HOUR })
    const old = await turn(ada, timer, { status: 'ACTIVE', at: ago(20 * HOUR) })
    expect(Math.abs(Date.now() - Date.parse(old.runningSince ?? '') - HOUR)).toBeLessThan(MINUTE)
  })

  test('is asked about when it ran for eight hours by then, not by now', async () => {
    const { ada, dig } = await twoTasks()
    const timer = await start(ada, dig, ago(20 * HOUR))
    const stop = (at: string) => ada.http('PATCH', `${PATH}/${timer.id}`, { status: 'completed', at })
    expect(await stop(ago(11 * HOUR))).toMatchObject({ status: 409, body: { message: expect.stringContaining('9h 0m') } })
    expect(await stop(ago(13 * HOUR))).toMatchObject({ status: 200, body: { duration: 420 } })
  })

  test('is confirmed up to the click: what it counted since then is asked about', async () => {
    const { ada, dig } = await twoTasks()
    const timer = await start(ada, dig, ago(20 * HOUR))
    const confirm = async (at?: string) => timeEntry.parse((await ada.http('POST', `${PATH}/${timer.id}/confirm`, { at })).body)
    expect(Math.abs((await confirm(ago(11 * HOUR))).confirmed - 9 * HOUR)).toBeLessThan(MINUTE)
    // One that was clicked before, and sent after.
    expect(Math.abs((await confirm(ago(15 * HOUR))).confirmed - 9 * HOUR)).toBeLessThan(MINUTE)
    expect(await ada.http('PATCH', `${PATH}/${timer.id}`, { status: 'completed' })).toMatchObject({ status: 409 })
    expect(Math.abs((await confirm()).confirmed - 20 * HOUR)).toBeLessThan(MINUTE)
    expect(await ada.http('PATCH', `${PATH}/${timer.id}`, { status: 'completed' })).toMatchObject({ status: 200 })
  })

  test('has its moment only with a change of its status', async () => {
    const { ada, dig } = await twoTasks()
    const timer = await start(ada, dig, ago(2 * HOUR))
    const noted = await turn(ada, timer, { note: 'Deep', at: ago(HOUR) })
    expect(Math.abs(noted.counted - 2 * HOUR)).toBeLessThan(MINUTE)
  })
})
