import { afterAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { findInstallationSecret } from '../../src/db/installation'
import { installation, sessions } from '../../src/db/tables'
import { type Answer, type Browser, browser, ownAddress } from '../support/browser'
import { onEachDatabase, onOneDatabase } from '../support/databases'
import { linksTo } from '../support/links'
import { mailbox } from '../support/mail'
import { createAccount, PASSWORD } from '../support/people'

const box = await mailbox()
afterAll(() => box.stop())
const env = { SMTP_URL: box.url, MAIL_FROM: 'wrk <post@wrk.example.com>' }

const WRONG = 'wrong password'
const NEW = 'a much better one'

const logIn = (who: Pick<Browser, 'http'>, username: string, password = PASSWORD, headers = {}) =>
  who.http('POST', '/api/auth/login', { username, password }, headers)
const askForLink = (who: Pick<Browser, 'http'>, email: string, path = 'magic-link') =>
  who.http('POST', `/api/auth/${path}`, { email })

const count = (answers: Answer[], wanted: number) => answers.filter(({ status }) => status === wanted).length
const times = <T>(number: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: number }, (_, n) => work(n)))
const setCookies = ({ headers }: Answer) => headers.getSetCookie().filter((cookie) => /^(__Host-)?device=/.test(cookie))
const valueIn = (setCookie = '') => /=([^;]*)/.exec(setCookie)?.[1] ?? ''

let people = 0

