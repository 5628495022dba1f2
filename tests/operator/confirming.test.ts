import { afterAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { Security } from '../../src/account/schema'
import { mails, oauthAccounts, operatorActs, sessions, users } from '../../src/db/tables'
import { onServer, type Server } from '../support/databases'
import { callProcedure } from '../support/everyCall'
import { linksTo } from '../support/links'
import { mailbox } from '../support/mail'
import { PASSWORD, withoutProof } from '../support/people'

const box = await mailbox()
afterAll(() => box.stop())

async function withOperator(server: Server) {
  const people = await server.people()
  const olga = await people.person('olga')
  await server.db.update(users).set({ operator: true }).where(eq(users.id, olga.id))
  const act = (what: string, who: { id: number }, given: object = {}) =>
    olga.http('POST', `/api/operator/users/${who.id}/${what}`, { password: PASSWORD, ...given })
  return { ...people, olga, act }
}

const WRONG = { status: 403, message: 'The current password is incorrect.' }
const NONE = { status: 400, message: 'Please enter your password.' }

onServer(
  'what an operator does to somebody’s account',
  (server) => {
    const { someone, verify, me, login } = linksTo(server, box)
    const securityOf = async (who: Pick<ReturnType<typeof someone>, 'http'>) =>
      (await who.http('GET', '/api/account')).body as Security
    const tokenIn = ({ body }: { body: unknown }) => new URL((body as { link: string }).link).searchParams.get('token') ?? ''

    test('takes the operator’s own password where it lets them act as somebody, or makes an operator, by every way', async () => {
      const { olga, ada, bob, board } = await withOperator(server)
      const ofBob = { userId: bob.id }
      const powers: [procedure: string, path: string, input: object][] = [
        ['operator.prove', `/users/${bob.id}/prove`, {}],
        ['operator.setOperator', `/users/${bob.id}/operator`, { operator: true }],
        ['operator.setEmail', `/users/${bob.id}/email`, { email: 'bob@new.example' }],
        ['operator.resetLink', `/users/${bob.id}/reset-link`, {}],
        ['operator.handOver', `/boards/${board.id}/hand-over`, ofBob],
      ]
      for (const [procedure, path, input] of powers)
        for (const [password, refused] of [
          [undefined, NONE],
          ['not my password', WRONG],
        ] as const) {
          const { status, body } = await olga.http('POST', `/api/operator${path}`, { ...input, password })
          expect([path, status, body]).toEqual([path, refused.status, expect.objectContaining({ message: refused.message })])
          const given = { ...ofBob, boardId: board.id, ...input, password }
          expect([procedure, (await callProcedure(olga, procedure, given)).status]).toEqual([procedure, refused.status])
        }
      expect(await me(bob)).toMatchObject({ email: 'bob@example.com', operator: false })
      expect(await ada.api.boards.get.query({ boardId: board.id })).toMatchObject({ createdBy: ada.id })
      expect([await server.db.$count(mails), await server.db.$count(operatorActs)]).toEqual([0, 0])
      // Nobody else hears that a password would help.
      expect((await ada.http('POST', `/api/operator/users/${bob.id}/reset-link`, { password: PASSWORD })).status).toBe(404)
    })

    test('is tried with ten wrong passwords at most, and then not even with the right one', async () => {
      const { olga, bob } = await withOperator(server)
      const link = (password: string) => olga.http('POST', `/api/operator/users/${bob.id}/reset-link`, { password })
      const tries = await Promise.all(Array.from({ length: 12 }, () => link('not my password')))
      expect(tries.filter(({ status }) => status === 403)).toHaveLength(10)
      expect((await link(PASSWORD)).status).toBe(429)
      expect((await login('olga')).status).toBe(200)
    })

    test('takes a sign-in of the last ten minutes from an operator without a password', async () => {
      const { olga, bob, act } = await withOperator(server)
      await server.db.update(users).set({ password: null }).where(eq(users.id, olga.id))
      const since = (minutes: number) =>
        server.db
          .update(sessions)
          .set({ createdAt: sql`now() - ${minutes} * interval '1 minute'` })
          .where(eq(sessions.userId, olga.id))
      await since(11)
      const refused = await act('reset-link', bob)
      expect([refused.status, refused.body]).toEqual([
        403,
        expect.objectContaining({ message: expect.stringContaining('please log in again and do this within 10 minutes') }),
      ])
      await since(9)
      expect((await act('reset-link', bob)).status).toBe(200)
    })

    test('is mailed to its owner, whatever they have switched off, and shown in their list while the session lives and for 30 days', async () => {
      const { eve, act } = await withOperator(server)
      await withoutProof(server.db, eve)
      await eve.http('PATCH', '/api/users/notifications', { emailNotifications: false })
      const made = await act('reset-link', eve)
      const mail = await box.next(eve.user.email)
      expect(mail.subject).toBe('A password reset link was created for your wrk account')
      expect(mail.text).toContain('olga')
      expect(mail.text + mail.html).not.toContain('token=')
      const intruder = someone()
      await verify(intruder, tokenIn(made), '&confirmed=1')
      expect(await me(intruder)).toMatchObject({ username: 'eve' })
      const { sessions: open, operatorActs: acts } = await securityOf(eve)
      expect(acts).toMatchObject([
        { did: 'link_used', by: 'olga' },
        { did: 'made_link', by: 'olga' },
      ])
      expect(open.map(({ current, operatorActId }) => [current, operatorActId]).toSorted()).toEqual([
        [false, acts[0]?.id ?? 0],
        [true, null],
      ])
      const old = () => server.db.update(operatorActs).set({ createdAt: sql`now() - interval '31 days'` })
      await old()
      await server.clean()
      expect((await securityOf(eve)).operatorActs).toMatchObject([{ did: 'link_used' }])
      await server.db.update(operatorActs).set({ createdAt: sql`now() - interval '29 days'` })
      expect((await eve.http('DELETE', '/api/auth/sessions')).status).toBe(200)
      await server.clean()
      expect((await securityOf(eve)).operatorActs).toMatchObject([{ did: 'link_used', by: 'olga' }])
      await old()
      await server.clean()
      expect((await securityOf(eve)).operatorActs).toEqual([])
    })

    test('that a new email lets in is marked as well, and the old one is told without the new one', async () => {
      const { eve, act } = await withOperator(server)
      expect((await act('email', eve, { email: 'eve@new.example' })).status).toBe(200)
      const told = await box.next('eve@example.com')
      expect([told.subject, told.text]).toEqual(['Your wrk account’s email was changed', expect.stringContaining('olga')])
      expect(told.text).not.toContain('new.example')
      const visitor = someone()
      const { link = '' } = await box.next('eve@new.example')
      expect((await verify(visitor, new URL(link).searchParams.get('token') ?? '', '&confirmed=1')).status).toBe(200)
      const { operatorActs: acts, sessions: open } = await securityOf(visitor)
      expect(acts).toMatchObject([
        { did: 'link_used', by: 'olga' },
        { did: 'changed_email', by: 'olga' },
      ])
      expect(open).toMatchObject([{ current: true, operatorActId: acts[0]?.id ?? 0 }])
    })

    test('every later sign-in by mail to that email is marked as well, and by a provider joined by it, until it is changed again', async () => {
      const { eve, act } = await withOperator(server)
      expect((await act('email', eve, { email: 'eve@new.example' })).status).toBe(200)
      await box.next('eve@example.com')
      const byMail = async (email = 'eve@new.example') => {
        const visitor = someone()
        const purpose = (mail: { subject: string }) => mail.subject === 'Sign in to wrk'
        await visitor.http('POST', '/api/auth/magic-link', { email })
        const { link = '' } = await box.next(email, purpose)
        expect((await verify(visitor, new URL(link).searchParams.get('token') ?? '', '&confirmed=1')).status).toBe(200)
        return visitor
      }
      for (const times of [1, 2]) {
        const { operatorActs: acts, sessions: open } = await securityOf(await byMail())
        expect(acts.filter(({ did }) => did === 'email_used')).toHaveLength(times)
        expect(acts[0]).toMatchObject({ did: 'email_used', by: 'olga' })
        expect(open.map(({ operatorActId }) => operatorActId)).toContain(acts[0]?.id ?? 0)
      }
      await server.db.update(users).set({ email: 'eve@own.example' }).where(eq(users.id, eve.id))
      const { operatorActs: acts, sessions: open } = await securityOf(await byMail('eve@own.example'))
      expect(acts).toHaveLength(3)
      expect(open.find(({ current }) => current)).toMatchObject({ operatorActId: null })
    })

    test('makes a link for that account alone, whoever has its address by then', async () => {
      const { ada, bob, act } = await withOperator(server)
      await server.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, bob.id))
      const left = tokenIn(await act('reset-link', bob))
      // As where the links to an address were not ended when its account left it.
      await server.db.update(users).set({ email: 'robert@example.com' }).where(eq(users.id, bob.id))
      await server.db.update(users).set({ email: bob.user.email }).where(eq(users.id, ada.id))
      const thief = someone()
      expect((await verify(thief, left, '&confirmed=1')).status).toBe(401)
      expect(await me(thief)).toMatchObject({ code: 'UNAUTHORIZED' })
    })

    test('with another email ends the providers that signed in to it', async () => {
      const { bob, act } = await withOperator(server)
      await server.db.insert(oauthAccounts).values({ userId: bob.id, provider: 'oidc', subject: 'bob' })
      expect((await act('email', bob, { email: 'robert@example.com' })).status).toBe(200)
      expect(await server.db.$count(oauthAccounts)).toBe(0)
    })

    test('makes links that end when the account changes its email', async () => {
      const { bob, act } = await withOperator(server)
      const left = tokenIn(await act('reset-link', bob))
      await bob.http('POST', '/api/account/email', { email: 'bob@moved.example', password: PASSWORD })
      const { text } = await box.next('bob@moved.example')
      const token = new URL(/https?:\/\/\S+token=\S+/.exec(text)?.[0] ?? '').searchParams.get('token') ?? ''
      expect((await verify(bob, token)).status).toBe(200)
      expect((await verify(someone(), left, '&confirmed=1')).status).toBe(401)
    })

    test('also tells whose email is confirmed, and who becomes an operator or is none any more', async () => {
      const { eve, act } = await withOperator(server)
      const told = async () => (await box.next(eve.user.email)).subject
      await server.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, eve.id))
      await act('prove', eve)
      expect(await told()).toBe('Your email for wrk was confirmed')
      await act('operator', eve, { operator: true })
      expect(await told()).toBe('You are now an operator of wrk')
      await act('operator', eve, { operator: false })
      expect(await told()).toBe('You are no longer an operator of wrk')
      expect((await securityOf(eve)).operatorActs).toMatchObject([{ did: 'proved_email' }])
    })
  },
  { SMTP_URL: box.url, MAIL_FROM: 'wrk@example.com', MAIL_GATHER_SECONDS: '0' },
)
