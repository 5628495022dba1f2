import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { gitHub } from '../../src/auth/server/identityProviders'
import { createLink } from '../../src/auth/server/store'
import { oauthAccounts, users } from '../../src/db/tables'
import { type Browser, browser } from '../support/browser'
import { onEachDatabase, onOneDatabase, type Server } from '../support/databases'
import { openIdIssuer } from '../support/issuer'
import { mailbox } from '../support/mail'
import { PASSWORD, withoutProof } from '../support/people'

const BEGIN = '/api/auth/oauth/oidc'
const FAILED = '/login?error=auth_failed'

const issuer = await openIdIssuer()
const box = await mailbox()
afterAll(() => Promise.all([issuer.stop(), box.stop()]))

/** The path to which a browser is sent back, at whatever address the server is driven. */
const pathOf = (location: string) => location.slice(new URL(location).origin.length)
const me = async (visitor: Browser) => (await visitor.http('GET', '/api/auth/me')).body

/** Leaves for the issuer; answers where to. */
async function leave(visitor: Browser, path = BEGIN): Promise<string> {
  const { status, headers } = await visitor.http('GET', path)
  expect(status).toBe(302)
  return headers.get('location') ?? ''
}

/** Comes back by the path that the issuer gave; answers where one is led. */
async function comeBack(visitor: Browser, path: string): Promise<string | null> {
  const { status, headers } = await visitor.http('GET', path)
  expect(status).toBe(302)
  return headers.get('location')
}

async function signInAs(sub: string, visitor: Browser): Promise<string | null> {
  return comeBack(visitor, pathOf(await issuer.visit(await leave(visitor), sub)))
}

let count = 0
/** Somebody whom the issuer knows and vouches for. */
function somebody(about: { email?: string; name?: string; email_verified?: boolean } = {}) {
  const sub = `sub-${count++}`
  const email = about.email ?? `${sub}@example.com`
  issuer.knows(sub, { email_verified: true, ...about, email })
  return { sub, email }
}

const linksOf = (server: Server, subject: string) =>
  server.db
    .select()
    .from(oauthAccounts)
    .where(eq(oauthAccounts.subject, `${issuer.issuer} ${subject}`))

