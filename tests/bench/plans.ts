import { SQL } from 'bun'
import { drizzle } from 'drizzle-orm/bun-sql'
import postgres from 'postgres'
import { readConfig } from '../../src/config'
import type { Db } from '../../src/db/database'
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

async function statementsOf(call: EveryCall, { place, db: own }: Site, worldAt: (site: Site) => Promise<Given>) {
  const heard: Statement[] = []
  const url = place.databaseUrl ?? ''
  const config = readConfig({ PORT: '0', DATA_DIR: place.dataDir, TRUST_PROXY: '1', DATABASE_URL: url })
  const client = new SQL(url, { max: 5 })
  const logger = { logQuery: (text: string, given: unknown[]) => void heard.push({ text, given }) }
  const db = drizzle({ client, casing: 'snake_case', logger })
  const database = { url, db, close: () => client.close({ timeout: 1 }) }
  const { port, stop } = await serve(config, database, 'none')
  const send = await call.ready(await worldAt({ origin: `http://127.0.0.1:${port}`, db: own, place }))
  heard.length = 0
  await send()
  const asked = [...heard]
  await stop()
  return asked
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
