import type { SQL } from 'bun'
import { drizzle } from 'drizzle-orm/bun-sql'
import postgres from 'postgres'
import { readConfig } from '../../src/config'
import type { Db } from '../../src/db/database'
import type { Inner } from '../../src/db/lazily'
import { createPool } from '../../src/db/pool'
import { serve } from '../../src/site/serve'
import type { EveryCall } from '../support/everyCall'
import type { Given } from '../support/world'
import type { Place } from './servers'

type Statement = { text: string; given: unknown[] }
export type Site = { origin: string; db: Db; place: Place }

/** Asks once more, of a server in this process that notes its statements, and explains what takes the database longest. */
export async function slowestPlan(call: EveryCall, site: Site, worldAt: (site: Site) => Promise<Given>): Promise<string> {
  const sql = postgres(site.place.databaseUrl ?? '', { max: 1, onnotice: () => {} })
  const plans = []
  for (const statement of await statementsOf(call, site, worldAt)) plans.push(await planOf(sql, statement))
  await sql.end()
  return plans.toSorted((a, b) => b.took - a.took)[0]?.text ?? 'it asked nothing of the database'
}

async function statementsOf(call: EveryCall, { place, db }: Site, worldAt: (site: Site) => Promise<Given>) {
  const heard: Statement[] = []
  const url = place.databaseUrl ?? ''
  const config = readConfig({ PORT: '0', DATA_DIR: place.dataDir, TRUST_PROXY: '1', DATABASE_URL: url })
  const pool = createPool(url, 5)
  const client = { ...pool, ...noting(pool, heard) } as unknown as SQL
  const database = { url, db: drizzle({ client, casing: 'snake_case' }), close: () => pool.close(1) }
  const { port, stop } = await serve(config, database, 'none')
  const send = await call.ready(await worldAt({ origin: `http://127.0.0.1:${port}`, db, place }))
  heard.length = 0
  await send()
  const asked = [...heard]
  await stop()
  return asked
}

type Client = Pick<Inner, 'unsafe'> & { begin<T>(work: (inner: Inner) => Promise<T>): Promise<T> }

function noting({ unsafe, begin }: Client, heard: Statement[]): Client {
  const noted =
    (ask: Inner['unsafe']): Inner['unsafe'] =>
    (text, given = []) => {
      heard.push({ text, given })
      return ask(text, given)
    }
  return { unsafe: noted(unsafe), begin: (work) => begin((inner) => work({ unsafe: noted(inner.unsafe) })) }
}

/** What it changes is undone; what cannot happen twice, such as a deletion, reads what is left. */
async function planOf(sql: postgres.Sql, { text, given }: Statement) {
  const line = await sql.reserve()
  await line.unsafe('begin')
  // Drizzle gives text, numbers and their like.
  const rows = await line.unsafe(`explain (analyze, buffers) ${text}`, given as string[]).catch((error: Error) => error)
  await line.unsafe('rollback')
  line.release()
  if (rows instanceof Error) return { took: 0, text: `${text}\n${rows.message}` }
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  return { took: Number(/Execution Time: ([\d.]+)/.exec(plan)?.[1]), text: `${text}\n${plan}` }
}
