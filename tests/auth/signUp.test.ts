import { afterAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { readConfig } from '../../src/config'
import { boardInvitations, firstAccount, magicLinks, users } from '../../src/db/tables'
import { hashToken } from '../../src/server/tokens'
import { type Browser, browser } from '../support/browser'
import { onOneDatabase, onServer, type Server } from '../support/databases'
import { openIdIssuer } from '../support/issuer'
import { linksTo } from '../support/links'
import { mailbox } from '../support/mail'
import { PASSWORD, withoutProof } from '../support/people'

const issuer = await openIdIssuer()
const box = await mailbox()
afterAll(() => Promise.all([issuer.stop(), box.stop()]))

const mails = { SMTP_URL: box.url, MAIL_FROM: 'wrk@example.com' }
const CLOSED = 'Sign-up is closed. Please ask this server’s operator for an account.'
const INVITED = 'Sign-up is by invitation. Please open the link in your invitation email.'
const NOBODY_NEW =
  'We could not find an account with this email address, and sign-up is closed here. No invitation was sent. You can add people by their username.'
const OTHER_DOMAIN = 'Accounts here need an email address at example.com or example.org. No invitation was sent.'
const ONLY_GUILD = 'Please sign in with Guild: this server does not use passwords or sign-in links.'

let count = 0
const newcomer = (domain = 'example.net') => {
  const username = `gil${count++}`
  return { username, email: `${username}@${domain}`, password: PASSWORD }
}
const register = (visitor: Browser, given: object) => visitor.http('POST', '/api/auth/register', given)

/** Comes by the issuer, as somebody whom it knows; answers where one is led, and the browser. */
async function byGuild(server: Server, email: string, rest = '') {
  const sub = `sub-${count++}`
  issuer.knows(sub, { email, email_verified: true })
  const visitor = browser(server.origin)
  const { headers } = await visitor.http('GET', `/api/auth/oauth/oidc${rest}`)
  const back = new URL(await issuer.visit(headers.get('location') ?? '', sub))
  const came = await visitor.http('GET', back.pathname + back.search)
  return { led: came.headers.get('location'), visitor }
}

const isThere = async ({ db }: Server, email: string) => (await db.$count(users, eq(users.email, email))) > 0
const unclaim = ({ db }: Server) => db.delete(firstAccount)

async function invite(server: Server, email: string) {
  const { ada, board } = await server.people()
  const answer = await ada.http('POST', `/api/boards/${board.id}/members`, { email })
  expect(answer.status).toBe(201)
  return { ada, board, token: await tokenFor(email) }
}

/** By Ada, who is there already. */
async function inviteAlso(server: Server, email: string) {
  const visitor = browser(server.origin)
  await visitor.http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD })
  const [board] = (await visitor.http('GET', '/api/boards')).body as { id: number }[]
  await visitor.http('POST', `/api/boards/${board?.id}/members`, { email })
  return tokenFor(email)
}

const tokenFor = async (email: string) => new URL((await box.next(email)).link ?? '').searchParams.get('token') ?? ''

onServer(
  'the first account of an installation',
  (server) => {
    const operators = () => server.db.select({ username: users.username }).from(users).where(eq(users.operator, true))
    const someone = () => browser(server.origin)

    test('is its operator, and no other is, whatever they send', async () => {
      await unclaim(server)
      const first = await register(someone(), newcomer())
      expect(first.body).toMatchObject({ operator: true })
      const visitor = someone()
      const second = await register(visitor, { ...newcomer(), operator: true, isPro: true, proGiven: true })
      expect(second.body).toMatchObject({ operator: false, isPro: false })
      const changed = await visitor.http('PATCH', '/api/users/profile', { name: 'Gil', operator: true, disabledAt: null })
      expect(changed.body).toMatchObject({ name: 'Gil', operator: false })
      expect(await operators()).toHaveLength(1)
    })

    test('is one, of many who register at once', async () => {
      for (let round = 0; round < 3; round++) {
        await server.clear()
        await unclaim(server)
        const answers = await Promise.all(Array.from({ length: 4 }, () => register(someone(), newcomer())))
        expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(201))
        expect(await operators()).toHaveLength(1)
      }
    })

    test('is still to come where the first who tried was refused', async () => {
      await unclaim(server)
      const { eve } = await server.people()
      await server.db.delete(firstAccount)
      expect((await register(someone(), { ...newcomer(), email: eve.user.email })).status).toBe(409)
      expect(await server.db.$count(firstAccount)).toBe(0)
    })

    test('is not that of whoever registers among others, or once all are deleted', async () => {
      await unclaim(server)
      const { eve } = await server.people()
      expect((await register(someone(), newcomer())).body).toMatchObject({ operator: false })
      expect((await eve.http('DELETE', '/api/account', { password: PASSWORD })).status).toBe(200)
      await server.clear()
      expect((await register(someone(), newcomer())).body).toMatchObject({ operator: false })
    })
  },
  mails,
)

