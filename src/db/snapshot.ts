import { setImmediate } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from './database'
import { type Ask, asking } from './statements'

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
export async function inSnapshot<T>({ db, url }: Database, work: (ask: Ask) => Promise<T>): Promise<T> {
  const own = url ? (await import('./postgres')).openAlone(url, 'wrk backup') : { db, close: async () => {} }
  try {
    return await own.db.transaction(async (transaction) => {
      const ask = asking(transaction)
      await ask(sql`set transaction isolation level repeatable read, read only`)
      await ask(sql`set local timezone = 'UTC'`)
      return work(ask)
    })
  } finally {
    await own.close()
  }
}

/** The tables of an archive, each after those that it refers to. */
export async function archivedTables(ask: Ask): Promise<TableRows[]> {
  const found = (await ask(tables)) as { name: string; key: string; needs: string; lastId: number | null }[]
  const waiting = found
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .map((one) => ({ ...one, needs: JSON.parse(one.needs) as string[] }))
  const done: typeof waiting = []
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ needs }) => !waiting.some(({ name }) => needs.includes(name)))
    done.push(...waiting.splice(Math.max(next, 0), 1))
  }
  return done.map(({ name, key, lastId }) => ({ name, lastId, lines: () => linesOf(ask, name, key) }))
}

const tables = sql`
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
async function* linesOf(ask: Ask, table: string, key: string): AsyncGenerator<string> {
  const cursor = sql.identifier(`rows of ${table}`)
  const row = sql`select row_to_json(t)::text as line from ${sql.identifier(table)} as t order by ${sql.raw(key)}`
  yield* rowPages(ask, cursor, row)
}

export async function* rowPages(ask: Ask, cursor: SQL | ReturnType<typeof sql.identifier>, lines: SQL): AsyncGenerator<string> {
  await ask(sql`declare ${cursor} no scroll cursor for ${lines}`)
  for (;;) {
    const rows = (await ask(sql`fetch ${sql.raw(String(ROWS_AT_ONCE))} from ${cursor}`)) as { line: string }[]
    if (rows.length === 0) break
    yield rows.map(({ line }) => `${line}\n`).join('')
    await setImmediate()
  }
  await ask(sql`close ${cursor}`)
}

/** The files that the rows name, by their names in the file store. */
export const fileNames = sql`
  select filename as line from attachments
  union all select filename || '-thumbnail' from attachments where thumbnail_size is not null
  union all select 'avatar-' || substring(avatar from '[^/]*$') from users where avatar like '/uploads/avatars/%'`

export const nameLines = (ask: Ask): AsyncIterable<string> => rowPages(ask, sql.identifier('names of files'), fileNames)
