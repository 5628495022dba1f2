import { afterAll, expect, test } from 'bun:test'
import { eq, inArray, sql } from 'drizzle-orm'
import { purgeDeletedBoards } from '../../src/boards/server/deleted.store'
import type { Db } from '../../src/db/database'
import {
  activities,
  boardInvitations,
  boards,
  comments,
  mails,
  notifications,
  tasks,
  timeEntries,
  users,
} from '../../src/db/tables'
import { hashToken } from '../../src/server/tokens'
import { onEachDatabase, onServer } from '../support/databases'
import { attach, uploadsFolder } from '../support/files'
import type { PeopleWithTask, Person } from '../support/people'
import { log, passTime } from '../support/time'
import { onceAnswered } from '../support/until'

const folder = await uploadsFolder()
afterAll(folder.remove)

const LOST = { status: 404, body: { message: 'This board can no longer be restored.', code: 'NOT_FOUND' } }
const UPGRADE = { status: 403, body: { message: 'Free users can only create 1 board', code: 'FORBIDDEN', requiresUpgrade: true } }
const DAY = 86_400_000

type Given = { board: { id: number } }
const remove = ({ ada, board }: Given & { ada: Person }) => ada.http('DELETE', `/api/boards/${board.id}`)
const restore = (who: Pick<Person, 'http'>, { board }: Given) => who.http('POST', `/api/boards/${board.id}/restore`)
const hours = (who: Pick<Person, 'http'>, { board }: Given, query = '') =>
  who.http('GET', `/api/boards/${board.id}/my-hours.csv${query}`)
const deleted = async (who: Pick<Person, 'http'>) => (await who.http('GET', '/api/boards/deleted')).body

