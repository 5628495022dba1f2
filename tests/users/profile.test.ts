import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { addDays, WEEKDAYS, weekdayOf } from '../../src/days'
import { formerUsernames, users } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'
import { PASSWORD, type Person } from '../support/people'

onEachDatabase('a profile', (server) => {
  const change = (person: Pick<Person, 'http'>, body: object) => person.http('PATCH', '/api/users/profile', body)
  const look = async (person: Pick<Person, 'http'>, username: string) => (await person.http('GET', `/api/users/${username}`)).body
  const register = (username: string) => ({ username, email: `${username}@new.example`, password: PASSWORD })

  test('is changed in the fields given, and only in these', async () => {
    const { ada, bob } = await server.people()
    expect(await change(ada, { name: ' Ada L. ', description: 'Counts\nthings' })).toMatchObject({
      status: 200,
      body: {
        id: ada.id,
        username: 'ada',
        name: 'Ada L.',
        description: 'Counts\nthings',
        email: 'ada@example.com',
        isPro: false,
      },
    })
    await change(ada, { description: '' })
    await change(ada, {})
    expect(await look(bob, 'ada')).toEqual({
      id: ada.id,
      username: 'ada',
      name: 'Ada L.',
      avatar: ada.user.avatar,
      email: 'ada@example.com',
      emailVerified: true,
      description: null,
    })
  })

  test('refuses what does not fit, and says which field', async () => {
    const { ada } = await server.people()
    for (const [path, value, message] of [
      ['name', 'x'.repeat(81), 'Must be at most 80 characters'],
      ['description', 'x'.repeat(1_001), 'Must be at most 1000 characters'],
      ['username', 'ad', 'Username must be at least 3 characters'],
      ['username', '_ada', 'Username must start with a letter a–z or a digit'],
      ['username', 'a'.repeat(31), 'Username must be at most 30 characters'],
      ['username', 'Login', 'This username is not available'],
      ['username', 'ad/a', 'Username can only contain letters a–z, digits, dots, dashes and underscores'],
      ['username', null, expect.any(String)],
      ['name', '\u200b\u3164\u2800\u202e', 'Must contain a visible character'],
      ['name', 'a\0b', 'Contains characters that cannot be stored'],
      ['emailNotifications', 'yes', 'Must be true or false'],
      ['weekStartsOn', 'friday', 'Must be one of automatic, monday, sunday, saturday'],
    ] as const)
      expect(await change(ada, { [path]: value })).toMatchObject({ status: 400, body: { issues: [{ path, message }] } })
    expect((await change(ada, { id: 7, isPro: true, email: 'x@y.example' })).body).toMatchObject({ ...ada.user, showEmail: true })
  })

  test('has a username that nobody else has, also when two take it at once', async () => {
    const { ada, bob, eve, nobody } = await server.people()
    const taken = { status: 409, body: { code: 'CONFLICT', message: 'Username already taken' } }
    expect(await change(ada, { username: 'b O b' })).toMatchObject(taken)
    const answers = await Promise.all([
      ...[ada, bob, eve].map((person) => change(person, { username: 'grace' })),
      nobody.http('POST', '/api/auth/register', register('grace')),
    ])
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status >= 300)) expect(answer).toMatchObject(taken)
    expect(await server.db.$count(users, eq(users.username, 'grace'))).toBe(1)
  })

  test('is found by a former name, which nobody else is given for 90 days', async () => {
    const { ada, bob, nobody } = await server.people()
    await change(ada, { username: 'countess' })
    expect(await look(bob, 'ADA')).toMatchObject({ id: ada.id, username: 'countess' })
    expect((await change(bob, { username: 'ada' })).status).toBe(409)
    expect((await nobody.http('POST', '/api/auth/register', register('ada'))).body).toMatchObject({
      message: 'Username already taken',
    })
    expect(await server.db.$count(users)).toBe(3)
    // Back, and away again: one's own names are one's own.
    expect((await change(ada, { username: 'ada' })).status).toBe(200)
    expect(await look(bob, 'countess')).toMatchObject({ username: 'ada' })
    await change(ada, { username: 'countess' })
    const [row] = await server.db.select().from(formerUsernames)
    expect(row?.until.getTime()).toBeCloseTo(Date.now() + 90 * 86_400_000, -5)
    await server.db.update(formerUsernames).set({ until: sql`now()` })
    expect(await look(bob, 'ada')).toMatchObject({ code: 'NOT_FOUND' })
    expect((await change(bob, { username: 'ada' })).status).toBe(200)
    await server.clean()
    expect((await server.db.select().from(formerUsernames)).map(({ username }) => username)).toEqual(['bob'])
  })

  test('is given up at the same moment as somebody takes the name: they do not get it', async () => {
    const { ada, bob, eve, nobody } = await server.people()
    const [given, taken, registered] = await Promise.all([
      change(ada, { username: 'countess' }),
      Promise.all([bob, eve].map((person) => change(person, { username: 'ada' }))),
      nobody.http('POST', '/api/auth/register', register('ada')),
    ])
    expect([given.status, ...taken.map(({ status }) => status), registered.status]).toEqual([200, 409, 409, 409])
    expect(await look(bob, 'ada')).toMatchObject({ id: ada.id })
  })

  test('has ten former names at most', async () => {
    const { ada } = await server.people()
    for (let i = 0; i < 10; i++) expect((await change(ada, { username: `ada${i}` })).status).toBe(200)
    expect(await change(ada, { username: 'ada10' })).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    expect((await change(ada, { username: 'ada3' })).status).toBe(200)
  })

  test('shows its email, unless its owner hides it: then to nobody else, also on a board of theirs', async () => {
    const { ada, bob, eve } = await server.people()
    expect(await look(eve, 'ada')).toMatchObject({ email: 'ada@example.com' })
    await change(ada, { showEmail: false })
    expect(await look(ada, 'ada')).toMatchObject({ email: 'ada@example.com' })
    const eves = await eve.api.boards.create.mutate({ name: 'Shed' })
    expect((await eve.http('POST', `/api/boards/${eves.id}/members`, { username: 'ada' })).status).toBe(201)
    for (const person of [eve, bob]) expect(await look(person, 'ada')).toMatchObject({ username: 'ada', email: null })
  })

  test('says on which weekday its weeks start: by its language until that is chosen', async () => {
    const { ada, bob } = await server.people()
    const socket = await ada.socket()
    const starts = async (person: Person, language?: string) => {
      const get = async (path: string) =>
        (await person.http('GET', path, undefined, language ? { 'accept-language': language } : {})).body
      const today = (await get('/api/today')) as { week: { day: string }[] }
      const mine = (await get('/api/time-entries/mine')) as { from: string; to: string }
      return [today.week[0]?.day ?? '', mine.from, addDays(mine.to, -6)].map((day) => WEEKDAYS[weekdayOf(day)]).join()
    }
    expect(await starts(ada)).toBe('Mon,Mon,Mon')
    expect(await starts(ada, 'en-US,en;q=0.9')).toBe('Sun,Sun,Sun')
    expect(await change(ada, { weekStartsOn: 'saturday' })).toMatchObject({ status: 200, body: { weekStartsOn: 'saturday' } })
    expect(await socket.next('current_user_updated')).toMatchObject({ user: { weekStartsOn: 'saturday' } })
    expect(await starts(ada, 'en-US')).toBe('Sat,Sat,Sat')
    expect((await ada.http('GET', '/api/auth/me')).body).toMatchObject({ weekStartsOn: 'saturday' })
    // It is nobody else's.
    expect(await starts(bob)).toBe('Mon,Mon,Mon')
    expect(await look(bob, 'ada')).not.toHaveProperty('weekStartsOn')
  })

  test('has switches of mails, of which the master turns off all', async () => {
    const { ada } = await server.people()
    const set = (body: object) => ada.http('PATCH', '/api/users/notifications', body)
    expect(await set({ notifyTimeEntries: false })).toMatchObject({
      status: 200,
      body: { emailNotifications: true, notifyTimeEntries: false, notifyTaskAssigned: true },
    })
    const off = {
      emailNotifications: false,
      notifyTaskAssigned: false,
      notifyTaskCommented: false,
      notifyBoardUpdated: false,
      notifyTimeEntries: false,
    }
    expect((await set({ emailNotifications: false, notifyBoardUpdated: true })).body).toMatchObject(off)
    expect((await set({ emailNotifications: true })).body).toMatchObject({ ...off, emailNotifications: true })
    expect((await change(ada, { emailNotifications: false, name: 'Ada' })).body).toMatchObject({ ...off, name: 'Ada' })
    expect((await set({})).body).toMatchObject(off)
    expect((await set({ emailNotifications: 1 })).status).toBe(400)
  })

  test('tells its owner’s pages of every change, and each shared board once of a new name', async () => {
    const { ada, bob, eve, board } = await server.people()
    const bobs = await bob.api.boards.create.mutate({ name: 'Shed' })
    await bob.api.boards.addMember.mutate({ boardId: bobs.id, username: 'ada' })
    const [adas, bobSocket, eves] = await Promise.all([ada.socket(), bob.socket(), eve.socket()])
    await bobSocket.join(board.id)
    const { version } = await bob.api.boards.get.query({ boardId: board.id })
    await change(ada, { description: 'Counts things' })
    await ada.http('PATCH', '/api/users/notifications', { notifyTimeEntries: false })
    const own = (user: object) => ({ type: 'current_user_updated', payload: { user } })
    expect(await adas.heard()).toMatchObject([own({ description: 'Counts things' }), own({ notifyTimeEntries: false })])
    expect(await bobSocket.heard()).toEqual([])
    await change(ada, { name: 'Ada', username: 'countess' })
    const user = { id: ada.id, username: 'countess', name: 'Ada', avatar: ada.user.avatar }
    const told = (boardId: number, at: number) => ({
      type: 'user_profile_updated',
      payload: { user, boardId, version: at, by: ada.id },
    })
    const expected = [told(board.id, version + 1), told(bobs.id, 3)]
    expect((await bobSocket.heard()) as object[]).toEqual(expected)
    expect((await adas.heard()) as object[]).toEqual([expect.objectContaining(own(expect.objectContaining(user))), ...expected])
    expect(await eves.heard()).toEqual([])
    await change(ada, { name: 'Ada', username: 'countess' })
    expect(await bobSocket.heard()).toEqual([])
    // What she says from now on, her open pages say under the new name.
    await adas.join(board.id)
    adas.send('editing_status', { boardId: board.id, element: 'board_name', status: 'started' })
    expect(await bobSocket.next('editing_status')).toMatchObject({ user })
  })

  test('is shown as it is now by boards, tasks, comments and files that were read before', async () => {
    const { ada, bob, board, task } = await server.peopleWithTask()
    await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
    await bob.api.comments.create.mutate({ taskId: task.id, content: 'Where?' })
    const snapshot = () => ada.http('GET', `/api/boards/${board.id}/snapshot`)
    const before = await snapshot()
    await change(bob, { name: 'Robert', username: 'robert' })
    const after = await snapshot()
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    const robert = { id: bob.id, name: 'Robert', username: 'robert' }
    expect(after.body).toMatchObject({ board: { members: [{}, robert] } })
    expect(after.body).toMatchObject({ tasks: [{ assignees: [robert] }] })
    expect(await ada.api.comments.list.query({ taskId: task.id })).toMatchObject([{ user: robert }])
    // A board that one has left shows one's comments still.
    await bob.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    const socket = await ada.socket()
    await change(bob, { name: 'Bob again' })
    expect(await socket.next('user_profile_updated')).toMatchObject({ boardId: board.id, user: { name: 'Bob again' } })
  })

  test('is changed by many at once with boards in common, and no version is told twice', async () => {
    const { ada, bob, eve, board } = await server.people()
    await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'eve' })
    const socket = await ada.socket()
    const { version } = await socket.join(board.id)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => change([ada, bob, eve][i % 3] ?? ada, { name: `Name ${i}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
    const versions = (await socket.heard()).flatMap(({ type, payload }) =>
      type === 'user_profile_updated' ? [payload.version] : [],
    )
    expect(versions).toEqual(Array.from({ length: 30 }, (_, i) => version + 1 + i))
  })

  test('has a page to book help at for Pro only, where there is one', async () => {
    const { ada } = await server.people()
    expect(await ada.api.users.support.query()).toEqual({ email: 'support@wrk.example', canBook: false, bookingUrl: null })
  })
})

onEachDatabase(
  'support with a page to book at',
  (server) => {
    test('names the page to Pro only', async () => {
      const { ada } = await server.people()
      expect(await ada.api.users.support.query()).toEqual({ email: 'help@example.com', canBook: true, bookingUrl: null })
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
      expect(await ada.api.users.support.query()).toMatchObject({ bookingUrl: 'https://book.example.com/wrk' })
    })
  },
  { SUPPORT_EMAIL: 'help@example.com', BOOKING_URL: 'https://book.example.com/wrk' },
)
