import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { rates, tasks, timeEntries, users } from '../../src/db/tables'
import { centsOf, decimalText, RATES_MAX, type Report, type ReportFilter, type Rounding } from '../../src/time/schema'
import { onEachDatabase, onOneDatabase } from '../support/databases'
import type { Person } from '../support/people'
import { random } from '../support/random'

onEachDatabase('hourly rates', (server) => {
  /** Ada's board with Bob and Cleo on it, and two tasks. */
  async function priced() {
    const people = await server.people()
    const cleo = await people.member('cleo')
    const boardId = people.board.id
    const [dig, sow] = await Promise.all(['Dig', 'Sow'].map((title) => people.ada.api.tasks.create.mutate({ boardId, title })))
    const log = ({ api }: Person, duration: number, day: string, given: object = {}) =>
      api.time.create.mutate({ taskId: dig?.id ?? 0, duration, startTime: `${day}T12:00:00Z`, ...given })
    const set = ({ id }: { id: number }, cents: number | null, from: string | null = null) =>
      people.ada.api.time.setRate.mutate({ boardId, userId: id, from, cents })
    const report = ({ api }: Person, given: ReportFilter & { rounding?: Rounding } = {}) =>
      api.time.report.query({ boardId, pageSize: 100, ...given })
    const csv = async ({ http }: Person, query: string) =>
      (await http('GET', `/api/boards/${boardId}/time.csv?${query}`)).text.trimEnd().split('\r\n')
    return { ...people, cleo, boardId, dig, sow, log, set, report, csv }
  }

  test('are set by the creator, and seen by them and whose they are', async () => {
    const { ada, bob, cleo, eve, boardId, set } = await priced()
    await set(bob, 8_500)
    await set(bob, 9_000, '2026-11-01')
    await set(cleo, 7_000)
    const path = `/api/boards/${boardId}/rates`
    const seen = async (who: Person) => (await who.http('GET', path)).body
    const bobs = [
      { user: { id: bob.id }, from: null, cents: 8_500 },
      { user: { id: bob.id }, from: '2026-11-01', cents: 9_000 },
    ]
    expect(await seen(ada)).toMatchObject([...bobs, { user: { id: cleo.id }, cents: 7_000 }])
    expect(await seen(bob)).toMatchObject(bobs)
    expect(await bob.api.time.rates.query({ boardId })).toHaveLength(2)
    const change = { from: null, cents: 1 }
    const refused = { status: 403, body: { message: 'Only the board creator can set hourly rates.' } }
    for (const userId of [bob.id, cleo.id]) expect(await bob.http('PATCH', `${path}/${userId}`, change)).toMatchObject(refused)
    expect((await eve.http('GET', path)).status).toBe(404)
    expect((await ada.http('PATCH', `${path}/${eve.id}`, change)).status).toBe(404)
    for (const bad of [{ cents: -1 }, { cents: 1.5 }, { cents: 1_000_001 }, { cents: '5' }, { cents: 5, from: 'x' }, {}])
      expect([bad, (await ada.http('PATCH', `${path}/${bob.id}`, { from: null, ...bad })).status]).toEqual([bad, 400])
    expect(await ada.http('PATCH', `${path}/${bob.id}`, { from: '2026-11-01', cents: null })).toMatchObject({ status: 200 })
    expect(await seen(bob)).toMatchObject([{ cents: 8_500 }])
  })

  test('are so many of one person at most, each of which can still be corrected', async () => {
    const { ada, bob, boardId, set } = await priced()
    const days = Array.from({ length: RATES_MAX }, (_, nth) => new Date(Date.UTC(2026, 0, 1 + nth)).toISOString().slice(0, 10))
    await server.db.insert(rates).values(days.map((from) => ({ boardId, userId: bob.id, from, cents: 1 })))
    await expect(set(bob, 2, '2025-12-31')).rejects.toThrow(`at most ${RATES_MAX} rates`)
    expect((await set(bob, 2, days[0] ?? null))[0]).toMatchObject({ from: days[0], cents: 2 })
    expect(await ada.api.time.rates.query({ boardId })).toHaveLength(RATES_MAX)
  })

  test('leave what was done before as it was, and reach work that is written down late', async () => {
    const { ada, bob, set, log, report } = await priced()
    await set(bob, 6_000)
    const old = await log(bob, 90, '2026-10-31')
    expect((await report(ada)).cents).toBe(9_000)
    await set(bob, 12_000, '2026-11-01')
    expect((await report(ada)).cents).toBe(9_000)
    await log(bob, 60, '2026-11-01')
    await log(bob, 60, '2026-10-01')
    const { rows, cents } = await report(ada)
    expect([rows.map((row) => row.cents), cents]).toEqual([[12_000, 9_000, 6_000], 27_000])
    await bob.api.time.update.mutate({ entryId: old.id, startTime: '2026-11-02T12:00:00Z' })
    expect((await report(ada)).rows.map((row) => row.cents)).toEqual([18_000, 12_000, 6_000])
    await bob.api.time.update.mutate({ entryId: old.id, billable: false })
    expect(await report(ada)).toMatchObject({ cents: 18_000, billed: 120, minutes: 210 })
  })

  test('make amounts as by hand, for those who may see them, and none for others', async () => {
    const { ada, bob, cleo, boardId, dig, sow, set, report } = await priced()
    const { below, oneOf } = random('entries with rates')
    const known = new Map<number, [string, number][]>([
      [ada.id, [['', 12_345]]],
      [
        bob.id,
        [
          ['2026-09-10', 8_333],
          ['2026-09-20', 9_999],
          ['2026-10-05', 0],
        ],
      ],
    ])
    for (const [id, given] of known) for (const [from, cents] of given) await set({ id }, cents, from || null)
    const values = Array.from({ length: 300 }, () => ({
      taskId: oneOf([dig, sow])?.id ?? 0,
      boardId,
      userId: oneOf([ada, bob, cleo]).id,
      startTime: new Date(Date.UTC(2026, 8, 1 + below(50))),
      duration: 1 + below(400),
      billable: below(5) > 0,
    })).map((row) => ({ ...row, day: row.startTime.toISOString().slice(0, 10) }))
    const stored = await server.db.insert(timeEntries).values(values).returning()
    const running = await ada.api.time.create.mutate({ taskId: dig?.id ?? 0, status: 'ACTIVE' })

    const rateOf = ({ userId, day }: { userId: number; day: string }) => known.get(userId)?.findLast(([from]) => from <= day)?.[1]
    const filters = [{}, { from: '2026-09-15', to: '2026-10-10' }, { userIds: [bob.id] }, { taskIds: [sow?.id ?? 0] }]
    for (const [nth, rounding] of ([0, 6, 15, 30] as const).entries())
      for (const filter of [{}, filters[nth] ?? {}])
        for (const who of [ada, bob, cleo]) {
          const { from = '', to = '9999', userIds, taskIds } = filter as ReportFilter
          const priced = stored
            .filter(({ userId }) => who === ada || userId === who.id)
            .filter(({ day }) => day >= from && day <= to)
            .filter(({ userId }) => userIds?.includes(userId) ?? true)
            .filter(({ taskId }) => taskIds?.includes(taskId) ?? true)
            .filter(({ billable }) => billable)
            .map((row) => {
              const billed = rounding ? Math.ceil(row.duration / rounding) * rounding : row.duration
              const rate = rateOf(row)
              return { ...row, billed, cents: rate === undefined ? null : Math.floor((billed * rate + 30) / 60) }
            })
          const total = (rows: { billed: number; cents: number | null }[], of: 'billed' | 'cents') =>
            rows.reduce((sum, row) => sum + (row[of] ?? 0), 0)
          const found = await report(who, { ...filter, rounding })
          // Cleo has no rate, and so nothing to see.
          const seen = who === cleo ? [] : priced
          const unrated = seen.filter(({ cents }) => cents === null)
          expect([found.amounts, found.cents, found.billed, found.unrated]).toEqual([
            who === ada ? 'everyone' : who === bob ? 'own' : null,
            ...[total(seen, 'cents'), total(seen, 'billed'), total(unrated, 'billed')],
          ])
          expect(sharesOf(found)).toEqual([found.cents, found.cents])
          const statement = await who.api.time.statement.query({ boardId, ...filter, rounding })
          expect(statement.rows.some(({ id }) => id === running.id)).toBe(false)
          expect(Object.fromEntries(statement.rows.flatMap(({ id, cents }) => (cents === null ? [] : [[id, cents]])))).toEqual(
            Object.fromEntries(seen.flatMap(({ id, cents }) => (cents === null ? [] : [[id, cents]]))),
          )
        }
  })
  const sharesOf = ({ byUser, byTask }: Report) =>
    [byUser, byTask].map((shares: { cents: number }[]) => shares.reduce((sum, { cents }) => sum + cents, 0))

  test('are in the CSV for invoices, and leave the other one byte for byte as it was', async () => {
    const { ada, bob, set, log, csv } = await priced()
    await log(ada, 50, '2026-11-02', { note: 'Deep' })
    await log(bob, 100, '2026-11-01')
    await log(bob, 5, '2026-10-01', { billable: false })
    const plain = await csv(ada, '')
    await set(ada, 10_000)
    await set(bob, 8_555)
    expect(await csv(ada, '')).toEqual(plain)
    expect(await csv(ada, 'format=plain&rounding=15')).toEqual(plain)
    const header =
      'Task,User,Date,Duration (minutes),Duration (formatted),Notes,Billable,Billed (minutes),Hourly rate (CAD),Amount (CAD)'
    // What is not billable is on no invoice, and others' work on none of a member's.
    const bobs = 'Dig,bob,"Nov 1, 2026",100,1h 40m,,Yes'
    expect(await csv(ada, 'format=invoice')).toEqual([
      ...[header, 'Dig,ada,"Nov 2, 2026",50,0h 50m,Deep,Yes,50,100.00,83.33', `${bobs},100,85.55,142.58`],
    ])
    expect(await csv(bob, 'format=invoice&rounding=15')).toEqual([header, `${bobs},105,85.55,149.71`])
    // Without a rate it is to be invoiced still.
    await set(bob, null)
    for (const who of [ada, bob]) expect((await csv(who, 'format=invoice')).at(-1)).toBe(`${bobs},,,`)
    for (const bad of ['format=x', 'rounding=7'])
      expect((await ada.http('GET', `/api/boards/1/time.csv?${bad}`)).status).toBe(400)
  })

  test('go to no one else by the live channel, and nobody hears how much', async () => {
    const { ada, bob, cleo, boardId, set } = await priced()
    const sockets = await Promise.all([ada, bob, cleo].map(({ socket }) => socket()))
    for (const socket of sockets) await socket.join(boardId)
    await set(bob, 8_765)
    await ada.api.tasks.create.mutate({ boardId, title: 'Rest' })
    const [ofAda, ofBob, ofCleo] = sockets
    for (const socket of [ofAda, ofBob]) expect(await socket?.next('rate_changed')).toEqual({ boardId })
    expect((await ofCleo?.heard())?.map(({ type }) => type)).toEqual(['new_task'])
  })

  test('outlast the membership with the amounts, and the account', async () => {
    const { ada, bob, cleo, boardId, set, log, report } = await priced()
    await set(bob, 6_000)
    await set(cleo, 6_000)
    for (const who of [bob, cleo]) await log(who, 60, '2026-11-01')
    for (const { id } of [bob, cleo]) await ada.api.boards.removeMember.mutate({ boardId, userId: id })
    expect((await report(ada)).cents).toBe(12_000)
    expect((await bob.http('GET', `/api/boards/${boardId}/rates`)).status).toBe(404)
    // Corrected after they left, as an invoice may want it.
    await set(bob, 7_000)
    expect((await report(ada)).cents).toBe(13_000)
    expect((await bob.http('GET', '/api/account/data')).body).toMatchObject({
      rates: [{ boardId, from: null, cents: 7_000 }],
    })
    expect((await ada.http('GET', '/api/account/data')).body).toMatchObject({ rates: [] })
    await bob.api.account.delete.mutate({ password: 'correct horse' })
    expect([await server.db.$count(rates), (await report(ada)).cents]).toEqual([2, 13_000])
  })

  test('of whoever left without logging time can be taken away, and not set anew', async () => {
    const { ada, bob, boardId, set } = await priced()
    await set(bob, 6_000)
    await set(bob, 7_000, '2026-11-01')
    await ada.api.boards.removeMember.mutate({ boardId, userId: bob.id })
    expect(await set(bob, null, '2026-11-01')).toMatchObject([{ user: { id: bob.id }, from: null, cents: 6_000 }])
    expect(await set(bob, null)).toEqual([])
    await expect(set(bob, 6_000)).rejects.toThrow('has not logged time')
  })

  test('set at once, are one, and never a fault', async () => {
    const { ada, bob, cleo, boardId, set } = await priced()
    const given = Array.from({ length: 12 }, (_, nth) => 1_000 + nth)
    await Promise.all(given.map((cents) => set(bob, cents, '2026-11-01')))
    const [one] = await server.db.select().from(rates).where(eq(rates.userId, bob.id))
    expect([await server.db.$count(rates), given.includes(one?.cents ?? 0)]).toEqual([1, true])
    // A member who goes meanwhile is set a rate before, or none.
    const path = `/api/boards/${boardId}/rates/${cleo.id}`
    const [, ...answers] = await Promise.all([
      ada.http('DELETE', `/api/boards/${boardId}/members/${cleo.id}`),
      ...given.map((cents) => ada.http('PATCH', path, { from: null, cents })),
    ])
    const [stored] = await server.db.select().from(rates).where(eq(rates.userId, cleo.id))
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true)
    expect(stored !== undefined).toBe(answers.some(({ status }) => status === 200))
  })
})

