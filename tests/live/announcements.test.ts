import { afterAll, expect, test } from 'bun:test'
import { onServer, type Server } from '../support/databases'
import type { Person } from '../support/people'
import { dataFolder } from '../support/process'

/** So many mails go to one address in an hour. */
const anyEmail = () => `${crypto.randomUUID().slice(0, 8)}@example.org`

const folder = await dataFolder()
afterAll(folder.remove)

const announcements = (server: Server) => {
  /** Ada and Bob have the board open; Cleo is a member and has it closed. */
  async function listening() {
    const people = await server.people()
    const { ada, bob, board } = people
    const cleo = await people.person('cleo')
    await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'cleo' })
    const task = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    const comment = await bob.api.comments.create.mutate({ taskId: task.id, content: 'Where?' })
    const entry = await bob.api.time.create.mutate({ taskId: task.id, duration: 30 })
    const sockets = await Promise.all([ada.socket(), bob.socket(), cleo.socket(), people.eve.socket()])
    const [adas, bobs, cleos, eves] = sockets
    const { version } = await adas.join(board.id)
    await bobs.join(board.id)
    const heard = async () => ({
      ada: await adas.heard(),
      bob: await bobs.heard(),
      cleo: await cleos.heard(),
      eve: await eves.heard(),
    })
    return { ...people, cleo, task: { ...task, commentCount: 1, minutes: 30 }, comment, entry, version, heard }
  }
  type Setting = Awaited<ReturnType<typeof listening>>

  const byRest = (person: Person, method: string, path: string, body?: unknown) => person.http(method, path, body)

  /** What is done, each way it can be done; what those hear who have the board open; whether other members do. */
  const changes: [string, ((given: Setting) => Promise<unknown>)[], (given: Setting) => object, 'open' | 'members'][] = [
    [
      'a new task',
      [
        ({ bob, board }) => bob.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' }),
        ({ bob, board }) => byRest(bob, 'POST', `/api/boards/${board.id}/tasks`, { title: 'Sow' }),
      ],
      ({ bob }) => ({ type: 'new_task', payload: { task: { title: 'Sow', createdBy: bob.id } } }),
      'open',
    ],
    [
      'a changed task',
      [
        ({ bob, task }) => bob.api.tasks.update.mutate({ taskId: task.id, title: 'Dug' }),
        ({ bob, task }) => byRest(bob, 'PATCH', `/api/tasks/${task.id}`, { title: 'Dug' }),
      ],
      ({ task }) => ({
        type: 'task_updated',
        payload: { task: { ...task, title: 'Dug', updatedAt: expect.any(String), revision: 2 } },
      }),
      'open',
    ],
    [
      'a moved task',
      [({ bob, task }) => byRest(bob, 'PATCH', `/api/tasks/${task.id}`, { status: 'done' })],
      ({ task }) => ({ type: 'task_updated', payload: { task: { id: task.id, status: 'done' } } }),
      'open',
    ],
    [
      'a deleted task',
      [
        ({ bob, task }) => bob.api.tasks.delete.mutate({ taskId: task.id }),
        ({ bob, task }) => byRest(bob, 'DELETE', `/api/tasks/${task.id}`),
      ],
      ({ task }) => ({ type: 'task_deleted', payload: { taskId: task.id } }),
      'open',
    ],
    [
      'an assignment',
      [
        ({ bob, ada, task }) => bob.api.tasks.assign.mutate({ taskId: task.id, userId: ada.id }),
        ({ bob, ada, task }) => byRest(bob, 'POST', `/api/tasks/${task.id}/assignees`, { userId: ada.id }),
      ],
      ({ ada, task }) => ({
        type: 'task_assignee_added',
        payload: { taskId: task.id, user: { id: ada.id, username: 'ada', name: null, avatar: ada.user.avatar } },
      }),
      'open',
    ],
    [
      'a new comment',
      [
        ({ bob, task }) => bob.api.comments.create.mutate({ taskId: task.id, content: 'Deeper' }),
        ({ bob, task }) => byRest(bob, 'POST', `/api/tasks/${task.id}/comments`, { content: 'Deeper' }),
      ],
      ({ bob, task }) => ({
        type: 'new_comment',
        payload: {
          taskId: task.id,
          comment: { content: 'Deeper', userId: bob.id, user: { username: 'bob', avatar: bob.user.avatar } },
          commentCount: 2,
        },
      }),
      'open',
    ],
    [
      'an edited comment',
      [
        ({ bob, comment }) => bob.api.comments.update.mutate({ commentId: comment.id, content: 'Why?' }),
        ({ bob, comment }) => byRest(bob, 'PATCH', `/api/comments/${comment.id}`, { content: 'Why?' }),
      ],
      ({ task, comment }) => ({
        type: 'comment_updated',
        payload: { taskId: task.id, comment: { ...comment, content: 'Why?', revision: 2 } },
      }),
      'open',
    ],
    [
      'a deleted comment',
      [
        ({ bob, comment }) => bob.api.comments.delete.mutate({ commentId: comment.id }),
        ({ bob, comment }) => byRest(bob, 'DELETE', `/api/comments/${comment.id}`),
      ],
      ({ task, comment }) => ({ type: 'comment_deleted', payload: { taskId: task.id, commentId: comment.id, commentCount: 0 } }),
      'open',
    ],
    [
      'work that is logged',
      [
        ({ bob, task }) => bob.api.time.create.mutate({ taskId: task.id, duration: 12 }),
        ({ bob, task }) => byRest(bob, 'POST', '/api/time-entries', { taskId: task.id, duration: 12 }),
      ],
      ({ bob, task }) => ({
        type: 'time_entry_added',
        payload: { taskId: task.id, entry: { duration: 12, userId: bob.id, task: 'Dig', status: 'completed' }, minutes: 42 },
      }),
      'open',
    ],
    [
      'a timer that starts',
      [({ bob, task }) => byRest(bob, 'POST', '/api/time-entries', { taskId: task.id, status: 'ACTIVE' })],
      ({ bob, task }) => ({
        type: 'time_entry_added',
        payload: { taskId: task.id, entry: { userId: bob.id, status: 'ACTIVE' }, minutes: 30 },
      }),
      'open',
    ],
    [
      'a changed time entry',
      [
        ({ bob, entry }) => bob.api.time.update.mutate({ entryId: entry.id, duration: 45 }),
        ({ bob, entry }) => byRest(bob, 'PATCH', `/api/time-entries/${entry.id}`, { duration: 45, endTime: null }),
      ],
      ({ task, entry }) => ({
        type: 'time_entry_updated',
        payload: { taskId: task.id, entry: { ...entry, duration: 45, revision: 2 }, minutes: 45 },
      }),
      'open',
    ],
    [
      'a deleted time entry',
      [
        ({ bob, entry }) => bob.api.time.delete.mutate({ entryId: entry.id }),
        ({ bob, entry }) => byRest(bob, 'DELETE', `/api/time-entries/${entry.id}`),
      ],
      ({ task, entry }) => ({ type: 'time_entry_deleted', payload: { taskId: task.id, entryId: entry.id, minutes: 0 } }),
      'open',
    ],
    [
      'a new name of the board',
      [
        ({ ada, board }) => ada.api.boards.update.mutate({ boardId: board.id, name: 'Park' }),
        ({ ada, board }) => byRest(ada, 'PATCH', `/api/boards/${board.id}`, { name: 'Park' }),
      ],
      () => ({ type: 'BOARD_UPDATED', payload: { updates: { name: 'Park', description: null } } }),
      'members',
    ],
    [
      'a new member',
      [
        async ({ bob, board, person }) => {
          await person('dan')
          await bob.api.boards.addMember.mutate({ boardId: board.id, username: 'dan' })
        },
        async ({ bob, board, person }) => {
          await person('dan')
          await byRest(bob, 'POST', `/api/boards/${board.id}/members`, { email: 'dan@example.com' })
        },
      ],
      () => ({ type: 'board_member_added', payload: { user: { username: 'dan' } } }),
      'members',
    ],
    [
      'an invitation',
      [
        ({ bob, board }) => bob.api.boards.addMember.mutate({ boardId: board.id, email: anyEmail() }),
        ({ bob, board }) => byRest(bob, 'POST', `/api/boards/${board.id}/members`, { email: anyEmail() }),
      ],
      ({ bob }) => ({ type: 'invitation_changed', payload: { invitation: { status: 'pending', invitedBy: bob.id } } }),
      'members',
    ],
    [
      'a removal',
      [
        ({ ada, bob, board }) => ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id }),
        ({ ada, bob, board }) => byRest(ada, 'DELETE', `/api/boards/${board.id}/members/${bob.id}`),
        ({ bob, board }) => byRest(bob, 'DELETE', `/api/boards/${board.id}/members/${bob.id}`),
      ],
      ({ bob }) => ({ type: 'board_member_removed', payload: { userId: bob.id } }),
      'members',
    ],
    [
      'the end of the board',
      [
        ({ ada, board }) => ada.api.boards.delete.mutate({ boardId: board.id }),
        ({ ada, board }) => byRest(ada, 'DELETE', `/api/boards/${board.id}`),
      ],
      () => ({ type: 'board_deleted', payload: {} }),
      'members',
    ],
  ]
  for (const [what, ways, message, reach] of changes)
    for (const [way, change] of ways.entries())
      test(`${what} is told once, to the author too, with the next version (way ${way + 1})`, async () => {
        const given = await listening()
        await change(given)
        const stamped = message(given)
        expect(stamped).toMatchObject({ payload: {} })
        const expected = [{ ...stamped, payload: { ...payloadOf(stamped), boardId: given.board.id, version: given.version + 1 } }]
        const heard = await given.heard()
        expect(heard.ada).toMatchObject(expected)
        expect(heard.bob).toMatchObject(expected)
        expect(heard.ada).toEqual(heard.bob)
        expect(heard.cleo).toEqual(reach === 'members' ? heard.ada : [])
        expect(heard.eve).toEqual([])
      })

  test('an invitation that is revoked is told once, without its link', async () => {
    const given = await listening()
    const { ada, bob, board, version } = given
    const email = anyEmail()
    await bob.api.boards.addMember.mutate({ boardId: board.id, email })
    const [open] = await ada.api.invitations.list.query({ boardId: board.id })
    await byRest(ada, 'DELETE', `/api/boards/${board.id}/invitations/${open?.id}`)
    const [, ended, ...more] = (await given.heard()).bob
    expect(ended).toEqual({
      type: 'invitation_changed',
      payload: {
        invitation: { id: expect.any(Number), email, status: 'revoked', expiresAt: expect.any(String), invitedBy: bob.id },
        boardId: board.id,
        version: version + 2,
        by: ada.id,
      },
    })
    expect(more).toEqual([])
  })

  test('the end of an assignment is told once', async () => {
    const given = await listening()
    const { ada, bob, board, task, version } = given
    await bob.api.tasks.assign.mutate({ taskId: task.id, userId: ada.id })
    await bob.api.tasks.unassign.mutate({ taskId: task.id, userId: ada.id })
    const [, ended, ...more] = (await given.heard()).ada
    expect(ended).toEqual({
      type: 'task_assignee_removed',
      payload: { taskId: task.id, userId: ada.id, boardId: board.id, version: version + 2, by: bob.id },
    })
    expect(more).toEqual([])
  })

  test('a new board reaches the other pages of its creator', async () => {
    const { eve } = await server.people()
    const [one, two] = await Promise.all([eve.socket(), eve.socket()])
    const { id } = await eve.api.boards.create.mutate({ name: 'Own' })
    for (const socket of [one, two])
      expect(await socket.heard()).toMatchObject([
        { type: 'board_member_added', payload: { boardId: id, version: 1, by: eve.id, user: { id: eve.id } } },
      ])
  })

  test('what was added to a board is told to the one who was added', async () => {
    const { ada, eve, board } = await server.people()
    const socket = await eve.socket()
    await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'eve' })
    expect(await socket.heard()).toMatchObject([
      { type: 'board_member_added', payload: { boardId: board.id, user: { username: 'eve' } } },
    ])
  })

  test('what fails or changes nothing is not told and takes no version', async () => {
    const given = await listening()
    const { ada, bob, cleo, eve, board, task, comment, entry, version } = given
    await bob.api.tasks.assign.mutate({ taskId: task.id, userId: ada.id })
    await given.heard()
    const nothing = await Promise.all([
      bob.http('PATCH', `/api/tasks/${task.id}`, {}),
      bob.http('PATCH', `/api/tasks/${task.id}`, { title: ' Dig ', status: 'todo', tags: [], description: null }),
      bob.http('PATCH', `/api/tasks/${task.id}`, { title: '' }),
      bob.http('PATCH', `/api/tasks/${task.id}`, { before: task.id }),
      bob.http('POST', `/api/tasks/${task.id}/assignees`, { userId: ada.id }),
      bob.http('POST', `/api/tasks/${task.id}/assignees`, { userId: eve.id }),
      bob.http('DELETE', `/api/tasks/${task.id}/assignees/${cleo.id}`),
      cleo.http('DELETE', `/api/tasks/${task.id}`),
      bob.http('POST', `/api/boards/${board.id}/tasks`, { title: '' }),
      bob.http('PATCH', `/api/boards/${board.id}`, { name: 'Park' }),
      ada.http('PATCH', `/api/boards/${board.id}`, { name: ' Garden', description: '' }),
      ada.http('POST', `/api/boards/${board.id}/members`, { username: 'bob' }),
      ada.http('DELETE', `/api/boards/${board.id}/members/${eve.id}`),
      ada.http('DELETE', `/api/boards/${board.id}/members/${ada.id}`),
      bob.http('DELETE', `/api/boards/${board.id}`),
      eve.http('PATCH', `/api/tasks/${task.id}`, { title: 'Mine' }),
      bob.http('POST', `/api/tasks/${task.id}/comments`, { content: ' Where?\n' }),
      bob.http('POST', `/api/tasks/${task.id}/comments`, { content: ' ' }),
      bob.http('PATCH', `/api/comments/${comment.id}`, { content: ' Where? ' }),
      ada.http('PATCH', `/api/comments/${comment.id}`, { content: 'Mine' }),
      ada.http('DELETE', `/api/comments/${comment.id}`),
      bob.http('PATCH', `/api/time-entries/${entry.id}`, {
        duration: 30,
        note: ' ',
        startTime: entry.startTime,
        status: 'completed',
      }),
      bob.http('PATCH', `/api/time-entries/${entry.id}`, { duration: 0 }),
      bob.http('PATCH', `/api/time-entries/${entry.id}`, { status: 'ACTIVE' }),
      bob.http('POST', '/api/time-entries', { taskId: task.id }),
      ada.http('DELETE', `/api/time-entries/${entry.id}`),
      eve.http('POST', '/api/time-entries', { taskId: task.id, duration: 5 }),
    ])
    expect(nothing.map((answer) => answer.status)).toEqual([
      200, 200, 400, 200, 201, 400, 404, 403, 400, 403, 200, 409, 404, 403, 403, 404, 409, 400, 200, 403, 403, 200, 400, 409, 400,
      403, 404,
    ])
    expect(await given.heard()).toEqual({ ada: [], bob: [], cleo: [], eve: [] })
    expect((await ada.api.boards.get.query({ boardId: board.id })).version).toBe(version + 1)
  })

  test('simultaneous changes are told in the order of their versions, without a gap', async () => {
    const given = await listening()
    const { ada, bob, cleo, board, task, version } = given
    await Promise.all(
      Array.from({ length: 90 }, (_, i) => {
        const person = [ada, bob, cleo][i % 3] ?? ada
        return i % 2
          ? person.api.tasks.create.mutate({ boardId: board.id, title: `Task ${i}` })
          : person.api.tasks.update.mutate({ taskId: task.id, title: `Dig ${i}` })
      }),
    )
    const heard = await given.heard()
    expect(heard.ada).toEqual(heard.bob)
    expect(heard.ada.map((message) => ('version' in message.payload ? message.payload.version : 0))).toEqual(
      Array.from({ length: 90 }, (_, i) => version + 1 + i),
    )
  })
}
onServer('announcements', announcements, { DATA_DIR: folder.path })

const payloadOf = (message: object) => ('payload' in message && typeof message.payload === 'object' ? message.payload : {})
