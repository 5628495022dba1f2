import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { boards, mails, tasks, timeEntries, users } from '../../src/db/tables'
import { onServer } from '../support/databases'
import { PASSWORD, type Person, withoutProof } from '../support/people'
import { log, passTime } from '../support/time'

type Choice = { boardId: number; userId: number }

onServer('the boards of an account that is deleted', (server) => {
  const leave = (person: Pick<Person, 'http'>, handOver: unknown = []) =>
    person.http('DELETE', '/api/account', { password: PASSWORD, handOver })
  const exists = async ({ id }: Person) => (await server.db.$count(users, eq(users.id, id))) === 1
  const setPro = ({ id }: Person) => server.db.update(users).set({ isPro: true }).where(eq(users.id, id))
  const subjects = async (to: Person) =>
    (await server.db.select().from(mails).where(eq(mails.recipient, to.user.email)).orderBy(mails.id)).map(
      ({ subject }) => subject,
    )

  // One address has so many tries in an hour.
  const anyEmail = { email: sql`gen_random_uuid() || '@example.com'` }

  /** Ada's board with Bob and Carol on it; each has logged time. */
  async function shared() {
    const given = await server.peopleWithTask()
    const { ada, bob, task } = given
    const carol = await given.member('carol')
    await server.db.update(users).set(anyEmail).where(eq(users.id, ada.id))
    await Promise.all([log(ada, task, { duration: 10 }), log(bob, task, { duration: 20 }), log(carol, task, { duration: 40 })])
    return { ...given, carol }
  }

  test('are told beforehand, with the people on them and the hours of these', async () => {
    const { ada, bob, carol, board } = await shared()
    expect((await ada.http('GET', '/api/account')).body).toMatchObject({
      boards: [{ id: board.id, name: 'Garden', others: 2, minutes: 60, members: [{ id: bob.id }, { id: carol.id }] }],
    })
    await ada.api.boards.delete.mutate({ boardId: board.id })
    expect((await ada.http('GET', '/api/account')).body).toMatchObject({ boards: [] })
  })

  test("go on under the member to whom they are handed, with all that is others'", async () => {
    const { ada, bob, carol, board, task } = await shared()
    await ada.api.time.setRate.mutate({ boardId: board.id, userId: carol.id, from: null, cents: 6_000 })
    const socket = await bob.socket()
    const { version } = await socket.join(board.id)
    await bob.http('GET', `/api/boards/${board.id}/snapshot`)
    expect((await leave(ada, [{ boardId: board.id, userId: bob.id }])).status).toBe(200)
    // The step before tells nothing, so that an open page reads the board again and with it whose it is.
    expect(await socket.next('board_member_removed')).toMatchObject({ version: version + 2, userId: ada.id })
    expect((await bob.http('GET', `/api/boards/${board.id}/snapshot`)).body).toMatchObject({
      board: { version: version + 2, createdBy: bob.id, creator: { id: bob.id }, members: [{ id: bob.id }, { id: carol.id }] },
      tasks: [{ id: task.id, minutes: 70 }],
    })
    expect((await bob.http('GET', `/api/boards/${board.id}/time-report`)).body).toMatchObject({
      byUser: [{ user: { id: carol.id } }, { user: { id: bob.id } }, { user: { name: 'Former member' }, minutes: 10 }],
    })
    expect((await bob.api.notifications.list.query({})).notifications[0]).toMatchObject({
      kind: 'account_deleted',
      detail: '0h 10m',
    })
    expect(await bob.api.boards.list.query()).toMatchObject([{ id: board.id, createdBy: bob.id, locked: false }])
    expect((await bob.http('GET', `/api/boards/${board.id}/rates`)).body).toMatchObject([
      { user: { id: carol.id }, cents: 6_000 },
    ])
    expect((await bob.http('PATCH', `/api/boards/${board.id}`, { name: "Bob's" })).status).toBe(200)
    expect((await carol.http('DELETE', `/api/boards/${board.id}`)).status).toBe(403)
    expect((await bob.http('DELETE', `/api/boards/${board.id}/members/${carol.id}`)).status).toBe(200)
    expect((await bob.http('DELETE', `/api/boards/${board.id}`)).status).toBe(200)
    expect((await bob.http('POST', `/api/boards/${board.id}/restore`)).status).toBe(200)
  })

  test('are a mail to whoever gets them, once, if the address is known to be theirs', async () => {
    const { ada, bob, carol, board } = await shared()
    await setPro(ada)
    const [second, third] = await Promise.all(['Shed', 'Pond'].map((name) => ada.api.boards.create.mutate({ name })))
    const give = (boardId = 0, userId = 0) => ({ boardId, userId })
    for (const id of [second?.id, third?.id])
      for (const username of ['bob', 'carol']) await ada.api.boards.addMember.mutate({ boardId: id ?? 0, username })
    await server.db.delete(mails)
    await withoutProof(server.db, carol)
    expect((await leave(ada, [give(board.id, bob.id), give(second?.id, bob.id), give(third?.id, carol.id)])).status).toBe(200)
    expect([await subjects(bob), await subjects(carol)]).toEqual([['2 boards are now yours'], []])
    const [mail] = await server.db.select().from(mails).where(eq(mails.recipient, bob.user.email))
    for (const text of ['ada', '“Garden”', '“Shed”', `${server.origin}/`.replace('127.0.0.1', 'localhost')])
      expect(mail?.text).toContain(text)
    expect(mail?.text).not.toContain('Pond')
  })

  test('lock nothing of whoever gets them: what one made oneself stays the first', async () => {
    const { ada, bob, board } = await shared()
    const own = await bob.api.boards.create.mutate({ name: "Bob's" })
    expect((await leave(ada, [{ boardId: board.id, userId: bob.id }])).status).toBe(200)
    expect((await bob.api.boards.list.query()).map(({ id, locked }) => [id, locked])).toEqual([
      [board.id, true],
      [own.id, false],
    ])
    expect((await bob.http('PATCH', `/api/boards/${own.id}`, { name: 'Mine' })).status).toBe(200)
    expect((await bob.http('POST', '/api/boards', { name: 'Third' })).status).toBe(403)
  })

  test('are not handed to somebody whose account is disabled, and they are not offered', async () => {
    const { ada, bob, board } = await shared()
    await server.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, bob.id))
    expect((await leave(ada, [{ boardId: board.id, userId: bob.id }])).status).toBe(409)
    expect((await ada.http('GET', '/api/account')).body).toMatchObject({ boards: [{ members: [{ username: 'carol' }] }] })
  })

  for (const half of [0, 4])
    test(`are handed over by nobody but their creator, to nobody but a member, once; else nothing happens (from ${half})`, async () => {
      const { ada, bob, eve, board } = await shared()
      const eves = await eve.api.boards.create.mutate({ name: "Eve's" })
      const give = (boardId: number, userId: number): Choice => ({ boardId, userId })
      const wrong: [number, unknown][] = [
        [400, [give(board.id, ada.id)]],
        [400, [give(board.id, bob.id), give(board.id, bob.id)]],
        [400, [{ boardId: board.id }]],
        [400, 'x'],
        [409, [give(board.id, eve.id)]],
        [409, [give(board.id, 2_000_000_000)]],
        [409, [give(eves.id, bob.id)]],
        [409, [give(2_000_000_000, bob.id)]],
      ]
      for (const [status, handOver] of wrong.slice(half, half + 4))
        expect([handOver, (await leave(ada, handOver)).status]).toEqual([handOver, status])
      expect((await leave(bob, [give(board.id, ada.id)])).status).toBe(409)
      expect(await Promise.all([exists(ada), exists(bob)])).toEqual([true, true])
      expect(await ada.api.boards.list.query()).toMatchObject([{ createdBy: ada.id, memberCount: 3 }])
      expect((await server.db.select().from(mails)).filter(({ subject }) => subject.includes('now yours'))).toEqual([])
      await ada.api.boards.delete.mutate({ boardId: board.id })
      expect((await leave(ada, [give(board.id, bob.id)])).status).toBe(409)
    })

  test('that nobody gets leave others their hours for 30 days, and nobody brings them back', async () => {
    const { ada, bob, carol, board, task } = await shared()
    await bob.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE' })
    await passTime(server.db, task, 5 * 60_000)
    const socket = await bob.socket(board)
    expect((await leave(ada)).status).toBe(200)
    expect(await socket.next('board_deleted')).toMatchObject({ boardId: board.id, by: ada.id })
    for (const who of [bob, carol]) expect((await who.http('GET', `/api/boards/${board.id}`)).status).toBe(404)
    expect((await bob.http('GET', '/api/boards/deleted')).body).toMatchObject([
      { id: board.id, name: 'Garden', mayRestore: false, minutes: 25 },
    ])
    const csv = async (who: Person) => (await who.http('GET', `/api/boards/${board.id}/my-hours.csv`)).text
    expect((await csv(bob)).match(/Dig,bob,/g)).toHaveLength(2)
    expect((await csv(carol)).match(/Dig,\w+,/g)).toEqual(['Dig,carol,'])
    for (const who of [bob, carol]) expect((await who.http('POST', `/api/boards/${board.id}/restore`)).status).toBe(404)
    expect(await server.db.select({ createdBy: boards.createdBy }).from(boards)).toEqual([{ createdBy: null }])
    await server.db.update(boards).set({ deletedAt: sql`now() - interval '31 days'` })
    await server.clean()
    expect(await server.db.$count(timeEntries)).toBe(0)
  })

  test('that were deleted before go with it, but for the hours of others', async () => {
    const { ada, bob, board } = await shared()
    await setPro(ada)
    const empty = await ada.api.boards.create.mutate({ name: 'Empty' })
    const own = await ada.api.tasks.create.mutate({ boardId: empty.id, title: 'Own' })
    await log(ada, own)
    for (const { id: boardId } of [board, empty]) await ada.api.boards.delete.mutate({ boardId })
    const socket = await bob.socket()
    expect((await leave(ada)).status).toBe(200)
    expect(await socket.heard()).toEqual([])
    expect(await server.db.select({ id: boards.id, createdBy: boards.createdBy }).from(boards)).toEqual([
      { id: board.id, createdBy: null },
    ])
    expect(await server.db.$count(tasks)).toBe(1)
    expect((await bob.http('GET', `/api/boards/${board.id}/my-hours.csv`)).status).toBe(200)
  })

  test('that is handed to somebody who leaves, deletes or goes at that moment ends for both without a fault', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 16; round++) {
      const { ada, bob, carol, board } = await shared()
      await server.db.update(users).set({ password: null, ...anyEmail })
      const go = (who: Person, handOver: Choice[] = []) => who.http('DELETE', '/api/account', { handOver })
      const other = [
        () => bob.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`),
        () => go(bob),
        () => ada.http('DELETE', `/api/boards/${board.id}`),
        () => bob.http('POST', '/api/boards', { name: 'Own' }),
      ][round % 4]
      const [left, meanwhile] = await Promise.all([go(ada, [{ boardId: board.id, userId: bob.id }]), other?.()])
      expect([200, 409]).toContain(left.status)
      expect([200, 201, 401, 403, 404, 409]).toContain(meanwhile?.status ?? 0)
      expect(`${left.text}${meanwhile?.text}`).not.toContain('Someone else changed this at the same time')
      seen.add(`${left.status}`)
      const [row] = await server.db.select().from(boards).where(eq(boards.id, board.id))
      // Carol's hours are there whatever happened, and the board is somebody's or deleted.
      expect(await server.db.$count(timeEntries, eq(timeEntries.userId, carol.id))).toBe(1)
      expect(row?.createdBy !== null || row.deletedAt !== null).toBe(true)
      if (left.status === 200) expect(await exists(ada)).toBe(false)
      await server.clear()
    }
    expect(seen).toContain('200')
  })
})