onEachDatabase(
  'signing in with an OpenID Connect issuer',
  (server) => {
    const someone = () => browser(server.origin)

    test('the login page hears of those that are set up', async () => {
      const { body } = await someone().http('GET', '/trpc/auth.options')
      expect(body).toMatchObject({ result: { data: { providers: [{ id: 'oidc', name: 'Guild' }] } } })
      for (const provider of ['google', 'github', 'nobody', '..'])
        expect((await someone().http('GET', `/api/auth/oauth/${provider}`)).status).toBe(404)
    })

    test('a newcomer gets an account, and comes back to it', async () => {
      const { sub, email } = somebody({ email: 'Nina.Berg+work@Example.com', name: 'Nina Berg' })
      const visitor = someone()
      expect(await signInAs(sub, visitor)).toBe('/')
      const user = await me(visitor)
      expect(user).toMatchObject({ username: 'nina.berg', name: 'Nina Berg', email: email.toLowerCase() })
      const again = someone()
      expect(await signInAs(sub, again)).toBe('/')
      expect(await me(again)).toEqual(user)
      // Their account is theirs, whatever their email becomes there.
      issuer.knows(sub, { email: 'nina@elsewhere.example', email_verified: true })
      const later = someone()
      await signInAs(sub, later)
      expect(await me(later)).toEqual(user)
    })

    test('a code is asked for with PKCE, state and nonce, and the cookie is for nothing else', async () => {
      const { headers } = await someone().http('GET', BEGIN)
      const { searchParams } = new URL(headers.get('location') ?? '')
      expect(Object.fromEntries(searchParams)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        scope: 'openid email profile',
      })
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(/^oauth=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
      ])
    })

    test('the session is remembered where that was asked for', async () => {
      const { sub } = somebody()
      const ages = []
      for (const path of [BEGIN, `${BEGIN}?remember=1`]) {
        const visitor = someone()
        const back = pathOf(await issuer.visit(await leave(visitor, path), sub))
        const { headers } = await visitor.http('GET', back)
        const session = headers.getSetCookie().find((cookie) => cookie.startsWith('session='))
        ages.push(/Max-Age=(\d+)/.exec(session ?? '')?.[1])
      }
      expect(ages).toEqual([undefined, String(30 * 86_400)])
    })

    test('a verified email joins the account that has shown it is its own', async () => {
      const { ada } = await server.people()
      const byLink = someone()
      await byLink.http('GET', `/api/auth/verify?token=${await createLink(server.db, ada.user.email, 'reset')}&confirmed=1`)
      expect((await byLink.http('POST', '/api/auth/password', { newPassword: 'battery staple' })).status).toBe(200)
      const { sub } = somebody({ email: ada.user.email.toUpperCase(), name: 'Somebody Else' })
      const visitor = someone()
      expect(await signInAs(sub, visitor)).toBe('/')
      expect(await me(visitor)).toEqual(ada.user)
      // Nothing of hers ended.
      expect((await byLink.http('GET', '/api/auth/me')).status).toBe(200)
      const login = { username: 'ada', password: 'battery staple' }
      expect((await someone().http('POST', '/api/auth/login', login)).status).toBe(200)
    })

    test('whoever made an account with an email that is not theirs is locked out when its owner comes', async () => {
      const { eve } = await server.people()
      await withoutProof(server.db, eve)
      const socket = await eve.socket()
      const link = await createLink(server.db, eve.user.email, 'reset')
      const { sub } = somebody({ email: eve.user.email })
      const owner = someone()
      expect(await signInAs(sub, owner)).toBe('/')
      expect(await me(owner)).toMatchObject({ id: eve.id })
      expect((await socket.closed()).code).toBe(4001)
      expect((await eve.http('GET', '/api/auth/me')).status).toBe(401)
      expect((await someone().http('POST', '/api/auth/login', { username: 'eve', password: PASSWORD })).status).toBe(401)
      expect((await someone().http('GET', `/api/auth/verify?token=${link}&confirmed=1`)).status).toBe(401)
      expect((await box.next(eve.user.email)).subject).toBe('Your sign-in was linked to an existing wrk account')
      // A second time, nobody is locked out.
      expect(await signInAs(sub, someone())).toBe('/')
      expect(await me(owner)).toMatchObject({ id: eve.id })
    })

    test('nobody is locked out where the owner of the email has kept the password', async () => {
      const { eve } = await server.people()
      await withoutProof(server.db, eve)
      const token = await createLink(server.db, eve.user.email, 'sign-in')
      await someone().http('GET', `/api/auth/verify?token=${token}&confirmed=1&keepPassword=1`)
      const { sub } = somebody({ email: eve.user.email })
      expect(await signInAs(sub, someone())).toBe('/')
      expect((await someone().http('POST', '/api/auth/login', { username: 'eve', password: PASSWORD })).status).toBe(200)
    })

    test('it is begun from this site only, and not without end', async () => {
      const visitor = someone()
      const foreign = await visitor.http('GET', BEGIN, undefined, { 'sec-fetch-site': 'cross-site' })
      expect(foreign).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      const statuses = []
      for (let n = 0; n < 61; n++) {
        statuses.push((await visitor.http('GET', BEGIN)).status)
        statuses.push((await visitor.http('GET', `${BEGIN}/callback?code=x&state=y`)).status)
      }
      expect(statuses).toEqual([...Array(120).fill(302), 429, 429])
    })

    test('an email that is not verified joins and makes nothing', async () => {
      const { ada } = await server.people()
      for (const about of [{ email_verified: false }, { email_verified: undefined }, { email: '' }]) {
        const { sub } = somebody({ email: ada.user.email, ...about })
        const visitor = someone()
        expect(await signInAs(sub, visitor)).toBe(FAILED)
        expect(await me(visitor)).toMatchObject({ code: 'UNAUTHORIZED' })
        expect(await linksOf(server, sub)).toEqual([])
      }
      const stranger = somebody({ email_verified: false })
      expect(await signInAs(stranger.sub, someone())).toBe(FAILED)
      expect(await server.db.select().from(users).where(eq(users.email, stranger.email))).toEqual([])
    })

    test('a sign-in that began in another tab goes on where an older one, or a forged address, comes back before it', async () => {
      const { sub } = somebody()
      const visitor = someone()
      const older = pathOf(await issuer.visit(await leave(visitor), sub))
      const newer = pathOf(await issuer.visit(await leave(visitor), sub))
      expect(await comeBack(visitor, older)).toBe(FAILED)
      expect(await comeBack(visitor, `${BEGIN}/callback?error=access_denied&state=x`)).toBe(FAILED)
      expect(await comeBack(visitor, newer)).toBe('/')
      expect(await comeBack(visitor, newer)).toBe(FAILED)
    })

    test('only the browser that left comes back, once, with what it was given', async () => {
      const { sub } = somebody()
      const visitor = someone()
      const back = pathOf(await issuer.visit(await leave(visitor), sub))
      const [path, query] = back.split('?')
      const forged = new URLSearchParams(query)
      forged.set('state', 'x'.repeat(43))
      // Another browser, whose owner would be signed in as whoever sent the address.
      expect(await comeBack(someone(), back)).toBe(FAILED)
      const other = someone()
      await leave(other)
      expect(await comeBack(other, back)).toBe(FAILED)

      const good = visitor.cookie()
      const withCookie = async (where: string, cookie: string) =>
        (await someone().http('GET', where, undefined, { cookie })).headers.get('location')
      expect(await withCookie(`${path}?${forged}`, good)).toBe(FAILED)
      expect(await withCookie(back, 'oauth=bm90IGpzb24')).toBe(FAILED)
      expect(await withCookie(back, `oauth=${Buffer.from('{"provider":"oidc"}').toString('base64url')}`)).toBe(FAILED)
      expect(await withCookie(`${path}?state=${new URLSearchParams(query).get('state')}`, good)).toBe(FAILED)
      // One of another provider, and another verifier than the code was asked for with.
      const held = JSON.parse(Buffer.from(good.replace('oauth=', ''), 'base64url').toString())
      const changed = (to: object) => `oauth=${Buffer.from(JSON.stringify({ ...held, ...to })).toString('base64url')}`
      expect(await withCookie(back, changed({ provider: 'google' }))).toBe(FAILED)
      expect(await withCookie(back, changed({ nonce: 'x'.repeat(43) }))).toBe(FAILED)
      // That used the code up; a new one is good once.
      const fresh = pathOf(await issuer.visit(await leave(visitor), sub))
      const kept = visitor.cookie()
      expect(await withCookie(fresh, kept)).toBe('/')
      expect(await withCookie(fresh, kept)).toBe(FAILED)
      const third = pathOf(await issuer.visit(await leave(visitor), sub))
      const verifier = JSON.parse(Buffer.from(visitor.cookie().replace('oauth=', ''), 'base64url').toString())
      const wrong = Buffer.from(JSON.stringify({ ...verifier, verifier: 'x'.repeat(43) })).toString('base64url')
      expect(await withCookie(third, `oauth=${wrong}`)).toBe(FAILED)
    })

    test('whoever declines is back at the login page, and the cookie is gone', async () => {
      const visitor = someone()
      const back = await issuer.visit(await leave(visitor))
      expect(back).toContain('error=access_denied')
      expect(await comeBack(visitor, pathOf(back))).toBe(FAILED)
      expect(visitor.cookie()).toBe('')
    })

    test('one is led nowhere but to this site, whatever the address asks for', async () => {
      const { sub } = somebody()
      const visitor = someone()
      const away = 'returnUrl=https://evil.example&redirect=//evil.example&next=/\\evil.example'
      const back = pathOf(await issuer.visit(await leave(visitor, `${BEGIN}?${away}`), sub))
      expect(await comeBack(visitor, `${back}&${away}`)).toBe('/')
    })

    test('signing in ends the session that the browser had', async () => {
      const { ada } = await server.people()
      const { sub } = somebody()
      const before = ada.cookie()
      expect(await signInAs(sub, ada)).toBe('/')
      expect((await someone().http('GET', '/api/auth/me', undefined, { cookie: before })).status).toBe(401)
    })

    test('usernames come from the email: free, allowed, and not another’s', async () => {
      const { ada } = await server.people()
      expect(ada.user.username).toBe('ada')
      const cases: [string, string | RegExp][] = [
        ['ada@one.example', 'ada2'],
        ['ada@two.example', 'ada3'],
        ['admin@one.example', 'admin2'],
        ['jo@one.example', 'jo2'],
        ['x@one.example', 'x10'],
        ["o'neil@one.example", 'oneil'],
        ['_.-quiet@one.example', 'quiet'],
        [`${'long'.repeat(15)}@one.example`, 'longlonglonglonglonglo'],
        ['---@one.example', /^user\d*$/],
      ]
      for (const [email, expected] of cases) {
        const visitor = someone()
        expect([email, await signInAs(somebody({ email }).sub, visitor)]).toEqual([email, '/'])
        expect([email, await me(visitor)]).toEqual([
          email,
          expect.objectContaining({ username: typeof expected === 'string' ? expected : expect.stringMatching(expected) }),
        ])
      }
    })

    test('their account has proven the address again that they are vouched for', async () => {
      const { sub, email } = somebody()
      const visitor = someone()
      await signInAs(sub, visitor)
      await server.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.email, email))
      await signInAs(sub, someone())
      expect(await me(visitor)).toMatchObject({ email, emailVerified: true })
    })

    test('who is locked out of an account does not come back by a provider', async () => {
      const { sub, email } = somebody()
      await signInAs(sub, someone())
      const own = { email: `owner-${email}`, emailVerifiedAt: null, password: 'a hash' }
      const [account] = await server.db.update(users).set(own).where(eq(users.email, email)).returning({ id: users.id })
      const owner = someone()
      const token = await createLink(server.db, own.email, 'sign-in')
      expect((await owner.http('POST', '/trpc/auth.verify', { token, confirmed: true })).status).toBe(200)
      expect(await me(owner)).toMatchObject({ id: account?.id, emailVerified: true })
      const back = someone()
      await signInAs(sub, back)
      expect(await me(back)).not.toMatchObject({ id: account?.id })
    })

    test('a name that nobody could give themselves is left out', async () => {
      for (const name of ['\u200b\u200b', '\u202eevE']) {
        const visitor = someone()
        await signInAs(somebody({ name }).sub, visitor)
        const { name: shown } = (await me(visitor)) as { name: string | null }
        expect([name, shown]).toEqual([name, name.includes('evE') ? 'evE' : null])
      }
    })

    test('a name that does not fit is made to', async () => {
      const visitor = someone()
      await signInAs(somebody({ name: `  ${'N'.repeat(90)}\0 ` }).sub, visitor)
      expect(await me(visitor)).toMatchObject({ name: 'N'.repeat(80) })
    })

    test('simultaneous first sign-ins make one account', async () => {
      for (let round = 0; round < 5; round++) {
        const { sub, email } = somebody()
        const visitors = Array.from({ length: 6 }, someone)
        const backs = await Promise.all(visitors.map(async (one) => pathOf(await issuer.visit(await leave(one), sub))))
        const led = await Promise.all(visitors.map((one, at) => comeBack(one, backs[at] ?? '')))
        expect(led).toEqual(visitors.map(() => '/'))
        expect(await server.db.select().from(users).where(eq(users.email, email))).toHaveLength(1)
        expect(await linksOf(server, sub)).toHaveLength(1)
        // Nobody was locked out by another's coming.
        for (const one of visitors) expect(await me(one)).toMatchObject({ email })
      }
    })

    test('a registration and a first sign-in with one email at once make one account', async () => {
      for (let round = 0; round < 5; round++) {
        const { sub, email } = somebody()
        const visitor = someone()
        const back = pathOf(await issuer.visit(await leave(visitor), sub))
        const [led, { status }] = await Promise.all([
          comeBack(visitor, back),
          someone().http('POST', '/api/auth/register', { username: `racer${count}`, email, password: PASSWORD }),
        ])
        expect([201, 409]).toContain(status)
        // Where the registration came in between, trying again leads to its account.
        if (led !== '/') expect(await signInAs(sub, visitor)).toBe('/')
        expect(await me(visitor)).toMatchObject({ email })
        expect(await server.db.select().from(users).where(eq(users.email, email))).toHaveLength(1)
      }
    })
  },
  { ...issuer.env, SMTP_URL: box.url, MAIL_FROM: 'wrk@wrk.example' },
)

