import { expect, test } from 'bun:test'
import { boardMembers, boards } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'

onEachDatabase('whoever is assigned to a task', (server) => {
  test('hears without the board open whatever becomes of it, once, and of no other task', async () => {
    const { ada, bob, board, task } = await server.peopleWithTask()
    const [closed, open] = [await bob.socket(), await bob.socket(board)]
    const types = async () => (await closed.heard()).map(({ type }) => type)
    await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
    expect(await closed.next('task_assignee_added')).toMatchObject({ taskId: task.id, user: { id: bob.id } })
    await ada.api.tasks.update.mutate({ taskId: task.id, status: 'done' })
    expect((await closed.next('task_updated')).task.doneAt).not.toBeNull()
    await ada.api.tasks.delete.mutate({ taskId: task.id })
    await closed.next('task_deleted')
    await ada.api.tasks.restore.mutate({ taskId: task.id })
    await closed.next('new_task')
    await ada.api.tasks.unassign.mutate({ taskId: task.id, userId: bob.id })
    await closed.next('task_assignee_removed')
    await ada.api.tasks.update.mutate({ taskId: task.id, title: 'Secret' })
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Another' })
    expect(await types()).toEqual([])
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'For Bob', assigneeIds: [bob.id] })
    expect((await closed.next('new_task')).task.title).toBe('For Bob')
    expect((await open.heard()).filter(({ type }) => type === 'task_updated')).toHaveLength(2)
  })
})

onEachDatabase('whoever has worked on a task', (server) => {
  test('and was removed from the board hears nothing of what becomes of it, nor of their time', async () => {
    const { ada, bob, board, task } = await server.peopleWithTask()
    await bob.api.time.create.mutate({ taskId: task.id, duration: 30 })
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    const socket = await bob.socket()
    await ada.api.tasks.delete.mutate({ taskId: task.id })
    await ada.api.tasks.restore.mutate({ taskId: task.id })
    expect((await socket.heard()).filter(({ type }) => type !== 'boards_changed')).toEqual([])
  })
})

onEachDatabase('a watched board', (server) => {
  test('that others changed is named once at the next look, without what was changed', async () => {
    const { ada, bob, board } = await server.people()
    const socket = await bob.socket()
    const watch = (version: number) => socket.send('watch_boards', { boards: [[board.id, version]] })
    const { version } = await bob.api.boards.get.query({ boardId: board.id })
    watch(version)
    expect(await socket.heard()).toEqual([])
    await server.reconcile()
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
    await server.reconcile()
    expect(await socket.next('boards_changed')).toEqual({ boardIds: [board.id] })
    await server.reconcile()
    expect(await socket.heard()).toEqual([])
    watch(version)
    expect(await socket.heard()).toEqual([])
    await server.reconcile()
    await socket.next('boards_changed')
    socket.send('watch_boards', { boards: [] })
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Reap' })
    expect(await socket.heard()).toEqual([])
    await server.reconcile()
    expect(await socket.heard()).toEqual([])
  })

  test('is not told of to strangers, nor to whoever was removed, though others have it open', async () => {
    const { ada, bob, eve, board } = await server.people()
    const [adas, bobs, eves] = [await ada.socket(board), await bob.socket(), await eve.socket()]
    for (const socket of [bobs, eves]) {
      socket.send('watch_boards', { boards: [[board.id, 0]] })
      expect((await socket.heard()).filter(({ type }) => type !== 'boards_changed')).toEqual([])
    }
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    await bobs.next('board_member_removed')
    await bobs.heard()
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Secret' })
    await adas.next('new_task')
    await server.reconcile()
    await server.reconcile()
    expect([await bobs.heard(), await eves.heard()]).toEqual([[], []])
  })

  test('is one of 100 at most, and known by a number', async () => {
    const { bob } = await server.people()
    const many = Array.from({ length: 101 }, (_, id) => [id + 1, 0])
    for (const given of [many, [[1]], [['1', 0]], 'all']) {
      const socket = await bob.socket()
      socket.send('watch_boards', { boards: given })
      expect((await socket.closed()).code).toBe(1008)
    }
  })

  test('is kept only for a member, once, and of one person no more than 100 on all sockets', async () => {
    const { bob, board } = await server.people()
    const rows = await server.db
      .insert(boards)
      .values(Array.from({ length: 150 }, (_, n) => ({ name: `Board ${n}`, createdBy: bob.id })))
      .returning({ id: boards.id })
    const ids = rows.map(({ id }) => id)
    const strange = ids.slice(0, 20)
    const own = [board.id, ...ids.slice(20)]
    await server.db.insert(boardMembers).values(ids.slice(20).map((boardId) => ({ boardId, userId: bob.id })))
    const watched = async (boardIds: number[]) => {
      const socket = await bob.socket()
      socket.send('watch_boards', { boards: boardIds.map((boardId) => [boardId, 1_000]) })
      await socket.heard()
      await server.reconcile()
      const told = (await socket.heard()).find(({ type }) => type === 'boards_changed')
      return { socket, told: told?.type === 'boards_changed' ? told.payload.boardIds : [] }
    }
    const first = await watched([...strange, ...own.slice(0, 60), ...own.slice(0, 20)])
    expect(first.told.toSorted()).toEqual(own.slice(0, 60).toSorted())
    const second = await watched(own.slice(30, 130))
    expect(second.told.toSorted()).toEqual(own.slice(30, 100).toSorted())
    await first.socket.close()
    expect((await watched(own.slice(100, 131))).told).toHaveLength(30)
  })

  test('is told of again after one came back', async () => {
    const { ada, bob, board } = await server.people()
    const socket = await bob.socket()
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    await server.db.insert(boardMembers).values({ boardId: board.id, userId: bob.id })
    socket.send('watch_boards', { boards: [[board.id, 0]] })
    await socket.heard()
    await server.reconcile()
    await socket.next('boards_changed')
  })
})
