import { expect, test } from 'bun:test'
import { onEachDatabase } from '../support/databases'

/** Sends the start of a request and no more; the answer, if any, is what was sent back until `close`. */
async function half(origin: string, request: string) {
  const { hostname, port } = new URL(origin)
  let said = ''
  const answered = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, chunk) {
        said += chunk
        answered.resolve()
      },
      close: () => answered.resolve(),
    },
  })
  socket.write(request)
  return { close: () => socket.end(), said: () => answered.promise.then(() => said) }
}

onEachDatabase('a slow or strange line', (server) => {
  test('requests that stop half way keep nobody waiting', async () => {
    const { ada, bob, board } = await server.people()
    const lines = [
      'Host: localhost',
      `Cookie: ${ada.cookie()}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
      '',
      '{"na',
    ]
    const paths = ['/trpc/boards.create', '/trpc/tasks.create', '/api/boards', `/api/boards/${board.id}/tasks`]
    const open = await Promise.all(
      [...paths, ...paths, ...paths].map((path) => half(server.origin, [`POST ${path} HTTP/1.1`, ...lines].join('\r\n'))),
    )
    // One answer after the other: by the second, all of the halves have been taken in.
    expect((await bob.http('GET', '/health')).status).toBe(200)
    expect((await bob.http('POST', `/api/boards/${board.id}/tasks`, { title: 'In time' })).status).toBe(201)
    expect((await bob.http('GET', '/health')).status).toBe(200)
    for (const one of open) one.close()
  })

  test('what asks to have its own request shown is not answered with it', async () => {
    const lines = ['TRACE / HTTP/1.1', 'Host: localhost', 'X-Secret: unlikely', 'Connection: close', '', '']
    const line = await half(server.origin, lines.join('\r\n'))
    const said = await line.said()
    expect(said).toMatch(/^HTTP\/1\.1 404 /)
    expect(said).not.toContain('unlikely')
    line.close()
  })

  test('a Host that is none is refused', async () => {
    for (const host of ['[', 'a b', '%zz', 'x:99999']) {
      const line = await half(server.origin, `GET /api/boards/1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect(await line.said()).toMatch(/^HTTP\/1\.1 400 /)
      line.close()
    }
  })

  test('a request whose end two readers could see in different places is refused, and what follows it is no request', async () => {
    const ends = [
      'Content-Length: 4\r\nTransfer-Encoding: chunked',
      'Content-Length: 0\r\nContent-Length: 30',
      'Content-Length: 0, 30',
      'Content-Length: +0',
      'Content-Length: -1',
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding : chunked',
      'X: a\r\n Content-Length: 30',
      'X: a\rTransfer-Encoding: chunked',
    ]
    for (const end of ends) {
      const hidden = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
      const line = await half(server.origin, `POST /api/x HTTP/1.1\r\nHost: localhost\r\n${end}\r\n\r\n0\r\n\r\n${hidden}`)
      const said = await line.said()
      expect([end, said.match(/HTTP\/1\.1 \d+/g)]).toEqual([end, ['HTTP/1.1 400']])
      line.close()
    }
  })
})
