import { afterAll, expect, test } from 'bun:test'
import { fetchWithin } from '../../src/server/outbound'

const answers: Record<string, () => Response> = {
  '/whole': () => Response.json({ all: 'of it' }, { status: 201, headers: { 'X-Own': 'kept' } }),
  '/large': () => new Response('x'.repeat(2_000)),
  '/endless': () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })),
  '/silent': () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(9)) })),
  '/bomb': () => new Response(Bun.gzipSync(new Uint8Array(100_000)), { headers: { 'Content-Encoding': 'gzip' } }),
  '/away': () => Response.redirect('/whole'),
}
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: ({ url }) => answers[new URL(url).pathname]?.() ?? new Response(),
})
afterAll(() => server.stop(true))

const ask = (path: string, timeoutMs = 20_000) => fetchWithin({ maxBytes: 1_000, timeoutMs })(`${server.url.origin}${path}`)

test('a server that the operator has named answers as it would to fetch', async () => {
  const answer = await ask('/whole')
  expect([answer.status, answer.headers.get('x-own'), await answer.json()]).toEqual([201, 'kept', { all: 'of it' }])
})

test.each(['/large', '/endless'])('%s ends at its limit', async (path) => {
  expect(String(await ask(path).catch((error) => error))).toContain('more than 1000 bytes')
})

test('a silent one ends at its time, and none leads elsewhere', async () => {
  expect(await ask('/silent', 200).catch((error) => error.name)).toBe('TimeoutError')
  expect(await ask('/away').catch((error) => error.code)).toBe('UnexpectedRedirect')
})

test('what is packed stays so', async () => {
  expect((await (await ask('/bomb')).bytes()).length).toBeLessThan(1_000)
})