onOneDatabase('on a locked board', (server) => {
  test('rates are seen and not set, and of a timer only the stop passes', async () => {
    const { ada, board, person } = await server.people()
    const pro = await person('pia')
    await server.db.update(users).set({ isPro: true }).where(eq(users.id, pro.id))
    const boards = [await pro.api.boards.create.mutate({ name: 'One' }), await pro.api.boards.create.mutate({ name: 'Two' })]
    const boardId = boards[1]?.id ?? 0
    const task = await pro.api.tasks.create.mutate({ boardId, title: 'Dig' })
    await pro.api.time.setRate.mutate({ boardId, userId: pro.id, from: null, cents: 6_000 })
    await pro.api.time.create.mutate({ taskId: task.id, duration: 60 })
    const timer = await pro.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE' })
    await server.db.update(users).set({ isPro: false }).where(eq(users.id, pro.id))
    const upgrade = { status: 403, body: { requiresUpgrade: true } }
    expect(await pro.http('PATCH', `/api/boards/${boardId}/rates/${pro.id}`, { from: null, cents: 1 })).toMatchObject(upgrade)
    expect(await pro.api.time.report.query({ boardId })).toMatchObject({ cents: 6_000 })
    const path = `/api/time-entries/${timer.id}`
    const stop = { status: 'completed', duration: 1, note: 'Enough' }
    for (const more of [{ billable: false }, { startTime: '2026-01-01T00:00:00Z' }, { timeZone: 'UTC' }, { endTime: null }])
      expect(await pro.http('PATCH', path, { ...stop, ...more })).toMatchObject(upgrade)
    expect(await pro.http('PATCH', path, { ...stop, duration: 600 })).toMatchObject({ status: 403 })
    expect(await pro.http('PATCH', path, stop)).toMatchObject({ status: 200, body: { note: 'Enough', duration: 1 } })
    // Elsewhere a stop may say anything.
    const own = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Own' })
    const running = await ada.api.time.create.mutate({ taskId: own.id, status: 'ACTIVE' })
    const changes = { ...stop, duration: 600, billable: false }
    expect(await ada.http('PATCH', `/api/time-entries/${running.id}`, changes)).toMatchObject({ status: 200 })
    expect(await server.db.$count(tasks)).toBe(2)
  })
})

test('an amount that is typed becomes cents without fractions in between, and back', () => {
  const typed = ['85', '85.5', ' 85,50 ', '0', '0.07', '1.005', '-1', '', '1e3', 'x', '0.29', '9999999.99']
  expect(typed.map(centsOf)).toEqual([
    ...[8_500, 8_550, 8_550, 0, 7, undefined, undefined, undefined, undefined, undefined, 29, 999_999_999],
  ])
  expect([0, 7, 70, 8_550, 999_999_999].map(decimalText)).toEqual(['0.00', '0.07', '0.70', '85.50', '9999999.99'])
})
