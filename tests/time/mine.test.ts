import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { addDays } from '../../src/days'
import { daysOf } from '../../src/time/schema'
import { onEachDatabase } from '../support/databases'
import type { Person } from '../support/people'
import { log } from '../support/time'

describe('the week of a day', () => {
  test.each([
    ['2026-11-22', '2026-11-16', '2026-11-22'],
    ['2026-11-23', '2026-11-23', '2026-11-29'],
    ['2027-01-01', '2026-12-28', '2027-01-03'],
    ['2028-02-29', '2028-02-28', '2028-03-05'],
    // In which Toronto and Berlin change their clocks.
    ['2026-03-08', '2026-03-02', '2026-03-08'],
    ['2026-10-25', '2026-10-19', '2026-10-25'],
    ['2026-11-01', '2026-10-26', '2026-11-01'],
  ])('%s goes from %s to %s', (today, from, to) => expect(daysOf({}, today, 0)).toEqual({ from, to }))

  test('is asked for by either end, and by no more than 31 days', () => {
    expect(daysOf({ from: '2026-11-23' }, '2020-01-01', 0)).toEqual({ from: '2026-11-23', to: '2026-11-29' })
    expect(daysOf({ to: '2026-11-29' }, '2020-01-01', 0)).toEqual({ from: '2026-11-23', to: '2026-11-29' })
    expect(daysOf({ from: '2026-10-01', to: '2026-10-31' }, '2020-01-01', 0)).not.toBeNull()
    for (const to of ['2026-11-01', '2026-09-30']) expect(daysOf({ from: '2026-10-01', to }, '2020-01-01', 0)).toBeNull()
  })
})

