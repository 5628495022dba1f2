import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { createLink } from '../../src/auth/server/store'
import { attachments, comments, oauthAccounts, timeEntries, users } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'
import { takeFaults } from '../support/faults'
import { heldDownload } from '../support/heldDownload'
import type { Person } from '../support/people'
import { until } from '../support/until'

/** Stands in everything of others that must not come along. */
const FOREIGN = 'FOREIGN'

onEachDatabase("the data of one's account", (server) => {
  const download = (person: Pick<Person, 'http'>) => person.http('GET', '/api/account/data')

  async function leaveTraces({ id: userId }: Person, { id: taskId, boardId }: { id: number; boardId: number }, word: string) {
    const file = { originalFilename: `${word}.txt`, fileSize: 3, mimeType: 'text/plain', fileUrl: `/uploads/${word}` }
    await server.db.insert(comments).values({ taskId, userId, content: `Comment ${word}` })
    await server.db.insert(attachments).values({ taskId, userId, filename: `stored-${crypto.randomUUID()}`, ...file })
    await server.db
      .insert(timeEntries)
      .values({ taskId, boardId, userId, startTime: new Date(), day: '2026-11-20', duration: 5, note: `Note ${word}` })
  }

  /** Bob is on Ada's board, has left Eve's, and has a board of his own; each holds something of his and of its creator. */
  async function muchOfBob() {
    const people = await server.people()
    const { ada, bob, eve, board } = people
    const own = await bob.api.boards.create.mutate({ name: 'Own', description: 'All mine' })
    const eves = await eve.api.boards.create.mutate({ name: `Board ${FOREIGN}` })
    await eve.api.boards.addMember.mutate({ boardId: eves.id, username: 'bob' })
    const assigned = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Assigned', tags: ['soon'] })
    await ada.api.tasks.assign.mutate({ taskId: assigned.id, userId: bob.id })
    await ada.api.tasks.create.mutate({ boardId: board.id, title: `Task ${FOREIGN}` })
    const created = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Created', dueDate: '2026-12-24' })
    const left = await bob.api.tasks.create.mutate({ boardId: eves.id, title: `Left ${FOREIGN}` })
    await leaveTraces(bob, assigned, 'mine')
    await leaveTraces(ada, assigned, FOREIGN)
    await leaveTraces(bob, left, 'left')
    await bob.api.boards.removeMember.mutate({ boardId: eves.id, userId: bob.id })
    await server.db.insert(oauthAccounts).values({ userId: bob.id, provider: 'github', subject: 'secret-subject' })
    return { ...people, own, assigned, created }
  }

  test('comes as a file named for the account, for its owner only', async () => {
    const { bob, nobody } = await muchOfBob()
    const answer = await download(bob)
    expect([answer.status, answer.headers.get('content-disposition'), answer.headers.get('cache-control')]).toEqual([
      200,
      'attachment; filename="wrk-bob.json"',
      'no-store',
    ])
    expect(answer.headers.get('content-type')).toStartWith('application/json')
    expect(await download(nobody)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  })

  test('holds what one is, does and wrote, with dates in ISO form', async () => {
    const { bob, board, own, assigned, created } = await muchOfBob()
    await bob.api.users.update.mutate({ username: 'robert', weekStartsOn: 'saturday' })
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect((await download(bob)).body).toMatchObject({
      format: expect.any(String),
      exportedAt: iso,
      formerUsernames: [{ username: 'bob', until: iso }],
      user: {
        username: 'robert',
        showEmail: true,
        weekStartsOn: 'saturday',
        email: 'bob@example.com',
        notifyTimeEntries: true,
        createdAt: iso,
      },
      providers: [{ provider: 'github', createdAt: iso }],
      sessions: [{ createdAt: iso, lastSeenAt: iso, expiresAt: iso, userAgent: null }],
      boards: [
        { id: board.id, name: 'Garden', createdByMe: false, createdAt: iso, memberSince: iso },
        { id: own.id, name: 'Own', description: 'All mine', createdByMe: true, createdAt: iso },
      ],
      tasks: [
        { id: assigned.id, title: 'Assigned', tags: ['soon'], createdByMe: false, assignedToMe: true, createdAt: iso },
        { id: created.id, title: 'Created', dueDate: '2026-12-24', createdByMe: true, assignedToMe: false },
      ],
      comments: [{ content: 'Comment mine', createdAt: iso }, { content: 'Comment left' }],
      attachments: [
        { originalFilename: 'mine.txt', fileSize: 3, fileUrl: '/uploads/mine' },
        { originalFilename: 'left.txt', fileUrl: '/uploads/left' },
      ],
      timeEntries: [{ note: 'Note mine', duration: 5, startTime: iso }, { note: 'Note left' }],
    })
  })

  test('holds nothing of others, and nothing that is secret', async () => {
    const { ada, bob, eve } = await muchOfBob()
    const token = await createLink(server.db, 'bob@example.com', 'sign-in')
    const { text } = await download(bob)
    const [{ password } = { password: null }] = await server.db.select().from(users).where(eq(users.id, bob.id))
    const hash = (word: string) => new Bun.CryptoHasher('sha256').update(word).digest('hex')
    const cookie = bob.cookie().split(/[=;]/)[1] ?? ''
    for (const secret of [
      FOREIGN,
      String(password),
      'argon2',
      cookie,
      hash(cookie),
      token,
      hash(token),
      'secret-subject',
      'stored-',
    ])
      expect(text).not.toContain(secret)
    for (const other of [ada, eve]) {
      expect(text).not.toContain(other.user.email)
      expect(text).not.toContain(`"${other.user.username}"`)
    }
    expect(text).not.toMatch(/password|token|stripe/i)
  })

  test('of an account that did nothing is empty, not missing', async () => {
    const { eve } = await server.people()
    expect((await download(eve)).body).toMatchObject({ boards: [], tasks: [], comments: [], attachments: [], timeEntries: [] })
  })

  /** Ten thousand entries, far more than fits into what a socket takes without being read. */
  async function muchTime(people: Awaited<ReturnType<typeof server.peopleWithTask>>) {
    const { bob, board, task } = people
    await server.db.execute(sql`
      insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes, note)
      select ${task.id}, ${board.id}, ${bob.id}, now(), now()::date, 1, 'Number ' || i || repeat('x', 900)
      from generate_series(1, 10000) i`)
  }
  const reading = (person: Person) => fetch(`${server.origin}/api/account/data`, { headers: { cookie: person.cookie() } })

  test('comes in parts, whole and in order, while others are answered', async () => {
    const people = await server.peopleWithTask()
    await muchTime(people)
    const done: string[] = []
    const whole = reading(people.bob)
      .then((answer) => answer.json())
      .then((data) => {
        done.push('data')
        return z.object({ timeEntries: z.array(z.object({ note: z.string() })) }).parse(data)
      })
    for (let i = 0; i < 5; i++) await people.ada.http('GET', '/health')
    done.push('others')
    const notes = (await whole).timeEntries.map(({ note }) => Number(/^Number (\d+)/.exec(note)?.[1]))
    expect(notes).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 1))
    expect(done).toEqual(['others', 'data'])
  })

  test('is given to one reader at a time, and ten times an hour', async () => {
    const people = await server.peopleWithTask()
    await muchTime(people)
    const first = await reading(people.bob)
    const second = await people.bob.http('GET', '/api/account/data')
    expect([second.status, second.body]).toEqual([
      429,
      { code: 'TOO_MANY_REQUESTS', message: 'Your data is already being downloaded.', retryAfter: 5 },
    ])
    await first.body?.cancel()
    await until('the place is free again', async () => (await people.bob.http('GET', '/api/account/data')).status === 200)
    for (let i = 2; i < 10; i++) expect((await people.ada.http('GET', '/api/account/data')).status).toBe(200)
    await people.ada.http('GET', '/api/account/data')
    await people.ada.http('GET', '/api/account/data')
    expect(await people.ada.http('GET', '/api/account/data')).toMatchObject({
      status: 429,
      body: { message: expect.stringMatching(/^Too many downloads of your data\. Please try again in \d+ minutes\.$/) },
    })
  })

  test('of which the rest cannot be read is a download that failed, not a short one', async () => {
    const people = await server.peopleWithTask()
    await muchTime(people)
    const download = await heldDownload(server.origin, '/api/account/data', people.bob)
    await server.db.execute(sql`alter table rates rename to hidden`)
    takeFaults()
    expect(await download.rest()).toBe('failed')
    await server.db.execute(sql`alter table hidden rename to rates`)
    takeFaults()
    expect(await (await heldDownload(server.origin, '/api/account/data', people.bob)).rest()).toBe('whole')
  })
})
