import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { PASSWORD_FIRST } from '../../src/auth/limits'
import { beginSetup } from '../../src/auth/server/signUp'
import { createLink } from '../../src/auth/server/store'
import { readConfig } from '../../src/config'
import { firstAccount, installation, mails, users } from '../../src/db/tables'
import { hashToken } from '../../src/server/tokens'
import type { Context } from '../../src/site/cli/command'
import { COMMANDS } from '../../src/site/cli/commands'
import { createServices } from '../../src/site/services'
import { type Browser, browser } from '../support/browser'
import { onOneDatabase, onServer, openQuick, type Server } from '../support/databases'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { openIdIssuer } from '../support/issuer'
import { linksTo } from '../support/links'
import { mailbox } from '../support/mail'
import { PASSWORD } from '../support/people'
import { dataFolder, run, startTalking } from '../support/process'

const issuer = await openIdIssuer()
const box = await mailbox()
afterAll(() => Promise.all([issuer.stop(), box.stop()]))

/** Others reach it, so it is no developer's machine. */
const shared = { HOST: '0.0.0.0', SMTP_URL: box.url, MAIL_FROM: 'wrk@example.com' }
const OVER = 'This setup link was already used or replaced. Run “wrk setup” on the server to get a new one.'

let count = 0
const newcomer = (rest: object = {}) => {
  const username = `hal${count++}`
  return { username, email: `${username}@example.com`, password: PASSWORD, ...rest }
}
const register = (visitor: Browser, given: object) => visitor.http('POST', '/api/auth/register', given)
const setUp = (visitor: Pick<Browser, 'http'>, token: string) => visitor.http('POST', '/api/auth/setup', { token })

/** What whoever has the server's files can do. */
function atServer(server: Server, env: Record<string, string>) {
  let context: Context
  let stop = async () => {}
  beforeAll(async () => {
    const config = readConfig({ PUBLIC_URL: 'https://wrk.example.com', DATA_DIR: '/dev/null/nowhere', ...env })
    const database = await openQuick()
    const created = await createServices(config, database)
    stop = created.stop
    context = { config, database, services: async () => created.services }
  })
  // As before anybody came.
  beforeEach(() => server.db.delete(firstAccount))
  afterAll(async () => {
    await server.db.insert(firstAccount).values({}).onConflictDoNothing()
    await stop()
  })
  async function link(): Promise<string> {
    const module = await COMMANDS.setup?.load()
    if (!module || !('run' in module)) throw new Error('there is no command')
    return module.show(await module.run(context, {} as never), {} as never)
  }
  return {
    link,
    token: async () => new URL(await link()).searchParams.get('token') ?? '',
    /** As a start of the server. */
    begin: async () => beginSetup(await context.services()),
    operators: async () => {
      const found = await server.db.select({ username: users.username }).from(users).where(eq(users.operator, true))
      return found.map(({ username }) => username)
    },
  }
}

