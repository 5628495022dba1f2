import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { boards, users } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'

const upgrade = { status: 403, body: { message: 'Free users can only create 1 board', code: 'FORBIDDEN', requiresUpgrade: true } }

onEachDatabase('plans', (server) => {
  const setPro = (id: number, isPro: boolean) => server.db.update(users).set({ isPro }).where(eq(users.id, id))

  /** Ada is back on Free, with two boards; Bob is on the second, which is locked for her. */
  async function lapsed() {
    const { ada, bob, board } = await server.people()
    await setPro(ada.id, true)
    const locked = await ada.api.boards.create.mutate({ name: 'Second' })
    await ada.api.boards.addMember.mutate({ boardId: locked.id, username: 'bob' })
    const task = await bob.api.tasks.create.mutate({ boardId: locked.id, title: 'Dig' })
    await setPro(ada.id, false)
    return { ada, bob, board, locked, task }
  }

  test('a free user creates one board; a second needs Pro', async () => {
    const { ada } = await server.people()
    expect(await ada.http('POST', '/api/boards', { name: 'Second' })).toMatchObject(upgrade)
    await setPro(ada.id, true)
    expect((await ada.http('POST', '/api/boards', { name: 'Second' })).status).toBe(201)
  })

  test("being a member of others' boards does not count", async () => {
    const { bob } = await server.people()
    expect((await bob.http('POST', '/api/boards', { name: 'Own' })).status).toBe(201)
  })

  test('after deleting the only one, a free user may create again', async () => {
    const { ada, board } = await server.people()
    await ada.api.boards.delete.mutate({ boardId: board.id })
    expect((await ada.http('POST', '/api/boards', { name: 'Another' })).status).toBe(201)
  })

  test('of ten boards that a free user creates at once, one is made', async () => {
    const { eve } = await server.people()
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => eve.http('POST', '/api/boards', { name: `Board ${i}` })),
      )
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(403)])
      await server.db.delete(boards).where(eq(boards.createdBy, eve.id))
    }
  })

  test('the creator of a locked board reads it and changes nothing', async () => {
    const { ada, bob, locked, task } = await lapsed()
    expect((await ada.http('GET', `/api/boards/${locked.id}`)).status).toBe(200)
    expect((await ada.http('GET', `/api/boards/${locked.id}/tasks`)).status).toBe(200)
    expect((await ada.http('GET', `/api/tasks/${task.id}`)).status).toBe(200)
    const changes = await Promise.all([
      ada.http('PATCH', `/api/boards/${locked.id}`, { name: 'Other' }),
      ada.http('POST', `/api/boards/${locked.id}/members`, { username: 'eve' }),
      ada.http('DELETE', `/api/boards/${locked.id}/members/${bob.id}`),
      ada.http('POST', `/api/boards/${locked.id}/tasks`, { title: 'New' }),
      ada.http('PATCH', `/api/tasks/${task.id}`, { title: 'Other' }),
      ada.http('DELETE', `/api/tasks/${task.id}`),
      ada.http('POST', `/api/tasks/${task.id}/assignees`, { userId: bob.id }),
      ada.http('DELETE', `/api/tasks/${task.id}/assignees/${bob.id}`),
    ])
    for (const change of changes) expect(change).toMatchObject(upgrade)
  })

  test('the creator of a locked board may delete it for good or not, and brings it back only as they could create one', async () => {
    const { ada, bob, locked } = await lapsed()
    expect((await bob.http('DELETE', `/api/boards/${locked.id}`)).status).toBe(403)
    expect((await ada.http('DELETE', `/api/boards/${locked.id}`)).status).toBe(200)
    expect(await bob.api.boards.list.query()).toMatchObject([{ name: 'Garden' }])
    expect(await ada.http('POST', `/api/boards/${locked.id}/restore`)).toMatchObject(upgrade)
    expect((await ada.http('DELETE', `/api/deleted-boards/${locked.id}`)).status).toBe(200)
  })

  test('others go on working on it, and the first board is not locked', async () => {
    const { ada, bob, board, locked, task } = await lapsed()
    expect((await bob.http('PATCH', `/api/tasks/${task.id}`, { title: 'Dug' })).status).toBe(200)
    expect((await bob.http('POST', `/api/boards/${locked.id}/tasks`, { title: 'More' })).status).toBe(201)
    expect((await ada.http('PATCH', `/api/boards/${board.id}`, { name: 'Garden 2' })).status).toBe(200)
    const locks = async (person: typeof ada) => (await person.api.boards.list.query()).map((entry) => entry.locked)
    expect([await locks(ada), await locks(bob)]).toEqual([
      [false, true],
      [false, false],
    ])
  })

  test('Pro unlocks it again', async () => {
    const { ada, locked } = await lapsed()
    await setPro(ada.id, true)
    expect((await ada.http('PATCH', `/api/boards/${locked.id}`, { name: 'Other' })).status).toBe(200)
  })

  test('when the first board goes, the next one is the first', async () => {
    const { ada, board, locked } = await lapsed()
    await ada.api.boards.delete.mutate({ boardId: board.id })
    expect((await ada.http('PATCH', `/api/boards/${locked.id}`, { name: 'Other' })).status).toBe(200)
  })
})
