import { expect, spyOn, test } from 'bun:test'
import { asc, eq, sql } from 'drizzle-orm'
import { boards, rates, tasks, timeEntries, timeTotals } from '../../src/db/schema'
import type { Pricing } from '../../src/time/rates/server/store'
import { keptDays, readKept } from '../../src/time/report/server/kept/lookup'
import { slicesOf } from '../../src/time/report/server/kept/slices/lookup'
import { checkTotals, countWrongIn } from '../../src/time/report/server/kept/store'
import { type Subtotal, sumEntries } from '../../src/time/report/server/lookup'
import { onEachDatabase } from '../support/databases'
import { PASSWORD, type Person } from '../support/people'
import { random } from '../support/random'

const ROUNDINGS = [0, 6, 15, 30] as const
const day = (nth: number) => new Date(Date.UTC(2026, 8, 1 + nth)).toISOString().slice(0, 10)

onEachDatabase('kept sums of time', (server) => {
  /** As for a board with more entries than these. */
  const keep = (boardId: number) => server.db.execute(sql`select make_time_totals(${boardId}::int)`)
  const isKept = async (boardId: number) => (await keptDays(server.db, boardId)) !== undefined
  const sorted = (rows: Subtotal[]) =>
    rows
      .map(({ set, day, userId, taskId, ...sums }) => ({
        of: `${set} ${[userId, taskId, day][[5, 6, 3].indexOf(set)]}`,
        ...sums,
      }))
      .toSorted((a, b) => (a.of < b.of ? -1 : 1))

  /** Compares all that is kept of a board with its entries, in two ways: by the rows, and by what the report reads. */
  async function expectRight(boardId: number, people: { id: number }[], nth = 0) {
    const amounts = sql`select amounts from time_entries e, time_amounts(e, 1) amounts where e.board_id = ${boardId}`
    const due = sql`(select * from rolled_up(array(${amounts})) where has_time_totals(${boardId}))`
    const kept = sql`(select * from time_totals where board_id = ${boardId})`
    const wrong = await server.db
      .select({ row: sql<string>`due::text || kept::text` })
      .from(sql`${due} due full join ${kept} kept using (board_id, span, day, user_id, task_id)`)
      .where(sql`due.* is distinct from kept.*`)
    expect(wrong).toEqual([])
    const days = await keptDays(server.db, boardId)
    if (!days) return
    const stored = await server.db
      .select()
      .from(rates)
      .where(eq(rates.boardId, boardId))
      .orderBy(asc(rates.userId), asc(rates.from))
    const pricing: Pricing = { amounts: 'everyone', ownerId: 0, rounding: ROUNDINGS[nth % 4] ?? 0, rates: stored }
    const [task] = await server.db
      .select()
      .from(tasks)
      .where(eq(tasks.boardId, boardId))
      .offset(nth % 3)
      .limit(1)
    const filters = [
      {},
      { from: day(nth % 9), to: day(20 + nth) },
      { userIds: [people[nth % people.length]?.id ?? 0] },
      { taskIds: [task?.id ?? 1] },
    ]
    for (const filter of filters)
      expect(sorted(await readKept(server.db, boardId, filter, pricing, days))).toEqual(
        sorted(await sumEntries(server.db, boardId, filter, pricing)),
      )
  }

  /** Boards of Ada and of Bob, where they and Cleo and Dora work; each has sums from its first entry on. */
  async function workplace() {
    const people = await server.people()
    const { ada, bob, board } = people
    const [cleo, dora] = [await people.member('cleo'), await people.member('dora')]
    const other = await bob.api.boards.create.mutate({ name: 'Yard' })
    for (const username of ['ada', 'cleo', 'dora']) await bob.http('POST', `/api/boards/${other.id}/members`, { username })
    for (const { api, id } of [
      { ...ada, id: board.id },
      { ...bob, id: other.id },
    ]) {
      for (const title of ['Dig', 'Sow', 'Weed', 'Rest']) {
        const task = await api.tasks.create.mutate({ boardId: id, title })
        await api.time.create.mutate({ taskId: task.id, duration: 50, startTime: '2026-09-03T10:00:00.000Z' })
      }
      await keep(id)
    }
    return { ...people, cleo, dora, other, workers: [ada, bob, cleo, dora], ids: [board.id, other.id] }
  }
  type Workplace = Awaited<ReturnType<typeof workplace>>

  /** What somebody may do to time, drawn by lot; what is refused changes nothing. */
  function changes({ workers, ids }: Workplace, seed: string) {
    const { below, oneOf } = random('changes of time', seed)
    const moment = () => `${day(below(80))}T1${below(9)}:00:00.000Z`
    const own = async ({ id }: Person) =>
      (await server.db.select({ id: timeEntries.id }).from(timeEntries).where(eq(timeEntries.userId, id))).at(-1 - below(9))
        ?.id ?? 0
    const anyTask = async () =>
      (await server.db.select({ id: tasks.id }).from(tasks).orderBy(tasks.id)).at(-1 - below(8))?.id ?? 0
    const kinds: ((who: Person) => Promise<unknown>)[] = [
      ...Array.from(
        { length: 5 },
        () => async (who: Person) =>
          who.http('POST', '/api/time-entries', {
            taskId: await anyTask(),
            duration: 1 + below(400),
            startTime: moment(),
            billable: below(4) > 0,
          }),
      ),
      async (who) => who.http('POST', '/api/time-entries', { taskId: await anyTask(), status: 'ACTIVE' }),
      async (who) => who.http('PATCH', `/api/time-entries/${await own(who)}`, { duration: 1 + below(400) }),
      async (who) => who.http('PATCH', `/api/time-entries/${await own(who)}`, { startTime: moment(), billable: below(2) > 0 }),
      async (who) => who.http('PATCH', `/api/time-entries/${await own(who)}`, { note: `Note ${below(1_000)}` }),
      async (who) =>
        who.http('PATCH', `/api/time-entries/${await own(who)}`, { status: oneOf(['ACTIVE', 'PAUSED', 'completed']) }),
      async (who) => who.http('DELETE', `/api/time-entries/${await own(who)}`),
      async (who) => who.http('DELETE', `/api/tasks/${await anyTask()}`),
      async (who) => who.http('POST', `/api/tasks/${await anyTask()}/restore`),
      async (who) => who.http('POST', '/api/tasks', { boardId: oneOf(ids), title: 'More' }),
      async (who) =>
        who.http('PATCH', `/api/boards/${oneOf(ids)}/rates/${oneOf(workers).id}`, {
          from: below(2) ? null : day(below(80)),
          cents: below(4) ? below(20_000) : null,
        }),
      async () => server.clean(),
    ]
    return (who: Person) => oneOf(kinds)(who)
  }

  test('are what the entries add up to, whatever several people do at once, and outlast tasks, people and boards', async () => {
    const place = await workplace()
    const { ada, bob, cleo, dora, board, other, workers, ids } = place
    const change = new Map(workers.map((who) => [who.id, changes(place, who.user.username)]))
    const burst = (times: number) =>
      Promise.all(
        workers.map(async (who) => {
          for (let nth = 0; nth < times; nth++) await change.get(who.id)?.(who)
        }),
      )
    const right = async (nth: number) => {
      for (const id of ids) await expectRight(id, workers, nth)
    }
    for (let nth = 0; nth < 6; nth++) {
      await burst(5)
      await right(nth)
    }
    expect(await Promise.all(ids.map(isKept))).toEqual([true, true])
    const rate = ({ id: userId }: Person, cents: number | null) =>
      ada.api.time.setRate.mutate({ boardId: board.id, userId, from: null, cents })
    for (const cents of [9_999, null]) {
      await rate(ada, cents)
      await right(0)
    }
    const more = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Rake' })
    await dora.api.time.create.mutate({ taskId: more.id, duration: 50, startTime: '2026-08-01T10:00:00.000Z' })
    await rate(dora, 8_888)
    const turns: (() => Promise<unknown>)[] = [
      () => server.db.update(tasks).set({ deletedAt: sql`deleted_at - interval '1 minute'` }).where(sql`deleted_at is not null`),
      () => server.clean(),
      () => ada.http('DELETE', `/api/boards/${board.id}/members/${cleo.id}`),
      () => bob.http('DELETE', `/api/boards/${other.id}`),
      () => bob.http('POST', `/api/boards/${other.id}/restore`),
      () => dora.http('DELETE', '/api/account', { password: PASSWORD }),
    ]
    for (const [nth, turn] of turns.entries()) {
      await Promise.all([turn(), burst(3)])
      await right(nth)
    }
    expect(await server.db.$count(timeTotals, eq(timeTotals.userId, dora.id))).toBe(0)
    // Without the triggers' help, as when its time is over.
    await server.db.delete(tasks).where(eq(tasks.boardId, board.id))
    expect(await server.db.$count(timeTotals, eq(timeTotals.boardId, board.id))).toBe(0)
    await server.db.delete(boards).where(eq(boards.id, other.id))
    expect(await server.db.$count(timeTotals)).toBe(0)
  })

  /** So many entries of the creator and a member on two tasks. */
  async function large(count: number) {
    const people = await server.peopleWithTask()
    const { ada, bob, board, task } = people
    const sow = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
    const log = (many: number) =>
      server.db.execute(sql`
        insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes, billable)
        select case when i % 3 = 0 then ${sow.id}::int else ${task.id}::int end, ${board.id}::int,
          case when i % 2 = 0 then ${ada.id}::int else ${bob.id}::int end,
          '2026-09-01T10:00:00Z'::timestamptz + i % 97 * interval '1 day', '2026-09-01'::date + i % 97, 1 + i * 7 % 400, i % 5 > 0
        from generate_series(1, ${many}::int) as i`)
    await log(count)
    return { ...people, sow, log }
  }

  test('are kept of boards with a thousand entries, and say the same as before', async () => {
    const { ada, bob, board, task, sow, log } = await large(999)
    for (const { id } of [ada, bob])
      for (const from of [null, '2026-10-05'])
        await ada.api.time.setRate.mutate({ boardId: board.id, userId: id, from, cents: 4_321 + 7 * id + (from ? 100 : 0) })
    expect(await isKept(board.id)).toBe(false)
    await log(1)
    expect(await isKept(board.id)).toBe(true)
    await expectRight(board.id, [ada, bob])
    const filters = [
      {},
      { from: '2026-09-10', to: '2026-10-09' },
      { from: '2026-11-01' },
      { to: '2026-08-31' },
      { from: '2026-10-01', to: '2026-09-01' },
      { userIds: [bob.id] },
      { userIds: [ada.id, bob.id] },
      { taskIds: [task.id] },
      { taskIds: [task.id, sow.id], from: '2026-10-01' },
      { userIds: [ada.id], to: '2026-10-01' },
      { userIds: [2_147_483_647] },
    ]
    const reports = () =>
      Promise.all(
        filters.flatMap((filter, nth) =>
          [ada, bob].map(({ api }) =>
            api.time.report.query({ boardId: board.id, rounding: ROUNDINGS[nth % 4] ?? 0, page: 1 + (nth % 3), ...filter }),
          ),
        ),
      )
    const kept = await reports()
    await server.db.delete(timeTotals)
    expect(kept).toEqual(await reports())
    expect(kept[0]?.cents).toBeGreaterThan(kept[1]?.cents ?? 0)
  })

  test('that are wrong are found by the nightly look, made anew, and told in a line', async () => {
    const { ada, bob, board, task } = await large(1_000)
    const said = spyOn(console, 'warn').mockImplementation(() => {})
    const line = (wrong: number) => `${wrong} time totals of board ${board.id} did not agree with its entries, and were made anew`
    const look = async () => {
      said.mockClear()
      await checkTotals(server.db)
      const lines = said.mock.calls.map(String)
      await expectRight(board.id, [ada, bob])
      return lines
    }
    try {
      expect(await look()).toEqual([])
      await server.db
        .update(timeTotals)
        .set({ cents30: 1 })
        .where(sql`span = 1 and day = '2026-09-20' and user_id = 0 and task_id = 0`)
      await server.db.delete(timeTotals).where(sql`span = 64 and user_id = ${ada.id}`)
      await server.db.execute(
        sql`update time_totals set day = '2030-01-01' where span = 8 and task_id = ${task.id} and day = '2026-09-10'`,
      )
      expect(await look()).toEqual([expect.stringMatching(/^\d+ time totals/)])
      await server.db.update(timeTotals).set({ minutes: 7 }).where(sql`span = 0 and user_id = 0 and task_id = 0`)
      expect(await look()).toEqual([line(1)])
      expect(await look()).toEqual([])
    } finally {
      said.mockRestore()
    }
  })

  test('are compared in slices of few entries, and a board that changes between them is right', async () => {
    const { ada, bob, board, task } = await large(4_000)
    const sizes: number[] = []
    for await (const slice of slicesOf(server.db, board.id)) {
      const [read] = await server.db
        .select({ size: sql<number>`cardinality(array(${slice.parts}))` })
        .from(sql`(values (1)) as one`)
      sizes.push(read?.size ?? 0)
      expect(await countWrongIn(server.db, board.id, slice)).toBe(0)
      const startTime = `${day(sizes.length % 97)}T10:00:00.000Z`
      await (sizes.length % 2 ? ada : bob).api.time.create.mutate({ taskId: task.id, duration: 50, startTime })
    }
    expect(Math.max(...sizes)).toBeLessThan(1_500)
    expect(sizes.length).toBeGreaterThan(20)
  })

  test('are written by a new rate only where it changes an amount', async () => {
    const { ada, board } = await large(1_000)
    const rate = (from: string | null, cents: number) =>
      ada.api.time.setRate.mutate({ boardId: board.id, userId: ada.id, from, cents })
    await rate('2026-10-05', 7_000)
    const versions = () =>
      server.db
        .select({
          key: sql<string>`(span, day, user_id, task_id)::text`,
          version: sql<string>`ctid::text`,
          row: sql<string>`time_totals::text`,
        })
        .from(timeTotals)
    const before = new Map((await versions()).map((kept) => [kept.key, kept]))
    await rate(null, 5_000)
    const written = (await versions()).filter(({ key, version }) => before.get(key)?.version !== version)
    expect(written.length).toBeGreaterThan(0)
    expect(written.filter(({ key, row }) => before.get(key)?.row === row)).toEqual([])
  })

  test('read the page from its day on, to the last one', async () => {
    const { ada, board, task } = await large(1_000)
    for (const filter of [{}, { taskIds: [task.id] }]) {
      const pages = await Promise.all(
        Array.from({ length: 10 }, (_, nth) =>
          ada.api.time.report.query({ boardId: board.id, page: nth + 1, pageSize: 100, ...filter }),
        ),
      )
      const all = pages.filter(({ page }, nth) => page === nth + 1).flatMap(({ rows }) => rows)
      const order = ({ day, startTime, id }: (typeof all)[number]) => `${day} ${startTime} ${String(id).padStart(10, '0')}`
      expect(all).toHaveLength(pages[0]?.entries ?? 0)
      expect(all.map(order)).toEqual(all.map(order).toSorted().toReversed())
    }
  })
})
