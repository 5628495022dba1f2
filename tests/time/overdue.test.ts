import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { mails, timeEntries, users } from '../../src/db/tables'
import { ownTimers, timeEntry } from '../../src/time/schema'
import { browser } from '../support/browser'
import { onEachDatabase } from '../support/databases'
import { withoutProof, withProof } from '../support/people'
import { EACH, placeOn } from '../support/places'
import { startServer } from '../support/process'
import { passTime } from '../support/time'
import { PATIENCE } from '../support/until'

const PATH = '/api/time-entries'
const HOUR = 3_600_000

onEachDatabase('a forgotten timer', (server) => {
  async function running() {
    const people = await server.peopleWithTask('Dig & sow')
    const { bob, task } = people
    const timer = await bob.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE' })
    const pass = (hours: number) => passTime(server.db, task, hours * HOUR)
    const turn = (given: object) => bob.http('PATCH', `${PATH}/${timer.id}`, given)
    return { ...people, timer, pass, turn }
  }
  const written = async () =>
    (await server.db.select().from(mails).orderBy(mails.id)).map(({ recipient, subject }) => `${recipient}: ${subject}`)
  const ASKED = 'bob@example.com: Still working on “Dig & sow”?'

  test('is asked about by mail, once, by however many processes look at once', async () => {
    const { bob, board, task, pass } = await running()
    await pass(7.9)
    await server.clean()
    expect(await written()).toEqual([])
    await pass(0.2)
    await Promise.all(Array.from({ length: 10 }, () => server.clean()))
    await server.clean()
    expect(await written()).toEqual([ASKED])
    const [mail] = await server.db.select().from(mails)
    expect(mail?.text).toContain(`/board/${board.id}?task=${task.id}&openTaskDetail=true`)
    const [owner] = await server.db.select().from(users).where(eq(users.id, bob.id))
    const link = `/unsubscribe?token=${owner?.unsubscribeToken}&from=notifyTimeEntries`
    expect(mail?.unsubscribe).toEndWith(link)
    expect(mail?.text).toContain(link)
    expect(mail?.html).toContain('You’re getting this because notifications about time entries are on.')
    expect((await bob.http('POST', link)).status).toBe(200)
    expect((await bob.http('GET', '/api/user')).body).toMatchObject({ notifyTimeEntries: false })
  })

  test('is in no sum with what nobody said was work, however it comes to rest', async () => {
    const { ada, bob, board, task, timer, pass } = await running()
    await pass(20)
    const sums = async () => {
      const { minutes } = await ada.api.time.report.query({ boardId: board.id })
      const { text } = await ada.http('GET', `/api/boards/${board.id}/time.csv`)
      return [(await ada.api.tasks.get.query({ taskId: task.id })).minutes, minutes, /,(\d+),\d+h/.exec(text)?.[1]]
    }
    const other = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Plant' })
    await bob.api.time.create.mutate({ taskId: other.id, status: 'ACTIVE' })
    expect(await sums()).toEqual([480, 480, '480'])
    // All of it was work, as its owner says.
    await bob.api.time.confirm.mutate({ entryId: timer.id })
    await bob.api.time.update.mutate({ entryId: timer.id, status: 'completed' })
    expect(await sums()).toEqual([1200, 1200, '1200'])
  })

  test('counts in full once its owner confirms it while it is paused, and announces that once', async () => {
    const { bob, task, timer, pass, turn } = await running()
    await pass(20)
    await turn({ status: 'PAUSED' })
    const confirm = () => bob.http('POST', `${PATH}/${timer.id}/confirm`)
    expect(await confirm()).toMatchObject({ status: 200, body: { status: 'PAUSED', duration: 1200 } })
    expect(await bob.api.tasks.get.query({ taskId: task.id })).toMatchObject({ minutes: 1200 })
    expect((await confirm()).headers.has('x-board-version')).toBe(false)
  })

  test('is one of a hundred at most', async () => {
    const { bob, board, task } = await running()
    await server.db.execute(sql`
      insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes, status)
      select ${task.id}, ${board.id}, ${bob.id}, now(), now()::date, 1, 'PAUSED' from generate_series(1, 99)`)
    const body = { message: expect.stringContaining('You already have 100 paused timers') }
    expect(await bob.http('POST', PATH, { taskId: task.id, status: 'ACTIVE' })).toMatchObject({ status: 409, body })
  })

  test('is asked about again once its owner said that they still work, eight hours later', async () => {
    const { bob, timer, pass } = await running()
    await pass(9)
    await server.clean()
    const said = await bob.api.time.confirm.mutate({ entryId: timer.id })
    expect(said.status).toBe('ACTIVE')
    expect(said.confirmed).toBeGreaterThanOrEqual(9 * 3_600_000)
    await pass(7.9)
    await server.clean()
    expect(await written()).toEqual([ASKED])
    await pass(0.2)
    await server.clean()
    expect(await written()).toEqual([ASKED, ASKED])
  })

  test('is not asked about by mail while it rests, at an address that is not proven, or where its owner wants no such mail', async () => {
    const { bob, pass, turn } = await running()
    await pass(9)
    await withoutProof(server.db, bob)
    await server.clean()
    await withProof(server.db, bob)
    await turn({ status: 'PAUSED' })
    await server.clean()
    await turn({ status: 'ACTIVE' })
    for (const off of [{ emailNotifications: false }, { notifyTimeEntries: false }]) {
      await server.db.update(users).set(off)
      await server.clean()
      await server.db.update(users).set({ emailNotifications: true, notifyTimeEntries: true })
    }
    expect(await written()).toEqual([])
    await server.clean()
    expect(await written()).toEqual([ASKED])
  })

  test('is stopped only with how much of it was work, and is told how long it ran', async () => {
    const { bob, task, pass, turn } = await running()
    await pass(14.5)
    const message = 'This timer ran for 14h 30m. How long did you work?'
    const refused = { status: 409, body: { message, code: 'CONFLICT' } }
    expect(await turn({ status: 'completed', note: 'All night' })).toMatchObject(refused)
    expect(await turn({ status: 'PAUSED' })).toMatchObject({ status: 200, body: { status: 'PAUSED', duration: 480, note: null } })
    expect(await turn({ status: 'completed' })).toMatchObject(refused)
    const said = { status: 'completed', duration: 100, note: 'Evening' }
    expect(await turn(said)).toMatchObject({ status: 200, body: said })
    expect(await bob.api.tasks.get.query({ taskId: task.id })).toMatchObject({ minutes: 100 })
  })

  test('is forgotten by its mail too when the account goes', async () => {
    const { bob, pass } = await running()
    await pass(9)
    await server.clean()
    await bob.http('DELETE', '/api/account', { password: 'correct horse' })
    await server.clean()
    expect(await written()).toEqual(['bob@example.com: Your wrk account was deleted'])
  })
})