/** An issuer whose word is whatever a test makes of it. */
const liar = await lyingIssuer()
afterAll(() => liar.stop())

onOneDatabase(
  'an issuer that is not what it should be',
  (server) => {
    async function signIn(lie: Partial<typeof liar.says>): Promise<string | null> {
      Object.assign(liar.says, { ...liar.honest, ...lie })
      const visitor = browser(server.origin)
      const left = new URL(await leave(visitor))
      liar.says.claims = { nonce: left.searchParams.get('nonce'), ...lie.claims }
      return comeBack(visitor, `${BEGIN}/callback?code=any&state=${left.searchParams.get('state')}`)
    }

    test('is believed while it keeps to the rules', async () => {
      expect(await signIn({})).toBe('/')
    })

    const lies: [string, Partial<typeof liar.says>][] = [
      ['a token for someone else’s site', { audience: 'another' }],
      ['a token of another issuer', { issuer: 'https://evil.example' }],
      ['a token that has expired', { expires: '-1h' }],
      ['a token that another key signed', { signedBy: 'stranger' }],
      ['a token that nobody signed', { signedBy: 'nobody' }],
      ['a token of another sign-in', { claims: { nonce: 'another' } }],
      ['a token without a nonce', { claims: { nonce: undefined } }],
      ['a subject that is no text', { claims: { sub: 7 } }],
      ['a subject with a NUL', { claims: { sub: 'a\0b' } }],
      ['an email that is none', { claims: { email: 'nobody' } }],
      ['user information about another', { claims: { email: undefined }, info: { sub: 'other', email: 'a@b.example' } }],
      ['no token at all', { status: 500 }],
      ['a page instead of a token', { status: 200, text: '<h1>Hello</h1>' }],
    ]
    for (const [what, lie] of lies) test(`gives ${what}: nobody is signed in`, async () => expect(await signIn(lie)).toBe(FAILED))

    test('tells the email only when asked', async () => {
      const claims = { sub: 'asked', email: undefined, email_verified: undefined }
      expect(await signIn({ claims, info: { sub: 'asked', email: 'asked@example.com', email_verified: true } })).toBe('/')
    })
  },
  { OIDC_ISSUER: liar.issuer, OIDC_CLIENT_ID: 'wrk', OIDC_CLIENT_SECRET: 'secret' },
)

