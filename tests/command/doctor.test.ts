import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmod } from 'node:fs/promises'
import type { Finding } from '../../src/site/cli/doctor'
import { address, clock, databaseVersion, encrypted, operator, room, trigrams } from '../../src/site/cli/doctor'
import { browser } from '../support/browser'
import { mailbox } from '../support/mail'
import { PASSWORD } from '../support/people'
import { type Place, placeOn, QUICKER } from '../support/places'
import { run, startServer } from '../support/process'
import { proxy } from '../support/proxy'
import { freePort } from '../support/redis'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)
const post = await mailbox()
let upstream: string | undefined
const front = proxy(() => upstream)
let place: Place
let server: Awaited<ReturnType<typeof startServer>>
let env: Record<string, string>

beforeAll(async () => {
  place = await placeOn(QUICKER)
  env = { ...place.env, PUBLIC_URL: front.origin, SMTP_URL: post.url, MAIL_FROM: 'wrk@example.com', NODE_ENV: 'production' }
  const PORT = `${await freePort()}`
  server = await startServer({ ...env, HOST: '127.0.0.1', PORT })
  upstream = `http://127.0.0.1:${PORT}`
})
afterAll(async () => {
  server.child.kill()
  await server.child.exited
  front.stop()
  await place.remove()
})

describe('the doctor', () => {
  async function examined(...options: string[]) {
    const { code, out } = await run('src/site/cli/main.ts', env, 'doctor', '--json', ...options).end()
    const findings = JSON.parse(out) as Finding[]
    return { code, findings, failed: findings.filter(({ state }) => state === 'failed') }
  }

  test('says that there is no operator yet, and what makes one', async () => {
    const { failed } = await examined()
    expect(failed).toEqual([expect.objectContaining({ check: 'operator', todo: expect.stringContaining('wrk setup') })])
    const { out } = await run('src/site/cli/main.ts', env, 'setup').end()
    const token = new URL(out.trim()).searchParams.get('token') ?? ''
    const visitor = browser(upstream ?? '')
    const grace = { username: 'grace', email: 'grace@example.com', password: PASSWORD, setup: token }
    expect((await visitor.http('POST', '/api/auth/register', grace)).status).toBe(201)
    expect((await visitor.http('POST', '/api/auth/setup', { token })).body).toMatchObject({ operator: true })
  })

  test('finds nothing wrong with a server that is well, and has it send a mail', async () => {
    const { code, findings, failed } = await examined('--mail', 'ada@example.com')
    expect([failed, code]).toEqual([[], 0])
    const checks = ['database', 'pg_trgm', 'clock', 'operator', 'disk space', 'file permissions', 'storage', 'mail', 'Redis']
    expect(findings.map(({ check }) => check)).toEqual([...checks, 'public address', 'https', 'sockets'])
    expect((await post.next('ada@example.com')).subject).toBe('Test email from wrk')
  })

  test('says what to do where a proxy lets no sockets through, files are open, and no mail server answers', async () => {
    front.letSockets(false)
    await chmod(place.env.DATA_DIR, 0o755)
    env.SMTP_URL = 'smtp://127.0.0.1:1'
    const { code, failed } = await examined()
    expect(code).toBe(1)
    expect(failed.map(({ check }) => check)).toEqual(['file permissions', 'mail', 'sockets'])
    expect(failed.map(({ todo }) => todo)).toEqual([
      `chmod go= ${place.env.DATA_DIR}`,
      expect.stringContaining('check SMTP_URL'),
      expect.stringContaining('pass WebSocket upgrades at /ws'),
    ])
  })
})

test('a public address at which something else answers is found, and another installation', async () => {
  await expect(address(front.origin, 'another')).rejects.toThrow('another installation of wrk answers there')
  const other = Bun.serve({ port: 0, fetch: () => new Response('hello') })
  await expect(address(`http://127.0.0.1:${other.port}`, 'x')).rejects.toThrow('something else answers there, with 200')
  await other.stop(true)
  expect(() => encrypted('http://wrk.example.com', true)).toThrow('where others can read them')
  expect(encrypted('https://wrk.example.com', true)).toBe('used, behind a trusted proxy')
})

test('clocks that differ, old databases and full disks are found', () => {
  const facts = {
    version: '15.4',
    hasTrigrams: true,
    hasOperator: true,
    now: 1_000_000,
    largestTable: { name: 'tasks', bytes: 0 },
    mark: '',
  }
  expect(clock(facts, 1_001_500)).toBe('within 1500 ms of the database’s')
  expect(() => clock(facts, 1_007_000)).toThrow('7.0 seconds ahead of the database’s')
  expect(() => clock(facts, 990_000)).toThrow('10.0 seconds behind the database’s')
  expect(databaseVersion(facts)).toStartWith('Postgres 15.4')
  expect(() => databaseVersion({ ...facts, version: '14.9' })).toThrow('Postgres 14.9 is too old')
  expect(() => trigrams({ ...facts, hasTrigrams: false })).toThrow('not installed')
  expect(operator(facts, undefined)).toBe('there is one')
  expect(() => operator({ ...facts, hasOperator: false }, 'olga@example.com')).toThrow('there is none yet')
  expect(room({ dataDir: '/tmp', diskReserve: 1 })).toContain('free for /tmp')
  expect(() => room({ dataDir: '/tmp', diskReserve: Number.MAX_SAFE_INTEGER })).toThrow('free for /tmp')
  const large = { largestTable: { name: 'activities', bytes: 2 ** 60 } }
  expect(() => room({ dataDir: '/tmp', diskReserve: 1 }, large)).toThrow('not enough to rewrite the table activities')
  expect(room({ dataDir: '/tmp', diskReserve: 1, databaseUrl: 'postgres://there' }, large)).toContain('free for /tmp')
})
