import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { messageOf } from '../../src/db/failures'
import { createPool } from '../../src/db/pool'
import { scratchDatabase } from '../support/databases'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)

/** Longer than after which the server is asked what it works on. */
const LONG = sql`select pg_sleep(4)`

describe.skipIf(!process.env.TEST_DATABASE_URL)('a pool', () => {
  let scratch: Awaited<ReturnType<typeof scratchDatabase>>
  let direct: postgres.Sql
  let pool: ReturnType<typeof createPool>
  beforeEach(async () => {
    scratch = await scratchDatabase()
    direct = postgres(scratch.url, { max: 1, onnotice: () => {} })
    pool = createPool(scratch.url, 4)
  })
  afterEach(async () => {
    await pool.close(0)
    await direct.end()
    await scratch.drop()
  })
  const inUse = () =>
    direct`select pid, query from pg_stat_activity where datname = current_database() and application_name like 'wrk %'`

  test('leaves what the server works on alone where another connection ends', async () => {
    const long = pool.db.transaction(async (transaction) => {
      await transaction.execute(LONG)
      return 'done'
    })
    const other = pool.db.execute(sql`select pg_sleep(30)`).catch(() => 'ended')
    const pid = await until('it runs', async () => (await inUse()).find(({ query }) => query.includes('pg_sleep(30)'))?.pid)
    await direct`select pg_terminate_backend(${pid})`
    expect(await Promise.all([long, other])).toEqual(['done', 'ended'])
  })

  test('opens no more connections than it may, and refuses what finds none free in time', async () => {
    const held = Array.from({ length: 20 }, () => pool.db.transaction((transaction) => transaction.execute(LONG)))
    let most = 0
    let isOver = false
    const watching = until('all are settled', async () => {
      most = Math.max(most, (await inUse()).length)
      return isOver
    })
    const answers = await Promise.allSettled(held)
    isOver = true
    await watching
    const count = (status: string) => answers.filter((answer) => answer.status === status).length
    // Two are kept for reads.
    expect([count('fulfilled'), count('rejected'), most]).toEqual([2, 18, 2])
    expect(pool.use()).toEqual({ used: 0, idle: 4, waiting: 0 })
  })

  test('refuses what still waits when it is closed, and finishes what is under way', async () => {
    // Drizzle sends nothing before somebody waits for it.
    const sent = async (query: ReturnType<typeof sql>) => pool.db.execute(query)
    const released = Promise.withResolvers<void>()
    const committed = pool.db.transaction(async (transaction) => {
      await transaction.execute(sql`create table kept (id int)`)
      await released.promise
      await transaction.execute(sql`insert into kept values (1)`)
    })
    const held = Array.from({ length: 3 }, () => sent(sql`select pg_sleep(1)`))
    await until('three run', async () => (await inUse()).filter(({ query }) => query.includes('pg_sleep')).length === 3)
    const waiting = sent(sql`select 1`)
    await until('one waits', () => pool.use().waiting === 1)
    const closed = pool.close(5)
    const reasons = [waiting, sent(sql`select 1`)].map((query) => query.then(() => 'ran', messageOf))
    expect(await Promise.all(reasons)).toEqual(['the database is being closed', 'the database does not answer'])
    released.resolve()
    await committed
    expect(await Promise.all(held)).toHaveLength(3)
    expect(await direct`select id from kept`).toHaveLength(1)
    await closed
    await until('none is left', async () => (await inUse()).length === 0)
  })

  test('goes on reading while changes wait for a lock', async () => {
    await direct`create table held (id int)`
    await direct`insert into held values (1)`
    let waiting = 0
    await direct.begin(async (holding) => {
      await holding`select id from held for update`
      const changes = Array.from({ length: 8 }, () =>
        pool.db.transaction((transaction) => transaction.execute(sql`select id from held for update`)).finally(() => waiting--),
      )
      waiting = changes.length
      await pool.db.execute(sql`select 1`)
      expect(waiting).toBe(8)
      void Promise.allSettled(changes)
    })
    await until('none waits', () => waiting === 0)
  })
})
