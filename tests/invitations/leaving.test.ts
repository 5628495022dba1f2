import { afterAll, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { boardInvitations, boardMembers, leftBoards, notifications, users } from '../../src/db/tables'
import { sentence } from '../../src/notifications/sentences'
import { onEachDatabase } from '../support/databases'
import { mailbox } from '../support/mail'
import type { People, Person } from '../support/people'

const box = await mailbox()
afterAll(() => box.stop())

const INVALID = { message: 'This invitation is invalid or has expired.', code: 'NOT_FOUND' }

onEachDatabase(
  'whoever left a board',
  (server) => {
    const add = ({ board }: Pick<People, 'board'>, by: Person, body: object) =>
      by.http('POST', `/api/boards/${board.id}/members`, body)
    const say = (who: Pick<Person, 'http'>, { board }: Pick<People, 'board'>, what: 'join' | 'decline') =>
      who.http('POST', `/api/boards/${board.id}/${what}`)
    const leave = ({ board }: Pick<People, 'board'>, who: Person) =>
      who.http('DELETE', `/api/boards/${board.id}/members/${who.id}`)
    const inbox = async (who: Person) => (await who.api.notifications.list.query({})).notifications.map(sentence)
    const INVITED = 'ada invited you back to the board “Garden”'

    /** Of a name of its own, whose mails no other test reads. */
    async function left() {
      const people = await server.people()
      const cy = await people.member(`cy${crypto.randomUUID().slice(0, 8)}`)
      expect((await leave(people, cy)).status).toBe(200)
      return { ...people, cy }
    }

    test('is invited by their username, not added, and no address of theirs is told', async () => {
      const people = await left()
      const { ada, bob, cy, board } = people
      const socket = await bob.socket()
      const { username } = cy.user
      const answer = await add(people, ada, { username })
      const user = { id: cy.id, username, name: null, avatar: cy.user.avatar }
      const expiresAt = expect.any(String)
      const invitation = { id: expect.any(Number), email: null, user, status: 'pending' as const, expiresAt }
      expect([answer.status, answer.body]).toEqual([201, { invitation }])
      const open = { ...invitation, invitedBy: ada.id }
      expect((await socket.next('invitation_changed')).invitation).toEqual(open)
      expect((await bob.http('GET', `/api/boards/${board.id}/invitations`)).body).toEqual([open])
      expect((await ada.http('GET', '/api/account/data')).body).toMatchObject({ invitationsSent: [{ email: null, username }] })
      expect((await cy.http('GET', '/api/account/data')).body).toMatchObject({ boardsLeft: [{ boardId: board.id }] })
      expect(await cy.api.boards.list.query()).toEqual([])
      expect((await cy.http('GET', `/api/boards/${board.id}`)).status).toBe(404)
    })

    test('is invited by their address in the documented shape, and does not come by it either', async () => {
      const people = await left()
      const { email } = people.cy.user
      const { status, body } = await add(people, people.bob, { email })
      const expiresAt = expect.any(String)
      expect([status, body]).toEqual([201, { invitation: { id: expect.any(Number), email, status: 'pending', expiresAt } }])
      expect((await people.ada.http('GET', `/api/boards/${people.board.id}/invitations`)).text).not.toContain(email)
      expect(await people.cy.api.boards.list.query()).toEqual([])
    })

    test('is told in the inbox and by mail, sees who invites, and joins; after they leave again all is the same', async () => {
      const people = await left()
      const { ada, cy, nobody, board } = people
      for (const round of [1, 2]) {
        const socket = await cy.socket()
        await add(people, ada, { username: cy.user.username })
        if (round === 1) {
          expect((await socket.next('notification_added')).notification).toMatchObject({ kind: 'invited', actor: { id: ada.id } })
          const mail = await box.next(cy.user.email)
          expect(mail.subject).toBe(INVITED)
          expect(mail.link).toBe(`https://wrk.example.com/invite?board=${board.id}`)
        }
        expect(await inbox(cy)).toEqual([INVITED])
        const preview = await cy.http('GET', `/api/boards/${board.id}/info`)
        const expiresAt = expect.any(String)
        expect(preview.body).toMatchObject({ id: board.id, name: 'Garden', inviter: { username: 'ada' }, expiresAt })
        expect((await nobody.http('GET', `/api/boards/${board.id}/info`)).body).toEqual({ id: board.id, name: 'Garden' })
        expect(await say(people.eve, people, 'join')).toMatchObject({ status: 404, body: INVALID })
        expect(await say(cy, people, 'join')).toMatchObject({ status: 200, body: { board: { name: 'Garden' } } })
        expect(await ada.api.invitations.list.query({ boardId: board.id })).toEqual([])
        expect((await inbox(ada))[0]).toBe(`${cy.user.username} accepted your invitation to the board “Garden”`)
        expect((await leave(people, cy)).status).toBe(200)
        expect(await say(cy, people, 'join')).toMatchObject({ status: 404, body: INVALID })
      }
    })

    test('may decline, which the inviter is told and nobody else may; it is in the inbox no more', async () => {
      const people = await left()
      const { ada, bob, eve, cy, nobody, board } = people
      await add(people, bob, { username: cy.user.username })
      for (const [who, status] of [
        [nobody, 401],
        [eve, 404],
        [ada, 404],
      ] as const)
        expect((await say(who, people, 'decline')).status).toBe(status)
      const socket = await ada.socket()
      expect(await say(cy, people, 'decline')).toMatchObject({ status: 200, body: { success: true } })
      expect((await socket.next('invitation_changed')).invitation).toMatchObject({ status: 'declined', user: { id: cy.id } })
      expect((await inbox(bob))[0]).toBe(`Your invitation to ${cy.user.username} to join the board “Garden” was declined`)
      expect(await cy.api.notifications.list.query({})).toMatchObject({ notifications: [], unread: 0 })
      for (const what of ['join', 'decline'] as const) expect((await say(cy, people, what)).status).toBe(404)
      expect((await cy.http('GET', `/api/boards/${board.id}/info`)).status).toBe(404)
    })

    test('and was removed since answers nothing that was sent before', async () => {
      const people = await left()
      const { ada, bob, cy, board } = people
      await add(people, bob, { username: cy.user.username })
      await server.db
        .insert(leftBoards)
        .values({ boardId: board.id, userId: cy.id, removed: true, leftAt: sql`now()` })
        .onConflictDoUpdate({
          target: [leftBoards.boardId, leftBoards.userId],
          set: { removed: true, leftAt: sql`clock_timestamp()` },
        })
      for (const what of ['join', 'decline'] as const) expect((await say(cy, people, what)).status).toBe(404)
      expect((await ada.api.invitations.list.query({ boardId: board.id })).map(({ status }) => status)).toEqual(['pending'])
    })

    test('is told once in seven days, however often they are invited, and by whom', async () => {
      const people = await left()
      const { ada, bob, cy } = people
      const told = () => server.db.$count(notifications, and(eq(notifications.userId, cy.id), eq(notifications.kind, 'invited')))
      for (const by of [ada, bob, ada]) expect((await add(people, by, { username: cy.user.username })).status).toBe(201)
      await box.next(cy.user.email)
      await say(cy, people, 'decline')
      expect((await add(people, bob, { username: cy.user.username })).status).toBe(201)
      expect(await told()).toBe(1)
      expect(await inbox(cy)).toEqual([INVITED])
      await server.db.update(notifications).set({ createdAt: sql`now() - interval '8 days'` })
      await add(people, ada, { username: cy.user.username })
      expect(await told()).toBe(2)
      await box.next(cy.user.email)
      expect(box.received.filter(({ to }) => to === cy.user.email)).toHaveLength(2)
    })

    test('is not mailed where they have it switched off', async () => {
      const people = await left()
      const { ada, cy } = people
      await server.db.update(users).set({ notifyBoardUpdated: false }).where(eq(users.id, cy.id))
      await add(people, ada, { username: cy.user.username })
      expect(await inbox(cy)).toEqual([INVITED])
      const [row] = await server.db.select().from(notifications).where(eq(notifications.userId, cy.id))
      expect(row).toMatchObject({ kind: 'invited', waits: false })
    })

    test('loses the invitation when it is revoked, expires, or its inviter leaves', async () => {
      const people = await left()
      const { ada, bob, cy, board } = people
      const invite = async () => {
        const { body } = await add(people, bob, { username: cy.user.username })
        return (body as { invitation: { id: number } }).invitation.id
      }
      await ada.api.invitations.revoke.mutate({ boardId: board.id, invitationId: await invite() })
      expect((await say(cy, people, 'join')).status).toBe(404)
      await invite()
      await server.db.update(boardInvitations).set({ expiresAt: sql`now()` })
      expect([await inbox(cy), (await say(cy, people, 'join')).status]).toEqual([[], 404])
      await invite()
      await leave(people, bob)
      expect((await say(cy, people, 'join')).status).toBe(404)
    })

    test('still comes by a link that they are given, for that is their own act, and is added at once after a removal', async () => {
      const people = await left()
      const { ada, cy, board } = people
      await add(people, ada, { email: 'somebody@example.org' })
      await add(people, ada, { username: cy.user.username })
      const token = new URL((await box.next('somebody@example.org')).link ?? '').searchParams.get('token')
      expect((await cy.http('POST', `/api/invitations/${token}/accept`)).status).toBe(200)
      expect(await ada.api.invitations.list.query({ boardId: board.id })).toEqual([])
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: cy.id })
      expect((await add(people, ada, { username: cy.user.username })).body).toMatchObject({ user: { id: cy.id } })
    })

    test('is added to other boards of the same people at once', async () => {
      const people = await left()
      const shed = await people.bob.api.boards.create.mutate({ name: 'Shed' })
      expect((await add({ board: shed }, people.bob, { username: people.cy.user.username })).body).toHaveProperty('user')
    })

    test('while others add them is on it no more, and is invited once, whoever comes first', async () => {
      const people = await server.people()
      const { ada, bob, eve, board } = people
      const membership = and(eq(boardMembers.boardId, board.id), eq(boardMembers.userId, eve.id))
      for (let round = 0; round < 12; round++) {
        await server.db.insert(boardMembers).values({ boardId: board.id, userId: eve.id })
        const adding = [ada, bob, ada, bob].map(
          (by, n) => () => add(people, by, n % 2 ? { username: 'eve' } : { email: 'eve@example.com' }),
        )
        const calls = adding.toSpliced(round % 5, 0, () => leave(people, eve))
        const answers = await Promise.all(calls.map((call) => call()))
        const [own] = answers.splice(round % 5, 1)
        expect(own?.status).toBe(200)
        for (const { status, body } of answers)
          expect([status, body]).toEqual(status === 409 ? [409, expect.anything()] : [201, { invitation: expect.anything() }])
        expect(await server.db.$count(boardMembers, membership)).toBe(0)
        expect(await server.db.$count(boardInvitations, eq(boardInvitations.status, 'pending'))).toBeLessThanOrEqual(1)
        await server.db.delete(boardInvitations)
        await server.db.execute(sql`delete from left_boards`)
      }
    })

    test('is told that they were added at once, whichever way, and whatever else the same person did before', async () => {
      const people = await server.people()
      const { ada, bob, eve, board } = people
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
      for (const body of [{ username: 'eve' }, { email: 'eve@example.com' }]) {
        const socket = await eve.socket()
        expect((await add(people, ada, body)).body).toMatchObject({ user: { id: eve.id } })
        expect((await socket.next('notification_added')).notification).toMatchObject({ kind: 'added', actor: { id: ada.id } })
        // So many that she is told of nothing else of Ada's for an hour.
        for (let n = 0; n < 31; n++) await ada.api.boards.update.mutate({ boardId: board.id, name: `Garden ${n}` })
        await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: eve.id })
      }
      await add(people, ada, { username: 'eve' })
      const ofEve = eq(notifications.userId, eve.id)
      const told = (kind: 'added' | 'renamed') => server.db.$count(notifications, and(ofEve, eq(notifications.kind, kind)))
      expect([await told('added'), await told('renamed')]).toEqual([3, 60])
    })
  },
  { SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>', PUBLIC_URL: 'https://wrk.example.com', MAIL_GATHER_SECONDS: '0' },
)
