import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { Security } from '../../src/account/schema'
import { sessions, users } from '../../src/db/tables'
import { type Browser, browser } from '../support/browser'
import { onServer } from '../support/databases'
import { PASSWORD, type Person } from '../support/people'
import { openSocket } from '../support/socket'

onServer("one's sessions", (server) => {
  async function logIn(username: string, headers = {}) {
    const visitor = browser(server.origin)
    expect((await visitor.http('POST', '/api/auth/login', { username, password: PASSWORD }, headers)).status).toBe(200)
    return visitor
  }
  const socketOf = (visitor: Browser) => openSocket(server.origin, { cookie: visitor.cookie() })
  const isSignedIn = async (one: Browser) => (await one.http('GET', '/api/auth/me')).status === 200
  const seen = ({ api }: Pick<Person, 'api'>): Promise<Security> => api.account.security.query()
  const idOf = async ({ api }: Pick<Person, 'api'>) => (await seen({ api })).sessions.find(({ current }) => current)?.id ?? ''

  test('are seen with the browser that each is in, and nothing that signs in', async () => {
    const { ada, bob } = await server.people()
    const phone = await logIn('ada', { 'user-agent': 'Phone/1.0' })
    const { sessions: own } = await seen(ada)
    expect(own.map(({ current, userAgent }) => [current, userAgent]).toSorted()).toEqual([
      [false, 'Phone/1.0'],
      [true, null],
    ])
    for (const { id, createdAt, lastSeenAt } of own) {
      expect(Date.now() - Date.parse(createdAt)).toBeLessThan(60_000)
      expect(Date.now() - Date.parse(lastSeenAt)).toBeLessThan(60_000)
      const thief = browser(server.origin, `session=${id}`)
      expect((await thief.http('GET', '/api/auth/me')).status).toBe(401)
    }
    expect(JSON.stringify(own)).not.toContain(phone.cookie().split(/[=;]/)[1] ?? '')
    expect((await seen(bob)).sessions.length).toBe(1)
  })

  test('a name of a browser that is very long, or odd, is kept cut', async () => {
    const { ada } = await server.people()
    await logIn('ada', { 'user-agent': `${'x'.repeat(299)}é${'y'.repeat(2000)}` })
    const names = (await seen(ada)).sessions.map(({ userAgent }) => userAgent?.length ?? 0)
    expect(Math.max(...names)).toBe(300)
  })

  test('those that have run out are not seen', async () => {
    const { ada } = await server.people()
    await logIn('ada', { 'user-agent': 'Old/1.0' })
    await server.db.update(sessions).set({ expiresAt: new Date() }).where(eq(sessions.userAgent, 'Old/1.0'))
    expect((await seen(ada)).sessions.length).toBe(1)
  })

  test('when one was last used is kept to five minutes', async () => {
    const { ada } = await server.people()
    const lastSeen = async () => (await server.db.select().from(sessions).where(eq(sessions.userId, ada.id)))[0]?.lastSeenAt
    const set = (ago: string) => server.db.update(sessions).set({ lastSeenAt: sql`now() - ${ago}::interval` })
    await set('4 minutes')
    const before = await lastSeen()
    await ada.http('GET', '/api/auth/me')
    expect(await lastSeen()).toEqual(before)
    await set('6 minutes')
    await Promise.all(Array.from({ length: 10 }, () => ada.http('GET', '/api/auth/me')))
    expect(Date.now() - Number(await lastSeen())).toBeLessThan(60_000)
  })

  test('one is ended, its page closes at once, and the others go on', async () => {
    const { ada } = await server.people()
    const [phone, laptop] = [await logIn('ada', { 'user-agent': 'Phone/1.0' }), await logIn('ada')]
    const [own, phones, laptops] = await Promise.all([ada.socket(), socketOf(phone), socketOf(laptop)])
    const ended = (await seen(ada)).sessions.find(({ userAgent }) => userAgent === 'Phone/1.0')?.id
    expect(await ada.http('DELETE', `/api/auth/sessions/${ended}`)).toMatchObject({ status: 200, body: { success: true } })
    expect((await phones.closed()).code).toBe(4001)
    expect(await Promise.all([phone, laptop, ada].map(isSignedIn))).toEqual([false, true, true])
    expect(await Promise.all([own.heard(), laptops.heard()])).toEqual([[], []])
    expect((await ada.http('DELETE', `/api/auth/sessions/${ended}`)).status).toBe(404)
  })

  test('all others are ended at once', async () => {
    const { ada, bob } = await server.people()
    const others = await Promise.all([logIn('ada'), logIn('ada')])
    const open = await Promise.all(others.map(socketOf))
    const own = await ada.socket()
    expect(await ada.http('DELETE', '/api/auth/sessions')).toMatchObject({ status: 200, body: { success: true } })
    for (const socket of open) expect((await socket.closed()).code).toBe(4001)
    expect(await Promise.all([...others, ada, bob].map(isSignedIn))).toEqual([false, false, true, true])
    expect(await own.heard()).toEqual([])
    expect((await seen(ada)).sessions.length).toBe(1)
  })

  test("another's session cannot be ended, and is not there to be found", async () => {
    const { ada, bob, nobody } = await server.people()
    const [bobs, socket] = [await idOf(bob), await bob.socket()]
    for (const id of [bobs, 'x', '%00', 'a'.repeat(64)])
      expect([400, 404]).toContain((await ada.http('DELETE', `/api/auth/sessions/${id}`)).status)
    expect((await ada.http('DELETE', `/api/auth/sessions/${bobs}`)).status).toBe(404)
    expect((await nobody.http('DELETE', `/api/auth/sessions/${bobs}`)).status).toBe(401)
    expect((await nobody.http('DELETE', '/api/auth/sessions')).status).toBe(401)
    expect(await isSignedIn(bob)).toBe(true)
    expect(await socket.heard()).toEqual([])
  })

  test('the current one can be ended too, which signs out', async () => {
    const { ada } = await server.people()
    const socket = await ada.socket()
    expect((await ada.http('DELETE', `/api/auth/sessions/${await idOf(ada)}`)).status).toBe(200)
    expect((await socket.closed()).code).toBe(4001)
    expect(await isSignedIn(ada)).toBe(false)
  })

  test('what one may do without the old password, and what would go with the account, is told', async () => {
    const { ada, bob } = await server.people()
    expect(await seen(ada)).toMatchObject({
      hasPassword: true,
      needsCurrentPassword: true,
      mayDelete: true,
      boards: [{ name: 'Garden', others: 1 }],
    })
    expect((await seen(bob)).boards).toEqual([])
    await server.db.update(users).set({ password: null })
    expect(await seen(bob)).toMatchObject({ hasPassword: false, mayDelete: true })
    await server.db.update(sessions).set({ createdAt: sql`now() - interval '16 minutes'` })
    expect(await seen(bob)).toMatchObject({ hasPassword: false, mayDelete: false })
    await server.db.update(sessions).set({ mayResetUntil: sql`now() + interval '1 minute'` })
    expect(await seen(bob)).toMatchObject({ needsCurrentPassword: false })
  })

  test('signing in again in one browser leaves none behind', async () => {
    const { ada } = await server.people()
    for (let times = 0; times < 3; times++)
      expect((await ada.http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD })).status).toBe(200)
    expect((await seen(ada)).sessions.length).toBe(1)
  })
})
