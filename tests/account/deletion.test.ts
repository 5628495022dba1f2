import { expect, test } from 'bun:test'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { createLink } from '../../src/auth/server/store'
import { attachments, boards, comments, magicLinks, mails, sessions, tasks, timeEntries, users } from '../../src/db/tables'
import { accountBytes } from '../../src/server/accountQuota/store'
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

  test("leaves what one did on others' boards to a former member, without a name, and tells the creator the hours", async () => {
    const { ada, bob, board } = await server.people()
    await bob.api.users.update.mutate({ name: 'Robert' })
    const task = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
    await Promise.all([leaveTraces(bob, task), leaveTraces(ada, task)])
    await bob.api.time.create.mutate({ taskId: task.id, duration: 215, note: 'Roots' })
    await bob.api.comments.create.mutate({ taskId: task.id, content: '@ada Deeper' })
    const paths = ['', '/snapshot', '/activity', '/time-report', '/time.csv', '/time-entries'].map(
      (part) => `/api/boards/${board.id}${part}`,
    )
    const look = async () =>
      (
        await Promise.all(
          [...paths, `/api/tasks/${task.id}/comments`, `/api/tasks/${task.id}`].map((path) => ada.http('GET', path)),
        )
      )
        .map(({ text }) => text)
        .join()
    expect(await look()).toContain('Robert')
    const before = await ada.api.time.report.query({ boardId: board.id })
    const socket = await ada.socket()
    const { version } = await socket.join(board.id)
    expect((await leave(bob)).status).toBe(200)
    const told = await socket.next('board_member_removed')
    expect(told).toMatchObject({ boardId: board.id, userId: bob.id, by: bob.id })
    // What else changed is not told of: a page sees the step and reads the board again.
    expect(told.version).toBe(version + 2)
    expect(await traces(bob.id)).toEqual([0, 0, 0])
    expect(await traces(ada.id)).toEqual([1, 1, 1])
    expect(await look()).not.toMatch(/bob|robert/i)
    const former = { name: 'Former member', avatar: '/images/default-profile.png' }
    const { byUser, ...sums } = await ada.api.time.report.query({ boardId: board.id })
    expect(sums.minutes).toBe(before.minutes)
    expect(byUser).toMatchObject([
      { user: former, minutes: 220 },
      { user: { id: ada.id }, minutes: 5 },
    ])
    const formerId = byUser[0]?.user.id ?? 0
    const snapshot = (await ada.http('GET', `/api/boards/${board.id}/snapshot`)).body
    expect(snapshot).toMatchObject({
      board: { version: told.version, memberCount: 1, members: [{ id: ada.id }] },
      tasks: [{ id: task.id, createdBy: formerId, assignees: [], commentCount: 3, fileCount: 2, minutes: 225 }],
    })
    expect((await ada.api.comments.list.query({ taskId: task.id })).map(({ user }) => user.name)).toContain('Former member')
    const { activities } = await ada.api.activity.board.query({ boardId: board.id })
    expect(activities.find(({ kind }) => kind === 'assigned')).toMatchObject({ user: { id: ada.id }, whom: former })
    expect((await ada.http('GET', `/api/boards/${board.id}/time.csv`)).text).toContain('Dig,Former member,')
    const { notifications } = await ada.api.notifications.list.query({})
    expect(notifications[0]).toMatchObject({ kind: 'account_deleted', actor: null, detail: '3h 40m', board: { id: board.id } })
    expect(notifications.find(({ kind }) => kind === 'mentioned')?.actor).toMatchObject(former)
  })

  test('takes comments and files along where one says so, but never hours', async () => {
    const { ada, bob, board } = await server.people()
    const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    await leaveTraces(bob, task)
    expect((await bob.http('DELETE', '/api/account', { password: PASSWORD, deleteContent: true })).status).toBe(200)
    expect(await Promise.all([comments, attachments, timeEntries].map((table) => server.db.$count(table)))).toEqual([0, 0, 1])
    expect(await ada.api.tasks.get.query({ taskId: task.id })).toMatchObject({ commentCount: 0, fileCount: 0, minutes: 5 })
  })

  test('leaves several former members of a board apart, each with their hours, rates and timers', async () => {
    const { ada, bob, board, member } = await server.people()
    const carol = await member('carol')
    const [dig, sow] = await Promise.all(['Dig', 'Sow'].map((title) => ada.api.tasks.create.mutate({ boardId: board.id, title })))
    const [taskId = 0, otherId = 0] = [dig?.id, sow?.id]
    for (const [who, cents] of [
      [bob, 6_000],
      [carol, 9_000],
    ] as const)
      await ada.api.time.setRate.mutate({ boardId: board.id, userId: who.id, from: null, cents })
    await bob.api.time.create.mutate({ taskId, duration: 60 })
    await carol.api.time.create.mutate({ taskId, duration: 120 })
    await bob.api.time.create.mutate({ taskId: otherId, duration: 30 })
    await bob.http('POST', '/api/time-entries', { taskId, status: 'ACTIVE' })
    await ada.api.tasks.delete.mutate({ taskId: otherId })
    const cents = async () => (await ada.api.time.report.query({ boardId: board.id })).cents
    expect(await cents()).toBe(24_000)
    const answers = await Promise.all([swift(bob), swift(carol)]).then((both) => Promise.all(both.map((one) => leave(one, null))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const report = await ada.api.time.report.query({ boardId: board.id })
    expect(report.byUser.map(({ user }) => user.name).toSorted()).toEqual(['Former member', 'Former member 2'])
    // The timer of less than a minute counts one.
    expect(report.byUser.map(({ minutes }) => minutes)).toEqual([120, 61])
    expect([await server.db.$count(timeEntries, eq(timeEntries.status, 'ACTIVE')), await cents()]).toEqual([0, 24_100])
    // Meanwhile deleted, and back with its hours.
    expect(await ada.api.tasks.restore.mutate({ taskId: otherId })).toMatchObject({ minutes: 30 })
    expect(await cents()).toBe(27_100)
    const { tasks: left } = (await ada.http('GET', `/api/boards/${board.id}/snapshot`)).body as { tasks: { minutes: number }[] }
    expect(left.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(211)
  })

  test('leaves nobody whom one could ask, invite, assign, find or be', async () => {
    const { ada, bob, eve, board } = await server.people()
    const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    await leaveTraces(bob, task)
    await leave(bob)
    const [former] = (await ada.api.time.report.query({ boardId: board.id })).byUser
    const { id: userId = 0, username = '' } = former?.user ?? {}
    expect(await server.db.$count(users, and(eq(users.id, userId), eq(users.former, true)))).toBe(1)
    const path = `/api/boards/${board.id}`
    expect((await ada.http('POST', `/api/tasks/${task.id}/assignees`, { userId })).status).toBe(400)
    expect((await ada.http('POST', `${path}/members`, { username })).status).toBe(404)
    expect(await ada.api.imports.names.query({ boardId: board.id })).toEqual([])
    const offered = ada.api.imports.offerName.mutate({ boardId: board.id, nameId: userId, userId: ada.id })
    expect(await offered.catch((error) => error.data.code)).toBe('NOT_FOUND')
    expect((await ada.api.finder.find.query({ text: 'former' })).people).toEqual([])
    expect((await eve.http('GET', `/api/users/${username}`)).status).toBe(404)
    for (const name of [username, username.toLowerCase(), `${username}@imported.invalid`])
      expect((await eve.http('POST', '/api/auth/login', { username: name, password: PASSWORD })).status).toBe(401)
    // What they left counts for whose board it is.
    const bytes = await accountBytes(server.db, ada.id)
    await server.db.delete(attachments)
    expect(await accountBytes(server.db, ada.id)).toBeLessThan(bytes)
  })

  test('leaves no former member where one did nothing, nor on boards that go', async () => {
    const { ada, bob, board } = await server.people()
    await leave(bob)
    expect(await server.db.$count(users, eq(users.former, true))).toBe(0)
    expect((await ada.api.notifications.list.query({})).notifications).toMatchObject([
      { kind: 'account_deleted', detail: null, board: { id: board.id } },
    ])
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
    const after = (await ada.http('GET', `/api/boards/${board.id}/snapshot`)).body as { tasks: { createdBy: number }[] }
    expect(after).toMatchObject({ board: { version }, tasks: [{ commentCount: 1 }] })
    expect(after.tasks[0]?.createdBy).not.toBe(bob.id)
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
    expect(await leave(ada, null)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('please log in again and do this within 15 minutes') },
    })
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
        expect(JSON.stringify(body)).not.toContain('Someone else changed this at the same time')
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
