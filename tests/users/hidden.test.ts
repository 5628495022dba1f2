import { afterAll, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { openBoardArchive } from '../../src/archive/server/openBoardArchive'
import { boardInvitations, leftBoards, users } from '../../src/db/tables'
import { browser } from '../support/browser'
import { onEachDatabase } from '../support/databases'
import { uploadsFolder } from '../support/files'
import { archiveOf, boardOf, tablesOf, uploaded } from '../support/imports'
import { mailbox } from '../support/mail'
import type { Person } from '../support/people'

const [folder, box] = [await uploadsFolder(), await mailbox()]
afterAll(async () => {
  await box.stop()
  await folder.remove()
})

const ANY = { id: expect.any(Number), status: 'pending', expiresAt: expect.any(String) }

onEachDatabase(
  'a hidden email',
  (server) => {
    /** Bob hides his; Eve, who shares nothing with him, has a board. */
    async function bobHides() {
      const people = await server.people()
      await people.bob.api.users.update.mutate({ showEmail: false })
      const shed = await people.eve.api.boards.create.mutate({ name: 'Shed' })
      const add = (body: object, by: Person = people.eve) => by.http('POST', `/api/boards/${shed.id}/members`, body)
      return { ...people, shed, add }
    }
    async function tokenTo(email: string) {
      const { link } = await box.next(email, (mail) => mail.link?.includes('/invite?token=') ?? false)
      return new URL(link ?? '').searchParams.get('token') ?? ''
    }

    test('is in nothing that its owner’s boards tell others, live, as a list, as a file, nor by mail', async () => {
      const { ada, bob, eve, shed, add } = await bobHides()
      const socket = await eve.socket(shed)
      expect((await add({ username: 'bob' })).status).toBe(201)
      const task = await bob.api.tasks.create.mutate({ boardId: shed.id, title: 'Dig' })
      await bob.api.tasks.assign.mutate({ taskId: task.id, userId: eve.id })
      await bob.api.comments.create.mutate({ taskId: task.id, content: 'Where? @eve' })
      await bob.api.time.create.mutate({ taskId: task.id, duration: 30, notify: true })
      await bob.http('POST', `/api/boards/${shed.id}/members`, { email: 'zoe@example.org' })
      const told = [JSON.stringify(await socket.heard())]
      for (const path of [
        'users/bob',
        'boards',
        'today',
        'notifications',
        'account',
        'account/data',
        'find?text=bob',
        ...['', '/snapshot', '/tasks', '/activity', '/invitations', '/time-report', '/time-statement', '/time.csv'].map(
          (part) => `boards/${shed.id}${part}`,
        ),
        ...['', '/comments', '/activity'].map((part) => `tasks/${task.id}${part}`),
        `time-entries/board/${shed.id}`,
      ]) {
        const { status, text } = await eve.http('GET', `/api/${path}`)
        expect([path, status]).toEqual([path, 200])
        told.push(text)
      }
      const mails = [await box.next('zoe@example.org'), await box.next('eve@example.com')]
      for (const text of [...told, ...mails.map((mail) => JSON.stringify(mail))])
        expect(text.replaceAll(/\s/g, '')).not.toContain('bob@example.com')
      expect((await ada.http('GET', '/api/users/bob')).body).toMatchObject({ email: null })
      expect((await bob.http('GET', '/api/auth/me')).body).toMatchObject({ email: 'bob@example.com' })
    })

    test('is not told by the limit of failed logins: it counts as one that nobody has', async () => {
      await bobHides()
      const stranger = browser(server.origin)
      const tried = async (username: string) =>
        (await stranger.http('POST', '/api/auth/login', { username, password: 'not the password' })).status
      for (let n = 0; n < 7; n++) expect(await tried('bob')).toBe(401)
      expect([await tried('bob'), await tried('bob@example.com'), await tried('nobody@example.com')]).toEqual([429, 401, 401])
    })

    test('is left out of the archive of a board, but for that of its owner', async () => {
      const { ada, board, member } = await bobHides()
      await member('cleo')
      await ada.api.users.update.mutate({ showEmail: false })
      const answer = await fetch(`${server.origin}/api/boards/${board.id}/archive`, { headers: { cookie: ada.cookie() } })
      const path = `${folder.env.DATA_DIR}/hidden.zip`
      await Bun.write(path, answer)
      const archive = await openBoardArchive(path)
      const people = await Array.fromAsync(archive.rows('people'))
      archive.close()
      expect(people.map(({ name, email }) => [name, email])).toEqual([
        ['ada', 'ada@example.com'],
        ['bob', null],
        ['cleo', 'cleo@example.com'],
      ])
    })

    test('is invited as if nobody had it, and whoever has it joins by the mail', async () => {
      const { bob, eve, shed, add } = await bobHides()
      const socket = await eve.socket()
      // A session's first call over https may rename its cookie.
      expect((await eve.http('GET', '/api/auth/me')).status).toBe(200)
      const [unknown, hidden] = [await add({ email: 'nobody@example.org' }), await add({ email: 'bob@example.com' })]
      for (const [answer, email] of [
        [unknown, 'nobody@example.org'],
        [hidden, 'bob@example.com'],
      ] as const)
        expect(answer).toMatchObject({ status: 201, body: { invitation: { ...ANY, email } } })
      expect([...hidden.headers.keys()]).toEqual([...unknown.headers.keys()])
      expect((await socket.heard()).map(({ type }) => type)).toEqual(['invitation_changed', 'invitation_changed'])
      expect((await bob.api.notifications.list.query({})).notifications).toEqual([])
      const token = await tokenTo('bob@example.com')
      expect((await bob.http('POST', `/api/invitations/${token}/accept`)).status).toBe(200)
      expect((await eve.api.boards.get.query({ boardId: shed.id })).memberCount).toBe(2)
      // Nor is it told that a member has it; one's own is known to oneself.
      expect(await add({ email: 'bob@example.com' })).toMatchObject({ status: 201, body: { invitation: ANY } })
      expect(await tokenTo('bob@example.com')).not.toBe(token)
      await eve.api.users.update.mutate({ showEmail: false })
      expect((await add({ email: 'eve@example.com' })).status).toBe(409)
    })

    test('is not told by the end of an invitation, nor by what its owner joins', async () => {
      const { ada, eve, shed, add } = await bobHides()
      await add({ email: 'bob@example.com' })
      const token = await tokenTo('bob@example.com')
      const socket = await eve.socket()
      await add({ username: 'bob' })
      expect(await socket.next('board_member_added')).not.toHaveProperty('invitationIds')
      expect(await eve.api.invitations.list.query({ boardId: shed.id })).toMatchObject([{ email: 'bob@example.com' }])
      expect((await ada.http('POST', `/api/invitations/${token}/accept`)).status).toBe(200)
    })

    /** One address is mailed so many invitations in an hour. */
    async function newEmail({ id }: Person) {
      const email = `${crypto.randomUUID()}@example.com`
      await server.db.update(users).set({ email }).where(eq(users.id, id))
      return email
    }

    test('lets its owner, once removed, in by no invitation of before, and by a later one', async () => {
      const { bob, eve, shed, add } = await bobHides()
      const email = await newEmail(bob)
      await add({ email })
      await add({ email: 'elsewhere@example.org' })
      const before = [await tokenTo(email), await tokenTo('elsewhere@example.org')]
      await add({ username: 'bob' })
      await eve.api.boards.removeMember.mutate({ boardId: shed.id, userId: bob.id })
      // They stay as they were: that one ended would tell whose it is.
      expect((await eve.api.invitations.list.query({ boardId: shed.id })).map(({ status }) => status)).toEqual([
        'pending',
        'pending',
      ])
      const refused = [
        await bob.http('POST', `/api/boards/${shed.id}/join`),
        ...(await Promise.all(before.map((token) => bob.http('POST', `/api/invitations/${token}/accept`)))),
        await bob.http('GET', `/api/invitations/${before[0]}`),
      ]
      const invalid = { message: 'This invitation is invalid or has expired.', code: 'NOT_FOUND' }
      for (const answer of refused) expect(answer).toMatchObject({ status: 404, body: invalid })
      expect((await bob.http('GET', `/api/boards/${shed.id}/info`)).body).not.toHaveProperty('inviter')
      await add({ email })
      expect((await bob.http('POST', `/api/boards/${shed.id}/join`)).status).toBe(200)
      // Who came back is as any member: the note of the removal is gone.
      await add({ email })
      await bob.http('DELETE', `/api/boards/${shed.id}/members/${bob.id}`)
      expect((await bob.http('POST', `/api/boards/${shed.id}/join`)).status).toBe(200)
    })

    test('lets a removed owner in by no earlier invitation, whichever of invitation and removal comes first', async () => {
      const { bob, eve, shed, add } = await bobHides()
      const outcomes = new Set<string>()
      for (let round = 0; round < 12; round++) {
        await add({ username: 'bob' })
        const remove = () => eve.http('DELETE', `/api/boards/${shed.id}/members/${bob.id}`)
        const email = await newEmail(bob)
        const invite = () => add({ email })
        await Promise.all(round % 2 ? [remove(), invite()] : [invite(), remove()])
        const [row] = await server.db
          .select({ later: sql<boolean>`${boardInvitations.createdAt} > ${leftBoards.leftAt}` })
          .from(boardInvitations)
          .innerJoin(leftBoards, and(eq(leftBoards.boardId, boardInvitations.boardId), eq(leftBoards.userId, bob.id)))
          .where(eq(boardInvitations.status, 'pending'))
        const { status } = await bob.http('POST', `/api/boards/${shed.id}/join`)
        expect([row?.later, status]).toEqual([row?.later, row?.later ? 200 : 404])
        outcomes.add(`${row?.later}`)
        await eve.http('DELETE', `/api/boards/${shed.id}/members/${bob.id}`)
        await server.db.update(boardInvitations).set({ status: 'revoked' })
      }
      expect(outcomes.size).toBeGreaterThan(0)
    })

    test('of whoever joins by a link that was sent elsewhere is not told to the inviter, nor ever kept', async () => {
      const { bob, eve, add } = await bobHides()
      await add({ email: 'elsewhere@example.org' })
      await bob.http('POST', `/api/invitations/${await tokenTo('elsewhere@example.org')}/accept`)
      const { notifications } = await eve.api.notifications.list.query({})
      expect(notifications[0]).toMatchObject({
        kind: 'joined',
        actor: { username: 'bob' },
        detail: 'The invitation was sent to elsewhere@example.org; they joined with another email.',
      })
    })

    test('that a file names asks nobody, and tells its importer nothing; the creator asks by hand', async () => {
      const { ada, bob, board } = await bobHides()
      await ada.api.boards.delete.mutate({ boardId: board.id })
      const boardId = await boardOf(ada, await uploaded(ada, await archiveOf(tablesOf())))
      await ada.api.boards.addMember.mutate({ boardId, username: 'bob' })
      const [robert] = await ada.api.imports.names.query({ boardId })
      expect(robert).toMatchObject({ email: 'bob@example.com', asked: [] })
      expect(await bob.api.imports.names.query({ boardId })).toEqual([])
      await ada.api.imports.offerName.mutate({ boardId, nameId: robert?.user.id ?? 0, userId: bob.id })
      expect(await bob.api.imports.names.query({ boardId })).toMatchObject([{ user: { name: 'Robert' } }])
      await bob.api.users.update.mutate({ showEmail: true })
      await ada.api.imports.offerName.mutate({ boardId, nameId: robert?.user.id ?? 0, userId: null })
      expect((await ada.api.imports.names.query({ boardId }))[0]).toMatchObject({ asked: [{ userId: bob.id, offered: false }] })
    })
  },
  {
    ...folder.env,
    ...{ SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>', PUBLIC_URL: 'https://wrk.example.com' },
    MAIL_GATHER_SECONDS: '0',
  },
)
