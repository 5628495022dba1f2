import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { boardMembers, boards, sessions } from '../../src/db/tables'
import { browser } from '../support/browser'
import { onServer } from '../support/databases'
import { PASSWORD } from '../support/people'
import { handshake, openSocket } from '../support/socket'

const HOUR = 3_600_000

onServer('joining a board', (server) => {
  test('a socket needs a session', async () => {
    const { nobody } = await server.people()
    await expect(openSocket(server.origin)).rejects.toThrow('the socket was refused')
    expect(await nobody.http('GET', '/ws', undefined, { upgrade: 'websocket' })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    })
  })

  test('what is no socket is told so', async () => {
    const { ada } = await server.people()
    expect((await ada.http('GET', '/ws')).status).toBe(426)
    expect((await ada.http('POST', '/ws', {})).status).toBe(404)
  })

  test('a member joins and learns the version', async () => {
    const { bob, board } = await server.people()
    const socket = await bob.socket()
    const { version } = await bob.api.boards.get.query({ boardId: board.id })
    expect(await socket.join(board.id)).toEqual({ boardId: board.id, version })
    await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    expect(await socket.join(board.id)).toEqual({ boardId: board.id, version: version + 1 })
  })

  test('a stranger does not join, and a board that is missing answers alike', async () => {
    const { ada, eve, board } = await server.people()
    const socket = await eve.socket()
    for (const boardId of [board.id, board.id + 1000]) {
      socket.send('join_board', { boardId })
      expect(await socket.next('error')).toEqual({ message: 'Board not found', code: 'NOT_FOUND', boardId })
    }
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Secret' })
    expect(await socket.heard()).toEqual([])
  })

  test('one socket joins fifty boards, those anew that it has, and another for one that it left', async () => {
    const { bob, board } = await server.people()
    const more = await server.db
      .insert(boards)
      .values(Array.from({ length: 50 }, (_, nth) => ({ name: `Bed ${nth}`, createdBy: bob.id })))
      .returning({ id: boards.id })
    await server.db.insert(boardMembers).values(more.map(({ id }) => ({ boardId: id, userId: bob.id })))
    const socket = await bob.socket()
    for (const { id } of more) await socket.join(id)
    socket.send('join_board', { boardId: board.id })
    expect(await socket.next('error')).toMatchObject({ code: 'TOO_MANY_REQUESTS', boardId: board.id })
    const [first = board] = more
    await socket.join(first.id)
    socket.send('leave_board', { boardId: first.id })
    await socket.join(board.id)
  })

  test('who left a board hears no more of its tasks', async () => {
    const { ada, bob, board } = await server.people()
    const socket = await bob.socket(board)
    socket.send('leave_board', { boardId: board.id })
    await socket.heard()
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    expect(await socket.heard()).toEqual([])
  })

  test('a member who was removed stops hearing the board', async () => {
    const { ada, bob, board } = await server.people()
    const socket = await bob.socket(board)
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    expect(await socket.next('board_member_removed')).toMatchObject({ boardId: board.id, userId: bob.id })
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Secret' })
    await ada.api.boards.update.mutate({ boardId: board.id, name: 'Secret' })
    socket.send('editing_status', { boardId: board.id, element: 'board_name', status: 'started' })
    expect(await socket.next('error')).toMatchObject({ code: 'NOT_FOUND' })
    expect(await socket.heard()).toEqual([])
  })

  test('a member who joins while being removed hears nothing afterwards', async () => {
    const { ada, board, member } = await server.people()
    for (let group = 0; group < 8; group++) {
      const dan = await member(`dan-${group}`)
      const sockets = await Promise.all([dan.socket(), dan.socket(), dan.socket()])
      // A person may send sixty messages at once, which is three rounds.
      for (let round = 0; round < 3; round++) {
        const removal = ada.api.boards.removeMember.mutate({ boardId: board.id, userId: dan.id })
        for (const socket of sockets) for (let i = 0; i < 3; i++) socket.send('join_board', { boardId: board.id })
        await removal
        // Whatever they asked for before is answered by now.
        await Promise.all(sockets.map((socket) => socket.heard()))
        await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Secret' })
        for (const socket of sockets) expect(await socket.heard()).toEqual([])
        await ada.api.boards.addMember.mutate({ boardId: board.id, username: `dan-${group}` })
        await Promise.all(sockets.map((socket) => socket.heard()))
      }
      await Promise.all(sockets.map((socket) => socket.close()))
    }
  })

  test('signing out closes the sockets of that session, and of no other', async () => {
    const { ada, bob, board } = await server.people()
    const [one, two, other] = await Promise.all([bob.socket(), bob.socket(), ada.socket()])
    await bob.http('POST', '/api/auth/logout')
    expect(await one.closed()).toEqual({ code: 4001, reason: 'Signed out' })
    expect((await two.closed()).code).toBe(4001)
    expect((await other.join(board.id)).boardId).toBe(board.id)
  })

  test('a socket that opens while its session ends does not stay open', async () => {
    const { person } = await server.people()
    for (let round = 0; round < 10; round++) {
      const dan = await person(`dan-${round}`)
      const opening = Array.from({ length: 4 }, () => dan.socket().catch(() => null))
      await dan.http('POST', '/api/auth/logout')
      for (const socket of await Promise.all(opening)) expect([4001, undefined]).toContain((await socket?.closed())?.code)
    }
  })

  test('a session that ran out opens no socket', async () => {
    const { bob } = await server.people()
    await server.db.update(sessions).set({ expiresAt: new Date(Date.now() - 1000) })
    await expect(bob.socket()).rejects.toThrow('the socket was refused')
  })

  describe('a session that runs out while its socket is open', () => {
    /** Ada's brief session, which does not slide; her other sessions go on. */
    async function expiring() {
      const { ada, board } = await server.people()
      const brief = browser(server.origin)
      await brief.http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD })
      const key = new Bun.CryptoHasher('sha256').update(brief.cookie().split(/[=;]/)[1] ?? '').digest('hex')
      const endIn = (time: number) =>
        server.db
          .update(sessions)
          .set({ expiresAt: new Date(Date.now() + time) })
          .where(eq(sessions.id, key))
      const socket = await openSocket(server.origin, { cookie: brief.cookie() })
      await socket.join(board.id)
      return { ada, board, socket, endIn }
    }

    test('is cut off by the next look, and no other is', async () => {
      const { ada, socket, board, endIn } = await expiring()
      const other = await ada.socket(board)
      await endIn(-1)
      expect(await socket.closed()).toEqual({ code: 4001, reason: 'Signed out' })
      expect((await other.join(board.id)).boardId).toBe(board.id)
    })

    test('goes on where a request has extended it meanwhile', async () => {
      const { socket, board, endIn } = await expiring()
      await endIn(HOUR)
      await server.reconcile()
      expect((await socket.join(board.id)).boardId).toBe(board.id)
    })
  })

  test('opening a socket extends a session in the browser, too', async () => {
    const { ada } = await server.people()
    await server.db.update(sessions).set({ expiresAt: new Date(Date.now() + 86_400_000) })
    const answer = await handshake(server.origin, ada.cookie())
    expect(answer).toStartWith('HTTP/1.1 101')
    expect(answer).toMatch(/^set-cookie: session=r.*; Max-Age=2592000/im)
  })
})