onServer(
  'a new server that others reach',
  (server) => {
    const { someone, verify, me, mailed } = linksTo(server, box)
    const { link, token, begin, operators } = atServer(server, shared)
    const missing = async () => {
      const { body } = await someone().http('GET', '/trpc/auth.options')
      return (body as { result: { data: { missingOperator: string | null } } }).result.data.missingOperator
    }

    test('belongs to nobody who comes first, by whatever way', async () => {
      const first = someone()
      const ann = newcomer({ operator: true })
      expect((await register(first, ann)).body).toMatchObject({ operator: false })
      await verify(first, await mailed(ann.email))
      expect(await me(first)).toMatchObject({ emailVerified: true, operator: false })
      expect((await first.http('GET', '/api/operator/state')).status).toBe(404)
      for (const given of ['', 'x', 'A'.repeat(43)]) expect((await setUp(first, given)).status).toBe(404)
      expect((await register(someone(), newcomer({ setup: 'x' }))).body).toMatchObject({ code: 'NOT_FOUND', message: OVER })
      expect([await operators(), await missing()]).toEqual([[], 'link'])
    })

    test('is that of who opens the newest setup link, once, signed in', async () => {
      const { ada, eve } = await server.people()
      const old = await token()
      expect(await link()).toMatch(/^https:\/\/wrk\.example\.com\/setup\?token=[\w-]{43}$/)
      const newest = await token()
      expect((await setUp(someone(), newest)).status).toBe(401)
      expect((await setUp(ada, old)).body).toMatchObject({ code: 'NOT_FOUND', message: OVER })
      const page = await ada.socket()
      expect((await setUp(ada, newest)).body).toMatchObject({ username: 'ada', operator: true })
      expect(await page.next('current_user_updated')).toMatchObject({ user: { operator: true } })
      for (const who of [ada, eve]) expect((await setUp(who, newest)).status).toBe(404)
      expect((await register(someone(), newcomer({ setup: newest }))).status).toBe(404)
      expect([await operators(), await missing()]).toEqual([['ada'], null])
      await expect(link()).rejects.toThrow('There is already an operator')
    })

    test('keeps only a hash of the link, which a start ends or makes anew', async () => {
      const { ada } = await server.people()
      const told = await begin()
      const first = /token=([\w-]{43})/.exec(told ?? '')?.[1] ?? ''
      expect(told).toBe(
        `this server has no operator yet: the user who opens this link becomes the operator: https://wrk.example.com/setup?token=${first}`,
      )
      expect(await server.db.select({ token: installation.setupToken }).from(installation)).toEqual([{ token: hashToken(first) }])
      await begin()
      expect((await setUp(ada, first)).status).toBe(404)
      const second = await token()
      await server.db.update(users).set({ operator: true }).where(eq(users.id, ada.id))
      expect(await begin()).toBeUndefined()
      await server.db.update(users).set({ operator: false }).where(eq(users.id, ada.id))
      expect((await setUp(ada, second)).status).toBe(404)
    })

    test('has one operator, of many who open the link at once', async () => {
      const { ada, bob, eve } = await server.people()
      for (let round = 0; round < 20; round++) {
        await server.db.update(users).set({ operator: false })
        const opened = await token()
        const answers = await Promise.all([ada, bob, eve, ada, bob].map((who) => setUp(who, opened)))
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        expect(answers.filter(({ status }) => status === 404)).toHaveLength(4)
        expect(await operators()).toHaveLength(1)
      }
    })

    test('lets nobody into its operator’s account by the mail of an address that they mistyped', async () => {
      const visitor = someone()
      const olga = newcomer()
      const opened = await token()
      expect((await register(visitor, { ...olga, setup: opened })).status).toBe(201)
      expect((await setUp(visitor, opened)).status).toBe(200)
      const stranger = someone()
      await stranger.http('POST', '/api/auth/magic-link', { email: olga.email })
      const links = [
        () => mailed(olga.email),
        () => mailed(olga.email),
        () => createLink(server.db, olga.email, 'reset'),
        () => createLink(server.db, olga.email, 'confirm'),
      ]
      for (const next of links) {
        const sent = await next()
        for (const rest of ['', '&confirmed=1', '&confirmed=1&keepPassword=1'])
          expect((await verify(stranger, sent, rest)).body).toMatchObject({ code: 'FORBIDDEN', message: PASSWORD_FIRST })
      }
      expect((await stranger.http('GET', '/api/auth/me')).status).toBe(401)
      const proof = await createLink(server.db, olga.email, 'confirm')
      expect((await verify(visitor, proof)).status).toBe(200)
      expect(await me(visitor)).toMatchObject({ emailVerified: true, operator: true })
      const phone = await createLink(server.db, olga.email, 'sign-in')
      expect((await verify(stranger, phone, '&confirmed=1')).status).toBe(200)
    })
  },
  shared,
)

const closed = { ...shared, ...issuer.env, SIGNUP: 'closed', SIGNUP_DOMAINS: 'example.com' }

/** Comes by the issuer; answers where one is led. */
async function byGuild(server: Server, email: string, rest = '') {
  const sub = `sub-${count++}`
  issuer.knows(sub, { email, email_verified: true })
  const visitor = browser(server.origin)
  const { headers } = await visitor.http('GET', `/api/auth/oauth/oidc${rest}`)
  const back = new URL(await issuer.visit(headers.get('location') ?? '', sub))
  return { led: (await visitor.http('GET', back.pathname + back.search)).headers.get('location'), visitor }
}