onOneDatabase(
  'where accounts are by invitation',
  (server) => {
    const someone = () => browser(server.origin)

    test('nobody makes one without, and the page hears of it', async () => {
      const eve = newcomer()
      for (const invitation of [undefined, 'x', crypto.randomUUID()]) {
        const answer = await register(someone(), { ...eve, invitation })
        expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ message: INVITED })])
      }
      expect((await byGuild(server, eve.email)).led).toBe('/login?error=no_account')
      expect((await byGuild(server, eve.email, '?invitation=x')).led).toBe('/login?error=no_account')
      expect(await isThere(server, eve.email)).toBe(false)
      const { body } = await someone().http('GET', '/trpc/auth.options')
      expect(body).toMatchObject({ result: { data: { signUp: 'invited', passwords: true } } })
    })

    test('an invitation makes one account, under whatever address, and is still there to be accepted', async () => {
      const { board, token } = await invite(server, 'asked@example.com')
      const visitors = [someone(), someone()]
      const answers = await Promise.all(visitors.map((visitor) => register(visitor, { ...newcomer(), invitation: token })))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403])
      const winner = visitors[answers.findIndex(({ status }) => status === 201)]
      const joined = await winner?.http('POST', `/api/invitations/${token}/accept`)
      expect(joined?.body).toMatchObject({ board: { id: board.id } })
      // A name that is taken leaves it as it was.
      const again = await inviteAlso(server, 'other@example.com')
      expect((await register(someone(), { ...newcomer(), username: 'ada', invitation: again })).status).toBe(409)
      expect((await register(someone(), { ...newcomer(), invitation: again })).status).toBe(201)
    })

    test('who registers with the address that was invited has proven it and gets no mail to confirm it; nobody else has', async () => {
      const { token } = await invite(server, 'asked@example.com')
      const links = await server.db.$count(magicLinks)
      const own = await register(someone(), { ...newcomer(), email: 'asked@example.com', invitation: token })
      expect(own.body).toMatchObject({ emailVerified: true })
      expect(await server.db.$count(magicLinks)).toBe(links)
      const other = await inviteAlso(server, 'other@example.com')
      const someoneElse = await register(someone(), { ...newcomer(), invitation: other })
      expect(someoneElse.body).toMatchObject({ emailVerified: false })
      expect(await server.db.$count(magicLinks)).toBe(links + 1)
    })

    test('one that is expired, taken back, or of somebody who is disabled makes none', async () => {
      const { ada, board, token } = await invite(server, 'asked@example.com')
      const change = (given: Partial<typeof boardInvitations.$inferInsert>) =>
        server.db
          .update(boardInvitations)
          .set(given)
          .where(eq(boardInvitations.token, hashToken(token)))
      const tried = async () => (await register(someone(), { ...newcomer(), invitation: token })).status
      await change({ expiresAt: new Date(0) })
      expect(await tried()).toBe(403)
      await change({ expiresAt: new Date(Date.now() + 60_000), status: 'revoked' })
      expect(await tried()).toBe(403)
      await change({ status: 'pending' })
      await server.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, ada.id))
      expect([await tried(), (await someone().http('GET', `/api/invitations/${token}`)).status]).toEqual([403, 404])
      await server.db.update(users).set({ disabledAt: null }).where(eq(users.id, ada.id))
      await ada.http('DELETE', `/api/boards/${board.id}`)
      expect(await tried()).toBe(403)
    })

    test('a provider makes one for an invited address, and for whoever comes by the link', async () => {
      const { token } = await invite(server, 'nina@example.com')
      const nina = await byGuild(server, 'nina@example.com')
      expect(nina.led).toBe('/')
      expect((await nina.visitor.http('POST', `/api/invitations/${token}/accept`)).status).toBe(200)
      const other = await inviteAlso(server, 'mo@example.com')
      expect((await byGuild(server, 'mo@elsewhere.example', `?invitation=${other}`)).led).toBe('/')
      expect((await byGuild(server, 'mo@example.com')).led).toBe('/login?error=no_account')
    })

    test('whoever has an account signs in as ever', async () => {
      const { ada } = await server.people()
      expect((await someone().http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD })).status).toBe(200)
      expect((await byGuild(server, ada.user.email)).led).toBe('/')
    })
  },
  { SIGNUP: 'invited', ...issuer.env, ...mails },
)

