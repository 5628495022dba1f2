import { expect, test } from 'bun:test'
import { request } from 'node:http'
import { eq, sql } from 'drizzle-orm'
import { boards, sessions } from '../../src/db/tables'
import { browser } from '../support/browser'
import { deleteEverybody, onEachDatabase, onServer } from '../support/databases'
import { PASSWORD } from '../support/people'
import { openSocket } from '../support/socket'
import { until } from '../support/until'

const HOUR = 3_600_000
const DAY = 24 * HOUR

onEachDatabase('sessions', (server) => {
  async function signIn(remember: boolean) {
    await server.people()
    await server.db.delete(sessions)
    const ada = browser(server.origin)
    const answer = await ada.http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD, remember })
    return { ada, setCookie: answer.headers.getSetCookie()[0] ?? '' }
  }
  async function endsIn(): Promise<number> {
    const [session] = await server.db.select().from(sessions)
    if (!session) throw new Error('there is no session')
    return session.expiresAt.getTime() - Date.now()
  }
  const endIn = (time: number) => server.db.update(sessions).set({ expiresAt: new Date(Date.now() + time) })

  test('the database cannot tell what the cookie holds', async () => {
    const { ada } = await signIn(true)
    const [, held = ''] = /session=([^;]*)/.exec(ada.cookie()) ?? []
    const [stored] = await server.db.select().from(sessions)
    expect(held.length).toBeGreaterThan(30)
    expect(JSON.stringify(stored)).not.toContain(held)
    expect(JSON.stringify(stored)).not.toContain(held.slice(1))
    expect(stored?.id).toBe(new Bun.CryptoHasher('sha256').update(held).digest('hex'))
  })

  test('what the database holds is no cookie', async () => {
    await signIn(true)
    const [stored] = await server.db.select().from(sessions)
    const thief = browser(server.origin, `session=${stored?.id}`)
    expect((await thief.http('GET', '/api/auth/me')).status).toBe(401)
  })

  test('a change that is meant for somebody else is made for nobody', async () => {
    const { ada, bob } = await server.people()
    const sentFor = async ({ id }: { id: number }) =>
      (await bob.http('POST', '/api/boards', { name: 'Kept by a page' }, { 'x-user-id': String(id) })).status
    expect([await sentFor(ada), await sentFor(bob)]).toEqual([401, 201])
    const lists = await Promise.all([ada, bob].map(({ api }) => api.boards.list.query()))
    expect(lists.map((list) => list.filter(({ name }) => name === 'Kept by a page').length)).toEqual([0, 1])
    const signingIn = await bob.http(
      'POST',
      '/api/auth/login',
      { username: 'ada', password: PASSWORD },
      { 'x-user-id': String(ada.id) },
    )
    expect([signingIn.status, signingIn.headers.get('set-cookie')]).toEqual([401, null])
  })

  test('one that is not remembered lets a page show what it stored for no longer than itself', async () => {
    const { ada } = await signIn(false)
    const [stored] = await server.db.select().from(sessions)
    const { result } = (await ada.http('GET', '/trpc/auth.session')).body as { result: { data: { offlineUntil: string } } }
    expect(result.data.offlineUntil).toBe(stored?.expiresAt.toISOString() ?? '')
  })

  test('signing out in a page of somebody else ends nothing', async () => {
    const { ada, bob } = await server.people()
    const answer = await bob.http('POST', '/api/auth/logout', undefined, { 'x-user-id': String(ada.id) })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null])
    for (const { http } of [ada, bob]) expect((await http('GET', '/api/auth/me')).status).toBe(200)
    expect((await bob.http('POST', '/api/auth/logout', undefined, { 'x-user-id': String(bob.id) })).status).toBe(200)
    expect((await bob.http('GET', '/api/auth/me')).status).toBe(401)
  })

  test('the cookie is for the server alone and for this site', async () => {
    const { setCookie } = await signIn(false)
    expect(setCookie).toStartWith('session=')
    expect(setCookie).toMatch(/; HttpOnly/)
    expect(setCookie).toMatch(/; SameSite=Lax/i)
    expect(setCookie).toMatch(/; Path=\//)
    expect(setCookie).not.toMatch(/; Secure/)
  })

  test('a brief session ends with the browser, and after a day', async () => {
    const { ada, setCookie } = await signIn(false)
    expect(setCookie).not.toMatch(/Max-Age|Expires/i)
    const left = await endsIn()
    expect(left).toBeGreaterThan(DAY - HOUR)
    expect(left).toBeLessThanOrEqual(DAY)
    await endIn(-1000)
    expect((await ada.http('GET', '/api/auth/me')).status).toBe(401)
  })

  test('a brief session does not slide', async () => {
    const { ada } = await signIn(false)
    await endIn(HOUR)
    const answer = await ada.http('GET', '/api/auth/me')
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []])
    expect(await endsIn()).toBeLessThanOrEqual(HOUR)
  })

  test('a remembered session lasts thirty days and slides', async () => {
    const { ada, setCookie } = await signIn(true)
    expect(setCookie).toMatch(/; Max-Age=2592000/)
    expect(await endsIn()).toBeGreaterThan(29 * DAY)
    expect((await ada.http('GET', '/api/auth/me')).headers.getSetCookie()).toEqual([])
    await endIn(DAY)
    const answer = await ada.http('GET', '/api/auth/me')
    expect(answer.headers.getSetCookie()[0]).toMatch(/^session=r.*; Max-Age=2592000/)
    expect(await endsIn()).toBeGreaterThan(29 * DAY)
    await endIn(-1000)
    expect((await ada.http('GET', '/api/auth/me')).status).toBe(401)
  })

  test('an account that is gone is signed out', async () => {
    const { ada } = await server.people()
    await deleteEverybody(server.db)
    expect((await ada.http('GET', '/api/auth/me')).status).toBe(401)
  })

  test('thirty days count from the last day that one was here', async () => {
    const { ada } = await server.people()
    const days = (count: number) => sql`now() + ${count} * interval '1 day'`
    const end = async () =>
      (await server.db.select().from(sessions).where(eq(sessions.userId, ada.id)))[0]?.expiresAt.getTime() ?? 0
    const was = async (expires: number, seen: string) =>
      server.db
        .update(sessions)
        .set({ expiresAt: days(expires), lastSeenAt: sql`now() - ${seen}::interval` })
        .where(eq(sessions.userId, ada.id))
    await was(29, '1 day')
    const { headers } = await ada.http('GET', '/api/auth/me')
    expect(headers.get('set-cookie')).toContain(`Max-Age=${30 * 86_400}`)
    expect(await end()).toBeGreaterThan(Date.now() + 29.9 * 86_400_000)
    // Told once in a while, not with each answer.
    expect((await ada.http('GET', '/api/auth/me')).headers.get('set-cookie')).toBeNull()
    // An answer that refuses tells it too.
    await was(29, '1 day')
    expect((await ada.http('GET', '/api/boards/999/snapshot')).headers.get('set-cookie')).toContain('session=')
    await was(-1, '31 days')
    expect((await ada.http('GET', '/api/auth/me')).status).toBe(401)
  })

  test('a session that ends while a request is on its way does nothing any more', async () => {
    const { ada, board } = await server.people()
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    const headers = { cookie: ada.cookie(), 'content-type': 'application/json' }
    const slow = request(`${server.origin}/api/boards/${board.id}`, { method: 'PATCH', headers }, (answer) =>
      resolve(answer.resume().statusCode),
    )
    slow.write('{"name":')
    await until('the server has the head', async () => slow.writableLength === 0)
    // Answered after the server has read what came before it.
    await ada.http('GET', '/api/auth/me')
    await server.db.delete(sessions)
    slow.end('"Stolen"}')
    expect(await promise).toBe(401)
    expect(JSON.stringify(await server.db.select().from(boards))).not.toContain('Stolen')
  })

  test("a cookie of somebody else, however odd, is in nobody's way", async () => {
    const { ada } = await server.people()
    for (const other of ['discount=100%', 'session2=x', '=', 'a', '%=%'])
      expect((await ada.http('GET', '/api/auth/me', undefined, { cookie: `${other}; ${ada.cookie()}` })).status).toBe(200)
  })

  const nonsense = ['', 'x', 'b', 'r'.repeat(4000), '%00', '%', '"quoted"', "' or 1=1 --", 'undefined', '=', ';;;']
  for (const value of nonsense)
    test(`the cookie value ${JSON.stringify(value.slice(0, 20))} is nobody's`, async () => {
      const answer = await browser(server.origin).http('GET', '/api/auth/me', undefined, { cookie: `session=${value}` })
      expect(answer.status).toBe(401)
    })
})

