import { afterAll, expect, test } from 'bun:test'
import { calls } from '../../src/site/router'
import { onServer, type Server } from '../support/databases'
import { callProcedure } from '../support/everyCall'
import type { Person } from '../support/people'
import { dataFolder } from '../support/process'
import { ask } from '../support/world'

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
  type Done = [who: Person, input: Record<string, unknown>]

  /** What is done, by a procedure, and what is heard of it. */
  type Change = [what: string, procedure: string, (given: Setting) => Done | Promise<Done>, (given: Setting) => object]
  const toOpenBoard: Change[] = [
    [
      'a new task',
      'tasks.create',
      ({ bob, board }) => [bob, { boardId: board.id, title: 'Sow' }],
      ({ bob }) => ({ type: 'new_task', payload: { task: { title: 'Sow', createdBy: bob.id } } }),
    ],
    [
      'a changed task',
      'tasks.update',
      ({ bob, task }) => [bob, { taskId: task.id, title: 'Dug' }],
      ({ task }) => ({
        type: 'task_updated',
        payload: { task: { ...task, title: 'Dug', updatedAt: expect.any(String), revision: 2 } },
      }),
    ],
    [
      'a moved task',
      'tasks.update',
      ({ bob, task }) => [bob, { taskId: task.id, status: 'done' }],
      ({ task }) => ({ type: 'task_updated', payload: { task: { id: task.id, status: 'done' } } }),
    ],
    [
      'a deleted task',
      'tasks.delete',
      ({ bob, task }) => [bob, { taskId: task.id }],
      ({ task }) => ({ type: 'task_deleted', payload: { taskId: task.id } }),
    ],
    [
      'an assignment',
      'tasks.assign',
      ({ bob, ada, task }) => [bob, { taskId: task.id, userId: ada.id }],
      ({ ada, task }) => ({
        type: 'task_assignee_added',
        payload: { taskId: task.id, user: { id: ada.id, username: 'ada', name: null, avatar: ada.user.avatar } },
      }),
    ],
    [
      'a new comment',
      'comments.create',
      ({ bob, task }) => [bob, { taskId: task.id, content: 'Deeper' }],
      ({ bob, task }) => ({
        type: 'new_comment',
        payload: {
          taskId: task.id,
          comment: { content: 'Deeper', userId: bob.id, user: { username: 'bob', avatar: bob.user.avatar } },
          commentCount: 2,
        },
      }),
    ],
    [
      'an edited comment',
      'comments.update',
      ({ bob, comment }) => [bob, { commentId: comment.id, content: 'Why?' }],
      ({ task, comment }) => ({
        type: 'comment_updated',
        payload: { taskId: task.id, comment: { ...comment, content: 'Why?', revision: 2 } },
      }),
    ],
    [
      'a deleted comment',
      'comments.delete',
      ({ bob, comment }) => [bob, { commentId: comment.id }],
      ({ task, comment }) => ({
        type: 'comment_deleted',
        payload: { taskId: task.id, commentId: comment.id, commentCount: 0 },
      }),
    ],
    [
      'work that is logged',
      'time.create',
      ({ bob, task }) => [bob, { taskId: task.id, duration: 12 }],
      ({ bob, task }) => ({
        type: 'time_entry_added',
        payload: { taskId: task.id, entry: { duration: 12, userId: bob.id, task: 'Dig', status: 'completed' }, minutes: 42 },
      }),
    ],
    [
      'a timer that starts',
      'time.create',
      ({ bob, task }) => [bob, { taskId: task.id, status: 'ACTIVE' }],
      ({ bob, task }) => ({
        type: 'time_entry_added',
        payload: { taskId: task.id, entry: { userId: bob.id, status: 'ACTIVE' }, minutes: 30 },
      }),
    ],
    [
      'a changed time entry',
      'time.update',
      ({ bob, entry }) => [bob, { entryId: entry.id, duration: 45, endTime: null }],
      ({ task, entry }) => ({
        type: 'time_entry_updated',
        payload: { taskId: task.id, entry: { ...entry, duration: 45, revision: 2 }, minutes: 45 },
      }),
    ],
    [
      'a deleted time entry',
      'time.delete',
      ({ bob, entry }) => [bob, { entryId: entry.id }],
      ({ task, entry }) => ({ type: 'time_entry_deleted', payload: { taskId: task.id, entryId: entry.id, minutes: 0 } }),
    ],
  ]
  const toMembers: Change[] = [
    [
      'a new name of the board',
      'boards.update',
      ({ ada, board }) => [ada, { boardId: board.id, name: 'Park' }],
      () => ({ type: 'BOARD_UPDATED', payload: { updates: { name: 'Park', description: null } } }),
    ],
    [
      'a new member',
      'boards.addMember',
      async ({ bob, board, person }) => [bob, { boardId: board.id, username: (await person('dan')).user.username }],
      () => ({ type: 'board_member_added', payload: { user: { username: 'dan' } } }),
    ],
    [
      'a new member by email',
      'boards.addMember',
      async ({ bob, board, person }) => [bob, { boardId: board.id, email: (await person('dan')).user.email }],
      () => ({ type: 'board_member_added', payload: { user: { username: 'dan' } } }),
    ],
    [
      'an invitation',
      'boards.addMember',
      ({ bob, board }) => [bob, { boardId: board.id, email: anyEmail() }],
      ({ bob }) => ({ type: 'invitation_changed', payload: { invitation: { status: 'pending', invitedBy: bob.id } } }),
    ],
    [
      'a removal',
      'boards.removeMember',
      ({ ada, bob, board }) => [ada, { boardId: board.id, userId: bob.id }],
      ({ bob }) => ({ type: 'board_member_removed', payload: { userId: bob.id } }),
    ],
    [
      'a departure',
      'boards.removeMember',
      ({ bob, board }) => [bob, { boardId: board.id, userId: bob.id }],
      ({ bob }) => ({ type: 'board_member_removed', payload: { userId: bob.id } }),
    ],
    [
      'the end of the board',
      'boards.delete',
      ({ ada, board }) => [ada, { boardId: board.id }],
      () => ({ type: 'board_deleted', payload: {} }),
    ],
  ]
  for (const [what, procedure, change, message] of [...toOpenBoard, ...toMembers])
    for (const way of ['the page', 'REST'])
      test(`${what} by ${way} is told once, to the author too, with the next version`, async () => {
        const given = await listening()
        const [who, input] = await change(given)
        const call = calls.find((one) => one.procedure === procedure)
        if (!call) throw new Error(`no REST call of ${procedure}`)
        const { status } = await (way === 'REST' ? ask(who, call, input) : callProcedure(who, procedure, input))
        expect(status).toBeLessThan(300)
        const stamped = message(given)
        expect(stamped).toMatchObject({ payload: {} })
        const expected = [{ ...stamped, payload: { ...payloadOf(stamped), boardId: given.board.id, version: given.version + 1 } }]
        const heard = await given.heard()
        expect(heard.ada).toMatchObject(expected)
        expect(heard.bob).toMatchObject(expected)
        expect(heard.ada).toEqual(heard.bob)
        expect(heard.cleo).toEqual(toMembers.some(([one]) => one === what) ? heard.ada : [])
        expect(heard.eve).toEqual([])
      })

  test('an invitation that is revoked is told once, without its link', async () => {
    const given = await listening()
    const { ada, bob, board, version } = given
    const email = anyEmail()
    await bob.api.boards.addMember.mutate({ boardId: board.id, email })
    const [open] = await ada.api.invitations.list.query({ boardId: board.id })
    await ada.http('DELETE', `/api/boards/${board.id}/invitations/${open?.id}`)
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