onOneDatabase(
  'where nobody registers',
  (server) => {
    const someone = () => browser(server.origin)

    test('no way makes an account, an invitation least of all', async () => {
      const { ada, board } = await server.people()
      const invited = await ada.http('POST', `/api/boards/${board.id}/members`, { email: 'asked@example.com' })
      expect([invited.status, invited.body]).toEqual([403, expect.objectContaining({ message: NOBODY_NEW })])
      expect(await server.db.$count(boardInvitations)).toBe(0)
      // One from before nobody could register.
      const token = crypto.randomUUID()
      const kept = { boardId: board.id, email: 'asked@example.com', invitedBy: ada.id, expiresAt: new Date(Date.now() + 60_000) }
      await server.db.insert(boardInvitations).values({ ...kept, token: hashToken(token) })
      const asked = { ...newcomer(), email: 'asked@example.com', invitation: token }
      const answer = await register(someone(), asked)
      expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ message: CLOSED })])
      expect((await byGuild(server, asked.email, `?invitation=${token}`)).led).toBe('/login?error=no_account')
      await someone().http('POST', '/api/auth/magic-link', { email: asked.email })
      expect(await isThere(server, asked.email)).toBe(false)
    })

    test('the first account can be made all the same, and only that', async () => {
      await unclaim(server)
      const { body } = await someone().http('GET', '/trpc/auth.options')
      expect(body).toMatchObject({ result: { data: { signUp: 'open' } } })
      const first = newcomer()
      expect((await byGuild(server, first.email)).led).toBe('/')
      expect(await server.db.$count(users, eq(users.operator, true))).toBe(1)
      expect((await register(someone(), newcomer())).status).toBe(403)
      expect((await someone().http('GET', '/trpc/auth.options')).text).toContain('"signUp":"closed"')
    })
  },
  { SIGNUP: 'closed', ...issuer.env, ...mails },
)