onEachDatabase(
  'a deleted board',
  (server) => {
    const deletedAgo = ({ board }: Given, milliseconds: number) =>
      server.db
        .update(boards)
        .set({ deletedAt: sql`now() - ${milliseconds} * interval '1 millisecond'` })
        .where(eq(boards.id, board.id))
    const setPro = (id: number, isPro: boolean) => server.db.update(users).set({ isPro }).where(eq(users.id, id))

    /** An open invitation's link. */
    async function invited({ ada, board }: PeopleWithTask) {
      const facts = { boardId: board.id, email: 'new@example.com', invitedBy: ada.id }
      const expiresAt = new Date(Date.now() + DAY)
      await server.db.insert(boardInvitations).values({ ...facts, token: hashToken('the link'), expiresAt })
      return '/api/invitations/the%20link'
    }

    test('of any size goes for good in small transactions, each of which goes on where another was cut off', async () => {
      const { bob, board, task } = await server.peopleWithTask()
      const run = (query: string) => server.db.execute(sql.raw(query))
      await run(`insert into tasks (title, position, board_id) select 'x', 'b' || n, ${board.id} from generate_series(1, 110) n`)
      await run(
        `insert into comments (task_id, user_id, content) select ${task.id}, ${bob.id}, 'x' from generate_series(1, 2100) n`,
      )
      await run(`insert into activities (board_id, user_id, kind, detail)
        select ${board.id}, ${bob.id}, 'created', '{}' from generate_series(1, 2100) n`)
      await run(`insert into time_entries (task_id, user_id, board_id, start_time, day, duration_minutes)
        select ${task.id}, ${bob.id}, ${board.id}, now(), current_date - n % 99, 5 from generate_series(1, 2100) n`)
      await run(`insert into users (username, email, disabled_at, imported_on)
        select 'Name-' || lpad(to_hex(n), 16, '0'), 'N' || n || '@imported.invalid', now(), ${board.id} from generate_series(1, 60) n`)
      await server.db
        .update(boards)
        .set({ deletedAt: new Date(0) })
        .where(eq(boards.id, board.id))
      const rows = async () => {
        const counts = [tasks, comments, activities, timeEntries, users].map((table) => server.db.$count(table))
        return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
      }
      const sizes: number[] = []
      for (let before = await rows(); (await server.db.$count(boards)) > 0; before = await rows()) {
        const once = { transaction: (work: (db: Db) => Promise<boolean>) => server.db.transaction(work).then(() => false) }
        await purgeDeletedBoards(once as unknown as Db)
        sizes.push(before - (await rows()))
      }
      expect(Math.max(...sizes)).toBeLessThanOrEqual(2_100)
      expect(sizes.length).toBeGreaterThan(5)
      expect([await server.db.$count(tasks), await server.db.$count(users)]).toEqual([0, 3])
    })

    test('is deleted for good by its creator alone, at once, and not while others may take their hours along', async () => {
      const given = await server.peopleWithTask()
      const { ada, bob, eve, board, task } = given
      const forGood = (who: Pick<Person, 'http'>) => who.http('DELETE', `/api/deleted-boards/${board.id}`)
      expect((await forGood(ada)).status).toBe(404)
      await log(bob, task)
      await remove(given)
      for (const who of [bob, eve]) expect((await forGood(who)).status).toBe(404)
      expect(await forGood(ada)).toMatchObject({
        status: 409,
        body: {
          message:
            'You cannot permanently delete this board yet: others logged time on it and have 30 days to download their hours.',
        },
      })
      await server.db.delete(timeEntries)
      expect((await forGood(ada)).status).toBe(200)
      expect(await deleted(ada)).toEqual([])
      expect(await restore(ada, given)).toMatchObject(LOST)
      await server.clean()
      expect(await server.db.select().from(boards)).toEqual([])
    })

    test('comes back as it was: tasks, files, hours, members, invitations, inbox', async () => {
      const given = await server.peopleWithTask()
      const { ada, bob, eve, board, task } = given
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
      await bob.api.comments.create.mutate({ taskId: task.id, content: 'Deeper' })
      await Promise.all([log(ada, task), log(bob, task)])
      const file = await attach(bob, task.id)
      const link = await invited(given)
      const paths = ['', '/tasks', '/time-report', '/invitations'].map((part) => `/api/boards/${board.id}${part}`)
      const look = (who: Person) =>
        Promise.all(
          [...paths, `/api/tasks/${task.id}`, `/api/tasks/${task.id}/comments`, '/api/notifications', '/api/boards'].map(
            async (path) => ({ ...Object(await who.http('GET', path).then(({ body }) => body)), version: 0 }),
          ),
        )
      const before = await Promise.all([look(ada), look(bob)])
      expect((await remove(given)).status).toBe(200)
      expect((await eve.http('GET', link)).status).toBe(404)
      expect((await bob.http('GET', file.fileUrl)).status).toBe(404)
      expect((await bob.http('GET', '/api/notifications')).body).toEqual({ notifications: [], unread: 0, more: false })
      expect(await restore(ada, given)).toMatchObject({ status: 200, body: { id: board.id, name: 'Garden', memberCount: 2 } })
      expect(await Promise.all([look(ada), look(bob)])).toEqual(before)
      expect((await bob.http('GET', file.fileUrl)).bytes.length).toBe(file.fileSize)
      expect((await eve.http('POST', `${link}/accept`)).status).toBe(200)
      const { activities } = await ada.api.activity.board.query({ boardId: board.id })
      expect(activities.slice(0, 2).map(({ kind, user }) => [kind, user.id])).toEqual([
        ['member_joined', eve.id],
        ['board_restored', ada.id],
      ])
    })

    test('is told to every page of its members, as is its return; between them nothing is', async () => {
      const given = await server.peopleWithTask()
      const { ada, bob, board, task } = given
      const [open, elsewhere, adas] = [await bob.socket(), await bob.socket(), await ada.socket(board)]
      const { version } = await open.join(board.id)
      await adas.heard()
      await remove(given)
      const gone = { type: 'board_deleted', payload: { boardId: board.id, version: version + 1, by: ada.id } }
      expect(await Promise.all([open, elsewhere].map((socket) => socket.heard()))).toEqual([[gone], [gone]] as never)
      adas.send('typing_started', { taskId: task.id })
      adas.send('typing_stopped', { taskId: task.id })
      adas.send('editing_status', { boardId: board.id, element: 'board_name', status: 'started' })
      adas.send('join_board', { boardId: board.id })
      expect((await adas.heard()).map(({ type, payload }) => [type, 'code' in payload && payload.code])).toEqual([
        ['board_deleted', false],
        ...Array(4).fill(['error', 'NOT_FOUND']),
      ])
      await bob.api.users.update.mutate({ name: 'Robert' })
      expect((await open.heard()).filter(({ type }) => type !== 'current_user_updated')).toEqual([])
      await restore(ada, given)
      // Copied below: toMatchObject compares an object only the first time it meets it.
      const back = { type: 'board_restored', payload: { boardId: board.id, version: version + 2, by: ada.id } }
      expect(await Promise.all([open, elsewhere].map((socket) => socket.heard()))).toMatchObject([
        [back],
        [{}, { ...back }],
      ] as never)
      // Whoever had joined it before joins it anew.
      await ada.api.tasks.update.mutate({ taskId: task.id, title: 'Dug' })
      expect(await open.heard()).toEqual([])
      expect((await open.join(board.id)).version).toBe(version + 3)
      const { body } = await bob.http('GET', `/api/boards/${board.id}/snapshot`)
      expect(body).toMatchObject({ board: { members: [{}, { name: 'Robert' }] }, tasks: [{ title: 'Dug' }] })
    })

    test('is listed for 30 days for its creator and for whoever logged time there, with their own minutes', async () => {
      const given = await server.peopleWithTask()
      const { ada, bob, eve, board, task, member, nobody } = given
      const carol = await member('carol')
      await Promise.all([log(bob, task, { duration: 95 }), log(ada, task, { duration: 5 }), log(carol, task)])
      // Whoever left worked too.
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: carol.id })
      const dave = await member('dave')
      expect([await deleted(ada), await deleted(bob)]).toEqual([[], []])
      await remove(given)
      const [row] = (await deleted(bob)) as [{ deletedAt: string; until: string }]
      expect(row).toEqual({ id: board.id, name: 'Garden', mayRestore: false, minutes: 95, ...times(row) } as never)
      expect(Date.parse(row.until) - Date.parse(row.deletedAt)).toBe(30 * DAY)
      expect(await deleted(ada)).toMatchObject([{ mayRestore: true, minutes: 5 }])
      expect(await deleted(carol)).toMatchObject([{ mayRestore: false, minutes: 30 }])
      expect([await deleted(dave), await deleted(eve)]).toEqual([[], []])
      expect((await nobody.http('GET', '/api/boards/deleted')).status).toBe(401)
      await deletedAgo(given, 30 * DAY + 60_000)
      expect([await deleted(ada), await deleted(bob)]).toEqual([[], []])
    })
    const times = ({ deletedAt, until }: { deletedAt: string; until: string }) => ({ deletedAt, until })

    test('is brought back by nobody but its creator, not twice, not while it stands, and not after 30 days', async () => {
      const given = await server.peopleWithTask()
      const { ada, bob, eve, nobody, task } = given
      await log(bob, task)
      expect(await restore(ada, given)).toMatchObject(LOST)
      await remove(given)
      expect((await restore(nobody, given)).status).toBe(401)
      for (const who of [bob, eve]) expect(await restore(who, given)).toMatchObject(LOST)
      await deletedAgo(given, 30 * DAY + 60_000)
      expect(await restore(ada, given)).toMatchObject(LOST)
      await deletedAgo(given, 30 * DAY - 60_000)
      expect((await restore(ada, given)).status).toBe(200)
      expect(await restore(ada, given)).toMatchObject(LOST)
    })

    test('counts for no plan, and needs room in one to come back', async () => {
      const given = await server.peopleWithTask()
      const { ada, board } = given
      await remove(given)
      const other = await ada.api.boards.create.mutate({ name: 'Another' })
      expect((await ada.http('PATCH', `/api/boards/${other.id}`, { name: 'Mine' })).status).toBe(200)
      expect(await restore(ada, given)).toMatchObject(UPGRADE)
      await setPro(ada.id, true)
      expect((await restore(ada, given)).status).toBe(200)
      await setPro(ada.id, false)
      const locked = async () => (await ada.api.boards.list.query()).map((one) => [one.id, one.locked])
      expect(await locked()).toEqual([
        [board.id, false],
        [other.id, true],
      ])
      await remove(given)
      expect(await locked()).toEqual([[other.id, false]])
    })

    test('pauses the timers that run on it, hides them, and brings them back paused', async () => {
      const given = await server.peopleWithTask()
      const { ada, bob, task } = given
      await bob.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE' })
      await passTime(server.db, task, 7 * 60_000)
      await remove(given)
      expect((await bob.api.time.timers.query()).timers).toEqual([])
      expect(await deleted(bob)).toMatchObject([{ minutes: 7 }])
      expect((await hours(bob, given)).text).toContain('Dig,bob,')
      const own = await bob.api.boards.create.mutate({ name: "Bob's" })
      const elsewhere = await bob.api.tasks.create.mutate({ boardId: own.id, title: 'Sow' })
      await bob.api.time.create.mutate({ taskId: elsewhere.id, status: 'ACTIVE' })
      await restore(ada, given)
      const { timers } = await bob.api.time.timers.query()
      expect(timers.map((timer) => [timer.task, timer.status, timer.duration])).toEqual([
        ['Sow', 'ACTIVE', 0],
        ['Dig', 'PAUSED', 7],
      ])
    })

    test('keeps nobody from starting timers elsewhere, however many rest on it', async () => {
      const given = await server.peopleWithTask()
      const { bob, board, task } = given
      await server.db.execute(sql`
        insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes, status)
        select ${task.id}, ${board.id}, ${bob.id}, now(), now()::date, 1, 'PAUSED' from generate_series(1, 100)`)
      const own = await bob.api.boards.create.mutate({ name: "Bob's" })
      const { id: taskId } = await bob.api.tasks.create.mutate({ boardId: own.id, title: 'Sow' })
      const start = () => bob.http('POST', '/api/time-entries', { taskId, status: 'ACTIVE' })
      expect((await start()).status).toBe(409)
      await remove(given)
      expect((await start()).status).toBe(201)
    })

    test("gives everyone their own hours as a CSV, with their own rates, and nobody anyone else's", async () => {
      const given = await server.peopleWithTask()
      const { ada, bob, eve, board, task, member, nobody } = given
      const carol = await member('carol')
      const at = { startTime: '2026-11-20T12:00:00Z' }
      await log(ada, task, { duration: 5, note: "Ada's", ...at })
      await log(bob, task, { duration: 90, note: '=Deeper', ...at })
      await ada.api.time.setRate.mutate({ boardId: board.id, userId: bob.id, from: null, cents: 6_000 })
      expect((await hours(bob, given)).status).toBe(404)
      await remove(given)
      const answer = await hours(bob, given)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
      expect(answer.headers.get('content-disposition')).toContain('attachment; filename="Garden - my hours.csv"')
      expect(answer.text.replace('\uFEFF', '')).toBe(
        'Task,User,Date,Duration (minutes),Duration (formatted),Notes\r\nDig,bob,"Nov 20, 2026",90,1h 30m,\'=Deeper\r\n',
      )
      expect((await hours(bob, given, '?format=invoice')).text).toEndWith(',Yes,90,60.00,90.00\r\n')
      const adas = await hours(ada, given, `?format=invoice&userIds=${ada.id},${bob.id}`)
      expect([adas.text.includes("Ada's"), adas.text.includes('Deeper')]).toEqual([true, false])
      expect((await hours(bob, given, `?userIds=${ada.id}`)).status).toBe(409)
      for (const who of [carol, eve]) expect((await hours(who, given)).status).toBe(404)
      expect((await hours(nobody, given)).status).toBe(401)
      const data = await bob.http('GET', '/api/account/data')
      expect(data.body).toMatchObject({ boards: [], tasks: [], activities: [], timeEntries: [{ duration: 90 }] })
      await deletedAgo(given, 30 * DAY + 60_000)
      expect((await hours(bob, given)).status).toBe(404)
    })

    test('sends no mail of what waited to be told', async () => {
      const given = await server.peopleWithTask()
      const { ada, bob, task } = given
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
      await server.db.update(notifications).set({ waits: true })
      await server.db.update(users).set({ notifiedAt: null })
      await remove(given)
      await server.db.delete(mails)
      await server.gather()
      expect(await server.db.$count(mails)).toBe(0)
    })

    test('goes after 30 days, with its rows and files, and not before', async () => {
      const given = await server.peopleWithTask()
      const { bob, task } = given
      await log(bob, task)
      const { filename } = await attach(bob, task.id)
      await remove(given)
      await deletedAgo(given, 30 * DAY - 60_000)
      await server.clean()
      expect([await server.db.$count(timeEntries), (await folder.names()).includes(filename)]).toEqual([1, true])
      await deletedAgo(given, 30 * DAY + 60_000)
      await server.clean()
      expect(await Promise.all([boards, tasks, timeEntries].map((table) => server.db.$count(table)))).toEqual([0, 0, 0])
      await folder.until((names) => !names.includes(filename))
    })
  },
  folder.env,
)