onOneDatabase(
  'an issuer that is not there',
  (server) => {
    test('leads back to the login page', async () => {
      expect(await leave(browser(server.origin))).toBe(FAILED)
    })
  },
  { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'wrk', OIDC_CLIENT_SECRET: 'secret' },
)

test('GitHub vouches for the primary email, where it is verified', async () => {
  let emails: object[] = []
  const asked: string[] = []
  const stand = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push(`${pathname} ${request.headers.get('authorization')} ${await request.text()}`)
      if (pathname === '/access_token') return Response.json({ access_token: 'token', token_type: 'bearer', scope: 'user:email' })
      if (pathname === '/user') return Response.json({ id: 583231, login: 'octocat', name: null, email: 'shown@example.com' })
      return Response.json(emails)
    },
  })
  const at = `http://127.0.0.1:${stand.port}`
  const provider = gitHub({ clientId: 'id', clientSecret: 'secret' }, 'http://localhost/back', { site: at, api: at })
  const ask = { state: 'state', verifier: 'verifier', nonce: 'nonce' }
  expect(Object.fromEntries((await provider.url(ask)).searchParams)).toMatchObject({
    client_id: 'id',
    state: 'state',
    scope: 'user:email',
    redirect_uri: 'http://localhost/back',
    code_challenge_method: 'S256',
  })
  const said = (email: string, primary: boolean, verified: boolean) => ({ email, primary, verified, visibility: null })
  emails = [said('other@example.com', false, true), said('octo@example.com', true, true)]
  expect(await provider.claims('code', ask)).toEqual({ subject: '583231', email: 'octo@example.com', name: null })
  expect(asked[0]).toContain('code=code')
  expect(asked[0]).toContain('code_verifier=verifier')
  expect(asked.slice(1)).toEqual(['/user Bearer token ', '/user/emails Bearer token '])
  emails = [said('other@example.com', false, true), said('octo@example.com', true, false)]
  await expect(provider.claims('code', ask)).rejects.toThrow('reports no verified primary email')
  await stand.stop()
})

