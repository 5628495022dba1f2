import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { onEachDatabase } from '../support/databases'

onEachDatabase('the statement of a board', (server) => {
  test('is made one at a time for each person, and never several in a batch', async () => {
    const { ada, board, task } = await server.peopleWithTask()
    await server.db.execute(sql`
      insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes, note)
      select ${task.id}, ${board.id}, ${ada.id}, now(), now()::date, 1, i::text from generate_series(1, 6000) i`)
    const inputs = (count: number) =>
      encodeURIComponent(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [n, { boardId: board.id }]))))
    const batch = await ada.http('GET', `/trpc/time.statement,time.statement?batch=1&input=${inputs(2)}`)
    expect(batch.status).toBe(400)
    const path = `/api/boards/${board.id}/time-statement`
    const both = await Promise.all([ada.http('GET', path), ada.http('GET', path)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 429])
    const { more, rows } = (await ada.http('GET', path)).body as { more: boolean; rows: { note: string }[] }
    expect([more, rows.length, new Set(rows.map(({ note }) => note)).size]).toEqual([true, 5_000, 5_000])
  })
})
