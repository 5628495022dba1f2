import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../src/config'
import { buildIfStale } from '../../src/site/buildIfStale'
import { DIST } from '../../src/site/bundle'
import { serve } from '../../src/site/serve'
import { browser } from '../support/browser'
import { inChromium, sharedBoard } from '../support/chromium'
import { openQuick } from '../support/databases'
import { PATIENCE } from '../support/until'

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICE_ID: 'price_1',
}
const https = { NODE_ENV: 'production', PUBLIC_URL: 'https://wrk.example.com', HOST: '127.0.0.1' }

/** A server with its page; its origin is where it can be asked. */
function running(env: Record<string, string>) {
  let server: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    await buildIfStale()
    server = await serve(readConfig({ PORT: '0', DATA_DIR: '/dev/null/nowhere', ...env }), await openQuick(), 'built')
  }, 60_000)
  afterAll(() => server.stop())
  const ask = (path: string, { method = 'GET', ...headers }: Record<string, string> = {}, body?: unknown) =>
    browser(`http://127.0.0.1:${server.port}`).http(method, path, body, headers)
  const policy = async (path: string) => {
    const written = (await ask(path)).headers.get('content-security-policy') ?? ''
    return Object.fromEntries(written.split('; ').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]))
  }
  return { ask, policy }
}

const asset = async (kind: string) => `/assets/${(await readdir(join(DIST, 'assets'))).find((name) => name.endsWith(kind))}`

describe('the headers of every answer', () => {
  const { ask, policy } = running({})
  const answers: [string, number, () => ReturnType<typeof ask>][] = [
    ['the landing page', 200, () => ask('/')],
    ['a legal page', 200, () => ask('/terms')],
    ['the page', 200, () => ask('/login')],
    ['the page of a link that signs in', 200, () => ask('/auth/verify?token=secret')],
    ['a script', 200, async () => ask(await asset('.js'))],
    [
      'the page that a browser has',
      304,
      async () => ask('/login', { 'if-none-match': (await ask('/login')).headers.get('etag') ?? '' }),
    ],
    ['a script that is gone', 404, () => ask('/assets/gone.js')],
    ['health', 200, () => ask('/health')],
    ['the description of the calls', 200, () => ask('/api/docs', { accept: 'text/html' })],
    ['a REST call', 200, () => ask('/api/auth/dev-login-json', { method: 'POST' })],
    ['a redirect', 302, () => ask('/api/auth/dev-login')],
    ['a refusal', 401, () => ask('/api/boards')],
    ['a call that does not exist', 404, () => ask('/api/none')],
    ['a method that does not exist', 404, () => ask('/', { method: 'PUT' })],
    ['a change from another site', 403, () => ask('/api/boards', { method: 'POST', origin: 'https://evil.example' }, {})],
    ['a body that is too large', 413, () => ask('/api/auth/login', { method: 'POST' }, 'x'.repeat(2 ** 20 + 1))],
    ['a Host that is none', 400, () => ask('/', { host: 'a b' })],
    ['a tRPC call', 200, () => ask('/trpc/auth.session')],
    ['a refused tRPC call', 401, () => ask('/trpc/auth.me')],
    ['a socket without a session', 401, () => ask('/ws', { upgrade: 'websocket' })],
  ]
  for (const [what, status, get] of answers)
    test(`${what}: it runs nothing foreign, is not framed, not guessed at, and tells nobody its address`, async () => {
      const { headers, ...answer } = await get()
      expect(answer.status).toBe(status)
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/)
      expect(headers.get('content-security-policy')).not.toContain('unsafe-')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('permissions-policy')).toContain('camera=()')
      expect(headers.has('strict-transport-security')).toBe(false)
    })

  test('answers of calls are kept nowhere', async () => {
    for (const path of [
      '/api/boards',
      '/api/none',
      '/api/auth/dev-login',
      '/api/docs',
      '/trpc/auth.session',
      '/trpc/auth.me',
      '/health',
      '/ws',
    ])
      expect([path, (await ask(path)).headers.get('cache-control')]).toEqual([path, 'no-store'])
  })

  test('the page runs its own scripts, and speaks only to its own server', async () => {
    expect(await policy('/')).toMatchObject({
      'script-src': "'self'",
      'connect-src': expect.stringMatching(/^'self' ws:\/\/localhost:\d+$/),
      'img-src': "'self' data: blob:",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
    })
    expect(await policy('/')).not.toHaveProperty('frame-src')
  })

  test('without Stripe, its page is as any other', async () => {
    expect(await policy('/subscribe')).toEqual(await policy('/'))
  })
})

describe('the headers of a site on https, with Stripe', () => {
  const { ask, policy } = running({ ...https, ...stripe })

  test('it stays on https, on every answer', async () => {
    for (const path of ['/', '/api/boards', '/trpc/auth.me', '/assets/gone.js', '/subscribe'])
      expect([path, (await ask(path)).headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
  })

  test('its sockets are encrypted', async () => {
    expect(await policy('/')).toMatchObject({ 'connect-src': "'self' wss://wrk.example.com" })
  })

  test('Stripe is let in at /subscribe, and nowhere else', async () => {
    expect(await policy('/subscribe')).toMatchObject({
      'script-src': "'self' https://js.stripe.com https://*.js.stripe.com",
      'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
      'connect-src': "'self' wss://wrk.example.com https://api.stripe.com",
      'default-src': "'none'",
    })
    for (const path of ['/', '/login', '/subscribers', '/subscribe/more', '/api/subscribe', '/board/7?subscribe'])
      expect([path, JSON.stringify(await policy(path)).includes('stripe')]).toEqual([path, false])
  })
})

setDefaultTimeout(PATIENCE)

inChromium('the policy in a browser', (site) => {
  // What Chromium reports of it is an error of the console, which fails the test.
  test('the pages keep to it: front page, forms, dashboard, board, dialogs, menus and the description', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    await ada.goto('/')
    await ada.getByRole('heading', { level: 1 }).waitFor()
    await ada.goto('/login')
    await ada.getByRole('button', { name: 'Log in', exact: false }).first().waitFor()
    await ada.goto('/api/docs')
    expect(await ada.evaluate(() => getComputedStyle(document.body).maxWidth)).not.toBe('none')
    await sharedBoard(ada, bob, ['ada', 'bob'], ['One'])
    await ada.getByText('One', { exact: true }).click()
    await ada.getByRole('dialog').waitFor()
    expect(await ada.evaluate(() => getComputedStyle(document.body).overflow)).toBe('hidden')
    await ada.keyboard.press('Escape')
    await ada.getByRole('dialog').waitFor({ state: 'detached' })
    await bob.setViewportSize({ width: 390, height: 800 })
    await bob.getByRole('button', { name: 'Menu', exact: true }).click()
    await bob.getByRole('dialog').waitFor()
  })
})
