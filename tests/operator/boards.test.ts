import { afterAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { boardMembers, mails, users } from '../../src/db/tables'
import type { failedMails, State } from '../../src/operator/schema'
import { userWithoutAccount } from '../../src/users/server/store'
import { onServer, type Server } from '../support/databases'
import { mailbox } from '../support/mail'
import { PASSWORD } from '../support/people'
import { until } from '../support/until'

const box = await mailbox()
afterAll(() => box.stop())

type Failed = z.output<typeof failedMails>

async function withOperator(server: Server) {
  const people = await server.people()
  const olga = await people.person('olga')
  await server.db.update(users).set({ operator: true }).where(eq(users.id, olga.id))
  return { ...people, olga }
}

onServer(
  'boards and mails, to an operator',
  (server) => {
    test('boards are listed by name, and nothing of what is on them', async () => {
      const { ada, olga, board } = await withOperator(server)
      await ada.api.tasks.create.mutate({ boardId: board.id, title: 'A secret task' })
      const [robert] = await server.db.insert(users).values(userWithoutAccount(board.id, 'Robert')).returning()
      await server.db.insert(boardMembers).values({ boardId: board.id, userId: robert?.id ?? 0 })
      const listed = await olga.http('GET', '/api/operator/boards?search=GARD')
      const creator = { id: ada.id, username: 'ada', name: null, avatar: ada.user.avatar }
      const row = { id: board.id, name: 'Garden', creator, members: 2, tasks: 1, createdAt: expect.any(String) }
      expect(listed.body).toEqual({ rows: [row], nextCursor: null })
      expect((await olga.http('GET', `/api/operator/boards/${board.id}/members`)).body).toMatchObject([
        { username: 'ada' },
        { username: 'bob' },
      ])
      await ada.http('DELETE', `/api/boards/${board.id}`)
      expect((await olga.http('GET', '/api/operator/boards')).body).toEqual({ rows: [], nextCursor: null })
      expect((await olga.http('GET', `/api/operator/boards/${board.id}/members`)).body).toEqual([])
    })

    test('a board is handed over to a member, who is told by mail, and all its members at once', async () => {
      const { ada, bob, eve, olga, board } = await withOperator(server)
      const page = await bob.socket(board)
      const handOver = (to: { id: number }) =>
        olga.http('POST', `/api/operator/boards/${board.id}/hand-over`, { userId: to.id, password: PASSWORD })
      for (const nobody of [ada, eve]) expect((await handOver(nobody)).status).toBe(409)
      await server.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, bob.id))
      expect((await handOver(bob)).status).toBe(409)
      await server.db.update(users).set({ disabledAt: null }).where(eq(users.id, bob.id))
      const { version } = await bob.api.boards.get.query({ boardId: board.id })
      expect((await handOver(bob)).status).toBe(200)
      const told = { boardId: board.id, version: version + 1, by: 0, createdBy: bob.id }
      expect(await page.next('board_handed_over')).toEqual(told)
      expect(await bob.api.boards.get.query({ boardId: board.id })).toMatchObject({ createdBy: bob.id, version: version + 1 })
      expect((await ada.http('PATCH', `/api/boards/${board.id}`, { name: 'Mine' })).status).toBe(403)
      const given = await box.next(bob.user.email)
      expect([given.subject, given.text]).toEqual(['The board “Garden” is now yours', expect.stringContaining('olga, made you')])
      const lost = await box.next(ada.user.email)
      expect([lost.subject, lost.text]).toEqual(['The board “Garden” has a new creator', expect.stringContaining('olga')])
    })

    test('invitations of all boards are listed, and taken back', async () => {
      const { ada, olga, nobody, board } = await withOperator(server)
      await ada.http('POST', `/api/boards/${board.id}/members`, { email: 'gus@example.org' })
      const { link = '' } = await box.next('gus@example.org')
      const list = async () => (await olga.http('GET', '/api/operator/invitations')).body as { rows: { id: number }[] }
      const { rows } = await list()
      expect(rows).toMatchObject([{ email: 'gus@example.org', board: { name: 'Garden' }, inviter: { username: 'ada' } }])
      const path = `/api/operator/invitations/${rows[0]?.id}`
      const page = await ada.socket(board)
      expect((await olga.http('DELETE', path)).status).toBe(200)
      const told = { id: rows[0]?.id, email: 'gus@example.org', status: 'revoked', invitedBy: ada.id }
      expect(await page.next('invitation_changed')).toMatchObject({ boardId: board.id, by: 0, invitation: told })
      expect((await olga.http('DELETE', path)).status).toBe(404)
      expect((await list()).rows).toEqual([])
      const token = new URL(link).searchParams.get('token')
      expect((await nobody.http('GET', `/api/invitations/${token}`)).status).toBe(404)
    })

    test('mails that were given up are listed without what they say, and sent again while their text is there', async () => {
      const { olga } = await withOperator(server)
      const failed = (recipient: string, text: string) =>
        server.db.insert(mails).values({
          recipient,
          subject: 'A secret task',
          text,
          html: text,
          state: 'failed',
          tries: 5,
          lastError: 'No such mailbox',
        })
      await failed('gone@example.org', '')
      await failed('gus@example.org', 'Hello')
      await failed('ida@example.org', 'Hello')
      const listed = await olga.http('GET', '/api/operator/mails')
      expect(listed.text).not.toContain('secret')
      const { rows } = listed.body as Failed
      expect(rows.map(({ to, error, mayRetry }) => [to, error, mayRetry])).toEqual([
        ['ida@example.org', 'No such mailbox', true],
        ['gus@example.org', 'No such mailbox', true],
        ['gone@example.org', 'No such mailbox', false],
      ])
      const retry = (id = 0) => olga.http('POST', `/api/operator/mails/${id}/retry`)
      expect((await retry(rows[2]?.id)).status).toBe(404)
      expect((await retry(rows[1]?.id)).body).toEqual({ mails: 1 })
      expect((await box.next('gus@example.org')).text).toContain('Hello')
      expect((await olga.http('POST', '/api/operator/mails/retry')).body).toEqual({ mails: 1 })
      expect((await box.next('ida@example.org')).text).toContain('Hello')
      const state = async () => (await olga.http('GET', '/api/operator/state')).body as State
      await until('both were sent', async () => (await state()).mailsWaiting === 0)
      expect(await state()).toMatchObject({
        mailsFailed: 1,
        tooLargeToErase: null,
        changesRefused: false,
        filesRefused: false,
        lastBackup: null,
      })
    })

    test('a mail that failed keeps its text for a day', async () => {
      const at = (hours: number) => sql`now() - ${hours} * interval '1 hour'`
      const row = { subject: 'x', html: 'x', state: 'failed' } as const
      await server.db.insert(mails).values({ ...row, recipient: 'new', text: 'Hello', createdAt: at(23) })
      await server.db.insert(mails).values({ ...row, recipient: 'old', text: 'Hello', createdAt: at(25) })
      await server.clean()
      const rows = await server.db.select({ to: mails.recipient, text: mails.text }).from(mails)
      expect(rows.toSorted((a, b) => a.to.localeCompare(b.to))).toEqual([
        { to: 'new', text: 'Hello' },
        { to: 'old', text: '' },
      ])
    })

    test('a mail is tried, and the server’s answer told, whatever it is', async () => {
      const { olga } = await withOperator(server)
      const tried = async (to: string) => (await olga.http('POST', '/api/operator/mails/test', { to })).body
      expect(await tried('olga@example.com')).toEqual({ sent: true, answer: expect.stringMatching(/^250 /) })
      expect((await box.next('olga@example.com')).subject).toBe('Test email from wrk')
      box.behave('refuses')
      expect(await tried('olga@example.com')).toEqual({ sent: false, answer: expect.stringContaining('No such mailbox') })
      box.behave('accepts')
      expect(await server.db.$count(mails)).toBe(0)
    })
  },
  { SMTP_URL: box.url, MAIL_FROM: 'wrk@example.com' },
)
