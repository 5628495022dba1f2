import { afterAll, beforeAll, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { explain } from '../../src/server/errors'
import { browser } from '../support/browser'
import { onOneDatabase, openInMemory } from '../support/databases'
import { takeFaults } from '../support/faults'
import { formWith, PNG } from '../support/files'
import { type Place, placeOn, QUICKER } from '../support/places'
import { startTalking } from '../support/process'
import { freePort } from '../support/redis'
import { openSocket } from '../support/socket'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)

test('a query that fails is logged with its reason and its stack, and without what people wrote', async () => {
  const { db } = await openInMemory()
  const error = await db.execute(sql`select ${'a secret'}::text, 1 / 0`).catch((reason: unknown) => reason)
  const said = spyOn(console, 'error').mockImplementation(() => {})
  const { status } = explain(error)
  const logged = said.mock.calls.map((words) => words.map((word) => Bun.inspect(word)).join(' ')).join('\n')
  said.mockRestore()
  expect(status).toBe(500)
  expect(logged).toContain('division by zero')
  expect(logged).toContain('    at ')
  expect(logged).not.toContain('a secret')
})

onOneDatabase('a request', (server) => {
  const named = async (id: string) => (await fetch(`${server.origin}/api/user`, { headers: { 'x-request-id': id } })).headers

  test('has an id, which a proxy that is trusted may give it, if it is short and plain', async () => {
    expect((await named('edge-7.a_b')).get('x-request-id')).toBe('edge-7.a_b')
    for (const odd of ['a b', 'x'.repeat(65), '"}', 'ä'])
      expect((await named(odd)).get('x-request-id')).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/)
  })

  test('that meets a fault of ours is logged under the id that its answer has twice', async () => {
    const { ada } = await server.people()
    const answer = await ada.http('POST', '/api/upload/avatar', formWith(PNG, 'dot.png', 'avatar'))
    const id = answer.headers.get('x-request-id')
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL_SERVER_ERROR', requestId: id } })
    expect(takeFaults()).toEqual([expect.stringContaining(`fault ${id}`)])
  })
})

onOneDatabase(
  'without TRUST_PROXY a request',
  (server) => {
    test('is not named by whoever sends it', async () => {
      const { headers } = await fetch(`${server.origin}/api/user`, { headers: { 'x-request-id': 'mine' } })
      expect(headers.get('x-request-id')).not.toBe('mine')
    })
  },
  { TRUST_PROXY: 'off' },
)

type Line = { message: string; level: string; time: string; method?: string; route?: string; status?: number; user?: number }

const SECRETS = {
  password: 'tulips-and-herons',
  wrong: 'herons-and-tulips',
  email: 'ada.of.secret@hidden.example',
  invited: 'bob.of.secret@hidden.example',
  board: 'Garden of secrets',
  text: 'Where the treasure lies',
  path: 'a-path-nobody-has',
  token: 'a-token-that-was-guessed',
  metrics: 'metrics-0123456789',
  stripe: 'sk_test_0123456789',
  webhook: 'whsec_0123456789',
}

