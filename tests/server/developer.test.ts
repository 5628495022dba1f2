import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config'
import { isDeveloper } from '../../src/server/origin'
import { warningsOf } from '../../src/site/warnings'
import { browser } from '../support/browser'
import { onOneDatabase, type Server } from '../support/databases'

const CALLS: [string, string, unknown?][] = [
  ['POST', '/api/auth/dev-login-json'],
  ['GET', '/api/auth/dev-login'],
  ['POST', '/trpc/auth.devLogin', {}],
  ['POST', '/api/dev/checkout', { clientSecret: 'x', outcome: 'paid' }],
  ['POST', '/api/dev/end-period'],
]

async function expectNothing(server: Server, headers: Record<string, string> = {}) {
  const { eve } = await server.people()
  const visitor = browser(server.origin)
  // Over https the first answer moves the session's cookie to its other name.
  await eve.http('GET', '/api/auth/me')
  for (const [method, path, body] of CALLS) {
    const who = path.startsWith('/api/dev/') ? eve : visitor
    const answer = await who.http(method, path, body, headers)
    expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, 404, []])
  }
  const { status, body } = await eve.http('POST', '/api/get-or-create-subscription', undefined, headers)
  expect([status, body]).toEqual([412, { message: 'Payments are not set up on this server.', code: 'PRECONDITION_FAILED' }])
  const options = await visitor.http('GET', '/trpc/auth.options', undefined, headers)
  expect(options.body).toMatchObject({ result: { data: { devLogin: false, simulatedPayment: false } } })
}

const ELSEWHERE: Record<string, string>[] = [{ PUBLIC_URL: 'https://wrk.example.com' }, { HOST: '0.0.0.0' }]
const HERE: Record<string, string>[] = [{}, { HOST: 'localhost' }, { HOST: '::1' }, { PUBLIC_URL: 'http://localhost:3000' }]

for (const env of ELSEWHERE)
  onOneDatabase(
    `outside production, with ${JSON.stringify(env)}`,
    (server) => {
      test('nobody signs in as the developer, and nothing is paid for show', () => expectNothing(server))
    },
    env,
  )

onOneDatabase('on a developer’s own machine', (server) => {
  const forwarded: Record<string, string>[] = [
    { host: 'wrk.example.com' },
    { host: '192.168.1.5:3000' },
    { host: 'localhost.evil.example' },
    { 'x-forwarded-host': 'wrk.example.com' },
    { 'x-forwarded-host': 'localhost, wrk.example.com' },
    { forwarded: 'for=192.0.2.1;host=localhost' },
    { via: '1.1 tunnel' },
  ]
  for (const headers of forwarded)
    test(`a request with ${JSON.stringify(headers)} came from elsewhere`, () => expectNothing(server, headers))

  test('the developer signs in, and is offered to', async () => {
    const port = new URL(server.origin).port
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      const visitor = browser(server.origin)
      const options = await visitor.http('GET', '/trpc/auth.options', undefined, { host })
      expect(options.body).toMatchObject({ result: { data: { devLogin: true, simulatedPayment: true } } })
      expect((await visitor.http('POST', '/api/auth/dev-login-json', undefined, { host })).status).toBe(200)
      expect((await visitor.http('GET', '/api/auth/me')).status).toBe(200)
    }
  })
})

describe('a careless start', () => {
  const warnings = (env: Record<string, string>) => warningsOf(readConfig({ DATA_DIR: '/srv/wrk', ...env }))
  const https = { PUBLIC_URL: 'https://wrk.example.com' }

  test("a server for one's own machine is warned of nothing", () => {
    for (const env of HERE) expect(warnings(env)).toEqual([])
  })

  test('what looks like production is told what to set', () => {
    expect(warnings({ HOST: '0.0.0.0' })).toEqual([
      'HOST is 0.0.0.0, not this machine’s own address, so this looks like production: set NODE_ENV=production and PUBLIC_URL to ' +
        'the site’s address. The developer’s sign-in and simulated payment are off',
    ])
    expect(warnings(https)).toEqual([
      'PUBLIC_URL is not this machine’s own address, so this looks like production: set NODE_ENV=production and PUBLIC_URL to ' +
        'the site’s address. The developer’s sign-in and simulated payment are off',
    ])
  })

  test('production without mail is told so', () => {
    const production = { NODE_ENV: 'production', ...https }
    expect(warnings(production)).toEqual([
      'SMTP_URL is not set, so no email leaves this machine: each is kept as a file in /srv/wrk/mail for a day',
    ])
    expect(warnings({ ...production, SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'wrk@example.com' })).toEqual([])
  })

  test('production without https is told so', () => {
    const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'wrk@example.com' }
    expect(warnings({ NODE_ENV: 'production', PUBLIC_URL: 'http://wrk.example.com', ...mail })).toEqual([
      'PUBLIC_URL starts with http: others can read passwords and sessions in transit. Use https',
    ])
  })

  test('production is for no developer, wherever it is', () => {
    const config = readConfig({ NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:3000', HOST: '127.0.0.1' })
    expect(isDeveloper(config, new Request('http://localhost:3000/'))).toBe(false)
  })
})