describe.each(EACH)('a timer and the process that keeps it (%s)', (on) => {
  setDefaultTimeout(PATIENCE)
  const made = z.object({ id: z.number() })

  test('runs on while that is killed, and says the truth afterwards', async () => {
    const { env, within, remove } = await placeOn(on)
    const first = await startServer(env)
    const ada = browser(first.origin)
    await ada.http('POST', '/api/auth/dev-login-json')
    const board = made.parse((await ada.http('POST', '/api/boards', { name: 'Garden' })).body)
    const task = made.parse((await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' })).body)
    const timer = timeEntry.parse((await ada.http('POST', PATH, { taskId: task.id, status: 'ACTIVE' })).body)
    first.child.kill('SIGKILL')
    await first.child.exited
    // Meanwhile nine hours pass.
    await within((db) => db.update(timeEntries).set({ runningSince: sql`running_since - interval '9 hours'` }))
    const origins = await Promise.all(Array.from({ length: on === 'embedded' ? 1 : 2 }, () => startServer(env)))
    const again = origins.map(({ origin }) => browser(origin, ada.cookie()))
    for (const page of again) {
      const { now, timers } = ownTimers.parse((await page.http('GET', `${PATH}/timers`)).body)
      expect(timers).toMatchObject([{ id: timer.id, status: 'ACTIVE', startTime: timer.startTime }])
      expect(Date.parse(now) - Date.parse(timers[0]?.runningSince ?? '')).toBeGreaterThan(9 * 3_600_000)
    }
    const stop = (page = again[0]) => page?.http('PATCH', `${PATH}/${timer.id}`, { status: 'completed', duration: 60 })
    expect(await stop()).toMatchObject({ status: 200, body: { duration: 60, status: 'completed' } })
    for (const { child } of origins) child.kill('SIGTERM')
    await Promise.all(origins.map(({ child }) => child.exited))
    await remove()
  })
})