describe('the log in production', () => {
  let place: Place
  let lines: Line[]
  let said: string
  const more: string[] = []

  beforeAll(async () => {
    place = await placeOn(QUICKER)
    const port = await freePort()
    const server = await startTalking({
      ...place.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'debug',
      HOST: '127.0.0.1',
      PORT: `${port}`,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      METRICS_TOKEN: SECRETS.metrics,
      STRIPE_SECRET_KEY: SECRETS.stripe,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
      STRIPE_WEBHOOK_SECRET: SECRETS.webhook,
      STRIPE_PRICE_ID: 'price_x',
      STRIPE_API_BASE: 'http://127.0.0.1:1',
    })
    more.push(...(await liveThrough(server.origin, join(place.env.DATA_DIR, 'mail'))))
    const ended = await server.stop()
    said = ended.said
    expect(ended.code).toBe(0)
    lines = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  })
  afterAll(() => place.remove())

  test('is a JSON object a line, with its time and level', () => {
    expect(lines.length).toBeGreaterThan(20)
    for (const line of lines) expect(line).toMatchObject({ time: expect.any(String), level: expect.any(String) })
  })

  test('has a line for each request, with the pattern of its address', () => {
    const requests = lines.filter(({ message }) => message === 'request')
    const facts = { id: expect.any(String), user: expect.any(Number), ms: expect.any(Number), bytes: expect.any(Number) }
    const task = { level: 'info', method: 'POST', route: '/api/boards/:boardId/tasks', status: 201 }
    expect(requests).toContainEqual(expect.objectContaining({ ...task, ...facts }))
    expect(requests).toContainEqual(expect.objectContaining({ route: '/api/boards/:boardId/time.csv', status: 200, ...facts }))
    expect(requests).toContainEqual(expect.objectContaining({ route: '/trpc/batch', calls: 'auth.session,auth.options' }))
    expect(requests).toContainEqual(expect.objectContaining({ route: '/trpc/boards.list', status: 200 }))
    expect(requests).toContainEqual(expect.objectContaining({ route: '/health', level: 'debug' }))
    expect(requests).toContainEqual(expect.objectContaining({ route: '/ws', status: 101, level: 'debug' }))
    expect(requests).toContainEqual(expect.objectContaining({ route: '/api/auth/login', status: 401 }))
    expect(requests).toContainEqual(expect.objectContaining({ route: '/api/auth/login', status: 200, user: expect.any(Number) }))
  })

  test('holds no secret, token, address or text', () => {
    expect(more.length).toBeGreaterThan(4)
    for (const secret of [...Object.values(SECRETS), ...more]) expect(said).not.toContain(secret)
  })
})

/** Much of what somebody does; returns the secrets that were made meanwhile. */
async function liveThrough(origin: string, mails: string): Promise<string[]> {
  const { email, password, wrong, text, token, path } = SECRETS
  const ada = browser(origin)
  const created = async (path: string, body: object) => (await ada.http('POST', path, body)).body as { id: number }
  await ada.http('POST', '/api/auth/register', { username: 'ada', email, password })
  const board = await created('/api/boards', { name: SECRETS.board })
  const task = await created(`/api/boards/${board.id}/tasks`, { title: text, description: text })
  await ada.http('POST', `/api/tasks/${task.id}/comments`, { content: text })
  await ada.http('POST', '/api/time-entries', { taskId: task.id, duration: 5, note: text })
  await ada.http('GET', `/api/boards/${board.id}/time.csv`)
  await ada.http('POST', `/api/attachments/${task.id}`, formWith(PNG, `${path}.png`))
  await ada.http('GET', `/api/find?text=${encodeURIComponent(text)}`)
  await ada.http('POST', `/api/boards/${board.id}/members`, { email: SECRETS.invited })
  await ada.http('POST', '/api/get-or-create-subscription')
  await ada.http('POST', '/api/stripe/webhook', '{}', { 'stripe-signature': token })
  await ada.http('GET', '/trpc/boards.list?input=%7B%7D')
  await ada.http('GET', '/trpc/auth.session,auth.options?batch=1&input=%7B%7D')
  await ada.http('GET', `/trpc/${path}?input=${token}`)
  for (const guess of ['/api/auth/verify?token=', '/api/invitations/', '/uploads/', '/']) await ada.http('GET', guess + token)
  await ada.http('GET', '/health')
  await ada.http('GET', '/metrics', undefined, { authorization: `Bearer ${SECRETS.metrics}` })
  ;(await openSocket(origin, { cookie: ada.cookie() })).close()
  const stranger = browser(origin)
  await stranger.http('POST', '/api/auth/login', { username: email, password: wrong })
  await stranger.http('POST', '/api/auth/login', { username: email, password })
  await browser(origin).http('POST', '/api/auth/forgot-password', { email })
  await browser(origin).http('POST', '/api/auth/magic-link', { email })
  const tokens = await until('all mails are written', () => tokensIn(mails, 4))
  for (const one of tokens) await browser(origin).http('GET', `/api/auth/verify?token=${one}`)
  return [...tokens, ...[ada, stranger].map((somebody) => somebody.cookie().replace(/^.*session=/, ''))]
}

async function tokensIn(folder: string, count: number): Promise<string[] | false> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const texts = await Promise.all(names.map((name) => Bun.file(join(folder, name)).text()))
  const tokens = texts.flatMap((text) => /token=3D([\w-]+)/.exec(text.replaceAll('=\r\n', ''))?.[1] ?? [])
  return names.length >= count && tokens.length > 0 && tokens
}
