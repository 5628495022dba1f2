import { expect, setDefaultTimeout } from 'bun:test'
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SQL } from 'bun'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sql'
import { migrate } from 'drizzle-orm/bun-sql/migrator'
import journal from '../../drizzle/meta/_journal.json'
import { openDatabase } from '../../src/db/openDatabase'
import { tasks, timeEntries, users } from '../../src/db/tables'
import { blankDatabase, onPostgres } from '../support/databases'
import { dataFolder, startServer } from '../support/process'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

onPostgres('two processes that start at once on a fresh database both come up, and migrate it once', async () => {
  const scratch = await blankDatabase()
  const env = { DATABASE_URL: scratch.url, DATA_DIR: '/nowhere' }
  const servers = await Promise.all([startServer(env), startServer(env)])
  for (const { origin } of servers) expect((await fetch(`${origin}/health`)).status).toBe(200)
  const { db, close } = await openDatabase({ databaseUrl: scratch.url, dataDir: '/nowhere' })
  const [applied] = (await db.execute<{ count: number }>(
    sql`select count(*)::int as count from drizzle.__drizzle_migrations`,
  )) as unknown as { count: number }[]
  const files = await readdir(join(import.meta.dir, '../../drizzle'))
  expect(applied?.count).toBe(files.filter((name) => name.endsWith('.sql')).length)
  await close()
  for (const { child } of servers) child.kill('SIGTERM')
  for (const { child } of servers) expect(await child.exited).toBe(0)
  await scratch.drop()
})

/** As it was before a migration, with what is inserted. */
async function databaseBefore(migration: string, rows: string) {
  const [scratch, folder] = await Promise.all([blankDatabase(), dataFolder()])
  await cp(join(import.meta.dir, '../../drizzle'), folder.path, { recursive: true })
  const first = journal.entries.findIndex(({ tag }) => tag.endsWith(migration))
  await Bun.write(
    join(folder.path, 'meta/_journal.json'),
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, first) }),
  )
  const client = new SQL(scratch.url, { max: 1 })
  await migrate(drizzle(client), { migrationsFolder: folder.path })
  await client.unsafe(rows)
  await client.close()
  await folder.remove()
  return scratch
}

onPostgres('of the names of a board with one address the first keeps it when their database is migrated', async () => {
  const name = (n: number) => `'Name-${String(n).padStart(16, '0')}', 'Name-${n}@imported.invalid'`
  const scratch = await databaseBefore(
    '_one_name_an_address',
    `
    insert into users (username, email, imported_on, imported_email, disabled_at) values
      (${name(1)}, 1, 'bob@example.com', now()), (${name(2)}, 1, 'bob@example.com', now()), (${name(3)}, 1, null, now()),
      (${name(4)}, 1, 'bob@example.com', now()), (${name(5)}, 2, 'bob@example.com', now()), (${name(6)}, 1, null, now())`,
  )
  const { db, close } = await openDatabase({ databaseUrl: scratch.url, dataDir: '/nowhere' })
  const names = await db.select({ email: users.importedEmail }).from(users).orderBy(users.id)
  expect(names.map(({ email }) => email !== null)).toEqual([true, false, false, false, true, false])
  await close()
  await scratch.drop()
})

onPostgres('entries of boards whose sums were kept stay as they are when their database is migrated', async () => {
  const scratch = await databaseBefore(
    '_time_totals',
    `
    insert into users (username, email) values ('ada', 'ada@example.com');
    insert into boards (name, created_by) values ('Large', 1), ('Small', 1);
    insert into tasks (title, position, board_id, deleted_at, description) values
      ('Dig', 'a0', 1, null, '- [x] deep'), ('Sow', 'a1', 1, now(), 'a [link]'), ('Rest', 'a2', 2, null, null);
    insert into rates (board_id, user_id, from_day, cents) values (1, 1, '2026-09-20', 4321);
    insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes)
      select 1 + i % 2, 1, 1, '2026-09-01'::timestamptz, '2026-09-01'::date + i % 50, 1 + i % 90 from generate_series(1, 1200) i
      union all select 3, 2, 1, '2026-09-01', '2026-09-01', i from generate_series(1, 999) i`,
  )
  const { db, close } = await openDatabase({ databaseUrl: scratch.url, dataDir: '/nowhere' })
  // Whatever kept sums would fail without their table.
  await db.update(timeEntries).set({ duration: 5 }).where(eq(timeEntries.id, 1))
  await db.delete(timeEntries).where(eq(timeEntries.id, 2))
  expect(await db.$count(timeEntries)).toBe(2_198)
  // Only what may have boxes is still to be counted.
  expect(await db.select({ boxes: tasks.checklistAll }).from(tasks).orderBy(tasks.id)).toEqual([
    { boxes: null },
    { boxes: 0 },
    { boxes: 0 },
  ])
  await close()
  await scratch.drop()
})

onPostgres('who may not create the extension that search needs is told what to do', async () => {
  const scratch = await blankDatabase()
  const role = `wrk_test_${crypto.randomUUID().replaceAll('-', '')}`
  const administrator = new SQL(scratch.url, { max: 1 })
  await administrator.unsafe(`create role ${role} login password 'x'`)
  const url = new URL(scratch.url)
  Object.assign(url, { username: role, password: 'x' })
  const opening = openDatabase({ databaseUrl: url.href, dataDir: '/nowhere' })
  await expect(opening).rejects.toThrow(/^search needs the Postgres extension pg_trgm.*create extension pg_trgm$/)
  await administrator.unsafe(`drop role ${role}`)
  await administrator.close()
  await scratch.drop()
})
