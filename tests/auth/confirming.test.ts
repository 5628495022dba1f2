import { afterAll, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { createLink } from '../../src/auth/server/store'
import { magicLinks, mails, notifications, sessions, users } from '../../src/db/tables'
import { onEachDatabase, onServer, type Server } from '../support/databases'
import { linksTo } from '../support/links'
import { mailbox } from '../support/mail'
import { PASSWORD, withoutProof } from '../support/people'
import { openSocket } from '../support/socket'

const DAY = 86_400_000
const REFUSED = { status: 401, body: { message: 'This link is invalid or has expired.', code: 'UNAUTHORIZED' } }
const box = await mailbox()
afterAll(() => box.stop())
const env = { SMTP_URL: box.url, MAIL_FROM: 'wrk <post@wrk.example.com>' }

const isProven = async ({ db }: Server, email: string) => {
  const [row] = await db.select().from(users).where(eq(users.email, email))
  return row?.emailVerifiedAt != null
}

onEachDatabase(
  'an address',
  (server) => {
    const { someone, newcomer, mailed, verify, me } = linksTo(server, box)
    const confirm = (who: { http: ReturnType<typeof someone>['http'] }) => who.http('POST', '/api/auth/confirm-email')

    test('is confirmed by the link that a registration mails, in whose browser the session goes on', async () => {
      const fay = await newcomer()
      expect(await me(fay)).toMatchObject({ emailVerified: false })
      const socket = await openSocket(server.origin, { cookie: fay.cookie() })
      const before = fay.cookie()
      const answer = await verify(fay, fay.token)
      expect(answer).toMatchObject({ status: 200, body: { user: { id: fay.id, emailVerified: true }, purpose: 'confirm' } })
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(fay.cookie()).toBe(before)
      expect(await me(fay)).toMatchObject({ id: fay.id, emailVerified: true })
      expect((await socket.next('current_user_updated')).user.emailVerified).toBe(true)
    })

    test('is asked about in a mail that says who may ignore it, without a word that a stranger chose', async () => {
      const email = 'stranger-words@example.net'
      const words = { username: 'evil.example', name: 'Pay at https://evil.example', email, password: PASSWORD }
      expect((await someone().http('POST', '/api/auth/register', words)).status).toBe(201)
      const { subject, text, html } = await box.next(email)
      expect(subject).toBe('Confirm your email for wrk')
      expect(text.replaceAll(/\s+/g, ' ')).toContain('Not you? Ignore this email.')
      expect(text.replaceAll(/\s+/g, ' ')).toContain('expires in 24 hours')
      for (const part of [subject, text, html]) expect(part).not.toContain('evil')
    })

    test('is not confirmed by a link that was used, or that is older than a day', async () => {
      const [fay, gil] = [await newcomer(), await newcomer()]
      const [link] = await server.db.select().from(magicLinks).where(eq(magicLinks.email, fay.email))
      expect(Number(link?.expiresAt) - Number(link?.createdAt)).toBe(DAY)
      expect((await verify(fay, fay.token)).status).toBe(200)
      expect(await verify(fay, fay.token)).toMatchObject(REFUSED)
      await server.db.update(magicLinks).set({ expiresAt: sql`now() - interval '1 minute'` })
      expect(await verify(gil, gil.token)).toMatchObject(REFUSED)
      expect(await isProven(server, gil.email)).toBe(false)
    })

    test('gets another link on request, which ends the one before and no other', async () => {
      const fay = await newcomer()
      expect((await confirm(someone())).status).toBe(401)
      await someone().http('POST', '/api/auth/magic-link', { email: fay.email })
      const signIn = await mailed(fay.email)
      expect(await confirm(fay)).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
      const second = await mailed(fay.email)
      expect(await verify(fay, fay.token)).toMatchObject(REFUSED)
      await someone().http('POST', '/api/auth/forgot-password', { email: fay.email })
      const reset = await mailed(fay.email)
      expect(await verify(fay, signIn)).toMatchObject(REFUSED)
      expect(await verify(fay, second)).toMatchObject({ status: 200, body: { purpose: 'confirm' } })
      expect(await verify(fay, reset)).toMatchObject({ status: 200, body: { purpose: 'reset' } })
      const message = 'Your email is already confirmed.'
      expect(await confirm(fay)).toMatchObject({ status: 409, body: { message, code: 'CONFLICT' } })
    })

    test('gets three such mails an hour that one network address asks for, and no more', async () => {
      const fay = await newcomer()
      const answers: number[] = []
      for (let times = 0; times < 6; times++) answers.push((await confirm(fay)).status)
      expect(answers).toEqual([200, 200, 200, 429, 429, 429])
    })

    for (const purpose of ['sign-in', 'reset', 'confirm'] as const)
      test(`is proven by a link of the kind "${purpose}", which signs in where nobody is`, async () => {
        const [fay, visitor] = [await newcomer(), someone()]
        const token = await createLink(server.db, fay.email, purpose)
        const answer = await verify(visitor, token, '&confirmed=1&keepPassword=1')
        expect(answer).toMatchObject({ status: 200, body: { user: { emailVerified: true }, purpose } })
        expect(await me(visitor)).toMatchObject({ id: fay.id, emailVerified: true })
        expect(await isProven(server, fay.email)).toBe(true)
      })

    test('is proven by accepting the invitation that was mailed to it, not by one to another', async () => {
      const { ada, board } = await server.people()
      const fay = await newcomer()
      const accept = async (email: string) => {
        await ada.http('POST', `/api/boards/${board.id}/members`, { email })
        return fay.http('POST', `/api/invitations/${await mailed(email)}/accept`)
      }
      expect((await accept(`other-than-${fay.email}`)).status).toBe(200)
      expect(await me(fay)).toMatchObject({ emailVerified: false })
      const { notifications } = await ada.api.notifications.list.query({})
      expect(notifications[0]?.detail).toEndWith('; they joined with another email, which is not confirmed.')
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: fay.id })
      const socket = await openSocket(server.origin, { cookie: fay.cookie() })
      expect((await accept(fay.email)).status).toBe(200)
      expect(await me(fay)).toMatchObject({ emailVerified: true })
      expect((await socket.next('current_user_updated')).user.emailVerified).toBe(true)
    })

    test('is proven by the link of an invitation that was mailed to it, of a member too, who joins nothing by it', async () => {
      const { ada, board } = await server.people()
      const fay = await newcomer()
      await ada.http('POST', `/api/boards/${board.id}/members`, { username: fay.username })
      await ada.http('POST', `/api/boards/${board.id}/members`, { email: fay.email })
      expect((await fay.http('POST', `/api/boards/${board.id}/join`)).status).toBe(200)
      expect(await me(fay)).toMatchObject({ emailVerified: false })
      expect((await fay.http('POST', `/api/invitations/${await mailed(fay.email)}/accept`)).status).toBe(200)
      expect(await me(fay)).toMatchObject({ emailVerified: true })
    })

    test('that nobody has proven joins no board by an old link', async () => {
      const { ada, board } = await server.people()
      const fay = await newcomer()
      await ada.http('POST', `/api/boards/${board.id}/members`, { email: fay.email })
      const join = () => fay.http('POST', `/api/boards/${board.id}/join`)
      const gone = { message: 'This invitation is invalid or has expired.', code: 'NOT_FOUND' }
      expect(await join()).toMatchObject({ status: 404, body: gone })
      await verify(fay, fay.token)
      expect(await join()).toMatchObject({ status: 200, body: { success: true } })
    })

    test('that nobody has proven is invited like one that nobody has, and by username its account is added at once', async () => {
      const { ada, board } = await server.people()
      const fay = await newcomer()
      const add = (given: object) => ada.http('POST', `/api/boards/${board.id}/members`, given)
      const [known, unknown] = [await add({ email: fay.email }), await add({ email: `un${fay.email}` })]
      const shape = { id: expect.any(Number), status: 'pending', expiresAt: expect.any(String) }
      expect([known.status, known.body]).toEqual([201, { invitation: { ...shape, email: fay.email } }])
      expect([unknown.status, unknown.body]).toEqual([201, { invitation: { ...shape, email: `un${fay.email}` } }])
      expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()])
      expect((await box.next(fay.email)).subject).toBe('ada invited you to “Garden”')
      const added = await add({ username: fay.username })
      expect(added).toMatchObject({ status: 201, body: { user: { id: fay.id } } })
      // The invitation is its owner's, whoever that is.
      expect(await ada.api.invitations.list.query({ boardId: board.id })).toMatchObject([{ email: fay.email }, {}])
    })

    test('that is proven is added at once', async () => {
      const { ada, board } = await server.people()
      const fay = await newcomer()
      await verify(fay, fay.token)
      const added = await ada.http('POST', `/api/boards/${board.id}/members`, { email: fay.email })
      expect(added).toMatchObject({ status: 201, body: { user: { id: fay.id } } })
    })

    test('that nobody has proven is shown as such, and named in no invitation', async () => {
      const { ada } = await server.people()
      const fay = await newcomer()
      const profile = async (who: Pick<typeof ada, 'http'>) => (await who.http('GET', `/api/users/${fay.username}`)).body
      const board = (await fay.http('POST', '/api/boards', { name: 'Shed' })).body as { id: number }
      await fay.http('POST', `/api/boards/${board.id}/members`, { username: 'ada' })
      expect(await profile(ada)).toMatchObject({ email: fay.email, emailVerified: false })
      await fay.http('POST', `/api/boards/${board.id}/members`, { email: `guest-of-${fay.email}` })
      expect((await box.next(`guest-of-${fay.email}`)).text).not.toContain(`(${fay.email})`)
      await verify(fay, fay.token)
      expect(await profile(ada)).toMatchObject({ email: fay.email, emailVerified: true })
    })

    test('of the developer is proven', async () => {
      for (const visitor of [someone(), someone()])
        expect((await visitor.http('POST', '/api/auth/dev-login-json')).body).toMatchObject({ user: { emailVerified: true } })
    })
  },
  env,
)

