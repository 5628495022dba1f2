import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { z } from 'zod'
import { createPool } from '../../src/db/pool'
import { browser } from '../support/browser'
import { scratchDatabase } from '../support/databases'
import { startServer } from '../support/process'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

const WRITERS = 24
/** Acknowledged writes between one cut of all connections and the next. */
const BETWEEN_CUTS = 40
const CUTS = 10

const made = z.object({ id: z.number() })
const list = z.array(made)
const board = z.object({ id: z.number(), version: z.number() })

describe.skipIf(!process.env.TEST_DATABASE_URL)('a Postgres server that ends its connections under load', () => {
  test('loses nothing that was acknowledged, and the server goes on by itself', async () => {
    const scratch = await scratchDatabase()
    const { child, origin } = await startServer({ DATABASE_URL: scratch.url, DATA_DIR: '/nowhere' })
    const direct = postgres(scratch.url, { max: 1, onnotice: () => {} })
    const ada = browser(origin)
    await ada.http('POST', '/api/auth/dev-login-json')
    const given = board.parse((await ada.http('POST', '/api/boards', { name: 'Garden' })).body)
    const acknowledged = new Set<number>()

    let cuts = 0
    const cut = () =>
      direct`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    const writers = Array.from({ length: WRITERS }, async () => {
      while (cuts < CUTS || acknowledged.size < CUTS * BETWEEN_CUTS + WRITERS) {
        const answer = await ada.http('POST', `/api/boards/${given.id}/tasks`, { title: 'Carrot' })
        expect([201, 503]).toContain(answer.status)
        if (answer.status !== 201) continue
        acknowledged.add(made.parse(answer.body).id)
        if (cuts < CUTS && acknowledged.size >= (cuts + 1) * BETWEEN_CUTS) {
          cuts += 1
          await cut()
        }
      }
    })
    await Promise.all(writers)

    expect(child.exitCode).toBeNull()
    expect((await ada.http('GET', '/health')).status).toBe(200)
    const kept = new Set(list.parse((await ada.http('GET', `/api/boards/${given.id}/tasks`)).body).map(({ id }) => id))
    expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([])
    // What was stored and what was counted went together, also where the answer was lost.
    expect(board.parse((await ada.http('GET', `/api/boards/${given.id}`)).body).version).toBe(given.version + kept.size)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    await direct.end()
    await scratch.drop()
  })

  test('keeps the connections that it has where the server allows no more', async () => {
    const scratch = await scratchDatabase()
    const direct = postgres(scratch.url, { max: 1, onnotice: () => {} })
    const role = `few_${crypto.randomUUID().slice(0, 8)}`
    await direct.unsafe(`create role ${role} login connection limit 3`)
    const pool = createPool(Object.assign(new URL(scratch.url), { username: role }).href, 6)
    const processes = async (count: number, seconds: number) => {
      const ask = () => pool.db.select({ pid: sql<number>`pg_backend_pid()` }).from(sql`pg_sleep(${seconds})`)
      const answers = await Promise.allSettled(Array.from({ length: count }, ask))
      return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]?.pid : 'refused')).sort()
    }
    const opened = await processes(3, 0.2)
    expect(await processes(4, 0)).toContain('refused')
    expect(await processes(3, 0.2)).toEqual(opened)
    await pool.close(0)
    await direct.unsafe(`drop role ${role}`)
    await direct.end()
    await scratch.drop()
  })
})
