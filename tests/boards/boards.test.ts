import { expect, test } from 'bun:test'
import { onEachDatabase } from '../support/databases'

onEachDatabase('boards', (server) => {
  test('a new board has its creator as its only member', async () => {
    const { eve } = await server.people()
    const answer = await eve.http('POST', '/api/boards', { name: '  Kitchen ', description: ' ', createdBy: null })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      name: 'Kitchen',
      description: null,
      createdBy: eve.id,
      creator: { id: eve.id },
      memberCount: 1,
      version: 1,
      members: [{ id: eve.id, username: 'eve', name: null, avatar: '/images/default-profile.png' }],
    })
    expect(answer.text).not.toContain('@example.com')
  })

  test('a name has something to see, and does not turn the text around it', async () => {
    const { eve } = await server.people()
    for (const name of [' ', '\u200b', '\u3164', '\u2800', '\u00ad', '\u2060', '\u202e'])
      expect(await eve.http('POST', '/api/boards', { name })).toMatchObject({
        status: 400,
        body: { message: 'Board name is required' },
      })
    expect((await eve.http('POST', '/api/boards', { name: '\u202eLive\u202c 👨‍👩‍👧' })).body).toMatchObject({
      name: 'Live 👨‍👩‍👧',
    })
  })

  test('a board is its creator\'s, whatever "createdBy" says', async () => {
    const { ada, eve } = await server.people()
    expect((await eve.http('POST', '/api/boards', { name: 'Mine', createdBy: ada.id })).body).toMatchObject({ createdBy: eve.id })
  })

  test('the list holds the boards of which one is a member, oldest first', async () => {
    const { ada, bob, eve, board } = await server.people()
    const own = await bob.api.boards.create.mutate({ name: 'Shed' })
    expect(await bob.api.boards.list.query()).toMatchObject([
      { id: board.id, name: 'Garden', createdBy: ada.id, memberCount: 2, locked: false },
      { id: own.id, name: 'Shed', createdBy: bob.id, memberCount: 1, locked: false },
    ])
    expect((await bob.http('GET', '/api/boards')).body).toEqual(await bob.api.boards.list.query())
    expect(await eve.api.boards.list.query()).toEqual([])
  })

  test('a member reads the board; to others it does not exist', async () => {
    const { ada, bob, eve, board } = await server.people()
    const answer = await bob.http('GET', `/api/boards/${board.id}`)
    expect(answer.body).toMatchObject({ id: board.id, memberCount: 2, members: [{ id: ada.id }, { id: bob.id }] })
    const foreign = await eve.http('GET', `/api/boards/${board.id}`)
    const missing = await eve.http('GET', `/api/boards/${board.id + 1000}`)
    expect(foreign.status).toBe(404)
    expect([missing.status, missing.text]).toEqual([foreign.status, foreign.text])
  })

  test('the creator renames and describes it; only the field given changes', async () => {
    const { ada, board } = await server.people()
    const path = `/api/boards/${board.id}`
    expect((await ada.http('PATCH', path, { description: 'Beds and paths' })).body).toMatchObject({
      name: 'Garden',
      description: 'Beds and paths',
    })
    expect((await ada.http('PATCH', path, { name: ' Park ' })).body).toMatchObject({
      name: 'Park',
      description: 'Beds and paths',
    })
    expect((await ada.http('PATCH', path, { description: null })).body).toMatchObject({ name: 'Park', description: null })
  })

  test('a member may not change or delete it', async () => {
    const { bob, board } = await server.people()
    expect(await bob.http('PATCH', `/api/boards/${board.id}`, { name: 'Mine' })).toMatchObject({
      status: 403,
      body: { message: 'Only the board creator can edit this board.' },
    })
    expect(await bob.http('DELETE', `/api/boards/${board.id}`)).toMatchObject({
      status: 403,
      body: { message: 'Only the board creator can delete this board.' },
    })
  })

  test('names and descriptions keep to their limits', async () => {
    const { ada, board } = await server.people()
    const change = (changes: object) => ada.http('PATCH', `/api/boards/${board.id}`, changes)
    expect((await change({ name: 'n'.repeat(120), description: 'd'.repeat(2000) })).status).toBe(200)
    expect((await change({ name: '🌱'.repeat(60) })).status).toBe(200)
    for (const wrong of [
      { name: 'n'.repeat(121) },
      { name: ' \n ' },
      { description: 'd'.repeat(2001) },
      { name: null },
      { name: 7 },
    ])
      expect(await change(wrong)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', issues: [{}] } })
  })

  test('two people who change different fields at once both win', async () => {
    const { ada, board } = await server.people()
    for (let round = 0; round < 20; round++) {
      const change = (changes: object) => ada.http('PATCH', `/api/boards/${board.id}`, changes)
      await Promise.all([change({ name: `Name ${round}` }), change({ description: `Text ${round}` })])
      const { name, description } = await ada.api.boards.get.query({ boardId: board.id })
      expect([name, description]).toEqual([`Name ${round}`, `Text ${round}`])
    }
  })

  test('a deleted board is gone for everyone with all that was on it', async () => {
    const { ada, bob, board } = await server.people()
    const task = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
    expect(await ada.http('DELETE', `/api/boards/${board.id}`)).toMatchObject({ status: 200, body: { success: true } })
    for (const path of [`/api/boards/${board.id}`, `/api/boards/${board.id}/tasks`, `/api/tasks/${task.id}`])
      expect((await bob.http('GET', path)).status).toBe(404)
    expect((await ada.http('DELETE', `/api/boards/${board.id}`)).status).toBe(404)
  })

  test('a board that is read while it is deleted is there or not, and never a fault', async () => {
    const { bob } = await server.people()
    for (let round = 0; round < 12; round++) {
      const board = await bob.api.boards.create.mutate({ name: 'Brief' })
      const read = (path: string) => bob.http('GET', `/api/boards/${board.id}${path}`)
      const reads = Array.from({ length: 4 }, () => [read(''), read('/snapshot'), read('/tasks')]).flat()
      const answers = await Promise.all([...reads, bob.http('DELETE', `/api/boards/${board.id}`)])
      for (const { status } of answers) expect([200, 404]).toContain(status)
    }
  })
})
