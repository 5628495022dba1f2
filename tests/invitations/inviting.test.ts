import { afterAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { boardInvitations, boards, mails, users } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'
import { mailbox } from '../support/mail'
import type { People } from '../support/people'
import { anyEmail } from './inviter'

const box = await mailbox()
afterAll(() => box.stop())

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const DAY = 86_400_000

onEachDatabase(
  'inviting',
  (server) => {
    const invite = ({ ada, board }: Pick<People, 'ada' | 'board'>, email: string, by = ada) =>
      by.http('POST', `/api/boards/${board.id}/members`, { email })
    /** Of the next invitation; what else an address is told is passed over. */
    const tokenTo = async (email: string): Promise<string> =>
      new URL((await box.next(email)).link ?? '').searchParams.get('token') ?? (await tokenTo(email))
    const invited = (people: People, token: string) => people.nobody.http('GET', `/api/invitations/${token}`)
    const open = async ({ ada, board }: People) =>
      (await ada.http('GET', `/api/boards/${board.id}/invitations`)).body as { id: number; email: string }[]

    test('an address that nobody has gets an invitation for 7 days and a mail with a link', async () => {
      const people = await server.people()
      const email = anyEmail()
      const answer = await invite(people, ` ${email.toUpperCase()} `, people.bob)
      expect(answer.status).toBe(201)
      expect(answer.body).toEqual({ invitation: { id: expect.any(Number), email, status: 'pending', expiresAt: iso } })
      const { invitation } = answer.body as { invitation: { expiresAt: string } }
      expect(Math.abs(Date.parse(invitation.expiresAt) - Date.now() - 7 * DAY)).toBeLessThan(60_000)

      const mail = await box.next(email)
      expect(mail.subject).toBe('bob invited you to “Garden”')
      expect(mail.link).toMatch(/^https:\/\/wrk\.example\.com\/invite\?token=[\w-]{43}$/)
      const said = mail.text.replaceAll(/\s+/g, ' ')
      expect(said).toContain('bob (bob@example.com) would like to work with you on the board “Garden”')
      expect(said).toMatch(/The link works once and expires 7 days after this email\. A newer invitation replaces it\./)
      expect(said).toContain(`We sent this email to ${email}. If you do not know bob, ignore this email`)
      const token = new URL(mail.link ?? '').searchParams.get('token') ?? ''
      expect(await invited(people, token)).toMatchObject({ status: 200 })
      expect((await invited(people, token)).body).toEqual({
        board: { id: people.board.id, name: 'Garden' },
        email,
        inviter: { id: people.bob.id, username: 'bob', name: null, avatar: '/images/default-profile.png' },
        expiresAt: invitation.expiresAt,
      })
      // Of an old link, which anyone can guess, nothing but the board's name is told.
      const info = await people.nobody.http('GET', `/api/boards/${people.board.id}/info`)
      expect(info.body).toEqual({ id: people.board.id, name: 'Garden' })
      expect((await people.ada.api.boards.get.query({ boardId: people.board.id })).memberCount).toBe(2)
    })

    test('the database does not hold what the mail holds', async () => {
      const people = await server.people()
      const email = anyEmail()
      await invite(people, email)
      const token = await tokenTo(email)
      const [row] = await server.db.select().from(boardInvitations)
      expect(JSON.stringify(row)).not.toContain(token)
      expect((await invited(people, row?.token ?? '')).status).toBe(404)
    })

    test('a registered address is a member at once, a member already is a conflict, and neither is invited', async () => {
      const people = await server.people()
      expect(await invite(people, 'eve@example.com')).toMatchObject({ status: 201, body: { user: { username: 'eve' } } })
      expect((await invite(people, 'eve@example.com')).status).toBe(409)
      expect(await server.db.$count(boardInvitations)).toBe(0)
    })

    test('inviting again renews: 7 days from now, a new link by whoever asked last, and the old link ends', async () => {
      const people = await server.people()
      const email = anyEmail()
      const first = (await invite(people, email)).body as { invitation: { id: number } }
      const old = await tokenTo(email)
      await server.db.update(boardInvitations).set({ expiresAt: sql`now() - interval '1 hour'` })
      expect((await invited(people, old)).status).toBe(404)
      const again = (await invite(people, email, people.bob)).body as { invitation: { id: number; expiresAt: string } }
      expect(again.invitation.id).toBe(first.invitation.id)
      expect(Date.parse(again.invitation.expiresAt)).toBeGreaterThan(Date.now() + 6 * DAY)
      const mail = await box.next(email)
      expect(mail.subject).toStartWith('bob invited you')
      expect((await invited(people, old)).status).toBe(404)
      expect((await invited(people, new URL(mail.link ?? '').searchParams.get('token') ?? '')).status).toBe(200)
      expect(await open(people)).toMatchObject([{ email, invitedBy: people.bob.id }])
    })

    test('two members who invite one address at once make one invitation, and one of the links works', async () => {
      const people = await server.people()
      const email = anyEmail()
      const answers = await Promise.all([invite(people, email), invite(people, email, people.bob)])
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
      expect(await open(people)).toHaveLength(1)
      const found = [await tokenTo(email), await tokenTo(email)].map((token) => invited(people, token))
      expect((await Promise.all(found)).map(({ status }) => status).sort()).toEqual([200, 404])
    })

    test('two boards invite one address apart from each other', async () => {
      const people = await server.people()
      const email = anyEmail()
      const board = await people.eve.api.boards.create.mutate({ name: 'Eves' })
      await invite(people, email)
      const first = await tokenTo(email)
      await invite({ ...people, board }, email, people.eve)
      const second = await tokenTo(email)
      expect((await invited(people, first)).body).toMatchObject({ board: { name: 'Garden' } })
      expect((await invited(people, second)).body).toMatchObject({ board: { name: 'Eves' } })
    })

    test('whoever registers with an invited address is on no board, and is added at once when invited again', async () => {
      const people = await server.people()
      const { ada, person } = people
      await invite(people, 'zoe@example.com')
      const token = await tokenTo('zoe@example.com')
      const zoe = await person('zoe')
      expect(await zoe.api.boards.list.query()).toEqual([])
      expect((await invited(people, token)).status).toBe(200)
      const socket = await ada.socket()
      expect((await invite(people, 'zoe@example.com')).body).toMatchObject({ user: { username: 'zoe' } })
      expect(await socket.next('board_member_added')).toMatchObject({ invitationIds: [expect.any(Number)] })
      expect(await open(people)).toEqual([])
      expect((await invited(people, token)).status).toBe(404)
    })

    test('members see the open invitations, expired ones too, without their links; others see none', async () => {
      const people = await server.people()
      const { bob, eve, ada, nobody, board } = people
      const email = anyEmail()
      await invite(people, email)
      await server.db.update(boardInvitations).set({ expiresAt: sql`now() - interval '1 day'` })
      const path = `/api/boards/${board.id}/invitations`
      const { body } = await bob.http('GET', path)
      expect(body).toEqual([{ id: expect.any(Number), email, status: 'pending', expiresAt: iso, invitedBy: ada.id }])
      expect((await eve.http('GET', path)).status).toBe(404)
      expect((await nobody.http('GET', path)).status).toBe(401)
    })

    test('whoever invited, and the creator, revoke an invitation; the link ends', async () => {
      const people = await server.people()
      const { ada, bob, eve, board } = people
      await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'eve' })
      for (const who of [ada, bob]) {
        const email = anyEmail()
        const { invitation } = (await invite(people, email, bob)).body as { invitation: { id: number } }
        const token = await tokenTo(email)
        const path = `/api/boards/${board.id}/invitations/${invitation.id}`
        expect(await eve.http('DELETE', path)).toMatchObject({
          status: 403,
          body: { message: 'Only the board creator and the sender can revoke an invitation.' },
        })
        expect(await who.http('DELETE', path)).toMatchObject({ status: 200, body: { success: true } })
        expect((await invited(people, token)).status).toBe(404)
        expect((await who.http('DELETE', path)).status).toBe(404)
      }
      expect(await open(people)).toEqual([])
    })

    test("another board's invitation is not found", async () => {
      const people = await server.people()
      const { invitation } = (await invite(people, anyEmail())).body as { invitation: { id: number } }
      const own = await people.eve.api.boards.create.mutate({ name: 'Own' })
      expect((await people.eve.http('DELETE', `/api/boards/${own.id}/invitations/${invitation.id}`)).status).toBe(404)
      expect(await open(people)).toHaveLength(1)
    })

    test('the invitations that a member sent end with the membership', async () => {
      const people = await server.people()
      const { ada, bob, board } = people
      const [mine, theirs] = [anyEmail(), anyEmail()]
      await invite(people, mine)
      await invite(people, theirs, bob)
      const token = await tokenTo(theirs)
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
      expect(await open(people)).toMatchObject([{ email: mine }])
      expect((await invited(people, token)).status).toBe(404)
    })

    test('strangers invite nobody, nor does the creator of a board that is locked', async () => {
      const people = await server.people()
      const { ada, eve } = people
      expect((await invite(people, anyEmail(), eve)).status).toBe(404)
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
      const board = await ada.api.boards.create.mutate({ name: 'Second' })
      await server.db.update(users).set({ isPro: false }).where(eq(users.id, ada.id))
      expect(await invite({ ada, board }, anyEmail())).toMatchObject({ status: 403, body: { requiresUpgrade: true } })
      expect(await server.db.$count(boardInvitations)).toBe(0)
    })

    test('one address is not written to more than five times an hour, whoever invites it, and may ask for its own links', async () => {
      const people = await server.people()
      const email = anyEmail()
      const board = await people.eve.api.boards.create.mutate({ name: 'Eves' })
      const ways = [invite(people, email), invite(people, email, people.bob), invite({ ...people, board }, email, people.eve)]
      const answers = await Promise.all([...ways, invite(people, email), invite(people, email)])
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201))
      const refused = await invite({ ...people, board }, email, people.eve)
      expect(refused).toMatchObject({
        status: 429,
        body: { message: expect.stringMatching(/^Too many emails requested\. Please try again in \d+ minutes\.$/) },
      })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500)
      expect((await invite(people, anyEmail())).status).toBe(201)
      expect((await people.nobody.http('POST', '/api/auth/magic-link', { email })).status).toBe(200)
    })

    test('fifty people an hour are invited or added by one person, and to one board', async () => {
      const people = await server.people()
      const { ada, bob, eve, board } = people
      await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'eve' })
      for (let n = 0; n < 49; n++) expect((await invite(people, anyEmail(), n % 2 ? ada : bob)).status).toBe(201)
      const stranger = (await people.person(`at${crypto.randomUUID().slice(0, 8)}`)).user
      expect(await bob.http('POST', `/api/boards/${board.id}/members`, { username: stranger.username })).toMatchObject({
        status: 429,
      })
      expect(await invite(people, anyEmail(), eve)).toMatchObject({
        status: 429,
        body: { message: expect.stringMatching(/^Too many invitations\./) },
      })
      const own = await eve.api.boards.create.mutate({ name: 'Eves' })
      expect((await invite({ ...people, board: own }, anyEmail(), eve)).status).toBe(201)
    })

    test('a board has at most a hundred open invitations; renewing one of them goes on', async () => {
      const people = await server.people()
      const { ada, board } = people
      const rows = Array.from({ length: 100 }, (_, n) => ({
        token: crypto.randomUUID(),
        boardId: board.id,
        email: `${n}-${board.id}@example.org`,
        invitedBy: ada.id,
        expiresAt: new Date(Date.now() + DAY),
      }))
      await server.db.insert(boardInvitations).values(rows)
      expect(await invite(people, anyEmail())).toMatchObject({
        status: 409,
        body: { message: 'This board has reached its limit of 100 open invitations. Revoke some first.' },
      })
      expect((await invite(people, `7-${board.id}@example.org`)).status).toBe(201)
    })

    test('neither expired invitations nor links to pass on count among those', async () => {
      const { ada, board } = await server.people()
      const others = Array.from({ length: 100 }, (_, n) => ({
        ...{ boardId: board.id, email: `guest${n}@example.com`, token: `token ${n}`, invitedBy: ada.id },
        expiresAt: new Date(Date.now() - 60_000),
      }))
      await server.db.insert(boardInvitations).values(others)
      expect((await ada.http('POST', `/api/boards/${board.id}/members`, { email: 'one@example.com' })).status).toBe(201)
    })

    test('what is no address is refused, and an invitation that fails sends no mail', async () => {
      const people = await server.people()
      for (const email of ['', 'nobody', 'a@b', null, 7, 'x\0@example.com', `${'x'.repeat(250)}@example.com`])
        expect((await invite(people, email as string)).status).toBe(400)
      expect((await people.ada.http('POST', `/api/boards/${people.board.id}/members`, { username: 'no-one' })).status).toBe(404)
      expect(await server.db.$count(mails)).toBe(0)
    })

    test('invitations go with their board, and with the account that sent them', async () => {
      const people = await server.people()
      const { ada, bob, board } = people
      await invite(people, anyEmail())
      await invite(people, anyEmail(), bob)
      expect((await bob.http('DELETE', '/api/account', { password: 'correct horse' })).status).toBe(200)
      expect(await open(people)).toMatchObject([{ invitedBy: ada.id }])
      await ada.api.boards.delete.mutate({ boardId: board.id })
      await server.db.update(boards).set({ deletedAt: sql`now() - interval '31 days'` })
      await server.clean()
      expect(await server.db.$count(boardInvitations)).toBe(0)
    })

    test('those that expired a month ago are forgotten, and who came by one is kept', async () => {
      const people = await server.people()
      const rows = [
        ['pending', 31],
        ['pending', 29],
        ['revoked', 31],
        ['accepted', 400],
      ] as const
      await server.db.insert(boardInvitations).values(
        rows.map(([status, ago]) => ({
          token: crypto.randomUUID(),
          boardId: people.board.id,
          email: anyEmail(),
          invitedBy: people.ada.id,
          status,
          expiresAt: new Date(Date.now() - ago * DAY),
        })),
      )
      await server.clean()
      const left = await server.db.select().from(boardInvitations)
      expect(left.map(({ status }) => status).sort()).toEqual(['accepted', 'pending'])
    })
  },
  { SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>', PUBLIC_URL: 'https://wrk.example.com' },
)