const SECURE = /^__Host-session=[rb]-\w+; Path=\/; (Max-Age=2592000; )?Secure; HttpOnly; SameSite=Lax$/

onServer(
  'sessions over https',
  (server) => {
    const me = async (cookie: string) => browser(server.origin).http('GET', '/api/auth/me', undefined, { cookie })
    async function signedIn(username: string, remember: boolean) {
      const own = browser(server.origin)
      const answer = await own.http('POST', '/api/auth/login', { username, password: PASSWORD, remember })
      return { ...own, setCookies: answer.headers.getSetCookie() }
    }

    test('have a cookie that no other site of the domain can set, however they begin', async () => {
      await server.people()
      for (const remember of [true, false])
        expect((await signedIn('ada', remember)).setCookies).toEqual([
          expect.stringMatching(SECURE),
          expect.stringMatching(/^__Host-device=/),
        ])
    })

    test('that began before the cookie had that name go on, and it gets it', async () => {
      const { ada } = await server.people()
      const former = ada.cookie()
      expect(former).toStartWith('session=r')
      const moved = await me(former)
      expect([moved.status, moved.headers.getSetCookie()]).toEqual([
        200,
        [expect.stringMatching(/^__Host-session=r.*; Max-Age=2592000; Secure/), expect.stringMatching(/^session=; .*Max-Age=0/)],
      ])
      const [, id] = former.split('=')
      expect((await me(`__Host-session=${id}`)).headers.getSetCookie()).toEqual([])
    })

    test('are not those of a cookie that a site of the same domain has set', async () => {
      await server.people()
      const [ada, eve] = [await signedIn('ada', true), await signedIn('eve', true)]
      const planted = eve.cookie().replace('__Host-', '')
      expect((await me(`${planted}; ${ada.cookie()}`)).body).toMatchObject({ username: 'ada' })
      expect((await me(planted)).status).toBe(401)
    })

    test('open sockets, and end with both cookies', async () => {
      await server.people()
      const ada = await signedIn('ada', true)
      const socket = await openSocket(server.origin, { cookie: ada.cookie() })
      const { headers } = await ada.http('POST', '/api/auth/logout')
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(/^__Host-session=; .*Max-Age=0; Secure/),
        expect.stringMatching(/^session=; .*Max-Age=0/),
      ])
      expect(headers.get('clear-site-data')).toBe('"cache", "storage"')
      await socket.closed()
    })
  },
  { PUBLIC_URL: 'https://wrk.example.com' },
)
