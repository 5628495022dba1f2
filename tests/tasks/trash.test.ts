import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { comments, tasks } from '../../src/db/schema'
import { purgeDeletedTasks } from '../../src/tasks/server/store'
import { onServer } from '../support/databases'

const GONE = { status: 404, body: { message: 'This task can no longer be brought back.', code: 'NOT_FOUND' } }

onServer('a deleted task', (server) => {
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

  test('is brought back by nobody else, not twice, and not when it stands', async () => {
    const given = await threeTasks()
    const { ada, bob, eve, nobody } = given
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
    await deletedAgo(given, 11_100)
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
      await deletedAgo(given, 10_980 + round)
      const purges = Array.from({ length: 5 }, () => purgeDeletedTasks(server.db))
      const [{ status }] = await Promise.all([restore(given.ada, given), ...purges])
      expect([200, 404]).toContain(status)
      expect((await given.ada.http('GET', `/api/tasks/${given.task.id}`)).status).toBe(status)
      if (status === 404) await deletedAgo(given, 11_100)
      await server.clean()
      expect(await rows(given)).toBe(status === 200 ? 1 : 0)
      await server.clear()
    }
  })

  test('goes with its board at once', async () => {
    const given = await threeTasks()
    await remove(given)
    await given.ada.api.boards.delete.mutate({ boardId: given.board.id })
    expect(await rows(given)).toBe(0)
  })
})