onOneDatabase(
  'a new server at which nobody registers, and of some domains',
  (server) => {
    const { someone, me } = linksTo(server, box)
    const { token, operators } = atServer(server, closed)

    test('lets in who has the setup link, at once, and nobody else', async () => {
      expect((await register(someone(), newcomer())).status).toBe(403)
      const setup = await token()
      const elsewhere = newcomer({ setup })
      expect((await register(someone(), { ...elsewhere, email: 'x@example.net' })).status).toBe(403)
      const visitor = someone()
      const given = newcomer({ setup })
      expect((await register(visitor, given)).status).toBe(201)
      expect(await me(visitor)).toMatchObject({ operator: false, emailVerified: false })
      expect((await setUp(visitor, setup)).status).toBe(200)
      expect((await someone().http('POST', '/api/auth/login', given)).status).toBe(200)
      expect((await register(someone(), newcomer({ setup }))).status).toBe(404)
      expect(await operators()).toHaveLength(1)
    })

    test('lets in who comes by a provider with it, and asks them there', async () => {
      const setup = await token()
      expect((await byGuild(server, newcomer().email)).led).toBe('/login?error=no_account')
      const { led, visitor } = await byGuild(server, newcomer().email, `?setup=${setup}`)
      expect(led).toBe(`/setup?token=${setup}`)
      expect(await operators()).toEqual([])
      expect((await setUp(visitor, setup)).body).toMatchObject({ operator: true, emailVerified: true })
    })
  },
  closed,
)

const OPERATOR_EMAIL = 'Olga@example.com'
const named = { ...shared, ...issuer.env, SIGNUP: 'closed', OPERATOR_EMAIL }

onOneDatabase(
  'a new server whose operator is named by their address',
  (server) => {
    const { someone, verify, me, mailed } = linksTo(server, box)
    const { link, begin, operators } = atServer(server, named)
    const olga = { username: 'olga', email: 'olga@example.com', password: PASSWORD }
    const noLink = () => expect(link()).rejects.toThrow('OPERATOR_EMAIL is set')

    test('is theirs once they open the mailed link, and not before', async () => {
      await noLink()
      const [other, visitor] = [await register(someone(), newcomer()), someone()]
      const own = await register(visitor, olga)
      // Nobody learns which address it is, and nobody has an account.
      expect([own.status, own.body]).toEqual([403, other.body])
      expect([...own.headers.keys()]).toEqual([...other.headers.keys()])
      expect([await server.db.$count(users), await begin()]).toEqual([0, expect.stringContaining('OPERATOR_EMAIL')])
      const token = await mailed(olga.email)
      // Opened elsewhere it asks first, and makes nothing.
      const asked = await verify(someone(), token)
      expect([asked.status, asked.body]).toMatchObject([409, { needsConfirmation: true, username: 'olga' }])
      expect(await server.db.$count(users)).toBe(0)
      expect((await verify(visitor, token)).body).toMatchObject({ purpose: 'reset', user: { username: 'olga' } })
      expect(await me(visitor)).toMatchObject({ operator: true, emailVerified: true })
      expect((await visitor.http('POST', '/api/auth/password', { newPassword: 'correct donkey' })).status).toBe(200)
      expect((await box.next(olga.email)).subject).toBe('Your wrk password was changed')
      expect(await begin()).toBeUndefined()
      expect((await verify(someone(), token)).status).toBe(401)
    })

    test('is not that of who registered with their address before, whom their own link locks out', async () => {
      const { person } = await server.people()
      const thief = await person('thief')
      await server.db.update(users).set({ email: olga.email, emailVerifiedAt: null }).where(eq(users.id, thief.id))
      const owner = someone()
      await owner.http('POST', '/api/auth/magic-link', { email: olga.email })
      const token = await mailed(olga.email)
      const asked = (await verify(owner, token)).body
      expect(asked).toMatchObject({ needsConfirmation: true, username: 'thief' })
      expect(asked).not.toHaveProperty('hasPassword')
      // Even where they say that the password is theirs.
      expect((await verify(owner, token, '&confirmed=1&keepPassword=1')).body).toMatchObject({ passwordRemoved: true })
      expect(await me(owner)).toMatchObject({ email: olga.email, operator: true })
      expect((await thief.http('GET', '/api/auth/me')).status).toBe(401)
      expect((await thief.http('POST', '/api/auth/login', { username: 'thief', password: PASSWORD })).status).toBe(401)
    })

    test('is theirs by a provider that vouches for it, by a change of their email, and at a start where it was proven', async () => {
      const { led, visitor } = await byGuild(server, olga.email)
      expect([led, await operators()]).toEqual(['/', ['olga']])
      expect(await me(visitor)).toMatchObject({ operator: true })
      await server.clear()
      const { ada, eve } = await server.people()
      await ada.http('POST', '/api/account/email', { email: olga.email, password: PASSWORD })
      expect((await verify(ada, await mailed(olga.email))).status).toBe(200)
      expect(await operators()).toEqual(['ada'])
      await server.db.update(users).set({ operator: false })
      expect(await begin()).toBe(`operator ada (${ada.id}): became the operator through OPERATOR_EMAIL`)
      expect(await operators()).toEqual(['ada'])
      // Once there is one, it makes no other.
      await server.db.update(users).set({ operator: false, email: 'ada@example.com' }).where(eq(users.id, ada.id))
      await server.db.update(users).set({ operator: true }).where(eq(users.id, eve.id))
      await ada.http('POST', '/api/account/email', { email: olga.email, password: PASSWORD })
      await verify(ada, await mailed(olga.email))
      await begin()
      expect(await operators()).toEqual(['eve'])
    })
  },
  named,
)

