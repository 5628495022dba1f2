import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { assertUncommon } from '../../src/auth/server/passwords'
import { createLink } from '../../src/auth/server/store'
import { magicLinks, mails, sessions, users } from '../../src/db/tables'
import { browser } from '../support/browser'
import { onServer } from '../support/databases'
import { PASSWORD, type Person, withSlowPassword } from '../support/people'
import { openSocket } from '../support/socket'

const NEW = 'battery staple'

let owners = 0

onServer('the password', (server) => {
  /** As `server.people`, with an Ada whose email nobody has had before: changes are counted by it. */
  async function people() {
    const all = await server.people()
    return { ...all, ada: await all.person(`ada${owners++}`) }
  }
  const logIn = async (username: string, password: string) => {
    const visitor = browser(server.origin)
    const { status } = await visitor.http('POST', '/api/auth/login', { username, password })
    return { ...visitor, status }
  }
  const change = (person: Pick<Person, 'http'>, newPassword: string, currentPassword?: string) =>
    person.http('POST', '/api/auth/password', { newPassword, ...(currentPassword !== undefined && { currentPassword }) })
  async function fromResetLink(email: string) {
    const visitor = browser(server.origin)
    const token = await createLink(server.db, email, 'reset')
    expect((await visitor.http('GET', `/api/auth/verify?token=${token}&confirmed=1`)).status).toBe(200)
    return visitor
  }
  const hashOf = async (username: string) =>
    (await server.db.select().from(users).where(eq(users.username, username)))[0]?.password ?? null
  const isSignedIn = async (one: Pick<Person, 'http'>) => (await one.http('GET', '/api/auth/me')).status === 200

  test('is changed with the old one, and is the one to sign in with from then on', async () => {
    const { ada } = await people()
    expect(await change(ada, NEW, PASSWORD)).toMatchObject({ status: 200, body: { success: true } })
    expect((await logIn(ada.user.username, PASSWORD)).status).toBe(401)
    expect((await logIn(ada.user.username, NEW)).status).toBe(200)
    expect(await hashOf(ada.user.username)).toStartWith('$argon2id$')
  })

  test('is not one of the commonest', async () => {
    const { ada } = await people()
    const message = 'This password is too common'
    expect(await change(ada, 'Football', PASSWORD)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message, issues: [{ path: 'newPassword', message }] },
    })
    expect((await logIn(ada.user.username, PASSWORD)).status).toBe(200)
  })

  test('is not one of the 10,000 commonest that are long enough', async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    const words = dictionary['passwords-common'].filter((word) => word.length >= 6).slice(0, 10_002)
    const isRefused = (word: string) =>
      assertUncommon(word.toUpperCase(), 'password').then(
        () => false,
        () => true,
      )
    expect(await Promise.all(words.map(isRefused))).toEqual([...Array(10_000).fill(true), false, false])
  })

  test('is not changed without the old one, or with a wrong one, and nobody is signed out by trying', async () => {
    const { ada } = await people()
    const before = await hashOf(ada.user.username)
    expect(await change(ada, NEW)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(await change(ada, NEW, 'wrong password')).toMatchObject({
      status: 403,
      body: { message: 'The current password is incorrect.', code: 'FORBIDDEN' },
    })
    expect(await change(browser(server.origin), NEW, PASSWORD)).toMatchObject({ status: 401 })
    expect(await hashOf(ada.user.username)).toBe(before)
    expect(await isSignedIn(ada)).toBe(true)
    expect(await server.db.$count(mails)).toBe(0)
  })

  test('has six to 256 characters', async () => {
    const { ada } = await people()
    for (const wrong of ['12345', 'p'.repeat(257)]) expect((await change(ada, wrong, PASSWORD)).status).toBe(400)
    expect((await change(ada, 'p'.repeat(256), PASSWORD)).status).toBe(200)
    expect((await logIn(ada.user.username, 'p'.repeat(256))).status).toBe(200)
  })

  test('cannot be guessed at: after ten tries even the right one waits', async () => {
    const { person } = await server.people()
    const guessed = await person('guessed')
    for (let tries = 0; tries < 10; tries++) expect((await change(guessed, NEW, `wrong ${tries}`)).status).toBe(403)
    const answer = await change(guessed, NEW, PASSWORD)
    expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    // At the login page nobody has guessed.
    expect((await logIn('guessed', PASSWORD)).status).toBe(200)
  })

  test('is changed by its owner while somebody guesses at the login page', async () => {
    const { ada } = await people()
    for (let tries = 0; tries < 11; tries++) await logIn(ada.user.username, `guess ${tries}`)
    expect((await logIn(ada.user.username, PASSWORD)).status).toBe(429)
    expect((await change(ada, NEW, PASSWORD)).status).toBe(200)
  })

  test('is changed five times an hour, for each change is told by mail', async () => {
    const { person } = await people()
    const often = await person('often')
    const statuses = []
    for (let times = 0; times < 6; times++) statuses.push((await change(often, PASSWORD, PASSWORD)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect(await server.db.$count(mails, eq(mails.recipient, often.user.email))).toBe(5)
  })

  test('changed, it ends the other sessions and closes their pages at once, and leaves this one', async () => {
    const { ada, bob } = await people()
    const other = await logIn(ada.user.username, PASSWORD)
    const [own, bobs] = await Promise.all([ada.socket(), bob.socket()])
    const others = await openSocket(server.origin, { cookie: other.cookie() })
    expect((await change(ada, NEW, PASSWORD)).status).toBe(200)
    expect((await others.closed()).code).toBe(4001)
    expect(await Promise.all([isSignedIn(other), isSignedIn(ada), isSignedIn(bob)])).toEqual([false, true, true])
    expect(await Promise.all([own.heard(), bobs.heard()])).toEqual([[], []])
  })

  test('changed, it ends the links that are on their way, and tells its owner by mail', async () => {
    const { ada } = await people()
    const token = await createLink(server.db, ada.user.email, 'sign-in')
    expect((await change(ada, NEW, PASSWORD)).status).toBe(200)
    expect((await browser(server.origin).http('GET', `/api/auth/verify?token=${token}&confirmed=1`)).status).toBe(401)
    expect(await server.db.$count(magicLinks, eq(magicLinks.email, ada.user.email))).toBe(0)
    const written = await server.db.select().from(mails)
    expect(written).toMatchObject([{ recipient: ada.user.email, subject: 'Your wrk password was changed' }])
    expect(JSON.stringify(written)).not.toContain(NEW)
  })

  test('is set without the old one after a reset link, once', async () => {
    const { ada } = await people()
    const visitor = await fromResetLink(ada.user.email)
    expect((await change(visitor, NEW)).status).toBe(200)
    expect((await change(visitor, 'yet another')).status).toBe(400)
    expect((await logIn(ada.user.username, NEW)).status).toBe(200)
    expect(await isSignedIn(ada)).toBe(false)
    expect(await isSignedIn(visitor)).toBe(true)
  })

  test('needs the old one again when the fifteen minutes are over', async () => {
    const { ada } = await people()
    const visitor = await fromResetLink(ada.user.email)
    await server.db.update(sessions).set({ mayResetUntil: sql`now() - interval '1 minute'` })
    expect((await change(visitor, NEW)).status).toBe(400)
    expect((await logIn(ada.user.username, PASSWORD)).status).toBe(200)
  })

  test('needs the old one after a sign-in link, and in the other sessions of who has a reset link', async () => {
    const { ada } = await people()
    const visitor = browser(server.origin)
    const token = await createLink(server.db, ada.user.email, 'sign-in')
    await visitor.http('GET', `/api/auth/verify?token=${token}&confirmed=1`)
    expect((await change(visitor, NEW)).status).toBe(400)
    await fromResetLink(ada.user.email)
    expect((await change(ada, NEW)).status).toBe(400)
  })

  test('set twice at once after one reset link, is set once', async () => {
    const { person } = await server.people()
    for (let round = 0; round < 4; round++) {
      const owner = await person(`reset${round}`)
      const visitor = await fromResetLink(owner.user.email)
      const given = ['first one', 'second one', 'third one']
      const answers = await Promise.all(given.map((password) => change(visitor, password)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
      const won = given[answers.findIndex(({ status }) => status === 200)] ?? ''
      expect(await Bun.password.verify(won, (await hashOf(owner.user.username)) ?? '')).toBe(true)
    }
  })

  test('changed twice at once with the old one, is changed once', async () => {
    const { person } = await server.people()
    for (let round = 0; round < 4; round++) {
      const owner = await withSlowPassword(server.db, await person(`twice${round}`))
      const answers = await Promise.all(['first one', 'second one'].map((password) => change(owner, password, PASSWORD)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    }
  })

  test('of an account that has none is set by a reset link only', async () => {
    const { ada } = await people()
    await server.db.update(users).set({ password: null }).where(eq(users.id, ada.id))
    expect(await change(ada, NEW)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await change(ada, NEW, '')).toMatchObject({ status: 403 })
    expect((await change(await fromResetLink(ada.user.email), NEW)).status).toBe(200)
    expect((await logIn(ada.user.username, NEW)).status).toBe(200)
  })

  test('changed while others sign in with the old one, lets none of them stay', async () => {
    const { person } = await server.people()
    for (let round = 0; round < 6; round++) {
      const owner = await withSlowPassword(server.db, await person(`owner${round}`))
      const visitors = Array.from({ length: 6 }, () => browser(server.origin))
      const logIns = visitors.map((visitor) =>
        visitor.http('POST', '/api/auth/login', { username: `owner${round}`, password: PASSWORD }),
      )
      const changed = await change(owner, NEW, PASSWORD)
      await Promise.all(logIns)
      expect(changed.status).toBe(200)
      expect(await Promise.all(visitors.map(isSignedIn))).toEqual(visitors.map(() => false))
      expect(await isSignedIn(owner)).toBe(true)
    }
  })

  test('changed while the account is deleted with the old one, keeps it, or is gone with it', async () => {
    const { person } = await server.people()
    for (let round = 0; round < 6; round++) {
      const owner = await withSlowPassword(server.db, await person(`kept${round}`))
      const thief = await logIn(`kept${round}`, PASSWORD)
      const deleting = thief.http('DELETE', '/api/account', { password: PASSWORD })
      const changed = await change(owner, NEW, PASSWORD)
      const { status } = await deleting
      // Whichever came first: where the change was acknowledged, nothing by the old password comes after it.
      expect([changed.status, status]).toEqual(changed.status === 200 ? [200, expect.any(Number)] : [changed.status, 200])
      expect((await logIn(`kept${round}`, NEW)).status).toBe(changed.status === 200 ? 200 : 401)
    }
  })
})