onServer('a deleted board, at the same moment', (server) => {
  const days = (board: { id: number }, more: number) =>
    server.db
      .update(boards)
      .set({ deletedAt: sql`now() - interval '30 days' + ${more} * interval '1 millisecond'` })
      .where(eq(boards.id, board.id))

  test('of twenty who bring it back, one does, and it is told once', async () => {
    for (let round = 0; round < 10; round++) {
      const given = await server.peopleWithTask()
      await remove(given)
      const socket = await given.bob.socket()
      const answers = await Promise.all(Array.from({ length: 20 }, () => restore(given.ada, given)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(404)])
      expect((await socket.heard()).map(({ type }) => type)).toEqual(['board_restored'])
      await server.clear()
    }
  })

  test('of two that a free user brings back while they make a third, one is there', async () => {
    for (let round = 0; round < 10; round++) {
      const { ada, board } = await server.people()
      await server.db.update(users).set({ isPro: true })
      const second = await ada.api.boards.create.mutate({ name: 'Second' })
      await Promise.all([remove({ ada, board }), remove({ ada, board: second })])
      await server.db.update(users).set({ isPro: false })
      const asked = [restore(ada, { board }), restore(ada, { board: second }), ada.http('POST', '/api/boards', { name: 'Third' })]
      const statuses = (await Promise.all(asked)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 403)).toHaveLength(2)
      expect(await ada.api.boards.list.query()).toHaveLength(1)
      await server.clear()
    }
  })

  test('goes or comes back, never half, when its time ends as it is brought back', async () => {
    const outcomes = new Set<number>()
    for (let round = 0; round < 30; round++) {
      const given = await server.peopleWithTask()
      await remove(given)
      await days(given.board, round)
      const purges = Array.from({ length: 5 }, () => purgeDeletedBoards(server.db))
      const [{ status }] = await Promise.all([onceAnswered(() => restore(given.ada, given)), ...purges])
      expect([200, 404]).toContain(status)
      outcomes.add(status)
      if (status === 404) await days(given.board, -60_000)
      await purgeDeletedBoards(server.db)
      expect((await given.ada.http('GET', `/api/tasks/${given.task.id}`)).status).toBe(status)
      expect(await server.db.$count(tasks)).toBe(status === 200 ? 1 : 0)
      await server.clear()
    }
    expect(outcomes).toContain(200)
  })

  test('keeps every hour that was acknowledged as it was deleted, and takes none after', async () => {
    for (let round = 0; round < 20; round++) {
      const given = await server.peopleWithTask()
      const { ada, bob, task } = given
      const entry = { taskId: task.id, duration: 10 }
      const logs = Array.from({ length: 6 }, () => bob.http('POST', '/api/time-entries', entry))
      const timer = ada.http('POST', '/api/time-entries', { taskId: task.id, status: 'ACTIVE' })
      const [gone, started, ...logged] = await Promise.all([remove(given), timer, ...logs])
      expect([gone.status, [201, 404].includes(started.status)]).toEqual([200, true])
      const kept = logged.filter(({ status }) => status === 201).length
      expect(logged.filter(({ status }) => status === 404)).toHaveLength(6 - kept)
      const [row] = (await deleted(bob)) as { minutes: number }[]
      expect(row?.minutes ?? 0).toBe(kept * 10)
      expect(await server.db.$count(timeEntries, inArray(timeEntries.status, ['ACTIVE']))).toBe(0)
      await server.clear()
    }
  })
})
