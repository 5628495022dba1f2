import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { tasks, timeEntries, users } from '../../src/db/tables'
import { purgeDeletedTasks } from '../../src/tasks/server/store'
import { type TimeEntry, timeEntry } from '../../src/time/schema'
import { onServer } from '../support/databases'
import type { Person } from '../support/people'
import { passTime } from '../support/time'
import { onceAnswered } from '../support/until'

const PATH = '/api/time-entries'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

onServer('a running timer', (server) => {
  /** Bob is on Ada's board, which has two tasks, and has one of his own with a third. */
  async function threeTasks() {
    const { task: dig, ...people } = await server.peopleWithTask()
    const { ada, bob, board } = people
    const sow = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
    const own = await bob.api.boards.create.mutate({ name: 'Own' })
    const rest = await bob.api.tasks.create.mutate({ boardId: own.id, title: 'Rest' })
    return { ...people, dig, sow, own, rest }
  }
  const start = ({ api }: Person, { id }: { id: number }) => api.time.create.mutate({ taskId: id, status: 'ACTIVE' })
  const turn = async ({ http }: Person, { id }: { id: number }, given: object) => {
    const answer = await http('PATCH', `${PATH}/${id}`, given)
    return { ...answer, entry: timeEntry.safeParse(answer.body).data }
  }
  const pass = (timer: { taskId: number }, milliseconds: number) => passTime(server.db, { id: timer.taskId }, milliseconds)
  const own = async ({ api }: Person) => (await api.time.timers.query()).timers
  const states = async (person: Person) => (await own(person)).map(({ task, status }) => `${task} ${status}`)
  const stored = async ({ id }: { id: number }) => (await server.db.select().from(timeEntries).where(eq(timeEntries.id, id)))[0]

  test('starts now, takes no duration, and is told', async () => {
    const { ada, bob, board, dig } = await threeTasks()
    const socket = await ada.socket(board)
    const ignored = { duration: 600, startTime: '2020-01-01T00:00:00Z' }
    const answer = await bob.http('POST', PATH, { taskId: dig.id, status: 'ACTIVE', ...ignored })
    const entry = timeEntry.parse(answer.body)
    expect([answer.status, entry.status, entry.duration, entry.counted, entry.endTime]).toEqual([201, 'ACTIVE', 0, 0, null])
    expect(entry.runningSince).toBe(entry.startTime)
    expect(await socket.next('time_entry_added')).toMatchObject({ taskId: dig.id, entry, minutes: 0, by: bob.id })
    const { now, timers } = await bob.api.time.timers.query()
    expect(timers).toEqual([{ ...entry, board: 'Garden' }])
    expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse(entry.startTime))
    expect(await own(ada)).toEqual([])
    const refused = await bob.http('PATCH', `${PATH}/${entry.id}`, { startTime: '2999-01-01T00:00:00Z' })
    expect(refused).toMatchObject({ status: 400, body: { message: 'A timer cannot start in the future.' } })
  })

  test('is paused, resumed and stopped, and counts what lies between', async () => {
    const { bob, dig } = await threeTasks()
    const timer = await start(bob, dig)
    await pass(timer, 10 * MINUTE)
    const paused = (await turn(bob, timer, { status: 'PAUSED' })).entry
    expect(paused).toMatchObject({ status: 'PAUSED', duration: 10, runningSince: null, endTime: null })
    expect(await bob.api.tasks.get.query({ taskId: dig.id })).toMatchObject({ minutes: 10 })
    await turn(bob, timer, { status: 'ACTIVE' })
    expect(await bob.api.tasks.get.query({ taskId: dig.id })).toMatchObject({ minutes: 0 })
    await pass(timer, 5 * MINUTE + 31_000)
    const { status, entry } = await turn(bob, timer, { status: 'completed', note: 'Deep' })
    expect([status, entry]).toMatchObject([200, { status: 'completed', duration: 16, note: 'Deep', startTime: timer.startTime }])
    expect(Date.parse(entry?.endTime ?? '')).toBeGreaterThan(Date.parse(timer.startTime))
    expect(await bob.api.tasks.get.query({ taskId: dig.id })).toMatchObject({ minutes: 16 })
    expect(await own(bob)).toEqual([])
    const refused = { status: 409, body: { message: 'This timer was already stopped.' } }
    for (const again of ['ACTIVE', 'PAUSED']) expect(await turn(bob, timer, { status: again })).toMatchObject(refused)
    expect(await bob.http('POST', `${PATH}/${timer.id}/confirm`)).toMatchObject({ status: 409 })
  })

  test('runs on after a stop that was undone, as though it had not been stopped; notifications of the stop go', async () => {
    const { ada, bob, board, dig, sow } = await threeTasks()
    const [dug, sown] = [await start(bob, dig), await start(bob, sow)]
    await pass(sown, 10 * MINUTE)
    const unstop = (person: Person, timer: TimeEntry, status = 'ACTIVE') =>
      person.http('POST', `${PATH}/${timer.id}/unstop`, { status })
    const told = async () => (await ada.api.notifications.list.query({})).notifications.map(({ kind }) => kind)
    await turn(bob, sown, { note: 'One row', notify: true })
    const { entry: stopped } = await turn(bob, sown, { status: 'completed', notify: true })
    expect([stopped?.duration, await told()]).toEqual([10, ['logged', 'corrected']])
    await turn(bob, sown, { note: 'Two rows', notify: true })
    expect(await told()).toEqual(['corrected', 'logged', 'corrected'])
    expect((await unstop(ada, sown)).status).toBe(403)
    const socket = await ada.socket(board)
    const answers = await Promise.all([unstop(bob, sown), unstop(bob, sown)])
    for (const { status, body } of answers)
      expect([status, body]).toMatchObject([200, { status: 'ACTIVE', counted: stopped?.counted, endTime: null }])
    expect(timeEntry.parse(answers[0].body).runningSince).toBe(stopped?.endTime ?? '')
    expect(await socket.heard()).toMatchObject([{ type: 'time_entry_updated', payload: { minutes: 0, entry: { id: sown.id } } }])
    expect([await told(), await states(bob)]).toEqual([['corrected'], ['Sow ACTIVE', 'Dig PAUSED']])
    // Meanwhile another one was resumed: the time of that is not counted twice.
    const again = (await turn(bob, sown, { status: 'completed' })).entry
    const { entry: other } = await turn(bob, dug, { status: 'ACTIVE' })
    const back = timeEntry.parse((await unstop(bob, sown)).body)
    expect(Date.parse(back.runningSince ?? '')).toBeGreaterThanOrEqual(Date.parse(other?.runningSince ?? ''))
    expect([back.counted, await states(bob)]).toEqual([again?.counted ?? 0, ['Sow ACTIVE', 'Dig PAUSED']])
    await turn(bob, dug, { status: 'completed' })
    expect((await unstop(bob, dug, 'PAUSED')).body).toMatchObject({ status: 'PAUSED', runningSince: null })
    expect(await states(bob)).toEqual(['Sow ACTIVE', 'Dig PAUSED'])
    // Nor is that of one that is paused by then.
    await turn(bob, sown, { status: 'completed' })
    const resumed = timeEntry.parse((await turn(bob, dug, { status: 'ACTIVE' })).body)
    const paused = timeEntry.parse((await turn(bob, dug, { status: 'PAUSED' })).body)
    const pausedAt = Date.parse(resumed.runningSince ?? '') + paused.counted - resumed.counted
    const { runningSince } = timeEntry.parse((await unstop(bob, sown)).body)
    expect(Date.parse(runningSince ?? '')).toBe(pausedAt)
    await turn(bob, dug, { status: 'completed', endTime: '2026-01-01T12:00:00Z', startTime: '2026-01-01T10:00:00Z' })
    const refused = { status: 409, body: { message: 'This timer was already stopped.' } }
    expect(await unstop(bob, dug)).toMatchObject(refused)
    const [startTime, endTime] = [120, 0].map((minutes) => new Date(Date.now() - minutes * MINUTE).toISOString())
    const byHand = await bob.http('POST', PATH, { taskId: dig.id, duration: 120, startTime, endTime })
    expect(await unstop(bob, timeEntry.parse(byHand.body))).toMatchObject(refused)
    await turn(bob, sown, { status: 'completed' })
    await turn(bob, sown, { duration: 90 })
    expect(await unstop(bob, sown)).toMatchObject(refused)
  })

  test('takes the place of the one that ran, on whichever board, and both boards are told', async () => {
    const { ada, bob, board, dig, rest, own: bobs } = await threeTasks()
    const first = await start(bob, dig)
    await pass(first, 3 * MINUTE)
    const [adas, page] = await Promise.all([ada.socket(), bob.socket()])
    const before = [await adas.join(board.id), await page.join(bobs.id)].map(({ version }) => version)
    const answer = await bob.http('POST', PATH, { taskId: rest.id, status: 'ACTIVE' })
    const second = timeEntry.parse(answer.body)
    expect(answer.headers.get('x-board-version')).toBe(String((before[1] ?? 0) + 1))
    expect(await states(bob)).toEqual(['Rest ACTIVE', 'Dig PAUSED'])
    const rested = {
      type: 'time_entry_updated',
      payload: { boardId: board.id, version: (before[0] ?? 0) + 1, minutes: 3, entry: { id: first.id, status: 'PAUSED' } },
    }
    const began = { type: 'time_entry_added', payload: { boardId: bobs.id, version: (before[1] ?? 0) + 1, entry: second } }
    expect(await adas.heard()).toMatchObject([rested])
    // Bob's page has only the other board open, and hears of each once all the same.
    expect(await page.heard()).toMatchObject([rested, began])
    await turn(bob, first, { status: 'ACTIVE' })
    expect(await states(bob)).toEqual(['Dig ACTIVE', 'Rest PAUSED'])
  })

  test('reaches every page of its owner once, whichever board they have open, and no page of strangers', async () => {
    const { bob, eve, board, dig } = await threeTasks()
    const [there, elsewhere, stranger] = await Promise.all([bob.socket(), bob.socket(), eve.socket()])
    await there.join(board.id)
    const timer = await start(bob, dig)
    await bob.api.time.confirm.mutate({ entryId: timer.id })
    await turn(bob, timer, { status: 'completed' })
    await bob.api.time.delete.mutate({ entryId: timer.id })
    const types = ['time_entry_added', 'time_entry_updated', 'time_entry_updated', 'time_entry_deleted']
    for (const page of [there, elsewhere]) expect((await page.heard()).map(({ type }) => String(type))).toEqual(types)
    expect(await stranger.heard()).toEqual([])
  })

  test('is the only one, however many devices start one at once', async () => {
    const { bob, dig, sow, rest } = await threeTasks()
    for (let round = 0; round < 30; round++) {
      const answers = await Promise.all(
        [dig, rest, sow].map(({ id }) => onceAnswered(() => bob.http('POST', PATH, { taskId: id, status: 'ACTIVE' }))),
      )
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
      expect((await own(bob)).filter(({ status }) => status === 'ACTIVE')).toHaveLength(1)
    }
    expect(await own(bob)).toHaveLength(90)
  })

  test('is the only one while others are resumed, paused and stopped, and nobody waits for ever', async () => {
    const { ada, bob, board, dig, sow, rest } = await threeTasks()
    const made: TimeEntry[] = []
    for (const task of [dig, sow, rest]) made.push(await start(bob, task))
    for (let round = 0; round < 15; round++) {
      const answers = await Promise.all([
        ...made.map((one) => turn(bob, one, { status: 'ACTIVE' })),
        turn(bob, made[round % 3] ?? { id: 0 }, { status: 'PAUSED' }),
        bob.http('POST', PATH, { taskId: rest.id, status: 'ACTIVE' }),
        ada.http('PATCH', `/api/tasks/${dig.id}`, { title: `Dig ${round}` }),
        ada.http('PATCH', `/api/boards/${board.id}`, { name: `Garden ${round}` }),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status >= 400)).toEqual([])
      expect((await own(bob)).filter(({ status }) => status === 'ACTIVE').length).toBeLessThanOrEqual(1)
    }
  })

  test("two people who start on each other's boards do not wait for each other", async () => {
    const { ada, bob, dig, rest, own: bobs } = await threeTasks()
    await bob.api.boards.addMember.mutate({ boardId: bobs.id, username: 'ada' })
    for (let round = 0; round < 15; round++) {
      const answers = await Promise.all([
        ada.http('POST', PATH, { taskId: round % 2 ? dig.id : rest.id, status: 'ACTIVE' }),
        bob.http('POST', PATH, { taskId: round % 2 ? rest.id : dig.id, status: 'ACTIVE' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
    }
  })

  test('is paused with the task that is deleted, its owner hears it anywhere, and it comes back so', async () => {
    const { ada, bob, dig } = await threeTasks()
    const timer = await start(bob, dig)
    await pass(timer, 7 * MINUTE)
    const page = await bob.socket()
    await ada.api.tasks.delete.mutate({ taskId: dig.id })
    expect(await page.heard()).toMatchObject([
      { type: 'time_entry_updated', payload: { minutes: 7, entry: { id: timer.id, status: 'PAUSED', duration: 7 } } },
      { type: 'task_deleted', payload: { taskId: dig.id } },
    ])
    expect(await own(bob)).toEqual([])
    expect((await turn(bob, timer, { status: 'ACTIVE' })).status).toBe(404)
    await ada.api.tasks.restore.mutate({ taskId: dig.id })
    expect(await page.heard()).toMatchObject([{ type: 'new_task', payload: { task: { id: dig.id, minutes: 7 } } }])
    expect(await states(bob)).toEqual(['Dig PAUSED'])
    expect((await turn(bob, timer, { status: 'ACTIVE' })).status).toBe(200)
  })

  test('on a deleted task does not count among the hundred that one may have', async () => {
    const { ada, bob, dig, sow, rest } = await threeTasks()
    for (let n = 0; n < 100; n++) await turn(bob, await start(bob, n % 2 ? dig : sow), { status: 'PAUSED' })
    expect((await bob.http('POST', PATH, { taskId: rest.id, status: 'ACTIVE' })).status).toBe(409)
    await ada.api.tasks.delete.mutate({ taskId: dig.id })
    expect((await own(bob)).length).toBe(50)
    await start(bob, rest)
  })

  test('ends with the task, and with the board', async () => {
    const { ada, bob, board, dig, sow } = await threeTasks()
    await start(bob, dig)
    await ada.api.tasks.delete.mutate({ taskId: dig.id })
    await server.db.update(tasks).set({ deletedAt: sql`now() - interval '31 days'` }).where(eq(tasks.id, dig.id))
    await purgeDeletedTasks(server.db)
    await start(bob, sow)
    await ada.api.boards.delete.mutate({ boardId: board.id })
    expect([await own(bob), await server.db.$count(timeEntries, eq(timeEntries.status, 'ACTIVE'))]).toEqual([[], 0])
  })

  test('of whoever is removed or leaves is completed with what they confirmed and at most eight hours', async () => {
    const { ada, bob, board, dig, sow } = await threeTasks()
    const rests = await start(bob, sow)
    await pass(rests, 20_000)
    const timer = await start(bob, dig)
    await pass(timer, 30 * HOUR)
    const [socket, page] = [await ada.socket(), await bob.socket()]
    const { version } = await socket.join(board.id)
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    const ended = ({ id }: TimeEntry, later: number, minutes: number) => ({
      type: 'time_entry_updated',
      payload: { version: version + later, minutes, entry: { id, status: 'completed', duration: minutes } },
    })
    const told = [
      ...[ended(rests, 1, 1), ended(timer, 2, 480)],
      { type: 'board_member_removed', payload: { version: version + 3, userId: bob.id } },
    ]
    expect(await socket.heard()).toMatchObject(told)
    expect(await page.heard()).toMatchObject(told)
    expect(await own(bob)).toEqual([])
    expect(await ada.api.time.report.query({ boardId: board.id })).toMatchObject({
      minutes: 481,
      byUser: [{ user: { username: 'bob' }, minutes: 481 }],
    })
    expect((await turn(bob, timer, { duration: 5 })).status).toBe(404)
  })

  test('on a task in the trash is completed too when its owner goes, and others do not hear of it', async () => {
    const { ada, bob, board, dig } = await threeTasks()
    const timer = await start(bob, dig)
    await pass(timer, 2 * HOUR)
    await ada.api.tasks.delete.mutate({ taskId: dig.id })
    const socket = await ada.socket(board)
    await bob.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    expect((await socket.heard()).map(({ type }) => type)).toEqual(['board_member_removed'])
    expect(await ada.api.tasks.restore.mutate({ taskId: dig.id })).toMatchObject({ minutes: 120 })
    expect(await stored(timer)).toMatchObject({ status: 'completed', duration: 120 })
  })

  test('is always stopped, and nothing else done, on a board that the plan has locked', async () => {
    const { ada, dig } = await threeTasks()
    await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
    const second = await ada.api.boards.create.mutate({ name: 'Shed' })
    const task = await ada.api.tasks.create.mutate({ boardId: second.id, title: 'Paint' })
    const done = await ada.api.time.create.mutate({ taskId: task.id, duration: 30 })
    const timer = await start(ada, task)
    await server.db.update(users).set({ isPro: false }).where(eq(users.id, ada.id))
    const refused = { status: 403, body: { requiresUpgrade: true } }
    expect(await ada.http('POST', PATH, { taskId: task.id, duration: 5 })).toMatchObject(refused)
    expect(await ada.http('POST', PATH, { taskId: task.id, status: 'ACTIVE' })).toMatchObject(refused)
    expect(await ada.http('POST', `${PATH}/${timer.id}/confirm`)).toMatchObject({ status: 200, body: { status: 'ACTIVE' } })
    for (const given of [{ note: 'x' }, { status: 'ACTIVE' }, { duration: 5 }])
      expect(await turn(ada, timer, given)).toMatchObject(refused)
    for (const given of [{ note: 'x' }, { duration: 5, status: 'completed' }])
      expect(await turn(ada, done, given)).toMatchObject(refused)
    expect(await ada.http('DELETE', `${PATH}/${done.id}`)).toMatchObject(refused)
    // Whatever is started elsewhere pauses it.
    await start(ada, dig)
    expect(await states(ada)).toEqual(['Dig ACTIVE', 'Paint PAUSED'])
    expect(await turn(ada, timer, { status: 'PAUSED' })).toMatchObject(refused)
    expect(await ada.http('POST', `${PATH}/${timer.id}/confirm`)).toMatchObject(refused)
    const stopped = await turn(ada, timer, { status: 'completed', note: 'Done' })
    expect(stopped).toMatchObject({ status: 200, entry: { note: 'Done', duration: 1 } })
    expect(await states(ada)).toEqual(['Dig ACTIVE'])
  })
})