onServer(
  'the password of an account whose address nobody has proven',
  (server) => {
    const { someone, newcomer, verify, login, me } = linksTo(server, box)

    for (const purpose of ['sign-in', 'reset', 'confirm'] as const)
      test(`is asked about by a link of the kind "${purpose}", which uses nothing up`, async () => {
        const fay = await newcomer()
        const token = await createLink(server.db, fay.email, purpose)
        for (const visitor of [someone(), someone()]) {
          const { status, body } = await verify(visitor, token)
          const question = { needsConfirmation: true, username: fay.username, hasPassword: true }
          expect([status, body]).toEqual([409, { message: expect.any(String), code: 'CONFLICT', ...question }])
          expect(visitor.cookie()).toBe('')
        }
        expect(await isProven(server, fay.email)).toBe(false)
        expect((await verify(someone(), token, '&confirmed=1&keepPassword=1')).status).toBe(200)
      })

    for (const [what, rest] of [
      ['said', '&confirmed=1&keepPassword=0'],
      ['unsaid', '&confirmed=1'],
      ['odd', '&confirmed=1&keepPassword=yes'],
    ])
      test(`goes with all sessions where that it stays is ${what}`, async () => {
        const [fay, owner] = [await newcomer(), someone()]
        const socket = await openSocket(server.origin, { cookie: fay.cookie() })
        const token = await createLink(server.db, fay.email, 'sign-in')
        expect((await verify(owner, token, rest)).body).toMatchObject({ passwordRemoved: true })
        expect((await socket.closed()).code).toBe(4001)
        expect((await fay.http('GET', '/api/auth/me')).status).toBe(401)
        expect((await login(fay.username)).status).toBe(401)
        expect(await me(owner)).toMatchObject({ id: fay.id, emailVerified: true })
        expect(await server.db.$count(sessions, eq(sessions.userId, fay.id))).toBe(1)
      })

    test('stays with all sessions where its owner says so, and nothing is asked again', async () => {
      const [fay, owner] = [await newcomer(), someone()]
      const token = await createLink(server.db, fay.email, 'sign-in')
      expect((await verify(owner, token, '&confirmed=1&keepPassword=1')).status).toBe(200)
      expect(await me(fay)).toMatchObject({ id: fay.id })
      expect((await login(fay.username)).status).toBe(200)
      const next = await verify(someone(), await createLink(server.db, fay.email, 'sign-in'))
      expect(next.body).toMatchObject({ needsConfirmation: true })
      expect(next.body).not.toHaveProperty('hasPassword')
    })

    test('is not asked about in a browser that is signed in to it, whatever it says', async () => {
      const fay = await newcomer()
      const token = await createLink(server.db, fay.email, 'sign-in')
      expect((await verify(fay, token, '&keepPassword=0')).status).toBe(200)
      expect((await login(fay.username)).status).toBe(200)
    })

    test('is asked about where this browser asked for the link too, if it is signed out', async () => {
      const fay = await newcomer()
      await fay.http('POST', '/api/auth/logout')
      expect((await verify(fay, fay.token)).body).toMatchObject({ hasPassword: true })
    })

    test('once gone lets nobody in who logs in at that moment', async () => {
      for (let round = 0; round < 10; round++) {
        const [fay, owner] = [await newcomer(), someone()]
        const token = await createLink(server.db, fay.email, 'confirm')
        const attempts = Array.from({ length: 4 }, () => login(fay.username))
        const [taken, ...entered] = await Promise.all([verify(owner, token, '&confirmed=1&keepPassword=0'), ...attempts])
        expect(taken.status).toBe(200)
        for (const { visitor } of entered) expect((await visitor.http('GET', '/api/auth/me')).status).toBe(401)
        expect((await fay.http('GET', '/api/auth/me')).status).toBe(401)
        expect(await me(owner)).toMatchObject({ id: fay.id })
      }
    })

    test('ends no link to its owner where it is changed', async () => {
      const fay = await newcomer()
      const change = { newPassword: 'battery staple', currentPassword: PASSWORD }
      expect((await fay.http('POST', '/api/auth/password', change)).status).toBe(200)
      expect((await verify(fay, fay.token)).status).toBe(200)
    })

    test('once gone is not set anew by whoever changes it at that moment', async () => {
      for (let round = 0; round < 10; round++) {
        const [fay, owner] = [await newcomer(), someone()]
        const token = await createLink(server.db, fay.email, 'sign-in')
        await createLink(server.db, fay.email, 'confirm')
        const change = { newPassword: 'battery staple', currentPassword: PASSWORD }
        const [changed, taken] = await Promise.all([
          fay.http('POST', '/api/auth/password', change),
          verify(owner, token, '&confirmed=1&keepPassword=0'),
        ])
        // Nor does a new password end the owner's links.
        expect(taken.status).toBe(200)
        expect([200, 401, 403, 409]).toContain(changed.status)
        const [row] = await server.db.select().from(users).where(eq(users.id, fay.id))
        expect(row?.password).toBe(null)
      }
    })
  },
  env,
)

