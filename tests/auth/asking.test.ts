import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { createLink } from '../../src/auth/server/store'
import { magicLinks, sessions } from '../../src/db/tables'
import { hashToken, newToken } from '../../src/server/tokens'
import { browser } from '../support/browser'
import { onEachDatabase, onOneDatabase } from '../support/databases'
import { linksTo } from '../support/links'
import { mailbox } from '../support/mail'

const box = await mailbox()
afterAll(() => box.stop())
const env = { SMTP_URL: box.url, MAIL_FROM: 'wrk <post@wrk.example.com>' }

let count = 0

onEachDatabase(
  'a link that signs in asks first',
  (server) => {
    const { someone, newcomer, mailed, verify, me } = linksTo(server, box)
    /** Somebody whose address is proven: mails are counted by the address that they go to. */
    const person = async (people = server.people()) => (await people).person(`asked${count++}`)
    const ask = (who: Pick<ReturnType<typeof someone>, 'http'>, email: string, path = 'magic-link') =>
      who.http('POST', `/api/auth/${path}`, { email })
    const question = (username: string) => ({
      status: 409,
      body: { message: expect.any(String), code: 'CONFLICT', needsConfirmation: true, username },
    })

    test('where another browser asked for it, until that is agreed to', async () => {
      const hal = await person()
      await ask(someone(), hal.user.email)
      const token = await mailed(hal.user.email)
      const visitor = someone()
      for (const headers of [{}, { cookie: 'asked=' }, { cookie: `asked=${'x'.repeat(43)}` }, { cookie: 'asked=%' }]) {
        const { status, body } = await verify(visitor, token, '', headers)
        expect({ status, body }).toEqual(question(hal.user.username))
      }
      expect(visitor.cookie()).toBe('')
      expect(await verify(visitor, token, '&confirmed=1')).toMatchObject({ status: 200, body: { purpose: 'sign-in' } })
      expect(await me(visitor)).toEqual(hal.user)
    })

    for (const path of ['magic-link', 'forgot-password'])
      test(`not where this browser asked for it by ${path}, for whomever else it asked since`, async () => {
        const people = server.people()
        const [hal, ida] = [await person(people), await person(people)]
        const visitor = someone()
        await ask(visitor, hal.user.email, path)
        await ask(visitor, ida.user.email, path)
        await ask(visitor, 'nobody@example.net', path)
        expect((await verify(visitor, await mailed(hal.user.email))).status).toBe(200)
        await visitor.http('POST', '/api/auth/logout')
        expect((await verify(visitor, await mailed(ida.user.email))).status).toBe(200)
      })

    test('where somebody else is signed in, whoever asked for it; they stay until it is agreed to', async () => {
      const { ada } = await server.people()
      const username = 'bob'
      const token = await createLink(server.db, 'bob@example.com', 'sign-in')
      const socket = await ada.socket()
      expect(await verify(ada, token)).toMatchObject(question(username))
      expect(await me(ada)).toEqual(ada.user)
      expect(await verify(ada, token, '&confirmed=1')).toMatchObject({ status: 200, body: { user: { username } } })
      expect((await socket.closed()).code).toBe(4001)
      expect(await server.db.$count(sessions, eq(sessions.userId, ada.id))).toBe(0)
    })

    test('even where the one who is signed in asked for it', async () => {
      const [fay, gil] = [await newcomer(), await newcomer()]
      await verify(gil, gil.token)
      await ask(fay, gil.email)
      expect(await verify(fay, await mailed(gil.email))).toMatchObject(question(gil.username))
    })

    test('not where the same account is signed in, whichever browser asked', async () => {
      const { ada } = await server.people()
      for (const purpose of ['sign-in', 'reset', 'confirm'] as const) {
        const token = await createLink(server.db, ada.user.email, purpose)
        expect(await verify(ada, token)).toMatchObject({ status: 200, body: { purpose } })
      }
    })

    test('even where the answer stands in the address to which somebody was led', async () => {
      const { nobody } = await server.people()
      const token = await createLink(server.db, 'bob@example.com', 'sign-in')
      for (const dest of ['document', 'iframe', 'image', 'script']) {
        const led = await verify(nobody, token, '&confirmed=1', { 'sec-fetch-dest': dest, 'sec-fetch-site': 'same-origin' })
        expect(led).toMatchObject(question('bob'))
      }
      expect((await verify(nobody, token, '&confirmed=1', { 'sec-fetch-dest': 'empty' })).status).toBe(200)
    })

    test('by the page in the same words', async () => {
      const { nobody } = await server.people()
      const token = await createLink(server.db, 'bob@example.com', 'sign-in')
      const data = { code: 'CONFLICT', needsConfirmation: true, username: 'bob' }
      const asked = await nobody.http('POST', '/trpc/auth.verify', { token })
      expect(asked).toMatchObject({ status: 409, body: { error: { data } } })
      expect((await nobody.http('POST', '/trpc/auth.verify', { token, confirmed: true })).status).toBe(200)
    })

    test('however often, and uses nothing up', async () => {
      await server.people()
      const token = await createLink(server.db, 'bob@example.com', 'sign-in')
      const answers = await Promise.all(Array.from({ length: 20 }, () => verify(someone(), token)))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(409))
      expect((await verify(someone(), token, '&confirmed=1')).status).toBe(200)
    })

    test('knowing the browser by a cookie that scripts cannot read, of which only a hash is stored', async () => {
      const hal = await person()
      const [known, unknown] = [await ask(someone(), hal.user.email), await ask(someone(), 'nobody@example.net')]
      for (const { headers } of [known, unknown])
        expect(headers.getSetCookie()).toEqual([
          expect.stringMatching(/^asked=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/),
        ])
      const value = /asked=([\w-]+)/.exec(known.headers.getSetCookie()[0] ?? '')?.[1] ?? ''
      const [link] = await server.db.select().from(magicLinks).where(eq(magicLinks.email, hal.user.email))
      expect(link?.askedBy).toBe(new Bun.CryptoHasher('sha256').update(value).digest('hex'))
      expect((await verify(someone(), await mailed(hal.user.email), '', { cookie: `asked=${link?.askedBy}` })).status).toBe(409)
    })
  },
  env,
)

onOneDatabase(
  'a link asked for over https',
  (server) => {
    test('sends its cookie over https only, and takes none that another site of the domain could set', async () => {
      const email = 'nobody@example.net'
      const { headers } = await browser(server.origin).http('POST', '/api/auth/magic-link', { email })
      expect(headers.getSetCookie()[0]).toMatch(/^__Host-asked=.*; Path=\/; .*Secure/)
      await server.people()
      const asked = newToken()
      const token = await createLink(server.db, 'bob@example.com', 'sign-in', { askedBy: hashToken(asked) })
      const verified = async (cookie: string) =>
        (await browser(server.origin).http('GET', `/api/auth/verify?token=${token}`, undefined, { cookie })).status
      expect([await verified(`asked=${asked}`), await verified(`__Host-asked=${asked}`)]).toEqual([409, 200])
    })
  },
  { ...env, PUBLIC_URL: 'https://wrk.example.com' },
)
