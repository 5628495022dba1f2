import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { boards, timeEntries, users } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'
import { heldDownload } from '../support/heldDownload'
import type { Person } from '../support/people'
import { log } from '../support/time'

const HEADER = ['Task', 'User', 'Date', 'Duration (minutes)', 'Duration (formatted)', 'Notes']

/** Reads CSV as RFC 4180 has it, and nothing else. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  let row: string[] = []
  for (let at = 0; at < text.length; at = cell.lastIndex) {
    const match = cell.exec(text)
    if (!match) throw new Error(`no CSV at ${at}: ${text.slice(at, at + 50)}`)
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === ',') continue
    rows.push(row)
    row = []
  }
  expect(row).toEqual([])
  return rows
}

onEachDatabase('the time of a board as CSV', (server) => {
  async function exported() {
    const given = await server.peopleWithTask()
    const { ada, board, task } = given
    const logOn = (who: Person, entry: Parameters<typeof log>[2]) =>
      log(who, task, { startTime: '2026-11-20T12:00:00Z', ...entry })
    const download = (who: Pick<Person, 'http'> = ada, query = '') => who.http('GET', `/api/boards/${board.id}/time.csv${query}`)
    const rows = async (query = '') => readCsv((await download(ada, query)).text)
    return { ...given, log: logOn, download, rows }
  }

  test('is a file named for the board, with the columns that were agreed, the newest day first', async () => {
    const { ada, bob, board, task, log, download } = await exported()
    await server.db.update(users).set({ name: 'Bob Builder' }).where(eq(users.id, bob.id))
    await log(bob, { duration: 95, note: 'Deeper' })
    await log(ada, { duration: 600, startTime: '2026-12-01T04:30:00Z', timeZone: 'America/Toronto' })
    await log(ada, { duration: 5, startTime: '2026-01-05T12:00:00Z' })
    await ada.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE' })
    const answer = await download(bob)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment; filename="Garden - time logs (filtered).csv"; filename*=UTF-8''Garden%20-%20time%20logs%20%28filtered%29.csv`,
    ])
    expect([answer.headers.get('x-content-type-options'), answer.headers.get('cache-control')]).toEqual(['nosniff', 'no-store'])
    expect([...answer.bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(new TextDecoder('utf-8', { ignoreBOM: false }).decode(answer.bytes)).toBe(
      [
        'Task,User,Date,Duration (minutes),Duration (formatted),Notes',
        'Dig,ada,"Nov 30, 2026",600,10h 0m,',
        'Dig,Bob Builder,"Nov 20, 2026",95,1h 35m,Deeper',
        'Dig,ada,"Jan 5, 2026",5,0h 5m,',
        '',
      ].join('\r\n'),
    )
    await server.db.update(boards).set({ name: 'Ä/B: "日本" \\ 🌱' }).where(eq(boards.id, board.id))
    expect((await download()).headers.get('content-disposition')).toBe(
      `attachment; filename="__B_ ____ _ _ - time logs (filtered).csv"; filename*=UTF-8''${encodeURIComponent('Ä_B_ _日本_ _ 🌱 - time logs ')}%28filtered%29.csv`,
    )
  })

  test('holds only what the filters let through', async () => {
    const { ada, bob, task, board, log, rows } = await exported()
    const other = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
    await log(ada, { duration: 1 })
    await log(bob, { duration: 2, startTime: '2026-11-01T12:00:00Z' })
    await bob.api.time.create.mutate({ taskId: other.id, duration: 3, startTime: '2026-11-10T12:00:00Z' })
    const minutes = async (query: string) => (await rows(query)).slice(1).map((row) => Number(row[3]))
    expect(await minutes('')).toEqual([1, 3, 2])
    expect(await minutes(`?userIds=${bob.id}`)).toEqual([3, 2])
    expect(await minutes(`?taskIds=${task.id}&userIds=${ada.id},${bob.id}&to=2026-11-19`)).toEqual([2])
    expect(await minutes('?from=2026-11-10&to=2026-11-20')).toEqual([1, 3])
  })

  test('keeps what people wrote: quotes, commas, lines, other scripts; and lets nothing of it run', async () => {
    const { ada, log, rows } = await exported()
    const quoted = ['a,b', 'say "hi"', '"', 'one\ntwo\r\nthree', 'semi;colon\ttab', "'quoted'"]
    const kept = [...quoted, '日本語 🧑‍🌾 naïve', 'it costs -5', '100%', '5-3']
    const tamed = ['=1+1', '+49 30', '-5', '@sum(A1)', '=HYPERLINK("http://evil","x")', '＝1', '＠x', '－1', '＋1']
    for (const note of [...kept, ...tamed]) await log(ada, { duration: 1, note })
    const notes = (await rows()).slice(1).map((row) => row[5])
    expect(notes.toReversed()).toEqual([...kept, ...tamed.map((note) => `'${note}`)])
    const within = ['a;=1+1', 'a\t@x', 'one\n- two\n\n=cmd', 'a;""=1+1;b', 'a; =1', 'a=b']
    for (const note of within) await log(ada, { duration: 1, note })
    expect((await rows()).slice(1, 1 + within.length).map((row) => row[5])).toEqual(
      ["a;'=1+1", "a\t'@x", "one\n'- two\n\n'=cmd", `a;""'=1+1;b`, 'a; =1', 'a=b'].toReversed(),
    )
    await server.db.update(users).set({ name: '=cmd|calc' })
    await server.db.execute(sql`update tasks set title = '@"x", y'`)
    const [header, first] = await rows()
    expect([header, first?.slice(0, 2)]).toEqual([HEADER, [`'@"x", y`, "'=cmd|calc"]])
  })

  test('is refused where there is nothing to export, only what runs, or one may not see it', async () => {
    const { ada, eve, nobody, task, log, download } = await exported()
    const body = { message: 'There are no time entries matching your current filters.', code: 'CONFLICT' }
    const nothing = { status: 409, body }
    expect(await download()).toMatchObject(nothing)
    await ada.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE' })
    expect(await download()).toMatchObject(nothing)
    await log(ada, { duration: 1 })
    expect(await download(ada, '?from=2027-01-01')).toMatchObject(nothing)
    expect([(await download(eve)).status, (await download(nobody)).status]).toEqual([404, 401])
    for (const bad of ['from=x', 'taskIds=a', 'userIds=0'])
      expect(await download(ada, `?${bad}`)).toMatchObject({ status: 400, body: { issues: [{}] } })
    expect((await ada.http('GET', '/api/boards/x/time.csv')).status).toBe(400)
  })

  test('for invoices is a file named so, and refused where the viewer has nothing to invoice', async () => {
    const { ada, bob, task, log, download } = await exported()
    await log(ada, { duration: 5 })
    await bob.api.time.create.mutate({ taskId: task.id, duration: 5, billable: false })
    const answer = await download(ada, '?format=invoice')
    expect(answer.headers.get('content-disposition')).toContain('attachment; filename="Garden - invoice.csv"')
    expect(readCsv(answer.text)).toHaveLength(2)
    const body = { message: 'There are no billable time entries matching your current filters.' }
    expect(await download(bob, '?format=invoice')).toMatchObject({ status: 409, body })
    expect(readCsv((await download(bob)).text)).toHaveLength(3)
  })

  test('holds every entry once, while others write, move and delete', async () => {
    const { ada, bob, board, task, download } = await exported()
    await server.db.execute(sql`
      insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes, note)
      select ${task.id}, ${board.id}, ${bob.id}, now() - i * interval '1 minute', (now() - i * interval '1 minute')::date, 1, 'Number ' || i
      from generate_series(1, 5000) i`)
    const [gone, moved] = await server.db.select({ id: timeEntries.id, note: timeEntries.note }).from(timeEntries).limit(2)
    const [{ text }] = await Promise.all([
      download(),
      bob.api.time.update.mutate({ entryId: moved?.id ?? 0, startTime: '2020-01-01T00:00:00Z' }),
      bob.api.time.delete.mutate({ entryId: gone?.id ?? 0 }),
      ada.api.time.create.mutate({ taskId: task.id, duration: 5, note: 'Late' }),
    ])
    const notes = readCsv(text)
      .slice(1)
      .map((row) => row[5])
      .filter((note) => note !== 'Late' && note !== gone?.note)
    expect(new Set(notes).size).toBe(notes.length)
    expect(notes.length).toBe(4_999)
  })

  test('ends where its reader is removed, as a download that failed', async () => {
    const { ada, bob, board, task } = await exported()
    await server.db.execute(sql`
      insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes, note)
      select ${task.id}, ${board.id}, ${ada.id}, now(), now()::date, 1, repeat('x', 1900) from generate_series(1, 12000) i`)
    const download = await heldDownload(server.origin, `/api/boards/${board.id}/time.csv`, bob)
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    expect(await download.rest()).toBe('failed')
    const whole = await heldDownload(server.origin, `/api/boards/${board.id}/time.csv`, ada)
    expect(await whole.rest()).toBe('whole')
  })

  test('that nobody reads to its end holds up nobody', async () => {
    const { ada, bob, board, task } = await exported()
    await server.db.execute(sql`
      insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes, note)
      select ${task.id}, ${board.id}, ${bob.id}, now(), now()::date, 1, repeat('x', 1900) from generate_series(1, 8000) i`)
    const path = `${server.origin}/api/boards/${board.id}/time.csv`
    const left = await Promise.all(Array.from({ length: 12 }, () => fetch(path, { headers: { cookie: ada.cookie() } })))
    expect((await ada.api.time.create.mutate({ taskId: task.id, duration: 5 })).duration).toBe(5)
    await Promise.all(left.map(({ body }) => body?.cancel()))
    expect((await ada.api.time.report.query({ boardId: board.id })).entries).toBe(8_001)
  })
})
