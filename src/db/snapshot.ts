import { setImmediate } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from './database'
import { type Run, runOn } from './statements'

export type TableRows = { name: string; lastId: number | null; lines(): AsyncIterable<string> }

/** Sessions, links, mails, and what triggers or other processes rebuild. */
const LEFT_OUT = [
  'sessions',
  'magic_links',
  'mails',
  'idempotency_keys',
  'installation',
  'deleted_rows',
  'unwanted_files',
  'backups',
  'imports',
  'finder_texts',
]

const ROWS_AT_ONCE = 200

/** One consistent snapshot. On the embedded database everyone else waits until it is done. */
export async function inSnapshot<T>({ db, url }: Database, work: (run: Run) => Promise<T>): Promise<T> {
  const own = url ? (await import('./postgres')).openAlone(url, 'wrk backup') : { db, close: async () => {} }
  try {
    return await own.db.transaction(async (transaction) => {
      const run = runOn(transaction)
      await run(sql`set transaction isolation level repeatable read, read only`)
      await run(sql`set local timezone = 'UTC'`)
      return work(run)
    })
  } finally {
    await own.close()
  }
}

/** The tables of an archive, each after those that it refers to. */
export async function archivedTables(run: Run): Promise<TableRows[]> {
  const found = (await run(allTables)) as { name: string; key: string; needs: string; lastId: number | null }[]
  const waiting = found
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .map((one) => ({ ...one, needs: JSON.parse(one.needs) as string[] }))
  const done: typeof waiting = []
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ needs }) => !waiting.some(({ name }) => needs.includes(name)))
    done.push(...waiting.splice(Math.max(next, 0), 1))
  }
  return done.map(({ name, key, lastId }) => ({ name, lastId, lines: () => linesOf(run, name, key) }))
}

const allTables = sql`
  select relname::text as name,
    (select string_agg(quote_ident(attname), ', ' order by array_position(indkey::int2[], attnum))
      from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
      where indrelid = t.oid and indisprimary) as key,
    to_json(array(select confrelid::regclass::text from pg_constraint
      where conrelid = t.oid and contype = 'f' and confrelid <> t.oid))::text as needs,
    (select pg_sequence_last_value(pg_get_serial_sequence(quote_ident(relname), attname)::regclass)
      from pg_attribute where attrelid = t.oid and attidentity <> '')::float8 as "lastId"
  from pg_class as t where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`

/** Each row as JSON, in several parts. */
function linesOf(run: Run, table: string, key: string): AsyncGenerator<string> {
  const lines = sql`select row_to_json(t)::text as line from ${sql.identifier(table)} as t order by ${sql.raw(key)}`
  return rowPages(run, `rows of ${table}`, lines)
}

export async function* rowPages(run: Run, name: string, lines: SQL): AsyncGenerator<string> {
  const cursor = sql.identifier(name)
  await run(sql`declare ${cursor} no scroll cursor for ${lines}`)
  for (;;) {
    const rows = (await run(sql`fetch ${sql.raw(String(ROWS_AT_ONCE))} from ${cursor}`)) as { line: string }[]
    if (rows.length === 0) break
    yield rows.map(({ line }) => `${line}\n`).join('')
    await setImmediate()
  }
  await run(sql`close ${cursor}`)
}

/** The files that the rows name, by their names in the file store. */
export const fileNames = sql`
  select filename as line from attachments
  union all select filename || '-thumbnail' from attachments where thumbnail_size is not null
  union all select 'avatar-' || substring(avatar from '[^/]*$') from users where avatar like '/uploads/avatars/%'`

export const fileNameLines = (run: Run): AsyncIterable<string> => rowPages(run, 'names of files', fileNames)