onEachDatabase("one's own time", (server) => {
  const mine = ({ http }: Person, query = '') => http('GET', `/api/time-entries/mine?${query}`)
  const WEEK = 'from=2026-03-02&to=2026-03-08'
  const shown = async (person: Person, query = WEEK) =>
    ((await mine(person, query)).body as { entries: { day: string; board: string; task: string }[] }).entries.map(
      ({ day, board, task }) => `${day} ${board}: ${task}`,
    )

  test('is that of all boards of which one is a member, and nobody else sees it', async () => {
    const { ada, bob, eve, board, task } = await server.peopleWithTask()
    const own = await bob.api.boards.create.mutate({ name: 'Own' })
    const rest = await bob.api.tasks.create.mutate({ boardId: own.id, title: 'Rest' })
    await log(bob, task, { startTime: '2026-03-03T10:00:00Z' })
    await log(bob, rest, { startTime: '2026-03-04T10:00:00Z' })
    await log(bob, rest, { startTime: '2026-03-09T00:00:00Z' })
    await log(ada, task, { startTime: '2026-03-03T11:00:00Z' })
    expect(await shown(bob)).toEqual(['2026-03-04 Own: Rest', '2026-03-03 Garden: Dig'])
    expect(await shown(ada)).toEqual(['2026-03-03 Garden: Dig'])
    expect(await shown(eve)).toEqual([])
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    expect(await shown(bob)).toEqual(['2026-03-04 Own: Rest'])
    await bob.api.boards.delete.mutate({ boardId: own.id })
    expect(await shown(bob)).toEqual([])
    await ada.api.tasks.delete.mutate({ taskId: task.id })
    expect(await shown(ada)).toEqual([])
    await ada.api.tasks.restore.mutate({ taskId: task.id })
    expect(await shown(ada)).toEqual(['2026-03-03 Garden: Dig'])
  })

  test('is on the day on which it was for whoever worked, across midnight and changes of clocks', async () => {
    const { ada, task } = await server.peopleWithTask()
    for (const startTime of [
      // The last moment of Sunday the 1st, the first of the 2nd; both sides of the lost hour; the last of the 8th, and after it.
      ...['2026-03-02T04:59:59.999Z', '2026-03-02T05:00:00Z', '2026-03-08T06:59:59Z', '2026-03-08T07:00:00Z'],
      ...['2026-03-09T03:59:59Z', '2026-03-09T04:00:00Z'],
    ])
      await log(ada, task, { startTime, timeZone: 'America/Toronto' })
    expect((await shown(ada)).map((line) => line.slice(0, 10))).toEqual(['2026-03-08', '2026-03-08', '2026-03-08', '2026-03-02'])
    // Whoever reads, and from wherever.
    expect(await shown(ada, `${WEEK}&timeZone=Pacific/Auckland`)).toHaveLength(4)
  })

  test('is of this week unless told otherwise, which begins by the zone that is asked for', async () => {
    const { ada } = await server.peopleWithTask()
    const [east, west] = await Promise.all(
      ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((zone) => mine(ada, `timeZone=${zone}`)),
    )
    const days = (answer: typeof east) => answer?.body as { now: string; today: string; from: string; to: string }
    // They are 25 hours apart.
    expect(days(east).today > days(west).today).toBe(true)
    for (const { today, from, to } of [days(east), days(west)]) {
      expect([from <= today, today <= to, to]).toEqual([true, true, addDays(from, 6)])
    }
  })

  test('is told that its task is gone, or back, wherever its owner looks', async () => {
    const { ada, bob, task } = await server.peopleWithTask()
    await log(bob, task)
    const socket = await bob.socket()
    await ada.api.tasks.delete.mutate({ taskId: task.id })
    expect(await socket.next('task_deleted')).toMatchObject({ taskId: task.id })
    await ada.api.tasks.restore.mutate({ taskId: task.id })
    expect(await socket.next('new_task')).toMatchObject({ task: { id: task.id } })
  })

  test('has the timers, which are on the day on which they began', async () => {
    const { ada, task } = await server.peopleWithTask()
    const timer = await ada.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE', timeZone: 'UTC' })
    const { entries, now, today } = await ada.api.time.mine.query({ timeZone: 'UTC' })
    expect(entries).toEqual([{ ...timer, board: 'Garden' }])
    expect([today, timer.day]).toEqual([now.slice(0, 10), now.slice(0, 10)])
  })

  test('comes with the tasks for which one may want a row: assigned, or worked on lately', async () => {
    const { ada, bob, board, task } = await server.peopleWithTask()
    const make = (title: string, more = {}) => ada.api.tasks.create.mutate({ boardId: board.id, title, ...more })
    const [assigned, done] = [await make('Sow'), await make('Mow', { status: 'done' })]
    const [recent, old] = [await make('Hoe'), await make('Rake')]
    for (const { id } of [assigned, done]) await ada.api.tasks.assign.mutate({ taskId: id, userId: bob.id })
    await log(bob, recent, { startTime: '2026-02-02T10:00:00Z' })
    await log(bob, old, { startTime: '2026-02-01T10:00:00Z' })
    await log(ada, task, { startTime: '2026-03-02T10:00:00Z' })
    const tasks = async ({ api }: Person) => (await api.time.mine.query({ from: '2026-03-02', to: '2026-03-08' })).tasks
    expect(await tasks(bob)).toEqual(
      [recent, assigned, done].map(({ id, title, status }) => ({ id, boardId: board.id, title, status, board: 'Garden' })),
    )
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    expect(await tasks(bob)).toEqual([])
  })

  test('is asked for by days and a zone that are some, and only by whoever is signed in', async () => {
    const { ada } = await server.people()
    const days = ['from=2026-13-01', 'from=2026-01-02&to=2026-01-01', 'from=2026-01-01&to=2026-02-01', 'to=0001-01-01']
    for (const query of [...days, 'timeZone=Moon']) expect([query, (await mine(ada, query)).status]).toEqual([query, 400])
    expect((await fetch(`${server.origin}/api/time-entries/mine`)).status).toBe(401)
  })

  test('ends where it would be too much, and says so', async () => {
    const { ada, task } = await server.peopleWithTask()
    await server.db.execute(sql`insert into time_entries (task_id, user_id, board_id, start_time, day, duration_minutes)
      select ${task.id}::int, ${ada.id}::int, ${task.boardId}::int, '2026-03-02T10:00:00Z', '2026-03-02', 1
      from generate_series(1, 2001)`)
    const { entries, more } = await ada.api.time.mine.query({ from: '2026-03-02' })
    expect([entries.length, more]).toEqual([2_000, true])
  })
})
