import { expect, test } from 'bun:test'
import { eq, inArray, sql } from 'drizzle-orm'
import { createLink } from '../../src/auth/server/store'
import { attachments, boards, comments, magicLinks, mails, sessions, tasks, timeEntries, users } from '../../src/db/schema'
import { writeMail } from '../../src/server/mail/store'
import { browser } from '../support/browser'
import { onServer } from '../support/databases'
import { PASSWORD, type Person } from '../support/people'

onServer('deleting the account', (server) => {
  const leave = (person: Pick<Person, 'http'>, password: string | null = PASSWORD) =>
    person.http('DELETE', '/api/account', password === null ? undefined : { password })
  const exists = async ({ id }: Person) => (await server.db.$count(users, eq(users.id, id))) === 1
  const isSignedIn = async (one: Pick<Person, 'http'>) => (await one.http('GET', '/api/auth/me')).status === 200

  /** Something of everything that one can leave on a task. */
  async function leaveTraces({ id: userId }: Person, { id: taskId, boardId }: { id: number; boardId: number }) {
    const file = { filename: crypto.randomUUID(), originalFilename: 'a.txt', fileSize: 1, mimeType: 'text/plain', fileUrl: '/a' }
    await server.db.insert(comments).values({ taskId, userId, content: 'Mine' })
    await server.db.insert(attachments).values({ taskId, userId, ...file })
    await server.db.insert(timeEntries).values({ taskId, boardId, userId, startTime: new Date(), day: '2026-11-20', duration: 5 })
  }
  const traces = async (userId: number) =>
    Promise.all([comments, attachments, timeEntries].map((table) => server.db.$count(table, eq(table.userId, userId))))

  /** An account without a password is deleted without the time that comparing one takes: so it meets what others do. */
  async function swift(person: Person) {
    await server.db.update(users).set({ password: null, isPro: true }).where(eq(users.id, person.id))
    return person
  }

  test('ends every session, page and link of it at once, says goodbye by mail, and leaves the name free', async () => {
    const { ada, bob } = await server.people()
    const laptop = browser(server.origin)
    await laptop.http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD })
    const token = await createLink(server.db, ada.user.email, 'reset')
    await writeMail(server.db, { to: ada.user.email, subject: 'Waiting', text: 'x', html: 'x' })
    const [socket, bobs] = await Promise.all([ada.socket(), bob.socket()])
    const answer = await leave(ada)
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(answer.headers.getSetCookie().at(-1)).toMatch(/^session=;.*Max-Age=0/)
    expect((await socket.closed()).code).toBe(4001)
    expect(await Promise.all([exists(ada), isSignedIn(ada), isSignedIn(laptop), isSignedIn(bob)])).toEqual([
      false,
      false,
      false,
      true,
    ])
    expect((await browser(server.origin).http('GET', `/api/auth/verify?token=${token}&confirmed=1`)).status).toBe(401)
    expect((await laptop.http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD })).status).toBe(401)
    expect(await server.db.$count(magicLinks, eq(magicLinks.email, ada.user.email))).toBe(0)
    expect((await server.db.select().from(mails)).map(({ recipient, subject }) => [recipient, subject])).toEqual([
      [ada.user.email, 'Your wrk account was deleted'],
    ])
    expect((await bobs.heard()).map(({ type }) => type)).toEqual(['board_deleted'])
    const { username, email } = ada.user
    const again = await browser(server.origin).http('POST', '/api/auth/register', { username, email, password: PASSWORD })
    expect(again.status).toBe(201)
  })

  test('deletes the boards that one created for everyone, at once where nobody else has hours on them', async () => {
    const { ada, bob, eve, board } = await server.people()
    const task = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    await server.db.insert(comments).values({ taskId: task.id, userId: bob.id, content: 'Mine' })
    const eves = await eve.api.boards.create.mutate({ name: "Eve's" })
    const [bobs, strangers] = await Promise.all([bob.socket(), eve.socket()])
    await bobs.join(board.id)
    expect((await leave(ada)).status).toBe(200)
    expect(await bobs.next('board_deleted')).toMatchObject({ boardId: board.id, by: ada.id })
    expect(await strangers.heard()).toEqual([])
    expect((await bob.http('GET', `/api/boards/${board.id}`)).status).toBe(404)
    expect((await bob.http('GET', `/api/tasks/${task.id}`)).status).toBe(404)
    expect(await traces(bob.id)).toEqual([0, 0, 0])
    expect((await eve.http('GET', `/api/boards/${eves.id}`)).status).toBe(200)
  })

  test("takes one's comments, files and time along from others' boards, and leaves the tasks without one's name", async () => {
    const { ada, bob, board } = await server.people()
    const task = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
    await Promise.all([leaveTraces(bob, task), leaveTraces(ada, task)])
    await ada.http('GET', `/api/boards/${board.id}/snapshot`)
    const socket = await ada.socket()
    const { version } = await socket.join(board.id)
    expect((await leave(bob)).status).toBe(200)
    const told = await socket.next('board_member_removed')
    expect(told).toMatchObject({ boardId: board.id, userId: bob.id, by: bob.id })
    // What else went is not told of: a page sees the step and reads the board again.
    expect(told.version).toBe(version + 2)
    expect(await traces(bob.id)).toEqual([0, 0, 0])
    expect(await traces(ada.id)).toEqual([1, 1, 1])
    expect((await ada.http('GET', `/api/boards/${board.id}/snapshot`)).body).toMatchObject({
      board: { version: told.version, memberCount: 1, members: [{ id: ada.id }] },
      tasks: [{ id: task.id, title: 'Dig', createdBy: null, assignees: [], commentCount: 1 }],
    })
  })

  test('changes the version of boards too that one had left and where one had left something', async () => {
    const { ada, bob, board } = await server.people()
    const task = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    await leaveTraces(bob, task)
    await bob.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    const before = await ada.http('GET', `/api/boards/${board.id}/snapshot`)
    expect(before.body).toMatchObject({ tasks: [{ createdBy: bob.id, commentCount: 1 }] })
    const socket = await ada.socket()
    expect((await leave(bob)).status).toBe(200)
    expect(await socket.heard()).toEqual([])
    const { version } = await socket.join(board.id)
    expect((await ada.http('GET', `/api/boards/${board.id}/snapshot`)).body).toMatchObject({
      board: { version },
      tasks: [{ createdBy: null, commentCount: 0 }],
    })
  })

  test('takes the password, and leaves everything where that is wrong or missing', async () => {
    const { ada, bob, nobody } = await server.people()
    const socket = await bob.socket()
    expect(await leave(ada, 'wrong password')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await leave(ada, null)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect((await leave(nobody)).status).toBe(401)
    expect(await Promise.all([exists(ada), isSignedIn(ada), server.db.$count(mails)])).toEqual([true, true, 0])
    expect(await socket.heard()).toEqual([])
  })

  test('lets nobody guess the password', async () => {
    const { person } = await server.people()
    const guessed = await person('victim')
    for (let tries = 0; tries < 10; tries++) expect((await leave(guessed, `wrong ${tries}`)).status).toBe(403)
    expect((await leave(guessed)).status).toBe(429)
    expect(await exists(guessed)).toBe(true)
  })

  test('of an account without a password takes a sign-in of the last fifteen minutes', async () => {
    const { ada } = await server.people()
    await server.db.update(users).set({ password: null })
    await server.db.update(sessions).set({ createdAt: sql`now() - interval '16 minutes'` })
    expect(await leave(ada, null)).toMatchObject({ status: 403, body: { message: 'Please sign in again first.' } })
    expect((await leave(ada)).status).toBe(403)
    await server.db.update(sessions).set({ createdAt: sql`now() - interval '14 minutes'` })
    expect((await leave(ada, null)).status).toBe(200)
    expect(await exists(ada)).toBe(false)
  })

  test('cannot be asked for by another site', async () => {
    const { ada } = await server.people()
    const answer = await ada.http('DELETE', '/api/account', { password: PASSWORD }, { origin: 'https://evil.example' })
    expect([answer.status, await exists(ada)]).toEqual([403, true])
  })

  test('while one makes boards and others add one to theirs, ends without a fault, and leaves nothing of one', async () => {
    const { person } = await server.people()
    for (let round = 0; round < 12; round++) {
      const [leaver, host] = await Promise.all([person(`leaver${round}`), person(`host${round}`)])
      await Promise.all([leaver, host].map(swift))
      const hosts = await Promise.all(['A', 'B', 'C'].map((name) => host.api.boards.create.mutate({ name })))
      const first = hosts[0]?.id ?? 0
      await host.api.boards.addMember.mutate({ boardId: first, username: leaver.user.username })
      const token = await createLink(server.db, leaver.user.email, 'sign-in')
      const others = [
        ...['X', 'Y'].map((name) => leaver.http('POST', '/api/boards', { name })),
        ...hosts.map(({ id }) => host.http('POST', `/api/boards/${id}/members`, { username: leaver.user.username })),
        leaver.http('POST', `/api/boards/${first}/tasks`, { title: 'Mine' }),
        host.http('POST', `/api/boards/${first}/tasks`, { title: 'Theirs' }),
        browser(server.origin).http('GET', `/api/auth/verify?token=${token}&confirmed=1`),
        browser(server.origin).http('POST', '/api/auth/forgot-password', { email: leaver.user.email }),
      ]
      const { status } = await leave(leaver, null)
      const answers = await Promise.all(others)
      for (const { body, status: one } of answers) {
        expect([200, 201, 401, 404, 409]).toContain(one)
        // That would be two who wait for each other.
        expect(JSON.stringify(body)).not.toContain('Somebody else changed this at the same time')
      }
      expect([200, 409]).toContain(status)
      if (status === 409) expect((await leave(leaver, null)).status).toBe(200)
      expect(await exists(leaver)).toBe(false)
      for (const { id } of hosts) {
        const { board, tasks: left } = (await host.http('GET', `/api/boards/${id}/snapshot`)).body as {
          board: { members: { id: number }[] }
          tasks: { createdBy: number | null }[]
        }
        expect(board.members.map((member) => member.id)).toEqual([host.id])
        expect(left.filter(({ createdBy }) => createdBy === leaver.id)).toEqual([])
      }
    }
  })

  test('of two who are on each other’s boards, at the same time, ends for both', async () => {
    const { person } = await server.people()
    for (let round = 0; round < 12; round++) {
      const pair = await Promise.all([person(`left${round}`), person(`right${round}`)])
      const [left, right] = pair
      const [a, b] = await Promise.all(pair.map(({ api }) => api.boards.create.mutate({ name: 'Own' })))
      await left.api.boards.addMember.mutate({ boardId: a?.id ?? 0, username: right.user.username })
      await right.api.boards.addMember.mutate({ boardId: b?.id ?? 0, username: left.user.username })
      await Promise.all(pair.map(swift))
      await Promise.all(pair.map((one) => one.http('POST', `/api/boards/${a?.id}/tasks`, { title: 'Dig' })))
      const answers = await Promise.all(pair.map((one) => leave(one, null)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(await server.db.$count(boards, inArray(boards.id, [a?.id ?? 0, b?.id ?? 0]))).toBe(0)
      expect(await server.db.$count(tasks, inArray(tasks.boardId, [a?.id ?? 0, b?.id ?? 0]))).toBe(0)
    }
  })

  test('twice at once is done once, and the other is told so without a fault', async () => {
    const { person } = await server.people()
    for (let round = 0; round < 6; round++) {
      const leaver = await swift(await person(`hasty${round}`))
      const answers = await Promise.all(Array.from({ length: 3 }, () => leave(leaver, null)))
      for (const { status } of answers) expect([200, 401, 404, 409]).toContain(status)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await server.db.$count(mails, eq(mails.recipient, leaver.user.email))).toBe(1)
    }
  })
})
