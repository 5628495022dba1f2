import { sql } from 'drizzle-orm'
import type { Db } from '../../src/db/database'

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}
type Ran = { 'Query Text': string; Plan: Plan }
type Index = { name: string; table: string; leads: string | null; partial: boolean }

let listening: Ran[] | undefined
let lines: string[] | undefined

/** What the embedded database says on its error output, where plans of several lines come too. */
export function hearPlan(line: string): boolean {
  if (/LOG: {2}duration: .* plan:$/.test(line)) lines = []
  else if (lines && line.startsWith('\t')) lines.push(line)
  if (lines && line === '\t}') {
    listening?.push(JSON.parse(lines.join('')))
    lines = undefined
  }
  return true
}

/** Whatever another path than reading a whole table costs, it is taken, if there is one. */
const SETTINGS = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_min_duration': '0',
}

/** Listens to the plans of all statements that run on the embedded database meanwhile, those of cascades and triggers too. */
export async function plansOf(db: Db, work: () => Promise<void>): Promise<Ran[]> {
  await db.execute(sql`load 'auto_explain'`)
  for (const [name, value] of Object.entries(SETTINGS)) await db.execute(sql`select set_config(${name}, ${value}, false)`)
  const heard: Ran[] = []
  listening = heard
  try {
    await work()
  } finally {
    listening = undefined
    for (const name of Object.keys(SETTINGS)) await db.execute(sql.raw(`reset ${name}`))
  }
  return heard
}

/** What comes before a call is not looked at. */
export async function unheard<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await db.execute(sql`set auto_explain.log_min_duration = -1`)
  try {
    return await work()
  } finally {
    await db.execute(sql`set auto_explain.log_min_duration = 0`)
  }
}

const STAYS_SMALL = new Set(['installation', 'first_account'])

/** Queries that read all of a table or index that grows, each with the tables. */
export async function scansIn(db: Db, plans: Ran[]): Promise<string[]> {
  const indexes = new Map((await indexesOf(db)).map((index) => [index.name, index]))
  const found = plans.flatMap((ran) => {
    const tables = nodesOf(ran.Plan).flatMap((node) => scannedBy(node, indexes))
    return tables.length > 0 ? [`${tables.join(', ')}: ${ran['Query Text']}`] : []
  })
  return [...new Set(found)]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

function scannedBy(node: Plan, indexes: Map<string, Index>): string[] {
  const index = indexes.get(node['Index Name'] ?? '')
  const table = node['Relation Name'] ?? index?.table ?? ''
  if (STAYS_SMALL.has(table)) return []
  if (node['Node Type'] === 'Seq Scan') return [table]
  // A partial index holds what is waiting for something.
  if (!index || index.partial) return []
  return (node['Index Cond'] ?? '').includes(`${index.leads}`) ? [] : [`${table} (all of ${index.name})`]
}

/** An index helps where its first column is given. */
async function indexesOf(db: Db): Promise<Index[]> {
  const { rows } = (await db.execute(sql`
    select index.relname as name, tables.relname as table, attname as leads, indpred is not null as partial
    from pg_index join pg_class index on index.oid = indexrelid join pg_class tables on tables.oid = indrelid
    left join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where index.relnamespace = 'public'::regnamespace`)) as unknown as { rows: Index[] }
  return rows
}
