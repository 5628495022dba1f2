import { afterAll, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { createLink } from '../../src/auth/server/store'
import { findBillingAccount } from '../../src/billing/server/lookup'
import { storeSubscription } from '../../src/billing/server/store'
import type { Db } from '../../src/db/database'
import { billing, boards, mails, sessions, users } from '../../src/db/tables'
import type { people as peopleSchema } from '../../src/operator/schema'
import { browser } from '../support/browser'
import { amid, onPostgres, onServer, type Server } from '../support/databases'
import { openIdIssuer } from '../support/issuer'
import { linksTo } from '../support/links'
import { mailbox } from '../support/mail'
import { PASSWORD, type Person, withoutProof, withSlowPassword } from '../support/people'

const issuer = await openIdIssuer()
const box = await mailbox()
afterAll(() => Promise.all([issuer.stop(), box.stop()]))

type Listed = z.output<typeof peopleSchema>

/** Ada and the others, and Olga, who runs the server. */
async function withOperator(server: Server) {
  const people = await server.people()
  const olga = await people.person('olga')
  await setOperator(server, olga)
  const act = (what: string, who: { id: number }, given?: object) =>
    olga.http('POST', `/api/operator/users/${who.id}/${what}`, { password: PASSWORD, ...given })
  const listed = async (search = '') => (await olga.http('GET', `/api/operator/users?search=${search}`)).body as Listed
  const about = async (who: { id: number }) =>
    (await olga.http('GET', `/api/operator/users/${who.id}`)).body as Listed['rows'][number]
  return { ...people, olga, act, listed, about }
}

const setOperator = ({ db }: Server, { id }: Person, operator = true) =>
  db.update(users).set({ operator }).where(eq(users.id, id))

onServer(
  'people, to an operator',
  (server) => {
    const { verify, login, me } = linksTo(server, box)
    const someone = () => browser(server.origin)

    test('are listed with what one has to know, found by name and address, and by parts', async () => {
      const { olga, ada, bob, eve, board, listed, about } = await withOperator(server)
      expect(await about(ada)).toEqual({
        id: ada.id,
        username: 'ada',
        name: null,
        avatar: ada.user.avatar,
        email: 'ada@example.com',
        emailVerified: true,
        isPro: false,
        subscribed: false,
        operator: false,
        disabled: false,
        boards: 1,
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
      })
      expect((await listed()).rows.map(({ id }) => id)).toEqual([olga.id, eve.id, bob.id, ada.id].toSorted((a, b) => b - a))
      for (const search of ['BO', 'OB@']) expect((await listed(search)).rows).toMatchObject([{ username: 'bob', boards: 1 }])
      expect((await listed('OB')).rows).toEqual([])
      expect((await listed('ada%40example')).rows).toMatchObject([{ username: 'ada' }])
      for (const none of ['%25', '_', '%5C', 'x@y']) expect((await listed(none)).rows).toEqual([])
      await server.db.execute(
        sql`insert into users (username, email) select 'crowd' || n, 'crowd' || n || '@example.com' from generate_series(1, 60) n`,
      )
      const first = await listed('crowd')
      const rest = (await olga.http('GET', `/api/operator/users?search=crowd&cursor=${first.nextCursor}`)).body as Listed
      expect([first.rows.length, rest.rows.length, rest.nextCursor]).toEqual([50, 10, null])
      await server.db.delete(sessions).where(eq(sessions.userId, bob.id))
      expect(await about(bob)).toMatchObject({ lastSeenAt: null })
      expect((await olga.http('GET', `/api/boards/${board.id}`)).status).toBe(404)
    })

    test('that are disabled are out at once, by whatever way, and are named on boards as ever', async () => {
      const { ada, bob, board, act, about } = await withOperator(server)
      const socket = await bob.socket(board)
      const { http } = someone()
      await http('POST', '/api/auth/magic-link', { email: bob.user.email })
      const { link = '' } = await box.next(bob.user.email)
      expect((await act('disable', bob)).body).toEqual({ success: true })
      expect(await socket.next('account_disabled')).toEqual({})
      expect((await socket.closed()).code).toBe(4001)
      expect((await bob.http('GET', '/api/auth/me')).status).toBe(401)
      expect((await verify(someone(), new URL(link).searchParams.get('token') ?? '')).status).toBe(401)
      const refused = await someone().http('POST', '/api/auth/login', { username: 'bob', password: PASSWORD })
      expect([refused.status, refused.body]).toEqual([403, { message: expect.stringContaining('disabled'), code: 'FORBIDDEN' }])
      expect((await login('bob', 'not their password')).status).toBe(401)
      issuer.knows('bob', { email: bob.user.email, email_verified: true })
      const visitor = someone()
      const { headers } = await visitor.http('GET', '/api/auth/oauth/oidc')
      const back = new URL(await issuer.visit(headers.get('location') ?? '', 'bob'))
      expect((await visitor.http('GET', back.pathname + back.search)).headers.get('location')).toBe(
        '/login?error=account_disabled',
      )
      expect(await about(bob)).toMatchObject({ disabled: true })
      const { members } = (await ada.http('GET', `/api/boards/${board.id}`)).body as { members: { username: string }[] }
      expect(members.map(({ username }) => username)).toEqual(['ada', 'bob'])
      expect((await act('enable', bob)).status).toBe(200)
      expect((await login('bob')).status).toBe(200)
    })

    test('that are disabled get no mail, and none that waited', async () => {
      const { ada, bob, board, act } = await withOperator(server)
      await server.db
        .insert(mails)
        .values({ recipient: bob.user.email, subject: 'x', text: 'x', html: 'x', nextTryAt: new Date(Date.now() + 60_000) })
      await act('disable', bob)
      await someone().http('POST', '/api/auth/forgot-password', { email: bob.user.email })
      const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
      await server.gather()
      expect(await server.db.$count(mails, eq(mails.recipient, bob.user.email))).toBe(0)
    })

    test('a session that begins as its user is disabled does not outlive that', async () => {
      const { bob, act, olga } = await withOperator(server)
      await withSlowPassword(server.db, bob)
      for (let round = 0; round < 10; round++) {
        await act('enable', bob)
        await Promise.all([olga.http('POST', `/api/operator/users/${bob.id}/disable`), login('bob'), login('bob')])
        expect(await server.db.$count(sessions, eq(sessions.userId, bob.id))).toBe(0)
      }
    })

    onPostgres('whoever opens a link while they are being disabled is not let in', async () => {
      const { bob } = await withOperator(server)
      const link = await createLink(server.db, bob.user.email, 'sign-in')
      const disable = (db: Db) => db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, bob.id))
      const opening = await amid(server.db, disable, () => verify(someone(), link, '&confirmed=1'))
      expect((await opening.answer).status).toBe(403)
    })

    test('an address that an operator proves is proven', async () => {
      const { eve, act } = await withOperator(server)
      await withoutProof(server.db, eve)
      const page = await eve.socket()
      expect((await act('prove', eve)).status).toBe(200)
      expect(await page.next('current_user_updated')).toMatchObject({ user: { emailVerified: true } })
      expect(await me(eve)).toMatchObject({ emailVerified: true })
    })

    test('a changed email ends sessions and links, deletes unsent mail, notifies the old address, and is unproven', async () => {
      const { eve, bob, act } = await withOperator(server)
      const old = eve.user.email
      await someone().http('POST', '/api/auth/magic-link', { email: old })
      const { link = '' } = await box.next(old, (mail) => mail.link?.includes('token=') ?? false)
      expect((await act('email', eve, { email: bob.user.email })).body).toMatchObject({ message: 'Email already in use' })
      expect((await act('email', eve, { email: 'no address' })).status).toBe(400)
      expect(await me(eve)).toMatchObject({ email: old })
      const waits = { recipient: old, subject: 'x', text: 'x', html: 'x', nextTryAt: new Date(Date.now() + 60_000) }
      await server.db.insert(mails).values([waits, { ...waits, state: 'failed' }])
      expect((await act('email', eve, { email: ' EVE@New.example ' })).status).toBe(200)
      // The old mailbox may be a stranger's by now.
      expect(await server.db.$count(mails, eq(mails.subject, 'x'))).toBe(0)
      expect((await eve.http('GET', '/api/auth/me')).status).toBe(401)
      expect((await verify(someone(), new URL(link).searchParams.get('token') ?? '')).status).toBe(401)
      await box.next(old, ({ subject }) => subject === 'Your wrk account’s email was changed')
      const { link: proof = '' } = await box.next('eve@new.example')
      expect((await login(old)).status).toBe(401)
      const { visitor } = await login('eve@new.example')
      expect(await me(visitor)).toMatchObject({ id: eve.id, emailVerified: false })
      expect((await verify(visitor, new URL(proof).searchParams.get('token') ?? '')).body).toMatchObject({ purpose: 'confirm' })
    })

    test('a link to set a new password works once, and proves no address', async () => {
      const { eve, act } = await withOperator(server)
      await withoutProof(server.db, eve)
      const { link } = (await act('reset-link', eve)).body as { link: string }
      expect(link).toMatch(/^http:\/\/localhost:\d+\/auth\/verify\?token=[\w-]{43}$/)
      const token = new URL(link).searchParams.get('token') ?? ''
      const visitor = someone()
      const asks = await verify(visitor, token)
      expect([asks.status, asks.body]).toEqual([409, expect.objectContaining({ needsConfirmation: true, username: 'eve' })])
      expect((await verify(visitor, token, '&confirmed=1')).body).toMatchObject({
        purpose: 'reset',
        user: { emailVerified: false },
      })
      expect((await verify(someone(), token, '&confirmed=1')).status).toBe(401)
      expect((await visitor.http('POST', '/api/auth/password', { newPassword: 'battery staple' })).status).toBe(200)
      expect(await me(visitor)).toMatchObject({ emailVerified: false })
      expect((await eve.http('GET', '/api/auth/me')).status).toBe(401)
      await act('disable', eve)
      expect((await act('reset-link', eve)).status).toBe(409)
    })

    test('Pro that was given outlasts a subscription, and does not touch one that runs', async () => {
      const { eve, act } = await withOperator(server)
      const page = await eve.socket()
      const subscribed = (status: string) =>
        server.db
          .insert(billing)
          .values({ userId: eve.id, email: 'x', subscriptionId: 'sub_1', status, isPro: status === 'active' })
          .onConflictDoUpdate({ target: billing.userId, set: { status } })
      await subscribed('active')
      for (const isPro of [true, false]) expect((await act('plan', eve, { isPro })).status).toBe(409)
      await subscribed('canceled')
      expect((await act('plan', eve, { isPro: true })).status).toBe(200)
      expect(await page.next('current_user_updated')).toMatchObject({ user: { isPro: true } })
      const [stored] = await server.db
        .select()
        .from(users)
        .where(and(eq(users.id, eve.id), users.proGiven))
      expect(stored).toMatchObject({ isPro: true })
      // One that was begun before, and is paid for only now, ends.
      await server.db.update(billing).set({ status: 'active', isPro: true }).where(eq(billing.userId, eve.id))
      const account = await findBillingAccount(server.db, eve.id)
      if (!account) throw new Error('there is no billing')
      expect(await storeSubscription(server.db, account, null)).toMatchObject({ user: { isPro: true } })
      expect((await act('plan', eve, { isPro: false })).status).toBe(200)
      expect(await page.next('current_user_updated')).toMatchObject({ user: { isPro: false } })
    })

    test('are deleted, with their boards; on others what they did stays to a former member, comments and files as chosen', async () => {
      const { ada, bob, olga, member, board, listed } = await withOperator(server)
      const carol = await member('carol')
      const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
      for (const who of [bob, carol]) {
        await who.api.time.create.mutate({ taskId: task.id, duration: 30 })
        await who.api.comments.create.mutate({ taskId: task.id, content: `By ${who.user.username}` })
      }
      const socket = await bob.socket()
      const remove = (who: Person, given: object = { password: PASSWORD }, by = olga) =>
        by.http('DELETE', `/api/operator/users/${who.id}`, given)
      expect((await remove(bob, {})).status).toBe(400)
      expect((await remove(bob, { password: 'wrong password' })).status).toBe(403)
      expect((await remove(bob, { password: PASSWORD }, ada)).status).toBe(404)
      expect((await remove(olga)).status).toBe(409)
      expect((await remove(bob)).status).toBe(200)
      expect((await remove(carol, { password: PASSWORD, deleteContent: true })).status).toBe(200)
      expect((await socket.closed()).code).toBe(4001)
      expect((await listed()).rows.map(({ username }) => username).toSorted()).toEqual(['ada', 'eve', 'olga'])
      const report = await ada.api.time.report.query({ boardId: board.id })
      expect(report.byUser.map(({ user, minutes }) => [user.name, minutes])).toEqual([
        ['Former member', 30],
        ['Former member 2', 30],
      ])
      const left = await ada.api.comments.list.query({ taskId: task.id })
      expect(left.map(({ content, user }) => [content, user.name])).toEqual([['By bob', 'Former member']])
      expect((await box.next('bob@example.com', ({ subject }) => subject === 'Your wrk account was deleted')).text).toContain(
        'An operator of this server, olga, deleted your wrk account bob',
      )
      expect((await remove(ada)).status).toBe(200)
      expect(await server.db.$count(boards)).toBe(0)
    })

    test('one operator is always left, whatever several do at once', async () => {
      const { ada, olga, act } = await withOperator(server)
      expect((await act('disable', olga)).body).toMatchObject({
        code: 'CONFLICT',
        message: 'You cannot disable your own account.',
      })
      expect((await act('operator', olga, { operator: false })).status).toBe(409)
      expect((await olga.http('DELETE', '/api/account', { password: PASSWORD })).status).toBe(409)
      for (let round = 0; round < 10; round++) {
        await setOperator(server, ada)
        await setOperator(server, olga)
        await Promise.all([
          ada.http('POST', `/api/operator/users/${olga.id}/operator`, { operator: false, password: PASSWORD }),
          olga.http('POST', `/api/operator/users/${ada.id}/operator`, { operator: false, password: PASSWORD }),
          ada.http('POST', `/api/operator/users/${ada.id}/operator`, { operator: false, password: PASSWORD }),
        ])
        expect(await server.db.$count(users, eq(users.operator, true))).toBe(1)
      }
    })

    test('whoever is made one has a page more, and an operator who is none any more has it no more', async () => {
      const { bob, olga, act } = await withOperator(server)
      const page = await bob.socket()
      const state = () => bob.http('GET', '/api/operator/state').then(({ status }) => status)
      expect(await state()).toBe(404)
      await act('disable', bob)
      expect((await act('operator', bob, { operator: true })).status).toBe(409)
      await act('enable', bob)
      const { visitor } = await login('bob')
      expect((await act('operator', bob, { operator: true })).status).toBe(200)
      expect((await visitor.http('GET', '/api/operator/state')).status).toBe(200)
      expect((await olga.http('DELETE', '/api/account', { password: PASSWORD })).status).toBe(200)
      expect((await visitor.http('GET', '/api/operator/state')).status).toBe(200)
      page.close()
    })
  },
  { ...issuer.env, SMTP_URL: box.url, MAIL_FROM: 'wrk@example.com', MAIL_GATHER_SECONDS: '0' },
)
