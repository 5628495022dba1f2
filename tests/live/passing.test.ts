import { expect, test } from 'bun:test'
import { onServer } from '../support/databases'

onServer('what passes between members', (server) => {
  async function open() {
    const people = await server.people()
    const { ada, bob, eve, board } = people
    const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    const [adas, bobs, eves] = await Promise.all([ada.socket(), bob.socket(), eve.socket()])
    const { version } = await adas.join(board.id)
    await bobs.join(board.id)
    const { id, username, name, avatar } = bob.user
    return { ...people, task, version, adas, bobs, eves, user: { id, username, name, avatar } }
  }

  test('typing is passed on to the others, in the name of the session', async () => {
    const { ada, bob, board, task, version, adas, bobs, eves, user } = await open()
    bobs.send('typing_started', { taskId: task.id, userId: ada.id, user: { id: ada.id, username: 'ada' }, element: 'comment' })
    bobs.send('typing_stopped', { taskId: task.id, userId: ada.id })
    const about = { boardId: board.id, version, taskId: task.id, userId: bob.id }
    expect(await adas.next('typing_started')).toEqual({ ...about, user, element: 'comment' })
    expect(await adas.next('typing_stopped')).toEqual(about)
    expect([await adas.heard(), await bobs.heard(), await eves.heard()]).toEqual([[], [], []])
  })

  test('editing is passed on to the others, in the name of the session', async () => {
    const { ada, bob, board, version, adas, bobs, eves, user } = await open()
    for (const status of ['started', 'ended'])
      bobs.send('editing_status', { boardId: board.id, element: 'board_name', status, userId: ada.id })
    const about = { boardId: board.id, version, element: 'board_name', userId: bob.id, user }
    expect(await adas.next('editing_status')).toEqual({ ...about, status: 'started' })
    expect(await adas.next('editing_status')).toEqual({ ...about, status: 'ended' })
    expect([await adas.heard(), await bobs.heard(), await eves.heard()]).toEqual([[], [], []])
  })

  test('a stranger passes nothing on', async () => {
    const { board, task, adas, eves } = await open()
    eves.send('typing_started', { taskId: task.id, boardId: board.id })
    expect(await eves.next('error')).toMatchObject({ code: 'NOT_FOUND' })
    eves.send('editing_status', { boardId: board.id, element: 'board_name', status: 'started' })
    expect(await eves.next('error')).toMatchObject({ code: 'NOT_FOUND', boardId: board.id })
    expect(await adas.heard()).toEqual([])
  })

  test('of a task that is gone is refused, and not as if the board were', async () => {
    const { ada, board, task, bobs } = await open()
    await ada.api.tasks.delete.mutate({ taskId: task.id })
    await bobs.next('task_deleted')
    bobs.send('typing_stopped', { taskId: task.id, boardId: board.id })
    expect(await bobs.next('error')).toEqual({ code: 'NOT_FOUND', message: 'Task not found' })
  })

  test('a task names its own board: typing cannot be put onto another', async () => {
    const { bob, task, board, adas, bobs } = await open()
    const own = await bob.api.boards.create.mutate({ name: 'Shed' })
    await bobs.heard()
    bobs.send('typing_started', { taskId: task.id, boardId: own.id })
    expect((await adas.next('typing_started')).boardId).toBe(board.id)
  })

  test('the change messages of the specification are taken, and passed on by nobody', async () => {
    const { bob, board, task, adas, bobs, version } = await open()
    const boardId = board.id
    const taskId = task.id
    const comment = { content: 'Forged', user: bob.user }
    const messages: [string, object][] = [
      ['board_update', { boardId, updates: { name: 'Forged' } }],
      ['task_update', { taskId, boardId, updates: { title: 'Forged' } }],
      ['task_updated', { task: { ...task, title: 'Forged' }, boardId }],
      ['task_deleted', { taskId, boardId }],
      ['task_assignee_added', { taskId, user: bob.user, boardId }],
      ['task_assignee_removed', { taskId, userId: bob.id, boardId }],
      ['new_comment', { taskId, comment, skipSelf: true }],
      ['comment_updated', { taskId, comment }],
      ['comment_deleted', { taskId, commentId: 1 }],
    ]
    for (const [type, payload] of messages) bobs.send(type, payload)
    expect([await bobs.heard(), await adas.heard()]).toEqual([[], []])
    expect(await bob.api.tasks.get.query({ taskId })).toEqual({ ...task, attachments: [] })
    expect((await bobs.join(boardId)).version).toBe(version)
  })
})
