import { afterAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { createLink } from '../../src/auth/server/store'
import { magicLinks, mails, sessions, users } from '../../src/db/tables'
import { browser } from '../support/browser'
import { onServer } from '../support/databases'
import { mailbox } from '../support/mail'
import { PASSWORD, type Person, withoutProof } from '../support/people'
import { openSocket } from '../support/socket'

const box = await mailbox()
afterAll(() => box.stop())

const SENT = { success: true, message: 'Open the link we emailed to your new address, in a browser where you are signed in.' }
let addresses = 0
const anyEmail = () => `new${addresses++}@example.org`

onServer(
  "one's email",
  (server) => {
    const ask = (who: Pick<Person, 'http'>, email: string, password?: string, key?: string) =>
      who.http('POST', '/api/account/email', { email, ...(password && { password }) }, key ? { 'idempotency-key': key } : {})
    const tokenTo = async (email: string) => new URL((await box.next(email)).link ?? '').searchParams.get('token') ?? ''
    const open = (who: Pick<Person, 'http'>, token: string) => who.http('GET', `/api/auth/verify?token=${token}&confirmed=1`)
    const emailOf = async ({ id }: { id: number }) =>
      (await server.db.select().from(users).where(eq(users.id, id)))[0]?.email ?? null
    const sentTo = async () => (await server.db.select().from(mails).orderBy(mails.id)).map(({ recipient }) => recipient)
    const login = async (username: string) =>
      (await browser(server.origin).http('POST', '/api/auth/login', { username, password: PASSWORD })).status

    test('changes once the link is opened that was mailed there; the old one is told, and other sessions go on', async () => {
      const { person } = await server.people()
      const joe = await person('joe')
      const socket = await openSocket(server.origin, { cookie: joe.cookie() })
      const email = anyEmail()
      expect(await ask(joe, email.toUpperCase(), PASSWORD)).toMatchObject({ status: 200, body: SENT })
      const token = await tokenTo(email)
      const word = await box.next('joe@example.com')
      expect([word.subject, word.text.replaceAll(/\s+/g, '')]).toEqual([
        'Your wrk email is about to change',
        expect.stringContaining(email),
      ])
      expect([await emailOf(joe), await login('joe@example.com')]).toEqual(['joe@example.com', 200])

      expect(await open(joe, token)).toMatchObject({
        status: 200,
        body: { purpose: 'change', user: { email, emailVerified: true } },
      })
      expect((await socket.next('current_user_updated')).user).toMatchObject({ email, emailVerified: true })
      const told = await box.next('joe@example.com')
      expect([told.subject, told.text.replaceAll(/\s+/g, '')]).toEqual([
        'Your wrk email was changed',
        expect.stringContaining('support@wrk.example'),
      ])
      expect([await emailOf(joe), await login(email), await login('joe@example.com')]).toEqual([email, 200, 401])
      expect((await joe.http('GET', '/api/auth/me')).body).toMatchObject({ email })
      expect((await open(joe, token)).status).toBe(401)
      await socket.close()
    })

    test('is not changed by anybody else who opens the link, nor is it used up by that', async () => {
      const { ada, person, nobody } = await server.people()
      const joe = await person('jim')
      const email = anyEmail()
      await ask(joe, email, PASSWORD)
      const token = await tokenTo(email)
      for (const who of [nobody, ada]) expect(await open(who, token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      expect((await nobody.http('GET', '/api/auth/me')).status).toBe(401)
      expect(await emailOf(joe)).toBe('jim@example.com')
      expect((await open(joe, token)).status).toBe(200)
    })

    test('is changed by whoever knows the password, or has none and signed in just now', async () => {
      const { person } = await server.people()
      const joe = await person('jon')
      for (const [password, status] of [
        [undefined, 400],
        ['wrong password', 403],
      ] as const)
        expect((await ask(joe, anyEmail(), password)).status).toBe(status)
      expect((await ask(joe, 'jon@example.com', PASSWORD)).status).toBe(400)
      expect((await ask(browser(server.origin), anyEmail(), PASSWORD)).status).toBe(401)
      await server.db.update(users).set({ password: null }).where(eq(users.id, joe.id))
      expect((await ask(joe, anyEmail())).status).toBe(200)
      await server.db.update(sessions).set({ createdAt: sql`now() - interval '16 minutes'` })
      expect((await ask(joe, anyEmail())).status).toBe(403)
    })

    test('that somebody else has gets the same answer and no mail, and one that is taken meanwhile stays theirs', async () => {
      const { bob, person } = await server.people()
      const joe = await person('jay')
      expect(await ask(joe, 'bob@example.com', PASSWORD)).toMatchObject({ status: 200, body: SENT })
      await box.next('jay@example.com')
      expect(await sentTo()).not.toContain('bob@example.com')
      const email = anyEmail()
      await ask(joe, email, PASSWORD)
      const token = await tokenTo(email)
      await server.db.update(users).set({ email }).where(eq(users.id, bob.id))
      expect(await open(joe, token)).toMatchObject({ status: 409, body: { message: 'Another account now has this email.' } })
      expect(await emailOf(joe)).toBe('jay@example.com')
    })

    test('that a stranger registered with and never proved is free once its reader has signed in there', async () => {
      const { person } = await server.people()
      const joe = await person('jan')
      const squatter = await person('squatter')
      const { user } = squatter
      await withoutProof(server.db, squatter)
      expect(await ask(joe, user.email, PASSWORD)).toMatchObject({ status: 200, body: SENT })
      const told = await box.next(user.email)
      expect(told.subject).toBe('Your new email belongs to another wrk account')
      expect(told.text).toContain('already registered to another account, squatter,')
      expect(told.text).not.toContain('token=')

      const reader = browser(server.origin)
      await reader.http('POST', '/api/auth/forgot-password', { email: user.email })
      expect((await open(reader, await tokenTo(user.email))).status).toBe(200)
      expect((await squatter.http('GET', '/api/auth/me')).status).toBe(401)
      expect((await reader.http('DELETE', '/api/account')).status).toBe(200)
      await ask(joe, user.email, PASSWORD)
      await box.next(user.email)
      expect((await open(joe, await tokenTo(user.email))).status).toBe(200)
      expect(await emailOf(joe)).toBe(user.email)
    })

    test('has one link that counts: the newest, and none after a new password', async () => {
      const { person } = await server.people()
      const joe = await person('jil')
      const [first, second, third] = [anyEmail(), anyEmail(), anyEmail()]
      const tokens: string[] = []
      for (const email of [first, second]) {
        await ask(joe, email, PASSWORD)
        tokens.push(await tokenTo(email))
      }
      expect((await open(joe, tokens[0] ?? '')).status).toBe(401)
      await joe.http('POST', '/api/auth/password', { newPassword: 'battery staple', currentPassword: PASSWORD })
      expect((await open(joe, tokens[1] ?? '')).status).toBe(401)
      await ask(joe, third, 'battery staple')
      const token = await tokenTo(third)
      const both = await Promise.all([open(joe, token), open(joe, token)])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
      expect(await server.db.$count(magicLinks, eq(magicLinks.userId, joe.id))).toBe(0)
    })

    test('is changed by no link that somebody asked for who was locked out, or signed out, since', async () => {
      const { person } = await server.people()
      const joe = await person('jeb')
      const [first, second] = [anyEmail(), anyEmail()]
      await ask(joe, first, PASSWORD)
      const early = await tokenTo(first)
      await box.next('jeb@example.com')
      expect((await joe.http('DELETE', '/api/auth/sessions')).status).toBe(200)
      expect((await open(joe, early)).status).toBe(401)

      await withoutProof(server.db, joe)
      await ask(joe, second, PASSWORD)
      const squatted = await tokenTo(second)
      const owner = browser(server.origin)
      await owner.http('POST', '/api/auth/magic-link', { email: 'jeb@example.com' })
      const own = await tokenTo('jeb@example.com')
      expect(await open(owner, own)).toMatchObject({ status: 200 })
      expect((await open(owner, squatted)).status).toBe(401)
      expect(await emailOf(joe)).toBe('jeb@example.com')
    })

    test('is changed, or its owner locks out who took it: of both at once, one happens', async () => {
      const { person } = await server.people()
      for (let round = 0; round < 20; round++) {
        const taker = await person(`taker${round}`)
        await withoutProof(server.db, taker)
        const email = anyEmail()
        await ask(taker, email, PASSWORD)
        const change = await tokenTo(email)
        const owners = await createLink(server.db, `taker${round}@example.com`, 'sign-in')
        const [changed, lockedOut] = await Promise.all([open(taker, change), open(browser(server.origin), owners)])
        expect([changed.status, lockedOut.status].sort()).toEqual([200, 401])
        expect(await emailOf(taker)).toBe(changed.status === 200 ? email : `taker${round}@example.com`)
      }
    })

    test('lets in by an old link of an invitation to it, for it is proven then', async () => {
      const { ada, board, person } = await server.people()
      const joe = await person('jed')
      await withoutProof(server.db, joe)
      const email = anyEmail()
      await ada.http('POST', `/api/boards/${board.id}/members`, { email })
      await box.next(email)
      const join = () => joe.http('POST', `/api/boards/${board.id}/join`)
      expect((await join()).status).toBe(404)
      await ask(joe, email, PASSWORD)
      await open(joe, await tokenTo(email))
      expect((await join()).status).toBe(200)
      // The address that was never shown to be theirs may be a stranger's.
      expect(await sentTo()).not.toContain('jed@example.com')
    })

    test('is asked for five times an hour, and once under one key', async () => {
      const { person } = await server.people()
      const joe = await person('jud')
      const email = anyEmail()
      for (let nth = 1; nth <= 2; nth++) expect((await ask(joe, email, PASSWORD, 'k')).body).toEqual(SENT)
      expect((await sentTo()).filter((to) => to === email)).toHaveLength(1)
      const statuses: number[] = []
      for (let nth = 1; nth <= 5; nth++) statuses.push((await ask(joe, anyEmail(), PASSWORD)).status)
      expect(statuses).toEqual([200, 200, 200, 200, 429])
    })
  },
  { SMTP_URL: box.url, MAIL_FROM: 'wrk <post@wrk.example.com>', TRUST_PROXY: '1' },
)