onEachDatabase(
  'while strangers at any number of addresses use up both ways into an account',
  (server) => {
    const { someone, mailed, verify, me } = linksTo(server, box)

    /** Somebody of a proven address, and a browser in which they have signed in and out. */
    async function owner() {
      const username = `owner${people++}`
      const { user } = await createAccount(server.db, { username, email: `${username}@example.com` })
      return { ...user, own: await knownBrowser(user.username) }
    }

    async function knownBrowser(username: string, who = someone()) {
      expect((await logIn(who, username)).status).toBe(200)
      await who.http('POST', '/api/auth/logout')
      return who
    }

    async function attack({ username, email }: { username: string; email: string }) {
      const guesses = await times(30, (n) => logIn(someone(), n % 2 ? username : email, WRONG))
      expect([count(guesses, 401), count(guesses, 429)]).toEqual([10, 20])
      const links = []
      // One after the other: at once they wait for each other's locks, which a busy machine answers with 503.
      for (let n = 0; n < 12; n++) links.push(await askForLink(someone(), email, n % 2 ? 'magic-link' : 'forgot-password'))
      expect([count(links, 200), count(links, 429)]).toEqual([5, 7])
      for (let n = 0; n < 5; n++) await box.next(email)
    }

    /** Whether the right password, and a link, are let through. */
    async function waysIn(who: Pick<Browser, 'http'>, { username, email }: { username: string; email: string }) {
      return [(await logIn(who, username)).status, (await askForLink(who, email)).status]
    }

    test('its owner signs in with the password in a browser in which they have done so before, and in no other', async () => {
      const fay = await owner()
      await attack(fay)
      expect((await logIn(someone(), fay.username)).status).toBe(429)
      expect((await logIn(fay.own, fay.username)).status).toBe(200)
      expect(await me(fay.own)).toMatchObject({ username: fay.username })
      await fay.own.http('POST', '/api/auth/logout')
      expect((await logIn(fay.own, fay.email)).status).toBe(200)
    })

    for (const path of ['magic-link', 'forgot-password'])
      test(`so they do by a link of ${path}`, async () => {
        const fay = await owner()
        await attack(fay)
        expect((await askForLink(someone(), fay.email, path)).status).toBe(429)
        expect((await askForLink(fay.own, fay.email, path)).status).toBe(200)
        expect((await verify(fay.own, await mailed(fay.email))).status).toBe(200)
        expect(await me(fay.own)).toMatchObject({ username: fay.username })
      })

    test('a refusal says so to everybody but a browser in which they have', async () => {
      const fay = await owner()
      const known = ', or use a browser you have signed in with before.'
      await attack(fay)
      const strangers = [await logIn(someone(), fay.username), await askForLink(someone(), fay.email)]
      for (const { body } of strangers) expect(body).toMatchObject({ message: expect.stringContaining(known) })
      await times(10, () => logIn(fay.own, fay.username, WRONG))
      const { status, body } = await logIn(fay.own, fay.username)
      expect(status).toBe(429)
      expect(body).toMatchObject({ message: expect.stringMatching(/ Please try again in 15 minutes\.$/) })
    })

    test('a browser has ten guesses and five links of its own, then as many as any other', async () => {
      const fay = await owner()
      expect(count(await times(20, () => logIn(fay.own, fay.username, WRONG)), 401)).toBe(17)
      expect(count(await times(3, () => logIn(someone(), fay.username, WRONG)), 401)).toBe(3)
      expect((await logIn(someone(), fay.username)).status).toBe(429)
      expect(count(await times(10, () => askForLink(fay.own, fay.email)), 200)).toBe(8)
    })

    test('a browser of another account, a forged, a stretched and an expired cookie get nobody in', async () => {
      const [fay, gil] = [await owner(), await owner()]
      const [device = '', expires = '', signature = ''] = deviceIn(fay.own).split('.')
      const signed = async (on: string, until: number) => {
        const secret = await findInstallationSecret(server.db)
        const hash = new Bun.CryptoHasher('sha256', secret).update([fay.id, 0, on, until].join()).digest('base64url')
        return [on, until, hash].join('.')
      }
      await attack(fay)
      const seconds = Math.floor(Date.now() / 1000)
      const useless = [
        deviceIn(gil.own),
        [device, expires, 'x'.repeat(43)].join('.'),
        [device, Number(expires) + 1, signature].join('.'),
        ['another', expires, signature].join('.'),
        await signed(device, seconds - 1),
        [...Array.from({ length: 5 }, () => deviceIn(gil.own)), deviceIn(fay.own)].join('~'),
        '',
        '%',
        '~'.repeat(5_000),
      ]
      for (const cookie of useless) {
        const { status } = await logIn(someone(), fay.username, PASSWORD, { cookie: `device=${cookie}` })
        expect([cookie, status]).toEqual([cookie, 429])
      }
      // What tells that the last ones were made rightly.
      for (const cookie of [await signed(device, seconds + 60), `${deviceIn(gil.own)}~${deviceIn(fay.own)}`])
        expect((await logIn(someone(), fay.username, PASSWORD, { cookie: `device=${cookie}` })).status).toBe(200)
    })

    test('the first to sign in make the secret that signs for all', async () => {
      await server.db.delete(installation)
      const owners = await times(4, owner)
      expect(await server.db.$count(installation)).toBe(1)
      for (const fay of owners) {
        await attack(fay)
        expect((await logIn(fay.own, fay.username)).status).toBe(200)
      }
      await server.db.delete(installation)
      const { username, own } = owners[0] ?? (await owner())
      expect((await logIn(own, username)).status).toBe(429)
    })

    test('its cookie signs nobody in', async () => {
      const fay = await owner()
      expect((await someone().http('GET', '/api/auth/me', undefined, { cookie: fay.own.cookie() })).status).toBe(401)
    })

    const ends: [string, (fay: Browser, username: string) => Promise<Answer>][] = [
      ['a new password', (fay) => fay.http('POST', '/api/auth/password', { newPassword: NEW, currentPassword: PASSWORD })],
      ['signing out everywhere else', (fay) => fay.http('DELETE', '/api/auth/sessions')],
      [
        'ending a session from afar',
        async (fay) => {
          const { body } = await fay.http('GET', '/api/account')
          const { id = '' } =
            (body as { sessions: { id: string; current: boolean }[] }).sessions.find((one) => !one.current) ?? {}
          return fay.http('DELETE', `/api/auth/sessions/${id}`)
        },
      ],
    ]
    for (const [what, end] of ends)
      test(`${what} makes all browsers but this one strangers`, async () => {
        const fay = await owner()
        const other = await knownBrowser(fay.username)
        await logIn(someone(), fay.username)
        await logIn(fay.own, fay.username)
        expect((await end(fay.own, fay.username)).status).toBe(200)
        await fay.own.http('POST', '/api/auth/logout')
        await attack(fay)
        expect(await waysIn(other, fay)).toEqual([429, 429])
        const [known] = await times(1, () => logIn(fay.own, fay.username, what === 'a new password' ? NEW : PASSWORD))
        expect(known?.status).toBe(200)
      })

    test('a browser is known to five accounts, those that signed in last', async () => {
      const owners = [await owner(), await owner(), await owner(), await owner(), await owner(), await owner()]
      const shared = someone()
      for (const { username } of owners) await knownBrowser(username, shared)
      for (const one of owners) await attack(one)
      const statuses: number[] = []
      for (const one of owners)
        statuses.push((await logIn(someone(), one.username, PASSWORD, { cookie: shared.cookie() })).status)
      expect(statuses).toEqual([429, 200, 200, 200, 200, 200])
    })

    test('a browser that is signed in becomes known, too: by one device, however often its session is renewed', async () => {
      const { person } = await server.people()
      const fay = await person(`owner${people++}`)
      const session = fay.cookie()
      const devices = new Set<string>()
      for (let n = 0; n < 3; n++) {
        await server.db.update(sessions).set({ lastSeenAt: sql`now() - interval '6 minutes'` }).where(eq(sessions.userId, fay.id))
        const [renewed] = setCookies(await someone().http('GET', '/api/auth/me', undefined, { cookie: session }))
        devices.add(valueIn(renewed).split('.')[0] ?? '')
        await attackOnce(n, fay.user)
        const answer = await logIn(someone(), fay.user.username, PASSWORD, { cookie: `device=${valueIn(renewed)}` })
        expect(answer.status).toBe(200)
      }
      expect(devices.size).toBe(1)
    })
    const attackOnce = async (n: number, account: { username: string; email: string }) => n === 0 && attack(account)

    test('a browser keeps its device when it signs in again', async () => {
      const fay = await owner()
      const deviceOf = () => deviceIn(fay.own).split('.')[0]
      const before = deviceOf()
      await knownBrowser(fay.username, fay.own)
      expect(deviceOf()).toBe(before)
      expect(deviceIn(fay.own)).not.toContain('~')
    })

    test('no cookie tells whether somebody has a name', async () => {
      const [fay, gil] = [await owner(), await owner()]
      const answers = async (username: string) => {
        const tried: string[] = []
        for (let n = 0; n < 13; n++) {
          const { status, text } = await logIn(someone(), username, WRONG, { cookie: fay.own.cookie() })
          tried.push(`${status} ${text.replace(/\d+/g, '')}`)
        }
        return tried
      }
      expect(await answers(gil.username)).toEqual(await answers('nobody-has-this'))
    })
  },
  env,
)