onServer(
  'races for an address',
  (server) => {
    const { someone, newcomer, verify, me } = linksTo(server, box)

    test('of twenty who open a confirming link at once, one does', async () => {
      for (let round = 0; round < 10; round++) {
        const fay = await newcomer()
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, i) => verify(i % 2 ? fay : someone(), fay.token, '&confirmed=1&keepPassword=1')),
        )
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(401)])
        expect(await me(fay)).toMatchObject({ emailVerified: true })
      }
    })

    test('of two links of both kinds that are used at once, both work, and one answer about the password counts', async () => {
      for (let round = 0; round < 10; round++) {
        const fay = await newcomer()
        const other = await createLink(server.db, fay.email, 'sign-in')
        const [first, second] = [someone(), someone()]
        const [confirmed, signedIn] = await Promise.all([
          verify(first, fay.token, '&confirmed=1&keepPassword=0'),
          verify(second, other, '&confirmed=1&keepPassword=1'),
        ])
        const [row] = await server.db.select().from(users).where(eq(users.id, fay.id))
        // Removing the password ends the other link.
        const expected = row?.password === null ? [200, 401] : [200, 200]
        expect([confirmed.status, signedIn.status]).toEqual(expected)
      }
    })

    test('a failed registration leaves no link and no mail', async () => {
      const before = box.received.length
      const email = 'wanted@example.net'
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          someone().http('POST', '/api/auth/register', { username: `wanted${i}`, email, password: PASSWORD }),
        ),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1)
      await box.next(email)
      expect(await server.db.$count(magicLinks, eq(magicLinks.email, email))).toBe(1)
      expect(await server.db.$count(mails, eq(mails.recipient, email))).toBe(1)
      expect(box.received.length).toBe(before + 1)
    })

    test('whoever is added by email while they prove it is a member, or invited, never both', async () => {
      const { ada, board } = await server.people()
      for (let round = 0; round < 10; round++) {
        const fay = await newcomer()
        const add = () => ada.http('POST', `/api/boards/${board.id}/members`, { email: fay.email })
        const answers = await Promise.all([add(), verify(fay, fay.token), add()])
        for (const { status } of answers) expect([200, 201, 409]).toContain(status)
        const { members } = await ada.api.boards.get.query({ boardId: board.id })
        const invited = await ada.api.invitations.list.query({ boardId: board.id })
        const isMember = members.some(({ id }) => id === fay.id)
        expect(isMember).not.toBe(invited.some(({ email }) => email === fay.email))
        for (const { id } of invited) await ada.api.invitations.revoke.mutate({ boardId: board.id, invitationId: id })
      }
    })
  },
  env,
)

