import { afterAll, expect, test } from 'bun:test'
import { eq, isNotNull, sql } from 'drizzle-orm'
import { comments, tasks, timeEntries, users } from '../../src/db/tables'
import type { DeletedTask } from '../../src/tasks/schema'
import { purgeDeletedTasks, purgeTasksForRoom } from '../../src/tasks/server/store'
import { onServer } from '../support/databases'
import { attach, uploadsFolder } from '../support/files'
import type { Person } from '../support/people'
import { log } from '../support/time'

const folder = await uploadsFolder()
afterAll(folder.remove)

const DAY = 86_400_000

const GONE = { status: 404, body: { message: 'This task can no longer be restored.', code: 'NOT_FOUND' } }

onServer(
  'a deleted task',
  (server) => {
    async function threeTasks() {
      const people = await server.people()
      const { ada, bob, board } = people
      const made = []
      for (const title of ['a', 'b', 'c']) made.push(await ada.api.tasks.create.mutate({ boardId: board.id, title }))
      const task = made[1] ?? expect.unreachable()
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
      await server.db.insert(comments).values({ taskId: task.id, userId: bob.id, content: 'Mind the roots' })
      const { attachments: _, ...before } = await ada.api.tasks.get.query({ taskId: task.id })
      return { ...people, made, task, before }
    }
    type Setting = Awaited<ReturnType<typeof threeTasks>>
    const remove = ({ ada, task }: Setting) => ada.api.tasks.delete.mutate({ taskId: task.id })
    const restore = (who: Pick<Setting['ada'], 'http'>, { task }: Setting) => who.http('POST', `/api/tasks/${task.id}/restore`)
    const titles = async ({ ada, board }: Setting) => (await ada.tasks(board.id)).map(({ title }) => title)
    const deletedAgo = ({ task }: Setting, milliseconds: number) =>
      server.db
        .update(tasks)
        .set({ deletedAt: sql`now() - ${milliseconds} * interval '1 millisecond'` })
        .where(eq(tasks.id, task.id))
    const rows = ({ task }: Setting) => server.db.$count(tasks, eq(tasks.id, task.id))

    test('is gone for everyone, by whatever way it is asked for', async () => {
      const given = await threeTasks()
      const { ada, bob, board, task } = given
      await remove(given)
      const path = `/api/tasks/${task.id}`
      for (const who of [ada, bob]) {
        expect((await who.http('GET', path)).status).toBe(404)
        expect((await who.http('PATCH', path, { title: 'x' })).status).toBe(404)
        expect((await who.http('DELETE', path)).status).toBe(404)
        expect((await who.http('POST', `${path}/assignees`, { userId: bob.id })).status).toBe(404)
        const snapshot = await who.http('GET', `/api/boards/${board.id}/snapshot`)
        expect(snapshot.text).not.toContain('"title":"b"')
      }
      expect(await titles(given)).toEqual(['a', 'c'])
      const data = await ada.http('GET', '/api/account/data')
      expect((data.body as { tasks: { title: string }[] }).tasks.map(({ title }) => title)).toEqual(['a', 'c'])
    })

    test('is listed to the creator, and to others if they deleted it, with what hangs on it', async () => {
      const given = await threeTasks()
      const { ada, bob, eve, nobody, board, made, task } = given
      const path = `/api/boards/${board.id}/tasks/deleted`
      const list = async (who: Pick<Person, 'http'>, query = '') => {
        const { body, headers } = await who.http('GET', path + query)
        const tasks = body as DeletedTask[]
        return { tasks, titles: tasks.map(({ title }) => title), next: headers.get('X-Next-Cursor') }
      }
      expect(await list(ada)).toEqual({ tasks: [], titles: [], next: null })
      await log(bob, task, { duration: 225 })
      await attach(bob, task.id)
      await remove(given)
      const own = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'his' })
      await bob.api.tasks.delete.mutate({ taskId: own.id })
      await ada.api.tasks.delete.mutate({ taskId: made[0]?.id ?? 0 })
      const { tasks, titles } = await list(ada)
      expect(titles).toEqual(['a', 'his', 'b'])
      const { deletedAt = '', until = '' } = tasks[2] ?? {}
      const { id, username, name, avatar } = ada.user
      expect(tasks[2]).toEqual({
        ...{ id: task.id, title: 'b', status: 'todo', minutes: 225, commentCount: 1, fileCount: 1, deletedAt, until },
        deletedBy: { id, username, name, avatar },
      })
      expect(Date.parse(until) - Date.parse(deletedAt)).toBe(30 * DAY)
      expect((await list(bob)).titles).toEqual(['his'])
      expect([(await eve.http('GET', path)).status, (await nobody.http('GET', path)).status]).toEqual([404, 401])
      // In parts, in the same order.
      const first = await list(ada, '?limit=2')
      expect(first.titles).toEqual(['a', 'his'])
      expect(await list(ada, `?limit=2&cursor=${first.next}`)).toMatchObject({ titles: ['b'], next: null })
      await deletedAgo(given, 30 * DAY + 60_000)
      expect((await list(ada)).titles).toEqual(['a', 'his'])
    })

    test('is in no sum, report or export while it is deleted, and in all of them again', async () => {
      const given = await threeTasks()
      const { ada, bob, board, task, made } = given
      await log(bob, task, { duration: 95 })
      await log(bob, made[0] ?? task, { duration: 60 })
      const sums = async () => {
        const report = await ada.api.time.report.query({ boardId: board.id })
        const csv = await ada.http('GET', `/api/boards/${board.id}/time.csv`)
        const { week } = (await bob.http('GET', '/api/today')).body as { week: { minutes: number }[] }
        return {
          report: report.byUser.map(({ minutes }) => minutes),
          csv: csv.text.split('\r\n').length - 2,
          week: week.reduce((sum, { minutes }) => sum + minutes, 0),
        }
      }
      const before = { report: [155], csv: 2, week: 155 }
      expect(await sums()).toEqual(before)
      await remove(given)
      expect(await sums()).toEqual({ report: [60], csv: 1, week: 60 })
      expect((await restore(ada, given)).status).toBe(200)
      expect(await sums()).toEqual(before)
    })

    test('is brought back by whoever deleted it, to its place, with all that it had, and everyone is told', async () => {
      const given = await threeTasks()
      const { ada, bob, board, before } = given
      const socket = await bob.socket()
      const { version } = await socket.join(board.id)
      await remove(given)
      expect((await socket.next('task_deleted')).version).toBe(version + 1)
      expect(await restore(ada, given)).toMatchObject({ status: 200, body: before })
      expect(await socket.next('new_task')).toEqual({ boardId: board.id, version: version + 2, by: ada.id, task: before })
      expect(before).toMatchObject({ commentCount: 1, assignees: [{ id: bob.id }] })
      expect(await titles(given)).toEqual(['a', 'b', 'c'])
    })

    test('is brought back by the creator of the board too, nobody else, not twice, and not when it stands', async () => {
      const given = await threeTasks()
      const { ada, bob, eve, board, nobody } = given
      const own = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'his' })
      await bob.api.tasks.delete.mutate({ taskId: own.id })
      expect((await restore(ada, { ...given, task: own })).status).toBe(200)
      expect(await restore(ada, given)).toMatchObject(GONE)
      await remove(given)
      expect((await restore(nobody, given)).status).toBe(401)
      for (const who of [bob, eve]) expect(await restore(who, given)).toMatchObject(GONE)
      expect((await restore(ada, given)).status).toBe(200)
      expect(await restore(ada, given)).toMatchObject(GONE)
    })

    test('is not brought back once its time is over, and is let go of then', async () => {
      const given = await threeTasks()
      await remove(given)
      await purgeDeletedTasks(server.db)
      expect(await rows(given)).toBe(1)
      await deletedAgo(given, 30 * DAY - 60_000)
      await server.clean()
      expect(await rows(given)).toBe(1)
      await deletedAgo(given, 30 * DAY + 60_000)
      expect(await restore(given.ada, given)).toMatchObject(GONE)
      await server.clean()
      expect(await rows(given)).toBe(0)
      expect(await server.db.$count(comments)).toBe(0)
      expect(await titles(given)).toEqual(['a', 'c'])
    })

    test('leaves its place to others meanwhile, and comes back behind who took it', async () => {
      const given = await threeTasks()
      const { ada, made } = given
      const [a, , c] = made
      // The last one's place is the one that the next new task gets.
      await ada.api.tasks.delete.mutate({ taskId: c?.id ?? 0 })
      await ada.api.tasks.create.mutate({ boardId: given.board.id, title: 'd' })
      expect(await restore(ada, { ...given, task: c ?? given.task })).toMatchObject({ status: 200 })
      expect(await titles(given)).toEqual(['a', 'b', 'd', 'c'])
      // And so it goes in the middle.
      await remove(given)
      await ada.api.tasks.update.mutate({ taskId: a?.id ?? 0, status: 'done' })
      await ada.api.tasks.update.mutate({ taskId: c?.id ?? 0, status: 'done', before: a?.id })
      expect((await restore(ada, given)).status).toBe(200)
      expect(await titles(given)).toEqual(['b', 'd', 'c', 'a'])
    })

    test('whoever was removed from the board meanwhile brings nothing back, and is assigned to nothing', async () => {
      const given = await threeTasks()
      const { ada, bob, board } = given
      const own = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'his' })
      await bob.api.tasks.delete.mutate({ taskId: own.id })
      await remove(given)
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
      expect((await bob.http('POST', `/api/tasks/${own.id}/restore`)).status).toBe(404)
      expect((await restore(ada, given)).body).toMatchObject({ assignees: [] })
    })

    test('of twenty who bring it back at once, one does; and it is there once', async () => {
      for (let round = 0; round < 5; round++) {
        const given = await threeTasks()
        await remove(given)
        const answers = await Promise.all(Array.from({ length: 20 }, () => restore(given.ada, given)))
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(404)])
        expect(await titles(given)).toEqual(['a', 'b', 'c'])
        await server.clear()
      }
    })

    test('goes or comes back, never half, when its time ends as it is brought back', async () => {
      for (let round = 0; round < 20; round++) {
        const given = await threeTasks()
        await remove(given)
        await deletedAgo(given, 30 * DAY - 20 + round)
        const purges = Array.from({ length: 5 }, () => purgeDeletedTasks(server.db))
        const [{ status }] = await Promise.all([restore(given.ada, given), ...purges])
        expect([200, 404]).toContain(status)
        expect((await given.ada.http('GET', `/api/tasks/${given.task.id}`)).status).toBe(status)
        if (status === 404) await deletedAgo(given, 30 * DAY + 60_000)
        await server.clean()
        expect(await rows(given)).toBe(status === 200 ? 1 : 0)
        await server.clear()
      }
    })

    test('comes back with its board, deleted as it was, and goes with it; its hours are none to take along', async () => {
      const given = await threeTasks()
      const { ada, bob, board, task } = given
      await log(bob, task)
      await remove(given)
      const boardPath = `/api/boards/${board.id}`
      await ada.http('DELETE', boardPath)
      expect((await bob.http('GET', '/api/boards/deleted')).body).toEqual([])
      expect((await restore(ada, given)).status).toBe(404)
      await ada.http('POST', `${boardPath}/restore`)
      expect(await titles(given)).toEqual(['a', 'c'])
      expect((await restore(ada, given)).status).toBe(200)
      await remove(given)
      await ada.http('DELETE', boardPath)
      expect((await ada.http('DELETE', `/api/deleted-boards/${board.id}`)).status).toBe(200)
      await server.clean()
      expect(await rows(given)).toBe(0)
    })

    test('of a locked board stays deleted for its creator, until they have Pro again', async () => {
      const { ada } = await server.people()
      const pro = (isPro: boolean) => server.db.update(users).set({ isPro }).where(eq(users.id, ada.id))
      await pro(true)
      const { id: boardId } = await ada.api.boards.create.mutate({ name: 'Second' })
      const task = await ada.api.tasks.create.mutate({ boardId, title: 'Dig' })
      await ada.api.tasks.delete.mutate({ taskId: task.id })
      await pro(false)
      const again = () => ada.http('POST', `/api/tasks/${task.id}/restore`)
      expect(await again()).toMatchObject({ status: 403, body: { requiresUpgrade: true } })
      expect((await ada.http('GET', `/api/boards/${boardId}/tasks/deleted`)).body).toMatchObject([{ id: task.id }])
      await pro(true)
      expect((await again()).status).toBe(200)
    })

    test('has no running timer, whether it goes before one starts or after', async () => {
      for (let round = 0; round < 15; round++) {
        const given = await threeTasks()
        const { ada, bob, task } = given
        const start = () => bob.http('POST', '/api/time-entries', { taskId: task.id, status: 'ACTIVE' })
        const [deletion, { status }] = await Promise.all([ada.http('DELETE', `/api/tasks/${task.id}`), start()])
        expect([deletion.status, [201, 404].includes(status)]).toEqual([200, true])
        expect(await server.db.$count(timeEntries, eq(timeEntries.status, 'ACTIVE'))).toBe(0)
        expect((await bob.http('GET', '/api/time-entries/timers')).body).toMatchObject({ timers: [] })
        await server.clear()
      }
    })

    test('goes before its time where the disk is full, but not while the notice offers to undo it', async () => {
      const given = await threeTasks()
      await remove(given)
      await purgeTasksForRoom(server.db)
      expect(await rows(given)).toBe(1)
      await deletedAgo(given, 12_000)
      await purgeTasksForRoom(server.db)
      expect(await rows(given)).toBe(0)
      expect(await titles(given)).toEqual(['a', 'c'])
    })

    test('with hours goes last where the disk is full', async () => {
      const given = await threeTasks()
      const { ada, board } = given
      const other = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'd' })
      await ada.http('POST', '/api/time-entries', { taskId: other.id, duration: 30 })
      await remove(given)
      await ada.http('DELETE', `/api/tasks/${other.id}`)
      await server.db
        .update(tasks)
        .set({ deletedAt: new Date(Date.now() - 60_000) })
        .where(isNotNull(tasks.deletedAt))
      const left = () => server.db.$count(tasks, isNotNull(tasks.deletedAt))
      await purgeTasksForRoom(server.db)
      expect([await rows(given), await left()]).toEqual([0, 1])
      await purgeTasksForRoom(server.db)
      expect(await left()).toBe(0)
    })
  },
  folder.env,
)
