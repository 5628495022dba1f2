import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { comment as commentShape } from '../../src/comments/schema'
import { comments, tasks } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'
import type { Person } from '../support/people'

onEachDatabase('comments', (server) => {
  const write = async (person: Person, path: string, content: string) =>
    commentShape.parse((await person.http('POST', `${path}/comments`, { content })).body)
  const countOf = async ({ api }: Person, taskId: number) => (await api.tasks.get.query({ taskId })).commentCount

  test('a new comment is answered with its author and is of whoever writes it', async () => {
    const { ada, bob, task, path } = await server.peopleWithTask()
    const given = {
      content: '\n First line\n\n  second “line” 日本語 <b>  ',
      userId: ada.id,
      taskId: 0,
      id: 7,
      createdAt: 'never',
    }
    const answer = await bob.http('POST', `${path}/comments`, given)
    const { username, name, avatar } = bob.user
    expect(answer).toMatchObject({ status: 201, body: { taskId: task.id, userId: bob.id } })
    expect(answer.body).toEqual({
      id: expect.any(Number),
      taskId: task.id,
      userId: bob.id,
      content: 'First line\n\n  second “line” 日本語 <b>',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      revision: 1,
      user: { id: bob.id, username, name, avatar },
    })
    expect((await ada.http('GET', `${path}/comments`)).body).toEqual([answer.body])
  })

  for (const [what, content] of [
    ['blank text', ' \n\t '],
    ['no text', undefined],
    ['10,001 characters', 'x'.repeat(10_001)],
    ['a number', 7],
    ['what cannot be stored', 'a\0b'],
    ['half a character', 'a\ud800'],
  ])
    test(`${what} is no comment, new or edited`, async () => {
      const { bob, path } = await server.peopleWithTask()
      const { id } = await write(bob, path, 'Deeper')
      const refused = { status: 400, body: { code: 'BAD_REQUEST', issues: [{ path: 'content' }] } }
      expect(await bob.http('POST', `${path}/comments`, { content })).toMatchObject(refused)
      expect(await bob.http('PATCH', `/api/comments/${id}`, { content })).toMatchObject(refused)
      expect((await bob.http('GET', `${path}/comments`)).body).toMatchObject([{ id, content: 'Deeper' }])
    })

  test('10,000 characters are one', async () => {
    const { bob, path } = await server.peopleWithTask()
    expect((await bob.http('POST', `${path}/comments`, { content: ` ${'x'.repeat(10_000)} ` })).status).toBe(201)
    expect((await bob.http('POST', `${path}/comments`, { content: '🙂'.repeat(5_000) })).status).toBe(201)
  })

  test('the same text again is refused, also where it differs in outer white space', async () => {
    const { ada, bob, board, path } = await server.peopleWithTask()
    await write(bob, path, 'Deeper')
    expect(await bob.http('POST', `${path}/comments`, { content: ' Deeper\n' })).toMatchObject({
      status: 409,
      body: { message: 'This exact comment was already submitted recently.', code: 'CONFLICT' },
    })
    const other = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
    expect((await bob.http('POST', `${path}/comments`, { content: 'deeper' })).status).toBe(201)
    expect((await ada.http('POST', `${path}/comments`, { content: 'Deeper' })).status).toBe(201)
    expect((await bob.http('POST', `/api/tasks/${other.id}/comments`, { content: 'Deeper' })).status).toBe(201)
  })

  test('of the same text sent 20 times at once, one is a comment', async () => {
    const { bob, task, path } = await server.peopleWithTask()
    for (let round = 0; round < 3; round++) {
      const content = `Deeper ${round}`
      const answers = await Promise.all(Array.from({ length: 20 }, () => bob.http('POST', `${path}/comments`, { content })))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)])
      expect(await countOf(bob, task.id)).toBe(round + 1)
    }
  })

  test('the same text may be sent again after 30 seconds, or once it is deleted or says something else', async () => {
    const { bob, path } = await server.peopleWithTask()
    const { id } = await write(bob, path, 'Deeper')
    const earlier = (seconds: number) =>
      server.db
        .update(comments)
        .set({ createdAt: sql`clock_timestamp() - ${seconds} * interval '1 second'` })
        .where(eq(comments.id, id))
    await earlier(25)
    expect((await bob.http('POST', `${path}/comments`, { content: 'Deeper' })).status).toBe(409)
    await earlier(31)
    const again = await write(bob, path, 'Deeper')
    await bob.http('PATCH', `/api/comments/${again.id}`, { content: 'Wider' })
    const third = await write(bob, path, 'Deeper')
    await bob.http('DELETE', `/api/comments/${third.id}`)
    expect((await bob.http('POST', `${path}/comments`, { content: 'Deeper' })).status).toBe(201)
  })

  test('its author edits and deletes it', async () => {
    const { bob, task, path } = await server.peopleWithTask()
    const comment = await write(bob, path, 'Deeper')
    const edited = { ...comment, content: 'Wider', revision: 2 }
    expect(await bob.http('PATCH', `/api/comments/${comment.id}`, { content: ' Wider ' })).toMatchObject({
      status: 200,
      body: edited,
    })
    expect((await bob.http('GET', `${path}/comments`)).body).toEqual([edited])
    expect(await bob.http('DELETE', `/api/comments/${comment.id}`)).toMatchObject({ status: 200, body: { success: true } })
    expect(await bob.http('DELETE', `/api/comments/${comment.id}`)).toMatchObject({ status: 404 })
    expect(await bob.http('PATCH', `/api/comments/${comment.id}`, { content: 'Wider' })).toMatchObject({ status: 404 })
    expect([(await bob.http('GET', `${path}/comments`)).body, await countOf(bob, task.id)]).toEqual([[], 0])
  })

  test('nobody else does, not even the creator of the board; to a stranger it is not there', async () => {
    const { ada, bob, eve, path } = await server.peopleWithTask()
    const comment = await write(bob, path, 'Deeper')
    const [own, missing] = [`/api/comments/${comment.id}`, `/api/comments/${comment.id + 1000}`]
    for (const method of ['PATCH', 'DELETE']) {
      expect((await ada.http(method, own, { content: 'Mine' })).status).toBe(403)
      const [hidden, none] = [
        await eve.http(method, own, { content: 'Mine' }),
        await eve.http(method, missing, { content: 'Mine' }),
      ]
      expect([hidden.status, hidden.body]).toEqual([404, none.body])
    }
    expect((await ada.http('GET', `${path}/comments`)).body).toEqual([comment])
  })

  test('who is removed loses the right, and the comment stays', async () => {
    const { ada, bob, board, path } = await server.peopleWithTask()
    const comment = await write(bob, path, 'Deeper')
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    expect((await bob.http('DELETE', `/api/comments/${comment.id}`)).status).toBe(404)
    expect((await bob.http('GET', `${path}/comments`)).status).toBe(404)
    expect((await ada.http('GET', `${path}/comments`)).body).toEqual([comment])
  })

  test('a locked board is read, not written on', async () => {
    const { ada, bob } = await server.peopleWithTask()
    // Ada's second board comes from when she was Pro.
    await server.db.execute(sql`update users set is_pro = true where id = ${ada.id}`)
    const second = await ada.api.boards.create.mutate({ name: 'Shed' })
    await ada.api.boards.addMember.mutate({ boardId: second.id, username: 'bob' })
    const task = await ada.api.tasks.create.mutate({ boardId: second.id, title: 'Paint' })
    const path = `/api/tasks/${task.id}`
    const own = await write(ada, path, 'Green')
    await server.db.execute(sql`update users set is_pro = false where id = ${ada.id}`)
    const refused = { status: 403, body: { requiresUpgrade: true } }
    expect(await ada.http('POST', `${path}/comments`, { content: 'Blue' })).toMatchObject(refused)
    expect(await ada.http('PATCH', `/api/comments/${own.id}`, { content: 'Blue' })).toMatchObject(refused)
    expect(await ada.http('DELETE', `/api/comments/${own.id}`)).toMatchObject(refused)
    expect((await ada.http('GET', `${path}/comments`)).body).toEqual([own])
    expect((await bob.http('POST', `${path}/comments`, { content: 'Blue' })).status).toBe(201)
  })

  test('a task counts its comments: alone, in the list, in the snapshot and after each change', async () => {
    const { ada, bob, board, task, path } = await server.peopleWithTask()
    const { id } = await write(bob, path, 'One')
    await write(ada, path, 'Two')
    let updates = 0
    const everywhere = async () => [
      await countOf(ada, task.id),
      ...(await ada.tasks(board.id)).map(({ commentCount }) => commentCount),
      ...z
        .object({ tasks: z.array(z.object({ commentCount: z.number() })) })
        .parse((await ada.http('GET', `/api/boards/${board.id}/snapshot`)).body)
        .tasks.map(({ commentCount }) => commentCount),
      (await ada.api.tasks.update.mutate({ taskId: task.id, title: `Dig ${++updates}` })).commentCount,
    ]
    expect(await everywhere()).toEqual([2, 2, 2, 2])
    await bob.http('DELETE', `/api/comments/${id}`)
    expect(await everywhere()).toEqual([1, 1, 1, 1])
  })

  test('simultaneous comments are told with counts that follow each other, and listed in that order', async () => {
    const { ada, bob, board, task, path } = await server.peopleWithTask()
    const socket = await ada.socket(board)
    const written = await Promise.all(Array.from({ length: 40 }, (_, i) => write(i % 2 ? ada : bob, path, `Comment ${i}`)))
    const told = (await socket.heard()).flatMap((message) => (message.type === 'new_comment' ? [message.payload] : []))
    expect(told.map(({ commentCount }) => commentCount)).toEqual(written.map((_, i) => i + 1))
    expect(told.map(({ comment }) => comment)).toEqual(await ada.api.comments.list.query({ taskId: task.id }))
  })

  test('with the task go its comments', async () => {
    const { ada, bob, task, path } = await server.peopleWithTask()
    const { id } = await write(bob, path, 'Deeper')
    await ada.api.tasks.delete.mutate({ taskId: task.id })
    expect((await bob.http('GET', `${path}/comments`)).status).toBe(404)
    expect((await bob.http('PATCH', `/api/comments/${id}`, { content: 'Wider' })).status).toBe(404)
    // Until then it can be brought back, with its comments.
    await server.db.update(tasks).set({ deletedAt: sql`now() - interval '31 days'` })
    await server.clean()
    expect(await server.db.$count(comments)).toBe(0)
  })

  test('nobody comments on a task that is deleted, or as one who is removed, at the same moment', async () => {
    const { ada, bob, board } = await server.peopleWithTask()
    for (let round = 0; round < 10; round++) {
      const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
      const commenting = bob.http('POST', `/api/tasks/${task.id}/comments`, { content: 'Deeper' })
      await Promise.all([
        commenting,
        round % 2
          ? ada.api.tasks.delete.mutate({ taskId: task.id })
          : ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id }),
      ])
      expect([201, 404]).toContain((await commenting).status)
      if (round % 2 === 0) await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'bob' })
    }
  })
})