describe('until an address is proven', () => {
  onEachDatabase(
    'notifications',
    (server) => {
      const { newcomer, verify } = linksTo(server, box)

      test('are told in the inbox and in no mail, then or later; once it is, new ones are mailed', async () => {
        const { ada, board } = await server.people()
        const fay = await newcomer()
        await ada.http('POST', `/api/boards/${board.id}/members`, { username: fay.username })
        for (const name of ['Park', 'Wood', 'Field']) await ada.api.boards.update.mutate({ boardId: board.id, name })
        const mailsGo = async () => {
          await server.db.update(notifications).set({ createdAt: sql`${notifications.createdAt} - interval '3 minutes'` })
          await server.gather()
        }
        await mailsGo()
        expect((await fay.http('GET', '/api/notifications')).body).toMatchObject({ unread: 4 })
        await verify(fay, fay.token)
        await mailsGo()
        const toFay = () => server.db.select().from(mails).where(eq(mails.recipient, fay.email)).orderBy(mails.id)
        expect(await toFay()).toMatchObject([{ subject: 'Confirm your email for wrk' }])
        await ada.api.boards.update.mutate({ boardId: board.id, name: 'Meadow' })
        await mailsGo()
        expect(await toFay()).toMatchObject([{}, { subject: 'ada renamed a board to “Meadow”' }])
      })

      test('that waited for a mail from before are dropped', async () => {
        const { ada, bob, board } = await server.people()
        await server.db.update(users).set({ notifiedAt: sql`now()` }).where(eq(users.id, bob.id))
        await ada.api.boards.update.mutate({ boardId: board.id, name: 'Park' })
        await withoutProof(server.db, bob)
        await server.db.update(users).set({ notifiedAt: null })
        await server.db.update(notifications).set({ createdAt: sql`now() - interval '4 minutes'` })
        await server.gather()
        await server.db.update(users).set({ emailVerifiedAt: sql`now()` })
        await server.gather()
        expect(await server.db.$count(mails, eq(mails.recipient, bob.user.email))).toBe(0)
      })
    },
    env,
  )
})
