import { expect, test } from 'bun:test'
import { boardMembers, taskAssignees } from '../../src/db/tables'
import { amid, onPostgres, onServer } from '../support/databases'
import { renaming } from '../support/people'

onServer('members', (server) => {
  test('any member adds another by email or by username', async () => {
    const { bob, eve, board, person } = await server.people()
    const path = `/api/boards/${board.id}/members`
    expect(await bob.http('POST', path, { email: ' EVE@example.com ' })).toMatchObject({
      status: 201,
      body: { user: { id: eve.id, username: 'eve' } },
    })
    await person('dan')
    expect((await eve.http('POST', path, { username: 'D an' })).status).toBe(201)
    expect((await eve.api.boards.get.query({ boardId: board.id })).memberCount).toBe(4)
  })

  test('somebody who is a member already is a conflict', async () => {
    const { ada, board } = await server.people()
    for (const body of [{ username: 'bob' }, { email: 'ada@example.com' }])
      expect(await ada.http('POST', `/api/boards/${board.id}/members`, body)).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT' },
      })
  })

  test('an address that nobody has, and none at all, are refused', async () => {
    const { ada, board } = await server.people()
    const add = (body: object) => ada.http('POST', `/api/boards/${board.id}/members`, body)
    expect((await add({ username: 'nobody' })).status).toBe(404)
    for (const body of [{}, { email: 'no address' }, { email: '' }, { email: 7 }, { email: null }])
      expect(await add(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  })

  test('of ten that add one person at once, one succeeds', async () => {
    const { ada, bob, eve, board } = await server.people()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 ? ada : bob).http('POST', `/api/boards/${board.id}/members`, { email: eve.user.email }),
      ),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(409)])
    expect((await ada.api.boards.get.query({ boardId: board.id })).memberCount).toBe(3)
  })

  onPostgres('who gets another name just then is shown with that', async () => {
    const { ada, eve, board } = await server.people()
    const page = await ada.socket(board)
    const adding = await amid(server.db, renaming(eve, 'Later'), () =>
      ada.api.boards.addMember.mutate({ boardId: board.id, username: 'eve' }),
    )
    expect(await page.next('board_member_added')).toMatchObject({ user: { id: eve.id, name: 'Later' } })
    expect(await adding.answer).toMatchObject({ user: { name: 'Later' } })
  })

  test('the creator removes a member, whose assignments go and whose tasks stay', async () => {
    const { ada, bob, board } = await server.people()
    const task = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    await bob.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
    expect((await ada.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`)).status).toBe(200)
    expect((await bob.http('GET', `/api/boards/${board.id}`)).status).toBe(404)
    expect((await bob.http('PATCH', `/api/tasks/${task.id}`, { title: 'Mine' })).status).toBe(404)
    expect(await bob.api.boards.list.query()).toEqual([])
    expect(await ada.api.tasks.get.query({ taskId: task.id })).toMatchObject({ title: 'Dig', assignees: [], createdBy: bob.id })
    expect(await server.db.$count(taskAssignees)).toBe(0)
  })

  test('a member who returns does not get the old assignments back', async () => {
    const { ada, bob, board } = await server.people()
    const task = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    await bob.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'bob' })
    expect((await bob.api.tasks.get.query({ taskId: task.id })).assignees).toEqual([])
  })

  test('a member leaves, and may not remove anybody else', async () => {
    const { ada, bob, eve, board } = await server.people()
    await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'eve' })
    expect(await bob.http('DELETE', `/api/boards/${board.id}/members/${eve.id}`)).toMatchObject({
      status: 403,
      body: { message: 'Only the board creator can remove members.' },
    })
    expect((await bob.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`)).status).toBe(200)
    expect(await server.db.$count(boardMembers)).toBe(2)
  })

  test('the creator stays, whoever asks', async () => {
    const { ada, bob, board } = await server.people()
    for (const person of [ada, bob])
      expect(await person.http('DELETE', `/api/boards/${board.id}/members/${ada.id}`)).toMatchObject({
        status: 403,
        body: { message: 'The board creator cannot be removed from the board.' },
      })
  })

  test('removing somebody who is no member is not found, and changes nothing', async () => {
    const { ada, eve, board } = await server.people()
    const { version } = await ada.api.boards.get.query({ boardId: board.id })
    expect((await ada.http('DELETE', `/api/boards/${board.id}/members/${eve.id}`)).status).toBe(404)
    expect((await ada.api.boards.get.query({ boardId: board.id })).version).toBe(version)
  })

  test('nothing that a removed member does after the removal succeeds', async () => {
    const { ada, bob, board, task } = await server.peopleWithTask('Start')
    for (let round = 0; round < 20; round++) {
      let removed = false
      const edits = Array.from({ length: 4 }, async (_, editor) => {
        for (let i = 0; ; i++) {
          const late = removed
          const { status } = await bob.http('PATCH', `/api/tasks/${task.id}`, { title: `${round} ${editor} ${i}` })
          expect([200, 404]).toContain(status)
          if (late) expect(status).toBe(404)
          if (status === 404) return
        }
      })
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
      removed = true
      const { title } = await ada.api.tasks.get.query({ taskId: task.id })
      await Promise.all(edits)
      expect((await ada.api.tasks.get.query({ taskId: task.id })).title).toBe(title)
      await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'bob' })
    }
  })
})
