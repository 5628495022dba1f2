import { afterAll, describe, expect, test } from 'bun:test'
import { eq, ne, sql } from 'drizzle-orm'
import { createLink } from '../../src/auth/server/store'
import { readConfig } from '../../src/config'
import { magicLinks, mails, sessions, users } from '../../src/db/tables'
import { buildIfStale } from '../../src/site/buildIfStale'
import { serve } from '../../src/site/serve'
import { type Browser, browser } from '../support/browser'
import { onServer, openInMemory } from '../support/databases'
import { mailbox } from '../support/mail'
import { until } from '../support/until'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const NOBODY = 'nobody@example.com'
const REFUSED = { status: 401, body: { message: 'This link is invalid or has expired.', code: 'UNAUTHORIZED' } }

let count = 0
const box = await mailbox()
afterAll(() => box.stop())

onServer(
  'links that sign in',
  (server) => {
    const someone = () => browser(server.origin)
    const forgot = (email: string) => someone().http('POST', '/api/auth/forgot-password', { email })
    const askLink = (email: string, remember?: boolean) =>
      someone().http('POST', '/api/auth/magic-link', { email, ...(remember !== undefined && { remember }) })
    /** By whoever agrees where it asks; tests/auth/asking.test.ts is about that. */
    const verify = (visitor: Browser, token: string, rest = '', headers = {}) =>
      visitor.http('GET', `/api/auth/verify?token=${token}&confirmed=1${rest}`, undefined, headers)
    const tokenOf = (link = '') => new URL(link).searchParams.get('token') ?? ''
    /** The token that the newest mail to somebody holds. */
    const mailed = async (email: string) => tokenOf((await box.next(email)).link)
    /** Somebody new: mails are counted by the address that they go to. */
    const newcomer = async () => (await server.people()).person(`newcomer${count++}`)
    const me = async (visitor: Browser) => (await visitor.http('GET', '/api/auth/me')).body

    test('a sign-in link comes by mail and signs in', async () => {
      const [{ user }, visitor] = [await newcomer(), someone()]
      expect(await askLink(` ${user.email.toUpperCase()} `)).toMatchObject({
        status: 200,
        body: { success: true, message: expect.any(String) },
      })
      const { link = '' } = await box.next(user.email)
      expect(link).toMatch(/^http:\/\/localhost:\d+\/auth\/verify\?token=[\w-]{43}$/)
      expect(await verify(visitor, tokenOf(link))).toMatchObject({ status: 200, body: { user, purpose: 'sign-in' } })
      expect(await me(visitor)).toEqual(user)
    })

    test('the page signs in by its own call', async () => {
      const { ada, nobody } = await server.people()
      const token = await createLink(server.db, 'ada@example.com', 'sign-in')
      expect((await nobody.http('POST', '/trpc/auth.verify', { token, confirmed: true })).status).toBe(200)
      expect(await me(nobody)).toEqual(ada.user)
    })

    test('a reset link signs in, and lets its session alone set a new password for fifteen minutes', async () => {
      const [{ user }, visitor] = [await newcomer(), someone()]
      expect((await forgot(user.email)).body).toEqual({
        success: true,
        message: 'If an account exists with that email, you will receive password reset instructions.',
      })
      const token = await mailed(user.email)
      expect((await verify(visitor, token)).body).toEqual({ user, purpose: 'reset', passwordRemoved: false })
      const until = (await server.db.select().from(sessions).where(eq(sessions.userId, user.id))).map((one) => one.mayResetUntil)
      expect(until.filter((moment) => moment !== null).length).toBe(1)
      const left = Number(until.find((moment) => moment !== null)) - Date.now()
      expect(left).toBeGreaterThan(14 * MINUTE)
      expect(left).toBeLessThanOrEqual(15 * MINUTE)
    })

    test('remembering goes from the request into the link and from there into the session', async () => {
      const { email } = (await newcomer()).user
      await askLink(email, true)
      const { link = '' } = await box.next(email)
      expect(link).toEndWith('&remember=1')
      const kept = await verify(someone(), tokenOf(link), '&remember=1')
      expect(kept.headers.getSetCookie()[0]).toMatch(/^session=r.*; Max-Age=2592000/)
      await askLink(email, false)
      const brief = await verify(someone(), await mailed(email))
      expect(brief.headers.getSetCookie()[0]).toMatch(/^session=b/)
      expect(brief.headers.getSetCookie()[0]).not.toMatch(/Max-Age|Expires/i)
      const [session] = await server.db.select().from(sessions).where(sql`${sessions.expiresAt} < now() + interval '2 days'`)
      expect(Number(session?.expiresAt) - Date.now()).toBeLessThanOrEqual(DAY)
    })

    test('an address that nobody has is answered like one that somebody has, and gets no mail', async () => {
      const { email } = (await newcomer()).user
      for (const ask of [forgot, askLink]) {
        const [unknown, known] = [await ask(NOBODY), await ask(email)]
        expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
        expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
        await box.next(email)
      }
      await until('every mail was sent', async () => (await server.db.$count(mails, ne(mails.state, 'sent'))) === 0)
      expect((await server.db.select().from(mails)).filter(({ recipient }) => recipient === NOBODY)).toEqual([])
      expect(box.received.filter(({ to }) => to === NOBODY)).toEqual([])
    })

    test('a link works once', async () => {
      await server.people()
      const token = await createLink(server.db, 'ada@example.com', 'sign-in')
      expect((await verify(someone(), token)).status).toBe(200)
      const late = someone()
      expect(await verify(late, token)).toMatchObject(REFUSED)
      expect(late.cookie()).toBe('')
    })

    test('of twenty who use a link at once, one gets in', async () => {
      await server.people()
      for (let round = 0; round < 50; round++) {
        const token = await createLink(server.db, 'ada@example.com', round % 2 ? 'reset' : 'sign-in')
        const before = await server.db.$count(sessions)
        const answers = await Promise.all(Array.from({ length: 20 }, () => verify(someone(), token)))
        // On a busy machine some wait too long for a connection, and are told to try again.
        expect(answers.map(({ status }) => status).filter((status) => status !== 401 && status !== 503)).toEqual([200])
        expect(await server.db.$count(sessions)).toBe(before + 1)
      }
    })

    test('a link expires after fifteen minutes', async () => {
      await server.people()
      const token = await createLink(server.db, 'ada@example.com', 'sign-in')
      const [link] = await server.db.select().from(magicLinks).where(eq(magicLinks.email, 'ada@example.com'))
      expect(Number(link?.expiresAt) - Number(link?.createdAt)).toBe(15 * MINUTE)
      await server.db.update(magicLinks).set({ expiresAt: sql`now() - interval '1 minute'` })
      expect(await verify(someone(), token)).toMatchObject(REFUSED)
    })

    test('a newer link ends the older ones of its address, of both purposes, and those of nobody else', async () => {
      const { email } = (await newcomer()).user
      const ofBob = await createLink(server.db, 'bob@example.com', 'sign-in')
      await forgot(email)
      const first = await mailed(email)
      await askLink(email)
      const second = await mailed(email)
      await forgot(email)
      const third = await mailed(email)
      expect(await verify(someone(), first)).toMatchObject(REFUSED)
      expect(await verify(someone(), second)).toMatchObject(REFUSED)
      expect((await verify(someone(), third)).status).toBe(200)
      expect((await verify(someone(), ofBob)).status).toBe(200)
    })

    test('of links that were asked for at once, one is valid', async () => {
      await server.people()
      for (let round = 0; round < 20; round++) {
        const tokens = await Promise.all(
          Array.from({ length: 5 }, () => server.db.transaction((db) => createLink(db, 'ada@example.com', 'sign-in'))),
        )
        const answers = await Promise.all(tokens.map((token) => verify(someone(), token)))
        expect(answers.filter(({ status }) => status === 200).length).toBe(1)
      }
    })

    test('the database holds nothing that signs in once the mail is sent', async () => {
      const { email } = (await newcomer()).user
      await forgot(email)
      const token = await mailed(email)
      await until('the mail was sent', async () => (await server.db.$count(mails, eq(mails.state, 'waiting'))) === 0)
      const held = await Promise.all([magicLinks, mails, sessions, users].map((table) => server.db.select().from(table)))
      expect(JSON.stringify(held)).not.toContain(token)
      const [link] = await server.db.select().from(magicLinks).where(eq(magicLinks.email, email))
      expect(link?.token).toBe(new Bun.CryptoHasher('sha256').update(token).digest('hex'))
      expect(await verify(someone(), link?.token ?? '')).toMatchObject(REFUSED)
      expect((await verify(someone(), token)).status).toBe(200)
    })

    test('another site cannot use a link, nor does asking for the heading alone', async () => {
      await server.people()
      const token = await createLink(server.db, 'ada@example.com', 'sign-in')
      for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])
        expect(await verify(someone(), token, '', headers)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      const head = await someone().http('HEAD', `/api/auth/verify?token=${token}`)
      expect([head.status, head.headers.getSetCookie()]).toEqual([expect.any(Number), []])
      expect((await verify(someone(), token, '', { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    })

    test('what looks for addresses in mails uses nothing up', async () => {
      const { email } = (await newcomer()).user
      await askLink(email)
      const { link = '' } = await box.next(email)
      const { pathname, search } = new URL(link)
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) await someone().http(method, pathname + search)
      expect((await verify(someone(), tokenOf(link))).status).toBe(200)
    })

    test('a link is to this site, whatever host was asked', async () => {
      const { email } = (await newcomer()).user
      const headers = { 'x-forwarded-host': 'evil.example', host: 'evil.example' }
      await someone().http('POST', '/api/auth/forgot-password', { email }, headers)
      expect(new URL((await box.next(email)).link ?? '').hostname).toBe('localhost')
    })

    for (const token of ['', 'x', '%00', 'a'.repeat(200), 'a'.repeat(201), "' or 1=1 --", '%F0%9F%98%80', '%ff'])
      test(`the token ${JSON.stringify(token.slice(0, 20))} signs nobody in`, async () => {
        const visitor = someone()
        expect([400, 401]).toContain((await verify(visitor, token)).status)
        expect([400, 401]).toContain((await visitor.http('GET', '/api/auth/verify')).status)
        expect(visitor.cookie()).toBe('')
      })

    test('a link of an account that is gone signs nobody in', async () => {
      const { eve } = await server.people()
      const token = await createLink(server.db, 'eve@example.com', 'sign-in')
      await server.db.delete(users).where(eq(users.id, eve.id))
      expect(await verify(someone(), token)).toMatchObject(REFUSED)
    })

    test('a link used in a browser that someone else is signed in with takes their place, and closes their page', async () => {
      const { ada, bob } = await server.people()
      const [stolen, socket] = [bob.cookie(), await bob.socket()]
      const token = await createLink(server.db, 'ada@example.com', 'sign-in')
      expect((await verify(bob, token)).status).toBe(200)
      expect(await me(bob)).toEqual(ada.user)
      expect((await socket.closed()).code).toBe(4001)
      expect((await someone().http('GET', '/api/auth/me', undefined, { cookie: stolen })).status).toBe(401)
      expect(await server.db.$count(sessions, eq(sessions.userId, bob.id))).toBe(0)
    })

    test('a refused link leaves whoever is signed in as they are', async () => {
      const { bob } = await server.people()
      expect(await verify(bob, 'a'.repeat(43))).toMatchObject(REFUSED)
      expect(await me(bob)).toEqual(bob.user)
    })

    test('five mails an hour go to an address, whoever asks, and an address that nobody has counts alike', async () => {
      await server.people()
      for (const email of ['eve@example.com', 'unknown@example.com']) {
        const answers: number[] = []
        for (let times = 0; times < 6; times++) answers.push((await (times % 2 ? forgot : askLink)(email)).status)
        expect([email, ...answers]).toEqual([email, 200, 200, 200, 200, 200, 429])
      }
    })

    test('an email that does not fit is refused', async () => {
      for (const email of ['', 'ada', 'a@b', 7, null])
        expect((await someone().http('POST', '/api/auth/forgot-password', { email })).status).toBe(400)
    })
  },
  { SMTP_URL: box.url, MAIL_FROM: 'wrk <post@wrk.example.com>' },
)

describe('the page behind a link', () => {
  test('is all that a mail scanner gets by fetching it, and the link still works', async () => {
    await buildIfStale()
    const database = await openInMemory()
    const config = readConfig({ PORT: '0', DATA_DIR: '/dev/null/nowhere', SMTP_URL: box.url, MAIL_FROM: 'post@wrk.example.com' })
    const server = await serve(config, database, 'built')
    const scanner = browser(server.origin)
    const token = await createLink(database.db, 'developer@wrk.example', 'sign-in')
    await browser(server.origin).http('POST', '/api/auth/dev-login-json')
    for (const method of ['GET', 'HEAD', 'GET']) {
      const page = await scanner.http(method, `/auth/verify?token=${token}`, undefined, { 'user-agent': 'Scanner/1.0' })
      expect([page.status, page.headers.get('content-type'), page.headers.getSetCookie()]).toEqual([
        200,
        expect.stringMatching(/^text\/html/),
        [],
      ])
    }
    const answer = await browser(server.origin).http('GET', `/api/auth/verify?token=${token}&confirmed=1`)
    expect(answer).toMatchObject({ status: 200, body: { purpose: 'sign-in' } })
    await server.stop()
  }, 60_000)
})
