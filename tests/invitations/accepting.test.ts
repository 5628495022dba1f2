import { afterAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { boardInvitations, mails, users } from '../../src/db/tables'
import { amid, onPostgres, onServer } from '../support/databases'
import { mailbox, type Received } from '../support/mail'
import { type People, type Person, renaming } from '../support/people'
import { anyEmail, inviter } from './inviter'

const box = await mailbox()
afterAll(() => box.stop())

const INVALID = { message: 'This invitation is invalid or has expired.', code: 'NOT_FOUND' }
const invite = inviter(box)

onServer(
  'accepting an invitation',
  (server) => {
    /** The next mail that tells somebody who came; others are passed over. */
    const cameTo = async (email: string): Promise<Received> => {
      const mail = await box.next(email)
      return mail.subject.includes('accepted your invitation') ? mail : cameTo(email)
    }
    const accept = (who: Pick<Person, 'http'>, token: string) => who.http('POST', `/api/invitations/${token}/accept`)
    const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()
    const membersOf = async ({ ada, board }: Pick<People, 'ada' | 'board'>) =>
      (await ada.api.boards.get.query({ boardId: board.id })).members.map(({ username }) => username).sort()

    onPostgres('whoever gets another name just then is shown with that', async () => {
      const people = await server.people()
      const { ada, eve, board } = people
      const { token } = await invite(people)
      const page = await ada.socket(board)
      const accepting = await amid(server.db, renaming(eve, 'Later'), () => accept(eve, token))
      expect(await page.next('board_member_added')).toMatchObject({ user: { id: eve.id, name: 'Later' } })
      expect((await accepting.answer).status).toBe(200)
    })

    test('makes the holder of the link a member, once, and notes who came', async () => {
      const people = await server.people()
      const { eve, nobody, person, board } = people
      const { token } = await invite(people)
      expect((await accept(nobody, token)).status).toBe(401)
      expect(await accept(eve, token)).toMatchObject({
        status: 200,
        body: { success: true, board: { id: board.id, name: 'Garden' } },
      })
      expect(await membersOf(people)).toEqual(['ada', 'bob', 'eve'])
      expect(await server.db.select().from(boardInvitations)).toMatchObject([
        { status: 'accepted', acceptedBy: eve.id, acceptedAt: expect.any(Date) },
      ])
      for (const who of [eve, await person('dan')]) expect(await accept(who, token)).toMatchObject({ status: 404, body: INVALID })
      expect(await nobody.http('GET', `/api/invitations/${token}`)).toMatchObject({ status: 404, body: INVALID })
      expect(await membersOf(people)).toEqual(['ada', 'bob', 'eve'])
    })

    test('an expired, a revoked and an unknown link, and what is none, let nobody in, all with the same words', async () => {
      const people = await server.people()
      const { ada, eve, nobody, board } = people
      const expired = await invite(people)
      await server.db.update(boardInvitations).set({ expiresAt: sql`now() - interval '1 second'` })
      const revoked = await invite(people)
      await ada.api.invitations.revoke.mutate({ boardId: board.id, invitationId: revoked.id })
      const odd = ['x', 'a'.repeat(5_000), '%00', '%F0%9F%98%80', "'%20or%201=1--", '1', 'null']
      for (const token of [expired.token, revoked.token, crypto.randomUUID(), ...odd]) {
        expect(await accept(eve, token)).toMatchObject({ status: 404, body: INVALID })
        expect(await nobody.http('GET', `/api/invitations/${token}`)).toMatchObject({ status: 404, body: INVALID })
      }
      expect(await membersOf(people)).toEqual(['ada', 'bob'])
    })

    test('is announced to the members with the next version, to the one who came too', async () => {
      const people = await server.people()
      const { ada, eve, board } = people
      const { token, id } = await invite(people)
      const sockets = await Promise.all([ada.socket(), eve.socket()])
      const { version } = await ada.api.boards.get.query({ boardId: board.id })
      await accept(eve, token)
      for (const socket of sockets)
        expect(await socket.heard()).toEqual([
          {
            type: 'board_member_added',
            payload: {
              boardId: board.id,
              version: version + 1,
              by: eve.id,
              user: { id: eve.id, username: 'eve', name: null, avatar: eve.user.avatar },
              invitationIds: [id],
            },
          },
        ])
    })

    test('tells the inviter who came, and when it is somebody else than was meant', async () => {
      const people = await server.people()
      const { ada, eve, person, board } = people
      // Whose mails no other test reads.
      const inviter = await person(`of${crypto.randomUUID().slice(0, 8)}`)
      await ada.api.boards.addMember.mutate({ boardId: board.id, username: inviter.user.username })
      const handedOn = await invite(people, anyEmail(), inviter)
      await accept(eve, handedOn.token)
      const mail = await cameTo(inviter.user.email)
      expect(mail.subject).toBe('eve accepted your invitation to the board “Garden”')
      expect(mail.link).toBe(`https://wrk.example.com/board/${board.id}`)
      const said = mail.text.replaceAll(/\s+/g, ' ')
      expect(said).toContain(`The invitation was sent to ${handedOn.email}; they joined with another email.`)
      expect((await inviter.api.notifications.list.query({})).notifications[0]).toMatchObject({
        kind: 'joined',
        actor: { username: 'eve' },
        board: { id: board.id },
      })
      expect((await ada.http('GET', `/api/boards/${board.id}/activity`)).body).toMatchObject({
        activities: [{ kind: 'member_joined', user: { username: 'eve' } }, { kind: 'member_added' }, { kind: 'board_created' }],
      })

      const meant = await invite(people, 'fay@example.com', inviter)
      await accept(await person('fay'), meant.token)
      expect((await cameTo(inviter.user.email)).text).not.toContain('The invitation was sent to')
    })

    for (const off of [{ emailNotifications: false }, { notifyBoardUpdated: false }])
      test(`an inviter with ${Object.keys(off)} off is not mailed`, async () => {
        const people = await server.people()
        await server.db.update(users).set(off).where(eq(users.id, people.bob.id))
        const { token } = await invite(people, anyEmail(), people.bob)
        expect((await accept(people.eve, token)).status).toBe(200)
        expect(await server.db.$count(mails, eq(mails.recipient, 'bob@example.com'))).toBe(0)
      })

    test('a member who opens a link changes nothing and leaves it to whoever it was sent to', async () => {
      const people = await server.people()
      const { ada, bob, eve, board } = people
      const { token } = await invite(people)
      const { version } = await ada.api.boards.get.query({ boardId: board.id })
      for (const who of [ada, bob])
        expect(await accept(who, token)).toMatchObject({ status: 200, body: { board: { id: board.id } } })
      expect((await ada.api.boards.get.query({ boardId: board.id })).version).toBe(version)
      expect((await accept(eve, token)).status).toBe(200)
    })

    test('whoever comes by another link needs the one to their own address no more', async () => {
      const people = await server.people()
      const { ada, person, board } = people
      const own = await invite(people, 'gil@example.com')
      const other = await invite(people)
      await accept(await person('gil'), other.token)
      expect(await ada.api.invitations.list.query({ boardId: board.id })).toEqual([])
      expect((await accept(people.eve, own.token)).status).toBe(404)
    })

    test('of five accounts that use one link at once, one comes in', async () => {
      const people = await server.people()
      for (let round = 0; round < 4; round++) {
        const { token } = await invite(people)
        const crowd = await Promise.all(['p', 'q', 'r', 's', 't'].map((name) => people.person(`${name}${round}x`)))
        const [first, ...others] = statuses(await Promise.all(crowd.map((who) => accept(who, token))))
        expect(first).toBe(200)
        // On a busy machine some wait too long for the board's lock, and are told to try again.
        expect(others.filter((status) => status !== 404 && status !== 503)).toEqual([])
        expect(await membersOf(people)).toHaveLength(3 + round)
      }
    })

    test('one who accepts twice at once is a member once', async () => {
      const people = await server.people()
      const { token } = await invite(people)
      const answers = await Promise.all([accept(people.eve, token), accept(people.eve, token)])
      expect(statuses(answers)).toEqual([200, 404])
      expect(await membersOf(people)).toEqual(['ada', 'bob', 'eve'])
    })

    for (const [what, end] of [
      ['revoked', ({ ada, board }, id) => ada.http('DELETE', `/api/boards/${board.id}/invitations/${id}`)],
      ['renewed', ({ ada, board }, _, email) => ada.http('POST', `/api/boards/${board.id}/members`, { email })],
      ['left without its inviter', ({ ada, bob, board }) => ada.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`)],
      ['deleted with its board', ({ ada, board }) => ada.http('DELETE', `/api/boards/${board.id}`)],
      ['deleted with its inviter', ({ bob }) => bob.http('DELETE', '/api/account', { password: 'correct horse' })],
    ] as [string, (people: People, id: number, email: string) => Promise<{ status: number }>][])
      test(`a link that is ${what} while it is used lets in before that or not at all`, async () => {
        for (let round = 0; round < 4; round++) {
          await server.clear()
          const people = await server.people()
          // An account of another name each time: one may be deleted five times an hour.
          const inviter = await people.person(`of${crypto.randomUUID().slice(0, 8)}`)
          await people.ada.api.boards.addMember.mutate({ boardId: people.board.id, username: inviter.user.username })
          const { token, id, email } = await invite(people, anyEmail(), inviter)
          const coming = () => accept(people.eve, token)
          const ending = () => end({ ...people, bob: inviter }, id, email)
          const [came, ended] =
            round % 2
              ? await Promise.all([coming(), ending()])
              : await Promise.all([ending(), coming()]).then(([first, second]) => [second, first] as const)
          expect([200, 404]).toContain(came.status)
          expect([200, 201, 404]).toContain(ended.status)
          if (what === 'revoked') expect([came.status, ended.status].sort()).toEqual([200, 404])
          const mine = await people.eve.api.boards.list.query()
          if (came.status === 404 || what === 'deleted with its board') expect(mine).toEqual([])
          else expect(mine).toHaveLength(1)
        }
      })

    test('who came stays when they or the inviter delete their account, each with what is theirs', async () => {
      const people = await server.people()
      const { bob, eve, person } = people
      const leave = (who: Person) => who.http('DELETE', '/api/account', { password: 'correct horse' })
      await accept(eve, (await invite(people, anyEmail(), bob)).token)
      const dan = await person('dan')
      await accept(dan, (await invite(people)).token)
      expect((await leave(eve)).status).toBe(200)
      expect(await server.db.select().from(boardInvitations).where(eq(boardInvitations.invitedBy, bob.id))).toMatchObject([
        { status: 'accepted', acceptedBy: null },
      ])
      expect((await leave(bob)).status).toBe(200)
      expect(await membersOf(people)).toEqual(['ada', 'dan'])
      // The creator of the board that the other came to: both columns of one row go at once.
      expect((await leave(people.ada)).status).toBe(200)
      expect(await server.db.$count(boardInvitations)).toBe(0)
      expect(await dan.api.boards.list.query()).toEqual([])
    })

    test('an account that sent and used one link is deleted like any other', async () => {
      const people = await server.people()
      const { bob, ada } = people
      const { id } = await invite(people, anyEmail(), bob)
      await server.db.update(boardInvitations).set({ status: 'accepted', acceptedBy: bob.id }).where(eq(boardInvitations.id, id))
      const own = await invite(people)
      await server.db
        .update(boardInvitations)
        .set({ status: 'accepted', acceptedBy: ada.id })
        .where(eq(boardInvitations.id, own.id))
      for (const who of [bob, ada])
        expect((await who.http('DELETE', '/api/account', { password: 'correct horse' })).status).toBe(200)
      expect(await server.db.$count(boardInvitations)).toBe(0)
    })

    test("one's data tell whom one invited, and not by which link", async () => {
      const people = await server.people()
      const { email, token } = await invite(people, anyEmail(), people.bob)
      const foreign = await invite(people)
      const { body, text } = await people.bob.http('GET', '/api/account/data')
      expect(body).toMatchObject({ invitationsSent: [{ boardId: people.board.id, email, status: 'pending', acceptedAt: null }] })
      expect(text).not.toContain(foreign.email)
      expect(text).not.toContain(token)
      expect(text).not.toMatch(/token/i)
    })
  },
  { SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>', PUBLIC_URL: 'https://wrk.example.com', MAIL_GATHER_SECONDS: '0' },
)
