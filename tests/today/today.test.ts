import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { boardMembers, tasks } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'
import type { Person } from '../support/people'
import { log } from '../support/time'

const TORONTO = 'America/Toronto'
const HOUR = 60 * 60_000

const todayOf = ({ api }: Person, timeZone?: string) => api.today.get.query({ timeZone })

onEachDatabase('today', (server) => {
  /** Bob is on Ada's board, with tasks of these days assigned to him. */
  async function bobsTasks(...days: (string | null)[]) {
    const people = await server.people()
    const given = []
    for (const dueDate of days) {
      const task = await people.ada.api.tasks.create.mutate({ boardId: people.board.id, title: `Due ${dueDate}`, dueDate })
      given.push(await people.ada.api.tasks.assign.mutate({ taskId: task.id, userId: people.bob.id }))
    }
    return { ...people, given, first: given[0] ?? { id: 0 } }
  }

  test('has the tasks that one is assigned to, by their days, with board, people and the task below', async () => {
    const { ada, bob, eve, board, given } = await bobsTasks('2026-12-24', null, '2020-01-01')
    await ada.api.tasks.assign.mutate({ taskId: given[0]?.id ?? 0, userId: ada.id })
    const { tasks: own, more } = await todayOf(bob)
    expect(own.map(({ title }) => title)).toEqual(['Due 2020-01-01', 'Due 2026-12-24', 'Due null'])
    expect(own[1]).toEqual({
      ...{ id: given[0]?.id ?? 0, boardId: board.id, title: 'Due 2026-12-24', status: 'todo', dueDate: '2026-12-24' },
      ...{ doneAt: null, revision: 1, next: given[1]?.id ?? 0 },
      assignees: [expect.objectContaining({ username: 'bob' }), expect.objectContaining({ username: 'ada' })],
    })
    expect(more).toBe(false)
    expect((await todayOf(ada)).tasks.map(({ id }) => id)).toEqual([given[0]?.id ?? 0])
    expect((await todayOf(eve)).tasks).toEqual([])
  })

  test('has what was done today, and no more once it is undone, done long ago, or was done before that was noted', async () => {
    const { bob, first } = await bobsTasks(null)
    const doneAt = async () => (await todayOf(bob)).tasks.map((task) => task.doneAt)
    const moved = await bob.api.tasks.update.mutate({ taskId: first.id, status: 'done' })
    expect(await doneAt()).toEqual([moved.doneAt ?? 'a moment'])
    const renamed = await bob.api.tasks.update.mutate({ taskId: first.id, title: 'Dug' })
    expect(renamed.doneAt).toBe(moved.doneAt)
    expect((await bob.api.tasks.update.mutate({ taskId: first.id, status: 'inprogress' })).doneAt).toBeNull()
    expect(await doneAt()).toEqual([null])
    await bob.api.tasks.update.mutate({ taskId: first.id, status: 'done' })
    for (const doneAt of [new Date(Date.now() - 48 * HOUR), null]) {
      await server.db.update(tasks).set({ doneAt }).where(eq(tasks.id, first.id))
      expect((await todayOf(bob)).tasks).toEqual([])
    }
  })

  test('is of the day that it is where one is', async () => {
    const { bob, first } = await bobsTasks(null)
    const days = await Promise.all(['Pacific/Kiritimati', 'Pacific/Niue'].map((zone) => todayOf(bob, zone)))
    expect(days[0]?.day).not.toBe(days[1]?.day)
    for (const { day, week } of days) expect(week.map((one) => one.day)).toContain(day)
    await bob.api.tasks.update.mutate({ taskId: first.id, status: 'done' })
    const fourteenHoursAgo = new Date(Date.now() - 14 * HOUR)
    await server.db.update(tasks).set({ doneAt: fourteenHoursAgo }).where(eq(tasks.id, first.id))
    const seen = await Promise.all(
      ['Pacific/Kiritimati', 'Pacific/Niue'].map(async (zone) => (await todayOf(bob, zone)).tasks.length),
    )
    const hoursInto = (zone: string) =>
      Number(new Date().toLocaleString('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }))
    expect(seen).toEqual(['Pacific/Kiritimati', 'Pacific/Niue'].map((zone) => Number(hoursInto(zone) >= 14)))
    const refused = await bob.http('GET', '/api/today?timeZone=Mars/Olympus')
    expect([refused.status, refused.body]).toEqual([400, expect.objectContaining({ message: 'Unknown time zone' })])
  })

  test('has the minutes of each day of the week, by the days that they were logged for, without those of others', async () => {
    const { ada, bob, first } = await bobsTasks(null)
    const { day, week } = await todayOf(bob, TORONTO)
    expect(week).toHaveLength(7)
    expect(new Date(`${week[0]?.day}T00:00:00Z`).getUTCDay()).toBe(1)
    const entry = await log(bob, first, { duration: 50, startTime: `${day}T12:00:00-05:00` })
    await log(bob, first, { duration: 10, startTime: `${day}T13:00:00-05:00` })
    await log(bob, first, { duration: 40, startTime: '2020-01-01T12:00:00Z' })
    await log(ada, first, { duration: 70 })
    await bob.api.time.create.mutate({ taskId: first.id, status: 'ACTIVE' })
    const worked = async () => (await todayOf(bob, TORONTO)).week.filter(({ minutes }) => minutes > 0)
    const entries = [
      { id: entry.id, minutes: 50 },
      { id: expect.any(Number), minutes: 10 },
    ]
    expect(await worked()).toEqual([{ day, minutes: 60, entries }])
    await bob.api.time.delete.mutate({ entryId: entry.id })
    expect((await worked())[0]?.minutes).toBe(10)
  })

  test('has the boards with their columns, faces and what happened last', async () => {
    const { ada, bob, board, first } = await bobsTasks('2020-01-01', '2020-01-01', null)
    await bob.api.tasks.update.mutate({ taskId: first.id, status: 'done' })
    const { boards } = await todayOf(bob)
    const { version } = await bob.api.boards.get.query({ boardId: board.id })
    expect(boards).toEqual([
      {
        ...{ id: board.id, name: 'Garden', description: null, createdBy: ada.id, createdAt: board.createdAt },
        ...{ memberCount: 2, nameCount: 0, locked: false, pinned: false, place: null, version, overdue: 1 },
        tasks: { todo: 2, inprogress: 0, done: 1 },
        faces: [expect.objectContaining({ username: 'ada' }), expect.objectContaining({ username: 'bob' })],
        lastActivity: {
          user: expect.objectContaining({ username: 'bob' }),
          ...{ kind: 'moved', did: null },
          createdAt: expect.stringMatching(/Z$/),
        },
      },
    ])
    expect(Date.now() - Date.parse(boards[0]?.lastActivity?.createdAt ?? '')).toBeLessThan(60_000)
  })

  test('is nothing to whoever was removed, and holds nothing that was deleted', async () => {
    const { ada, bob, board, given } = await bobsTasks(null, null)
    const [one, two] = given
    await log(bob, { id: one?.id ?? 0 })
    await ada.api.tasks.delete.mutate({ taskId: one?.id ?? 0 })
    const left = await todayOf(bob)
    expect(left.tasks.map(({ id }) => id)).toEqual([two?.id ?? 0])
    expect(left.week.every(({ minutes }) => minutes === 0)).toBe(true)
    expect(left.boards[0]?.tasks).toEqual({ todo: 1, inprogress: 0, done: 0 })
    await log(bob, { id: two?.id ?? 0 })
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    const nothing = { tasks: [], boards: [] }
    const gone = await todayOf(bob)
    expect({ tasks: gone.tasks, boards: gone.boards }).toEqual(nothing)
    expect(gone.week.every(({ entries }) => entries.length === 0)).toBe(true)
    await ada.api.tasks.assign.mutate({ taskId: two?.id ?? 0, userId: ada.id })
    await ada.api.boards.delete.mutate({ boardId: board.id })
    expect(await todayOf(ada)).toMatchObject(nothing)
  })

  test('is asked for over REST as well, by whoever is signed in', async () => {
    const { bob, nobody } = await bobsTasks('2026-12-24')
    expect((await bob.http('GET', `/api/today?timeZone=${TORONTO}`)).body).toEqual(await todayOf(bob, TORONTO))
    expect((await nobody.http('GET', '/api/today')).status).toBe(401)
  })
})

onEachDatabase("one's own order of boards", (server) => {
  async function withThree() {
    const people = await server.people()
    const boards = [people.board]
    for (const name of ['Shed', 'Attic']) {
      const other = await people.person(name.toLowerCase())
      const board = await other.api.boards.create.mutate({ name })
      await server.db.insert(boardMembers).values({ boardId: board.id, userId: people.bob.id })
      boards.push(board)
    }
    return { ...people, ids: boards.map(({ id }) => id) as [number, number, number] }
  }
  const orderOf = async (person: Person) => (await todayOf(person)).boards.map(({ id }) => id)

  test("is kept, pinned ones first, told to all of their pages, and is nobody else's", async () => {
    const { ada, bob, eve, ids } = await withThree()
    const [garden, shed, attic] = ids
    const strangers = await eve.api.boards.create.mutate({ name: 'Eves' })
    const socket = await bob.socket()
    expect(await orderOf(bob)).toEqual([garden, shed, attic])
    const answer = await bob.http('PATCH', '/api/boards/order', { pinned: [attic, strangers.id, attic], others: [shed, garden] })
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    await socket.next('boards_arranged')
    expect(await orderOf(bob)).toEqual([attic, shed, garden])
    const listed = await bob.api.boards.list.query()
    expect(listed.map(({ id, pinned }) => [id, pinned])).toEqual([
      [garden, false],
      [shed, false],
      [attic, true],
    ])
    expect((await todayOf(ada)).boards[0]).toMatchObject({ pinned: false, place: null })
    expect((await eve.api.boards.list.query())[0]).toMatchObject({ pinned: false, place: null })
    await bob.api.boards.arrange.mutate({ pinned: [], others: [shed] })
    expect((await bob.api.boards.list.query()).find(({ id }) => id === attic)).toMatchObject({ pinned: true })
  })
})

onEachDatabase('a task that two people tick at once', (server) => {
  test('is done once, and both are answered', async () => {
    const { ada, bob, board } = await server.people()
    for (let round = 0; round < 10; round++) {
      const { id: taskId } = await ada.api.tasks.create.mutate({ boardId: board.id, title: `Round ${round}` })
      for (const { id: userId } of [ada, bob]) await ada.api.tasks.assign.mutate({ taskId, userId })
      const [one, other] = await Promise.all([ada, bob].map(({ api }) => api.tasks.update.mutate({ taskId, status: 'done' })))
      expect([one?.doneAt, one?.revision]).toEqual([other?.doneAt ?? 'a moment', 2])
      const { activities } = await ada.api.activity.task.query({ taskId })
      expect(activities.filter(({ kind }) => kind === 'moved')).toHaveLength(1)
    }
  })
})
