import { expect, test } from 'bun:test'
import { onEachDatabase } from '../support/databases'
import type { Person } from '../support/people'

const PATH = '/api/time-entries'

onEachDatabase('a time entry', (server) => {
  async function setting() {
    const people = await server.people()
    const task = await people.ada.api.tasks.create.mutate({ boardId: people.board.id, title: 'Dig' })
    return { ...people, task }
  }
  const minutesOf = async ({ api }: Person, taskId: number) => (await api.tasks.get.query({ taskId })).minutes

  test('is created as the specification sends it, told and listed, and adds to the task', async () => {
    const { ada, bob, board, task } = await setting()
    const socket = await ada.socket()
    await socket.join(board.id)
    const sent = { startTime: '2026-11-20T14:00:00.000Z', endTime: null, duration: 90, note: ' Deeper ', notify: false }
    const created = await bob.http('POST', PATH, { ...sent, taskId: task.id, userId: ada.id })
    const entry = {
      taskId: task.id,
      boardId: board.id,
      userId: bob.id,
      task: 'Dig',
      user: { id: bob.id, username: 'bob', name: null, avatar: bob.user.avatar },
      startTime: sent.startTime,
      endTime: null,
      day: '2026-11-20',
      duration: 90,
      note: 'Deeper',
      status: 'completed',
      runningSince: null,
      billable: true,
    }
    expect(created).toMatchObject({ status: 201, body: entry })
    expect(await socket.next('time_entry_added')).toMatchObject({ taskId: task.id, entry, minutes: 90, by: bob.id })
    for (const path of [`${PATH}/task/${task.id}`, `${PATH}/board/${board.id}`])
      expect((await ada.http('GET', path)).body).toEqual([created.body])
    expect(await minutesOf(ada, task.id)).toBe(90)
  })
})
