import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rates, timeEntries } from '../../src/db/tables'
import { PAGE_SIZES, type Report, type ReportFilter, report } from '../../src/time/schema'
import { NO_PRICING, type Pricing } from '../../src/time/server/amounts.store'
import { readSubtotals, type Subtotal } from '../../src/time/server/reports.store'
import { onEachDatabase } from '../support/databases'
import { random } from '../support/random'

onEachDatabase('the report', (server) => {
  /** Ada and Bob, and Cleo who left, have logged at random on five tasks over two months; another board has time too. */
  async function logged(count: number) {
    const people = await server.people()
    const { ada, bob, board, eve } = people
    const cleo = await people.member('cleo')
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: cleo.id })
    const taskIds: number[] = []
    for (const title of ['Dig', 'Sow', 'Water', 'Weed', 'Rest'])
      taskIds.push((await ada.api.tasks.create.mutate({ boardId: board.id, title })).id)
    const elsewhere = await eve.api.boards.create.mutate({ name: 'Elsewhere' })
    const foreign = await eve.api.tasks.create.mutate({ boardId: elsewhere.id, title: 'Foreign' })
    await eve.api.time.create.mutate({ taskId: foreign.id, duration: 44_640 })
    const { below, oneOf } = random('entries of a report')
    const rows = Array.from({ length: count }, () => {
      const startTime = new Date(Date.UTC(2026, 8, 1 + below(60), 6 * below(4)))
      return {
        taskId: oneOf(taskIds),
        boardId: board.id,
        userId: oneOf([ada, bob, cleo]).id,
        startTime,
        day: startTime.toISOString().slice(0, 10),
        duration: 1 + below(500),
      }
    })
    const stored = rows.length > 0 ? await server.db.insert(timeEntries).values(rows).returning() : []
    return { ...people, cleo, taskIds, stored }
  }
  type Stored = Awaited<ReturnType<typeof logged>>['stored']

  /** The report as anyone would make it by hand. */
  function byHand(stored: Stored, { from = '', to = '9999', taskIds = [], userIds = [] }: ReportFilter) {
    const all = stored
      .filter(
        ({ day, taskId, userId }) =>
          day >= from &&
          day <= to &&
          (taskIds.length === 0 || taskIds.includes(taskId)) &&
          (userIds.length === 0 || userIds.includes(userId)),
      )
      .toSorted((a, b) => b.day.localeCompare(a.day) || b.startTime.getTime() - a.startTime.getTime() || b.id - a.id)
    const sums = <Key>(key: (row: Stored[number]) => Key) =>
      [...Map.groupBy(all, key)].map(([name, rows]): [Key, number, number] => [name, total(rows), rows.length])
    const mostFirst = (all: [number, number, number][]) => all.toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    return {
      ids: all.map(({ id }) => id),
      minutes: total(all),
      entries: all.length,
      days: sums(({ day }) => day),
      users: mostFirst(sums(({ userId }) => userId)),
      tasks: mostFirst(sums(({ taskId }) => taskId)),
    }
  }
  const total = (rows: { duration: number }[]) => rows.reduce((sum, { duration }) => sum + duration, 0)
  const seen = ({ minutes, entries, byDay, byUser, byTask }: Report) => ({
    minutes,
    entries,
    days: byDay.map((share) => [share.day, share.minutes, share.entries]),
    users: byUser.map((share) => [share.user.id, share.minutes, share.entries]),
    tasks: byTask.map((share) => [share.taskId, share.minutes, share.entries]),
  })

  test('sums, orders and pages what the filters let through, as if it were done by hand', async () => {
    const { ada, bob, cleo, board, taskIds, stored } = await logged(300)
    const [dig = 0, sow = 0] = taskIds
    const filters: ReportFilter[] = [
      {},
      { from: '2026-09-10', to: '2026-09-20' },
      { from: '2026-10-01' },
      { to: '2026-09-01' },
      { from: '2026-09-20', to: '2026-09-10' },
      { taskIds: [dig, sow] },
      { userIds: [cleo.id] },
      { userIds: [bob.id, ada.id], taskIds: [sow], from: '2026-09-05', to: '2026-10-20' },
      { taskIds: [], userIds: [] },
      { taskIds: [2_147_483_647] },
    ]
    for (const filter of filters) {
      const { ids, ...sums } = byHand(stored, filter)
      for (const pageSize of PAGE_SIZES) {
        const read: number[] = []
        for (let page = 1; page <= Math.max(1, Math.ceil(ids.length / pageSize)); page++) {
          const answer = await ada.api.time.report.query({ boardId: board.id, ...filter, page, pageSize })
          expect(answer.page).toBe(page)
          if (page === 1) expect(seen(answer)).toEqual(sums)
          read.push(...answer.rows.map(({ id }) => id))
          // Of the smallest pages, the first ones are enough.
          if (pageSize < 50 && page * pageSize >= 40) break
        }
        expect(read).toEqual(ids.slice(0, read.length))
        expect(read.length).toBeGreaterThanOrEqual(Math.min(ids.length, 40))
      }
    }
  })

  test('is the same where so many entries are summed that it is done in steps', async () => {
    const { ada, bob, cleo, board, taskIds } = await logged(300)
    await server.db.insert(rates).values([
      { boardId: board.id, userId: ada.id, from: '0001-01-01', cents: 4_321 },
      { boardId: board.id, userId: bob.id, from: '2026-09-20', cents: 9_999 },
    ])
    for (const day of ['0001-01-01', '9999-12-31'])
      await server.db
        .insert(timeEntries)
        .values({ taskId: taskIds[0] ?? 0, boardId: board.id, userId: cleo.id, startTime: new Date(), day, duration: 7 })
    const priced: Pricing = {
      ...{ amounts: 'everyone', ownerId: 0, rounding: 15 },
      rates: [
        { userId: ada.id, from: '0001-01-01', cents: 4_321 },
        { userId: bob.id, from: '2026-09-20', cents: 9_999 },
      ],
    }
    const filters = [{}, { from: '2026-09-10', to: '2026-10-20' }, { userIds: [bob.id] }, { taskIds }, { to: '2026-09-30' }]
    for (const pricing of [NO_PRICING, priced])
      for (const filter of filters) {
        const [steps, once] = await Promise.all(
          [5, 1_000].map((atOnce) => readSubtotals(server.db, board.id, filter, pricing, atOnce)),
        )
        const keyOf = ({ set, day, userId, taskId }: Subtotal) => `${set} ${day} ${userId} ${taskId}`
        const sorted = (rows: Subtotal[] = []) => rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
        expect(sorted(steps)).toEqual(sorted(once))
        expect(once?.length).toBeGreaterThan(5)
      }
  })

  test('says the same through REST, with ten entries a page unless told otherwise', async () => {
    const { ada, bob, board, taskIds } = await logged(60)
    const path = `/api/boards/${board.id}/time-report`
    const rest = async (query: string) => report.parse((await ada.http('GET', path + query)).body)
    const api = (given: object) => ada.api.time.report.query({ boardId: board.id, ...given })
    expect(await rest('')).toEqual(await api({}))
    const { rows, byUser } = await rest('')
    expect([rows.length, byUser.map(({ user }) => user.username).toSorted()]).toEqual([10, ['ada', 'bob', 'cleo']])
    const days = { from: '2026-09-05', to: '2026-10-25' }
    const query = `?from=${days.from}&to=${days.to}&taskIds=${taskIds.slice(1).join()}&userIds=${bob.id},${ada.id}&page=2&pageSize=5`
    const given = { ...days, taskIds: taskIds.slice(1), userIds: [bob.id, ada.id], page: 2, pageSize: 5 }
    expect(await rest(query)).toEqual(await api(given))
    expect(await rest('?taskIds=&userIds=')).toEqual(await api({}))
    const pages = ['page=0', 'page=-1', 'page=x', 'pageSize=7', 'pageSize=1000']
    const ids = ['taskIds=x', 'taskIds=1,,2', 'taskIds=0', 'userIds=99999999999', `taskIds=${Array(1_001).fill(1).join()}`]
    for (const bad of ['from=x', 'to=2026-02-30', 'from=0000-01-01', ...pages, ...ids])
      expect([bad, (await ada.http('GET', `${path}?${bad}`)).status]).toEqual([bad, 400])
  })

  test('shows the last page where one asks for a later one', async () => {
    const { ada, board } = await logged(12)
    const ask = (page: number, given: object = {}) =>
      ada.api.time.report.query({ boardId: board.id, page, pageSize: 5, ...given })
    expect(await ask(99)).toMatchObject({ page: 3, rows: [{}, {}] })
    expect(await ask(2 ** 31)).toMatchObject({ page: 3 })
    const nothing = { rows: [], entries: 0, minutes: 0, byDay: [], byUser: [], byTask: [] }
    expect(await ask(4, { from: '2030-01-01' })).toMatchObject({ page: 1, ...nothing })
  })

  test('is true at once after every change of what it says', async () => {
    const { ada, board, taskIds, stored } = await logged(20)
    const read = () => ada.api.time.report.query({ boardId: board.id })
    const before = (await read()).minutes
    expect(before).toBe(total(stored))
    const { id } = await ada.api.time.create.mutate({ taskId: taskIds[0] ?? 0, duration: 7 })
    expect((await read()).minutes).toBe(before + 7)
    await ada.api.time.update.mutate({ entryId: id, duration: 9 })
    expect((await read()).minutes).toBe(before + 9)
    await ada.api.time.delete.mutate({ entryId: id })
    expect((await read()).minutes).toBe(before)
    await ada.api.tasks.update.mutate({ taskId: taskIds[0] ?? 0, title: 'Dug' })
    const { byTask, rows } = await read()
    expect([...byTask.map(({ title }) => title), ...rows.map(({ task }) => task)]).not.toContain('Dig')
    await ada.api.tasks.delete.mutate({ taskId: taskIds[1] ?? 0 })
    expect((await read()).minutes).toBe(total(stored.filter(({ taskId }) => taskId !== taskIds[1])))
  })

  test('counts what runs among the entries, and its minutes once it rests', async () => {
    const { ada, board, taskIds } = await logged(0)
    const timer = await ada.api.time.create.mutate({ taskId: taskIds[0] ?? 0, status: 'ACTIVE' })
    await server.db.execute(
      sql`update time_entries set running_since = running_since - interval '20 minutes' where status = 'ACTIVE'`,
    )
    const read = async () => {
      const { minutes, entries, exportable, rows, byDay } = await ada.api.time.report.query({ boardId: board.id })
      return [minutes, entries, exportable, rows.map(({ status }) => status), byDay.map((share) => share.minutes)]
    }
    expect(await read()).toEqual([0, 1, 0, ['ACTIVE'], [0]])
    await ada.api.time.update.mutate({ entryId: timer.id, status: 'PAUSED' })
    expect(await read()).toEqual([20, 1, 1, ['PAUSED'], [20]])
    await ada.api.time.update.mutate({ entryId: timer.id, status: 'ACTIVE' })
    expect(await read()).toEqual([0, 1, 0, ['ACTIVE'], [0]])
  })
})
