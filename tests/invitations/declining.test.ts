import { afterAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { boardInvitations } from '../../src/db/tables'
import { sentence } from '../../src/notifications/sentences'
import { onServer } from '../support/databases'
import { mailbox } from '../support/mail'
import type { Person } from '../support/people'
import { inviter } from './inviter'

const box = await mailbox()
afterAll(() => box.stop())

const INVALID = { message: 'This invitation is invalid or has expired.', code: 'NOT_FOUND' }
const DECLINED = { message: 'This invitation was declined.', code: 'NOT_FOUND' }
const invite = inviter(box)

onServer(
  'declining an invitation',
  (server) => {
    const say = (who: Pick<Person, 'http'>, token: string, what: 'accept' | 'decline') =>
      who.http('POST', `/api/invitations/${token}/${what}`)

    test('ends it for everybody who has the link, without an account, and members see it gone', async () => {
      const people = await server.people()
      const { ada, bob, eve, nobody, board } = people
      const { email, token, id } = await invite(people)
      const sockets = await Promise.all([ada.socket(), bob.socket(), eve.socket()])
      const { version } = await ada.api.boards.get.query({ boardId: board.id })
      expect(await say(nobody, token, 'decline')).toMatchObject({ status: 200, body: { success: true } })
      const invitation = { id, email, status: 'declined', invitedBy: ada.id }
      const heard = { type: 'invitation_changed', payload: { boardId: board.id, version: version + 1, by: 0, invitation } }
      const [toAda, toBob, toEve] = await Promise.all(sockets.map((socket) => socket.heard()))
      for (const messages of [toAda, toBob]) expect(messages).toMatchObject([heard])
      expect(toEve).toEqual([])
      expect(await ada.api.invitations.list.query({ boardId: board.id })).toEqual([])
      for (const what of ['accept', 'decline'] as const)
        expect(await say(eve, token, what)).toMatchObject({ status: 404, body: DECLINED })
      expect(await nobody.http('GET', `/api/invitations/${token}`)).toMatchObject({ status: 404, body: DECLINED })
      const { body } = await ada.http('GET', '/api/account/data')
      expect(body).toMatchObject({ invitationsSent: [{ email, status: 'declined' }] })
      const again = await invite(people, email)
      expect((await say(eve, again.token, 'accept')).status).toBe(200)
    })

    test('tells the inviter, live and by mail, to which address it was, and nobody who said it', async () => {
      const { ada, eve, board, member } = await server.people()
      const ivy = await member('ivy')
      const { email, token } = await invite({ ada: ivy, board })
      const socket = await ivy.socket()
      expect((await say(eve, token, 'decline')).status).toBe(200)
      const told = { kind: 'declined', actor: null, detail: email, board: { id: board.id }, task: null, readAt: null }
      expect((await socket.next('notification_added')).notification).toMatchObject(told)
      const { notifications, unread } = await ivy.api.notifications.list.query({})
      const text = `Your invitation to ${email} to join the board “${board.name}” was declined`
      expect(notifications.map(sentence)[0]).toBe(text)
      const mail = await box.next(ivy.user.email, ({ subject }) => subject.endsWith('was declined'))
      expect(mail.subject).toBe(text)
      expect((await ada.api.notifications.list.query({})).unread).toBe(0)
      const own = await invite({ ada: ivy, board })
      expect((await say(ivy, own.token, 'decline')).status).toBe(200)
      expect((await ivy.api.notifications.list.query({})).unread).toBe(unread)
    })

    test('has one effect for one key of somebody signed in', async () => {
      const people = await server.people()
      const { token } = await invite(people)
      const declined = () => people.eve.http('POST', `/api/invitations/${token}/decline`, {}, { 'idempotency-key': 'no-thanks' })
      for (const _ of [1, 2]) expect(await declined()).toMatchObject({ status: 200, body: { success: true } })
    })

    test('is refused with the same words for a link that has expired or was revoked, or none', async () => {
      const people = await server.people()
      const { ada, nobody, board } = people
      const expired = await invite(people)
      await server.db.update(boardInvitations).set({ expiresAt: sql`now() - interval '1 second'` })
      const revoked = await invite(people)
      await ada.api.invitations.revoke.mutate({ boardId: board.id, invitationId: revoked.id })
      for (const token of [expired.token, revoked.token, crypto.randomUUID(), 'x', 'a'.repeat(5_000), '%00', 'null'])
        expect(await say(nobody, token, 'decline')).toMatchObject({ status: 404, body: INVALID })
      const kept = await invite(people)
      const foreign = { origin: 'https://evil.example' }
      expect((await nobody.http('POST', `/api/invitations/${kept.token}/decline`, {}, foreign)).status).toBe(403)
      expect((await nobody.http('GET', `/api/invitations/${kept.token}/decline`)).status).not.toBe(200)
      await ada.api.boards.delete.mutate({ boardId: board.id })
      expect((await say(nobody, kept.token, 'decline')).status).toBe(404)
    })

    test('and accepting at the same moment: one of them happens', async () => {
      const people = await server.people()
      for (let round = 0; round < 6; round++) {
        const { token } = await invite(people)
        const dan = await people.person(`dan${round}`)
        const calls = [() => say(dan, token, 'accept'), () => say(people.nobody, token, 'decline')]
        const answers = await Promise.all((round % 2 ? calls : calls.toReversed()).map((call) => call()))
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
        const [accepted, declined] = round % 2 ? answers : answers.toReversed()
        const mine = await dan.api.boards.list.query()
        expect([mine.length, accepted?.status === 200]).toEqual(declined?.status === 200 ? [0, false] : [1, true])
      }
    })
  },
  { SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>', PUBLIC_URL: 'https://wrk.example.com', MAIL_GATHER_SECONDS: '0' },
)
