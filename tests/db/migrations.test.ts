import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/client'
import { scratchDatabase } from '../support/databases'
import { startServer } from '../support/process'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)
const onPostgres = test.skipIf(!process.env.TEST_DATABASE_URL)

onPostgres('two processes that start at once on a fresh database both come up, and migrate it once', async () => {
  const scratch = await scratchDatabase()
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