onOneDatabase(
  'where accounts are for some domains',
  (server) => {
    const { someone, verify, me } = linksTo(server, box)
    const DOMAINS = 'Accounts here need an email address at example.com or example.org.'

    test('an address of another one makes none, by no way', async () => {
      for (const domain of ['example.net', 'sub.example.com', 'example.com.evil.example', 'notexample.com']) {
        const eve = newcomer(domain)
        expect((await register(someone(), eve)).body).toMatchObject({ message: DOMAINS })
        expect((await byGuild(server, eve.email)).led).toBe('/login?error=no_account')
      }
      await unclaim(server)
      expect((await register(someone(), newcomer())).status).toBe(403)
      expect(await server.db.$count(users)).toBe(0)
    })

    test('the first account is the operator’s once its address is proven, whoever registered before', async () => {
      await unclaim(server)
      const others = { given: newcomer('example.org'), visitor: someone() }
      const fays = { given: newcomer('example.com'), visitor: someone() }
      for (const { given, visitor } of [others, fays])
        expect((await register(visitor, given)).body).toMatchObject({ operator: false })
      expect(await server.db.$count(firstAccount)).toBe(0)
      await verify(fays.visitor, await tokenFor(fays.given.email))
      expect(await me(fays.visitor)).toMatchObject({ username: fays.given.username, operator: true })
      await verify(others.visitor, await tokenFor(others.given.email))
      expect(await me(others.visitor)).toMatchObject({ emailVerified: true, operator: false })
      expect(await server.db.$count(users, eq(users.operator, true))).toBe(1)
    })

    test('an account is nobody’s until its address is proven', async () => {
      const fay = newcomer('Example.ORG')
      const visitor = someone()
      expect((await register(visitor, fay)).status).toBe(201)
      expect(await me(visitor)).toMatchObject({ code: 'UNAUTHORIZED' })
      const login = () => someone().http('POST', '/api/auth/login', { username: fay.username, password: PASSWORD })
      expect((await login()).body).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('open the link') })
      const token = await tokenFor(fay.email.toLowerCase())
      // The browser that registered is not asked whose password it is.
      expect((await verify(visitor, token)).status).toBe(200)
      expect(await me(visitor)).toMatchObject({ username: fay.username, emailVerified: true })
      expect((await login()).status).toBe(200)
    })

    test('nobody is invited who could make none, and whoever invites is told', async () => {
      const { ada, eve, board } = await server.people()
      const inviting = (email: string) => ada.http('POST', `/api/boards/${board.id}/members`, { email })
      const refused = await inviting('gus@example.net')
      expect([refused.status, refused.body]).toEqual([403, expect.objectContaining({ message: OTHER_DOMAIN })])
      expect(await server.db.$count(boardInvitations)).toBe(0)
      expect((await inviting('gus@example.org')).status).toBe(201)
      expect((await inviting(eve.user.email)).body).toMatchObject({ user: { username: 'eve' } })
    })

    test('another email is of them, too', async () => {
      const { ada } = await server.people()
      const change = (email: string) => ada.http('POST', '/api/account/email', { email, password: PASSWORD })
      expect((await change('ada@example.net')).body).toMatchObject({ code: 'FORBIDDEN', message: DOMAINS })
      expect((await change('ada@example.org')).status).toBe(200)
    })
  },
  { SIGNUP_DOMAINS: 'Example.com, example.org', ...issuer.env, ...mails },
)

onOneDatabase(
  'where only the issuer signs people in',
  (server) => {
    const { someone } = linksTo(server, box)

    test('there are no passwords and no mailed links', async () => {
      const { ada } = await server.people()
      await withoutProof(server.db, ada)
      const calls: [string, string, object?][] = [
        ['POST', '/api/auth/register', newcomer()],
        ['POST', '/api/auth/login', { username: 'ada', password: PASSWORD }],
        ['POST', '/api/auth/magic-link', { email: ada.user.email }],
        ['POST', '/api/auth/forgot-password', { email: ada.user.email }],
        ['POST', '/api/auth/confirm-email'],
        ['GET', '/api/auth/verify?token=x'],
        ['POST', '/api/auth/password', { newPassword: 'battery staple', currentPassword: PASSWORD }],
        ['POST', '/api/account/email', { email: 'ada@example.org', password: PASSWORD }],
      ]
      for (const [method, path, body] of calls) {
        const answer = await ada.http(method, path, body)
        expect([path, answer.status, answer.body]).toEqual([path, 403, expect.objectContaining({ message: ONLY_GUILD })])
      }
      expect((await someone().http('GET', '/api/auth/oauth/github')).status).toBe(404)
      const { body } = await someone().http('GET', '/trpc/auth.options')
      expect(body).toMatchObject({ result: { data: { passwords: false, providers: [{ id: 'oidc', name: 'Guild' }] } } })
      expect((await byGuild(server, newcomer().email)).led).toBe('/')
    })
  },
  { SIGN_IN: 'oidc', GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret', ...issuer.env, ...mails },
)

describe('who may make an account', () => {
  test.each([
    [{ SIGNUP: 'no' }, 'SIGNUP must be open, invited or closed'],
    [{ SIGNUP_DOMAINS: 'example.com;x' }, 'SIGNUP_DOMAINS must be comma-separated domains, like example.com,example.org'],
    [{ SIGNUP_DOMAINS: 'example.com', OPERATOR_EMAIL: 'o@example.org' }, 'OPERATOR_EMAIL must be at one of the SIGNUP_DOMAINS'],
    [{ SIGN_IN: 'saml' }, 'SIGN_IN must be any or oidc'],
    [{ SIGN_IN: 'oidc' }, 'OIDC_ISSUER is needed when SIGN_IN is oidc'],
  ])('%p stops the start with a line', (env, line) => {
    expect(() => readConfig(env)).toThrow(line)
  })
})