onOneDatabase(
  'another whose operator is named',
  (server) => {
    const { someone, verify, mailed } = linksTo(server, box)
    const { operators } = atServer(server, named)
    // So many mails go to one address in an hour.
    const email = 'otto@example.com'

    test('is theirs by a sign-in link as well; of others who ask, nobody gets a mail or an account', async () => {
      const [visitor, stranger] = [someone(), someone()]
      const ask = (who: typeof visitor, email: string) => who.http('POST', '/api/auth/magic-link', { email })
      expect((await ask(stranger, 'zed@example.com')).body).toEqual((await ask(visitor, email)).body)
      const sent = await server.db.select({ to: mails.recipient }).from(mails).orderBy(mails.id)
      expect(sent).toEqual([{ to: 'nobody' }, { to: email }])
      const token = await mailed(email)
      const opened = await Promise.all([verify(visitor, token), verify(visitor, token)])
      expect(opened.map(({ status }) => status).toSorted()).toEqual([200, 401])
      expect([await operators(), await server.db.$count(users)]).toEqual([['otto'], 1])
      // Once there is an operator, the address makes no account.
      await server.db.update(users).set({ email: 'otto@elsewhere.example' })
      await ask(stranger, email)
      expect(await server.db.select({ to: mails.recipient }).from(mails).orderBy(desc(mails.id)).limit(1)).toEqual([
        { to: 'nobody' },
      ])
    })
  },
  { ...named, OPERATOR_EMAIL: 'otto@example.com' },
)

test('a start says the link in its log where there is no operator, but not on a developer’s machine', async () => {
  const folder = await dataFolder()
  await putEmptyDatabase(folder.path)
  const env = { DATA_DIR: folder.path, HOST: '0.0.0.0', PUBLIC_URL: 'http://wrk.example' }
  const first = await startTalking(env)
  // The line is written after the one that says where the server is.
  const printed = await run('src/site/cli/main.ts', { DATA_DIR: folder.path, PUBLIC_URL: env.PUBLIC_URL }, 'setup').end()
  const { said } = await first.stop()
  expect(said).toMatch(/this server has no operator yet: .*http:\/\/wrk\.example\/setup\?token=[\w-]{43}\n/)
  expect(printed.out).toMatch(/^http:\/\/wrk\.example\/setup\?token=[\w-]{43}\n$/)
  const own = await startTalking({ DATA_DIR: folder.path })
  expect((await own.stop()).said).not.toContain('/setup')
  await folder.remove()
})
