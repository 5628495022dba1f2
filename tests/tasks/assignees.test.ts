import { expect, test } from 'bun:test'
import { taskAssignees } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'

onEachDatabase('assignees', (server) => {
  test('any member assigns a member', async () => {
    const { ada, bob, path } = await server.peopleWithTask()
    expect(await bob.http('POST', `${path}/assignees`, { userId: ada.id })).toMatchObject({
      status: 201,
      body: { assignees: [{ id: ada.id }] },
    })
    expect((await bob.http('POST', `${path}/assignees`, { userId: bob.id })).body).toMatchObject({
      assignees: [{ id: ada.id }, { id: bob.id }],
    })
  })

  test('somebody who is no member cannot be assigned', async () => {
    const { ada, eve, path } = await server.peopleWithTask()
    for (const userId of [eve.id, eve.id + 1000])
      expect(await ada.http('POST', `${path}/assignees`, { userId })).toMatchObject({
        status: 400,
        body: { message: 'Only members of the board can be assigned.' },
      })
    expect(await server.db.$count(taskAssignees)).toBe(0)
  })

  test('a task begins with members: in one message, logged and told as each assignment is; with a stranger it does not begin', async () => {
    const { ada, bob, eve, board } = await server.people()
    const socket = await bob.socket(board)
    const path = `/api/boards/${board.id}/tasks`
    const given = { title: 'Sow', assigneeIds: [bob.id, ada.id, bob.id] }
    const created = await ada.http('POST', path, given)
    expect(created).toMatchObject({ status: 201, body: { assignees: [{ id: bob.id }, { id: ada.id }], revision: 1 } })
    const { task } = await socket.next('new_task')
    expect(task.assignees.map(({ id }) => id)).toEqual([bob.id, ada.id])
    const { activities } = await ada.api.activity.task.query({ taskId: task.id })
    expect(activities.map(({ kind, whom }) => [kind, whom?.id ?? null])).toEqual([
      ['assigned', ada.id],
      ['assigned', bob.id],
      ['created', null],
    ])
    expect((await bob.api.notifications.list.query({})).notifications).toMatchObject([
      { kind: 'assigned', task: { id: task.id } },
    ])
    for (const userId of [eve.id, eve.id + 1000])
      expect(await ada.http('POST', path, { title: 'Reap', assigneeIds: [bob.id, userId] })).toMatchObject({
        status: 400,
        body: { message: 'Only members of the board can be assigned.' },
      })
    expect((await ada.http('POST', path, { title: 'Reap', assigneeIds: Array(51).fill(bob.id) })).status).toBe(400)
    expect((await ada.http('GET', path)).body).toHaveLength(1)
    expect(await server.db.$count(taskAssignees)).toBe(2)
  })

  test('assigning twice is no error and makes one assignment, also at once', async () => {
    const { ada, bob, path } = await server.peopleWithTask()
    const answers = await Promise.all(Array.from({ length: 10 }, () => ada.http('POST', `${path}/assignees`, { userId: bob.id })))
    for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: { assignees: [{ id: bob.id }] } })
    expect(await server.db.$count(taskAssignees)).toBe(1)
  })

  test('an assignment ends once', async () => {
    const { ada, bob, task, path } = await server.peopleWithTask()
    await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
    expect(await bob.http('DELETE', `${path}/assignees/${bob.id}`)).toMatchObject({ status: 200, body: { success: true } })
    expect((await bob.http('DELETE', `${path}/assignees/${bob.id}`)).status).toBe(404)
    expect((await bob.api.tasks.get.query({ taskId: task.id })).assignees).toEqual([])
  })

  test('nobody is assigned who is removed meanwhile', async () => {
    const { ada, bob, board, task } = await server.peopleWithTask()
    for (let round = 0; round < 20; round++) {
      const assigning = ada.http('POST', `/api/tasks/${task.id}/assignees`, { userId: bob.id })
      await Promise.all([assigning, ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })])
      expect([201, 400]).toContain((await assigning).status)
      expect(await server.db.$count(taskAssignees)).toBe(0)
      await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'bob' })
    }
  })
})
