import { expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { boardMembers, boards, sessions } from '../../src/db/tables'
import { onEachDatabase, onServer } from '../support/databases'

onEachDatabase('what no message told', (server) => {
  test('a page is told of at the next look, and no other page is', async () => {
    const { bob, eve, board } = await server.people()
    const other = await eve.api.boards.create.mutate({ name: 'Shed' })
    const [socket, elsewhere] = [await bob.socket(board), await eve.socket(other)]
    await server.db
      .update(boards)
      .set({ version: sql`${boards.version} + 3` })
      .where(eq(boards.id, board.id))
    await server.reconcile()
    const { version } = await bob.api.boards.get.query({ boardId: board.id })
    expect(await socket.next('joined_board')).toEqual({ boardId: board.id, version })
    await server.reconcile()
    expect([await socket.heard(), await elsewhere.heard()]).toEqual([[], []])
  })

  test('ends a membership, a board or a session for its sockets alone', async () => {
    const { ada, bob, board, member } = await server.people()
    const dan = await member('dan')
    const [adas, bobs, dans] = await Promise.all([ada.socket(board), bob.socket(board), dan.socket(board)])
    const refused = { code: 'NOT_FOUND', message: 'Board not found', boardId: board.id } as const
    await server.db.delete(boardMembers).where(and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, bob.id)))
    await server.db.delete(sessions).where(eq(sessions.userId, dan.id))
    await server.reconcile()
    expect(await bobs.next('error')).toEqual(refused)
    expect(await dans.closed()).toEqual({ code: 4001, reason: 'Signed out' })
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Secret' })
    await adas.next('new_task')
    expect(await bobs.heard()).toEqual([])
    await server.db.update(boards).set({ deletedAt: new Date() }).where(eq(boards.id, board.id))
    await server.reconcile()
    expect(await adas.next('error')).toEqual(refused)
  })
})

onServer('a look that is older than what happens meanwhile', (server) => {
  test('neither cuts off who joined anew nor takes anybody back', async () => {
    const { ada, board, member } = await server.people()
    const dan = await member('dan')
    const [adas, dans] = [await ada.socket(board), await dan.socket(board)]
    let isOver = false
    const looking = Array.from({ length: 4 }, async () => {
      while (!isOver) await server.reconcile()
    })
    for (let round = 0; round < 15; round++) {
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: dan.id })
      await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'dan' })
      await dans.join(board.id)
      await ada.api.tasks.create.mutate({ boardId: board.id, title: `Task ${round}` })
      expect((await dans.next('new_task')).task.title).toBe(`Task ${round}`)
    }
    isOver = true
    await Promise.all(looking)
    expect((await adas.heard()).filter(({ type }) => type === 'joined_board')).toEqual([])
    expect((await dans.heard()).filter(({ type }) => type === 'error')).toEqual([])
  })
})
