import { expect, test } from 'bun:test'
import { onEachDatabase } from '../support/databases'
import { openSocket } from '../support/socket'

const foreign: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost.evil.example' },
  { origin: 'http://localhost:1' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
]

onEachDatabase('requests from other sites', (server) => {
  for (const headers of foreign) {
    const from = JSON.stringify(headers)
    test(`a change with ${from} is refused`, async () => {
      const { ada, board } = await server.people()
      const changes = await Promise.all([
        ada.http('PATCH', `/api/boards/${board.id}`, { name: 'Stolen' }, headers),
        ada.http('POST', '/api/auth/logout', undefined, headers),
        ada.http('POST', '/trpc/boards.delete', { boardId: board.id }, headers),
        ada.http('DELETE', `/api/boards/${board.id}`, undefined, headers),
        ada.http('GET', '/api/auth/dev-login', undefined, headers),
      ])
      for (const { status, body } of changes)
        expect([status, body]).toEqual([403, { message: 'This request comes from another site', code: 'FORBIDDEN' }])
      expect((await ada.api.boards.get.query({ boardId: board.id })).name).toBe('Garden')
    })

    test(`a socket with ${from} is refused`, async () => {
      const { ada } = await server.people()
      await expect(openSocket(server.origin, { cookie: ada.cookie(), ...headers })).rejects.toThrow('the socket was refused')
    })
  }

  test('reading from elsewhere is harmless: the browser keeps the answer from the other site', async () => {
    const { ada } = await server.people()
    const answer = await ada.http('GET', '/api/boards', undefined, { origin: 'https://evil.example' })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null])
  })

  test('a change by the site itself, or by no browser, passes', async () => {
    const { ada, board } = await server.people()
    const own: Record<string, string>[] = [
      {},
      { origin: server.origin },
      { 'sec-fetch-site': 'same-origin' },
      { origin: server.origin.replace('127.0.0.1', 'localhost') },
    ]
    for (const [i, headers] of own.entries()) {
      expect((await ada.http('PATCH', `/api/boards/${board.id}`, { name: `Garden ${i}` }, headers)).status).toBe(200)
      const socket = await openSocket(server.origin, { cookie: ada.cookie(), ...headers })
      expect((await socket.join(board.id)).boardId).toBe(board.id)
      socket.close()
    }
  })

  test('a tRPC change cannot be made by following a link', async () => {
    const { ada, board } = await server.people()
    const input = encodeURIComponent(JSON.stringify({ boardId: board.id }))
    expect((await ada.http('GET', `/trpc/boards.delete?input=${input}`)).status).toBe(405)
    expect((await ada.http('GET', `/api/boards/${board.id}`)).status).toBe(200)
  })
})