const deviceIn = (who: Pick<Browser, 'cookie'>) => /(?:^|; )device=([^;]*)/.exec(who.cookie())?.[1] ?? ''

onOneDatabase(
  'the cookie of a device',
  (server) => {
    test('is for this host alone where the site has https, for scripts never, and for a year', async () => {
      await server.people()
      const [cookie = ''] = setCookies(await logIn(browser(server.origin), 'ada'))
      expect(cookie).toMatch(/^__Host-device=[\w-]{43}\.\d{10}\.[\w-]{43};/)
      expect(cookie.split('; ').slice(1).toSorted()).toEqual(['HttpOnly', 'Max-Age=31536000', 'Path=/', 'SameSite=Lax', 'Secure'])
    })
  },
  { PUBLIC_URL: 'https://wrk.example.com' },
)

onOneDatabase('a browser at two addresses', (server) => {
  test('is one caller, where it has kept its cookie', async () => {
    const { ada } = await server.people()
    const [v4, v6] = [{ 'x-forwarded-for': ownAddress() }, { 'x-forwarded-for': '2001:db8:77::1' }]
    const stranger = browser(server.origin)
    await logIn(stranger, 'bob', WRONG, v4)
    const guesses = await times(12, (n) => logIn(stranger, 'ada', WRONG, n % 2 ? v4 : v6))
    expect([count(guesses, 401), count(guesses, 429)]).toEqual([7, 5])
    expect((await logIn(browser(server.origin), ada.user.username)).status).toBe(200)
  })
})
