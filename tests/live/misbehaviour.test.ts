import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { onServer } from '../support/databases'
import { onceAnswered } from '../support/until'

onServer('sockets that misbehave', (server) => {
  const kilobyte = 'x'.repeat(1024)
  const nonsense: [string, string | Uint8Array<ArrayBuffer>, string][] = [
    ['what is no JSON', 'hello', 'BAD_REQUEST'],
    ['nothing', '', 'BAD_REQUEST'],
    ['null', 'null', 'BAD_REQUEST'],
    ['a list', '[]', 'BAD_REQUEST'],
    ['an unknown type', JSON.stringify({ type: 'drop_table', payload: {} }), 'BAD_REQUEST'],
    ['a type that every object has', JSON.stringify({ type: 'constructor', payload: {} }), 'BAD_REQUEST'],
    ['no payload', JSON.stringify({ type: 'join_board' }), 'BAD_REQUEST'],
    ['an id that is text', JSON.stringify({ type: 'join_board', payload: { boardId: '1' } }), 'BAD_REQUEST'],
    ['an id beyond 32 bits', JSON.stringify({ type: 'join_board', payload: { boardId: 2 ** 31 } }), 'BAD_REQUEST'],
    ['an id below one', JSON.stringify({ type: 'leave_board', payload: { boardId: 0 } }), 'BAD_REQUEST'],
    [
      'an unknown element',
      JSON.stringify({ type: 'editing_status', payload: { boardId: 1, element: 'x', status: 'started' } }),
      'BAD_REQUEST',
    ],
    ['a comment with a NUL', '{"type":"new_comment","payload":{"taskId":1,"comment":{"content":"a\\u0000"}}}', 'BAD_REQUEST'],
    ['deep nesting', '['.repeat(60_000), 'BAD_REQUEST'],
    [
      'a thousand keys and more',
      JSON.stringify({ type: 'leave_board', payload: { boardId: 1, ...Array(1_000).fill(1) } }),
      'BAD_REQUEST',
    ],
    ['bytes', new Uint8Array([1, 2, 3]), 'BAD_REQUEST'],
    [
      'more than 64 KB',
      JSON.stringify({ type: 'join_board', payload: { boardId: 1, more: kilobyte.repeat(64) } }),
      'PAYLOAD_TOO_LARGE',
    ],
    ['more than 64 KB in three-byte letters', JSON.stringify({ type: 'x', more: '語'.repeat(25_000) }), 'PAYLOAD_TOO_LARGE'],
  ]
  for (const [what, data, code] of nonsense)
    test(`${what} gets an error and a close; others are not disturbed`, async () => {
      const { ada, bob, board } = await server.people()
      const [bad, good] = await Promise.all([ada.socket(), bob.socket()])
      await good.join(board.id)
      bad.sendRaw(data)
      expect(await bad.next('error')).toMatchObject({ code })
      expect((await bad.closed()).code).toBe(1008)
      await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
      expect(await good.heard()).toMatchObject([{ type: 'new_task' }])
    })

  test('one person has sixty messages in all sockets together, and the one that goes over is closed', async () => {
    const { ada, bob, board } = await server.people()
    const sockets = await Promise.all(Array.from({ length: 20 }, () => ada.socket()))
    await Promise.all(sockets.map((socket) => socket.join(board.id)))
    for (let i = 0; i < 55; i++) for (const socket of sockets) socket.send('leave_board', { boardId: board.id })
    for (const socket of sockets) {
      expect(await socket.next('error')).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
      expect((await socket.closed()).code).toBe(1008)
    }
    // Who comes back at once has no new allowance.
    const again = await ada.socket()
    for (let i = 0; i < 60; i++) again.send('leave_board', { boardId: board.id })
    expect((await again.closed()).code).toBe(1008)
    const other = await bob.socket(board)
    expect(await other.heard()).toEqual([])
  })

  test('two megabytes close the socket', async () => {
    const { ada } = await server.people()
    const socket = await ada.socket()
    socket.sendRaw(kilobyte.repeat(2048))
    expect((await socket.closed()).code).toBeGreaterThan(1000)
  })

  test('sixty messages at once are taken, many more are too many', async () => {
    const { ada, bob, board } = await server.people()
    const [bad, good] = await Promise.all([ada.socket(), bob.socket()])
    await good.join(board.id)
    for (let i = 0; i < 59; i++) bad.send('leave_board', { boardId: board.id })
    expect(await bad.heard()).toEqual([])
    for (let i = 0; i < 300; i++) bad.send('join_board', { boardId: board.id })
    expect(await bad.next('error')).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect((await bad.closed()).code).toBe(1008)
    expect(await good.heard()).toEqual([])
  })

  test('twenty open pages of one person are enough', async () => {
    const { bob, ada } = await server.people()
    const sockets = await Promise.all(Array.from({ length: 20 }, () => bob.socket()))
    await expect(bob.socket()).rejects.toThrow('the socket was refused')
    await Promise.all(sockets.map((socket) => socket.close()))
    const calm = await ada.socket()
    expect(await calm.heard()).toEqual([])
  })

  test('a slow reader is closed when its queue passes a megabyte, and others go on', async () => {
    const { ada, bob, board, task } = await server.peopleWithTask()
    const good = await bob.socket(board)
    const slow = await slowReader(server.origin, ada.cookie(), board.id)
    // Twenty thousand three-byte letters; the system's own buffers take some megabytes before the queue grows.
    const describe = (n: number) =>
      onceAnswered(() => bob.http('PATCH', `/api/tasks/${task.id}`, { description: n + '語'.repeat(19_990) }))
    let sent = 0
    while (sent < 250 && !slow.ended()) {
      await Promise.all(Array.from({ length: 10 }, () => describe(sent++)))
      for (let i = 0; i < 10; i++) await good.next('task_updated')
    }
    const received = await slow.readToTheEnd()
    expect(received).toBeGreaterThan(0)
    expect(received).toBeLessThan(sent * 50_000)
    await bob.api.tasks.update.mutate({ taskId: task.id, title: 'Dug' })
    expect((await good.next('task_updated')).task.title).toBe('Dug')
  })
})

/** A socket that joins a board and then reads nothing, until it is asked to: how much came before it was closed? */
async function slowReader(origin: string, cookie: string, boardId: number) {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const closed = Promise.withResolvers<void>()
  let over = false
  for (const event of ['close', 'end', 'error'])
    socket.on(event, () => {
      over = true
      closed.resolve()
    })
  const upgraded = Promise.withResolvers<void>()
  const joined = Promise.withResolvers<void>()
  let received = 0
  socket.on('data', (data) => {
    received += data.length
    if (String(data).includes(' 101 ')) upgraded.resolve()
    if (String(data).includes('joined_board')) joined.resolve()
  })
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await upgraded.promise
  // A masked text frame, its mask being zero.
  const text = Buffer.from(JSON.stringify({ type: 'join_board', payload: { boardId } }))
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]))
  await joined.promise
  socket.pause()
  return {
    ended: () => over,
    async readToTheEnd() {
      socket.resume()
      await closed.promise
      return received
    },
  }
}