async function lyingIssuer() {
  const [own, stranger] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256' }
  const honest = {
    issuer: '',
    audience: 'wrk',
    expires: '5m',
    signedBy: 'own',
    claims: {} as Record<string, unknown>,
    info: {} as object,
    status: 200,
    text: '',
  }
  const says = { ...honest }
  const token = () => {
    const claims = { sub: 'somebody', email: 'somebody@example.com', email_verified: true, ...says.claims }
    if (says.signedBy === 'nobody') {
      const parts = [{ alg: 'none' }, { ...claims, iss: says.issuer, aud: says.audience, exp: Date.now() }]
      return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`
    }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .setIssuer(says.issuer)
      .setAudience(says.audience)
      .setIssuedAt()
      .setExpirationTime(says.expires)
      .sign(says.signedBy === 'own' ? own.privateKey : stranger.privateKey)
  }
  const server: Bun.Server<undefined> = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      switch (new URL(request.url).pathname) {
        case '/.well-known/openid-configuration':
          return Response.json({
            issuer,
            authorization_endpoint: `${issuer}/auth`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
            userinfo_endpoint: `${issuer}/me`,
          })
        case '/keys':
          return Response.json({ keys: [jwk] })
        case '/me':
          return Response.json(says.info)
        default:
          if (says.status !== 200 || says.text) return new Response(says.text, { status: says.status })
          return Response.json({ access_token: 'token', token_type: 'Bearer', id_token: await token() })
      }
    },
  })
  const issuer = `http://127.0.0.1:${server.port}`
  honest.issuer = issuer
  return { issuer, honest, says, stop: () => server.stop() }
}
