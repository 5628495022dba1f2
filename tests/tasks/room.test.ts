import { expect, test } from 'bun:test'
import { isNull, sql } from 'drizzle-orm'
import { tasks } from '../../src/db/tables'
import { BOARD_QUOTA, snapshot, TOO_MANY_TASKS, TOO_MUCH_TEXT, task } from '../../src/tasks/schema'
import { onServer } from '../support/databases'

onServer('a large board', (server) => {
  /** Rows, as many as calls would take too long to make, and a version for each. */
  async function fill(boardId: number, count: number, description: string | null = null) {
    await server.db.execute(sql`
      insert into tasks (title, description, position, board_id)
      select 'Task ' || i, ${description}::text, 'a' || lpad(i::text, 6, '0') || 'V', ${boardId}::int
      from generate_series(1, ${count}::int) i`)
    await server.db.execute(sql`update boards set version = version + ${count}::int where id = ${boardId}::int`)
  }

  test('opens with the beginnings of long descriptions, which everything else has whole', async () => {
    const { ada, bob, board } = await server.people()
    const socket = await bob.socket(board)
    const descriptions = ['漢'.repeat(20_000), '👩‍🌾'.repeat(4_000), `x${'👩'.repeat(9_999)}`, '字'.repeat(300), 'Short', null]
    for (const [i, description] of descriptions.entries()) {
      const made = await ada.api.tasks.create.mutate({ boardId: board.id, title: `Task ${i}`, description })
      expect(made.description).toBe(description)
      expect(await socket.next('new_task')).toMatchObject({ task: { description } })
      expect((await bob.api.tasks.get.query({ taskId: made.id })).description).toBe(description)
    }
    expect((await bob.tasks(board.id)).map(({ description }) => description)).toEqual(descriptions)
    const { tasks } = snapshot.parse((await bob.http('GET', `/api/boards/${board.id}/snapshot`)).body)
    const shown = tasks.map(({ description, cut }) => [description, cut])
    expect(shown).toEqual([
      ['漢'.repeat(300), true],
      ['👩‍🌾'.repeat(60), true],
      [`x${'👩'.repeat(149)}`, true],
      ['字'.repeat(300), undefined],
      ['Short', undefined],
      [null, undefined],
    ])
    await socket.close()
  })

  test('is listed whole, in order, none twice', async () => {
    const { ada, board } = await server.people()
    expect((await ada.http('GET', `/api/boards/${board.id}/tasks`)).text).toBe('[]')
    await fill(board.id, 1_201)
    const done = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Task 1202', status: 'done' })
    const titles = Array.from({ length: 1_202 }, (_, i) => `Task ${i + 1}`)
    expect((await ada.tasks(board.id)).map(({ title }) => title)).toEqual(titles)
    const answer = await ada.http('GET', `/api/boards/${board.id}/snapshot`)
    expect(snapshot.parse(answer.body).tasks.map(({ title }) => title)).toEqual(titles)
    await ada.api.tasks.delete.mutate({ taskId: done.id })
    expect((await ada.tasks(board.id)).length).toBe(1_201)
  })

  test('holds 20,000 tasks, also where two come at once', async () => {
    const { ada, bob, board } = await server.people()
    await fill(board.id, BOARD_QUOTA.tasks - 1)
    const create = (person: typeof ada) => person.http('POST', `/api/boards/${board.id}/tasks`, { title: 'One more' })
    const answers = await Promise.all([create(ada), create(bob)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toEqual({ message: TOO_MANY_TASKS, code: 'CONFLICT' })
    const { id } = task.parse(answers.find(({ status }) => status === 201)?.body)
    expect((await ada.http('PATCH', `/api/tasks/${id}`, { title: 'Changed', status: 'done' })).status).toBe(200)
    expect((await ada.http('DELETE', `/api/tasks/${id}`)).status).toBe(200)
    expect((await create(bob)).status).toBe(201)
    const restore = () => ada.http('POST', `/api/tasks/${id}/restore`)
    expect(await restore()).toMatchObject({ status: 409, body: { message: TOO_MANY_TASKS } })
    const [first] = await ada.tasks(board.id)
    expect((await ada.http('DELETE', `/api/tasks/${first?.id}`)).status).toBe(200)
    const both = await Promise.all([restore(), create(bob)])
    expect(both.filter(({ status }) => status === 409)).toHaveLength(1)
    expect(await server.db.$count(tasks, isNull(tasks.deletedAt))).toBe(BOARD_QUOTA.tasks)
  })

  test('holds so much text, of which only what makes it more is refused', async () => {
    const { ada, board } = await server.people()
    const long = 'x'.repeat(20_000)
    await fill(board.id, Math.floor(BOARD_QUOTA.descriptionBytes / long.length), long)
    const path = `/api/boards/${board.id}/tasks`
    const refused = { status: 409, body: { message: TOO_MUCH_TEXT, code: 'CONFLICT' } }
    expect(await ada.http('POST', path, { title: 'Long', description: long })).toMatchObject(refused)
    // Counted as they are stored: three bytes each.
    expect(await ada.http('POST', path, { title: 'Long', description: '漢'.repeat(7_000) })).toMatchObject(refused)
    const short = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Short', description: 'x'.repeat(300) })
    expect(await ada.http('PATCH', `/api/tasks/${short.id}`, { description: long })).toMatchObject(refused)
    const [first, second] = await ada.tasks(board.id)
    const change = (id: number | undefined, changes: object) => ada.http('PATCH', `/api/tasks/${id}`, changes)
    expect((await change(first?.id, { title: 'Other', description: 'y'.repeat(20_000) })).status).toBe(200)
    expect((await change(first?.id, { description: 'y'.repeat(15_000) })).status).toBe(200)
    expect((await change(short.id, { description: 'y'.repeat(9_000) })).status).toBe(200)
    expect(await change(short.id, { description: long })).toMatchObject(refused)
    expect((await ada.http('DELETE', `/api/tasks/${second?.id}`)).status).toBe(200)
    expect((await change(short.id, { description: long })).status).toBe(200)
    expect(await ada.http('POST', `/api/tasks/${second?.id}/restore`)).toMatchObject(refused)
  })
})
