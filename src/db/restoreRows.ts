import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { CannotOpen, type Database } from './database'
import { migrateBetween, newestMigration } from './migrations'
import { type DatabasePlace, openDatabase } from './openDatabase'
import { archivedTables, fileNames } from './snapshot'
import { type Ask, asking } from './statements'

/** A database that nothing else uses, as it is. Throws CannotOpen if it is in use or has data. */
export async function openEmpty({ databaseUrl, dataDir }: DatabasePlace): Promise<Database> {
  const database = databaseUrl
    ? (await import('./postgres')).openAlone(databaseUrl, 'wrk restore')
    : await openDatabase({ dataDir }, 'untouched')
  try {
    await assertFree(asking(database.db))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** A process that has just ended may still be listed for a moment. */
const OTHERS_GONE_WITHIN_MS = 2_000
const LOOK_EVERY_MS = 100

async function assertFree(ask: Ask): Promise<void> {
  const end = performance.now() + OTHERS_GONE_WITHIN_MS
  let isLocked = await tryLock(ask)
  let found = await findUse(ask)
  // Closed connections and the lock of a killed restore take a moment to disappear.
  while ((!isLocked || Number(found?.others) > 0) && performance.now() < end) {
    await Bun.sleep(LOOK_EVERY_MS)
    isLocked ||= await tryLock(ask)
    found = await findUse(ask)
  }
  if (!isLocked || !found || Number(found.others) > 0) throw new CannotOpen(IN_USE)
  if (!found.isWrk && Number(found.tables) > 0) throw new CannotOpen(OF_OTHERS)
  if (!found.isWrk) return
  const [rows] = await ask(sql`select exists (select from users) or exists (select from boards) as "areThere"`)
  if (rows?.areThere) throw new CannotOpen(NOT_EMPTY)
}

/** Until the session ends. */
async function tryLock(ask: Ask): Promise<boolean> {
  const [row] = await ask(sql`select pg_try_advisory_lock(${sql.raw(String(RESTORE_LOCK))}) as "isOurs"`)
  return row?.isOurs === true
}

const findUse = async (ask: Ask) => {
  const [found] = await ask(sql`
    select (select count(*)::int from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name like 'wrk %') as others,
      (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r') as tables,
      to_regclass('drizzle.__drizzle_migrations') is not null and to_regclass('public.users') is not null as "isWrk"`)
  return found
}

const RESTORE_LOCK = 7_217_002
const IN_USE = 'other wrk processes are using this database: stop them first'
const OF_OTHERS = 'the database has tables that do not belong to wrk: restore into a database that only wrk uses'
const NOT_EMPTY =
  'there are accounts or boards already, and a restore needs an empty installation: set DATA_DIR to a new folder, or DATABASE_URL to a new database'

/** Until `restoreRows` ends, nothing can start on the database. Returns what an earlier try left in the file store. */
export async function markRestore({ db }: Database): Promise<string[]> {
  const ask = asking(db)
  await ask(sql`create schema if not exists wrk_restore`)
  await ask(sql`create table if not exists wrk_restore.files (name text primary key, is_new boolean not null)`)
  return writtenFiles({ db })
}

export async function writtenFiles({ db }: Pick<Database, 'db'>): Promise<string[]> {
  const rows = await asking(db)(sql`select name from wrk_restore.files where is_new`)
  return rows.map(({ name }) => String(name))
}

/** Recorded before it is written; `isNew` if the store does not have it yet. */
export async function noteFiles({ db }: Database, files: { name: string; isNew: boolean }[]): Promise<void> {
  const json = JSON.stringify(files.map(({ name, isNew }) => ({ name, is_new: isNew })))
  await asking(db)(sql`
    insert into wrk_restore.files select * from json_populate_recordset(null::wrk_restore.files, ${json}::text::json)
    on conflict (name) do update set is_new = excluded.is_new or wrk_restore.files.is_new`)
}

export const forgetNotedFiles = ({ db }: Database) => asking(db)(sql`delete from wrk_restore.files`)
export const unmarkRestore = ({ db }: Pick<Database, 'db'>) => asking(db)(sql`drop schema wrk_restore cascade`)

type Table = { name: string; rows: number; lastId: number | null; lines: AsyncIterable<string> }

/** The schema as it was at `migration`, its rows, then the later migrations: all of it or nothing. Throws CannotOpen. */
export const restoreRows = ({ db, url }: Database, migration: number, tables: Table[]): Promise<void> =>
  db.transaction(async (transaction) => {
    const ask = asking(transaction)
    await clear(ask)
    if (url) await ask(sql`create extension if not exists pg_trgm`)
    await migrateBetween(ask, null, migration)
    const archived = new Set((await archivedTables(ask)).map(({ name }) => name))
    for (const table of tables) {
      // Never one of Postgres' own, nor one that would sign someone in, send email or delete files.
      if (!archived.has(table.name)) throw new CannotOpen(`the archive has a table that no wrk backup has: ${table.name}`)
      await fill(ask, table)
    }
    await migrateBetween(ask, migration, newestMigration)
    // They were emailed after the backup.
    await ask(sql`update notifications set waits = false where waits`)
    await assertFiles(ask)
    await unmarkRestore({ db: transaction })
  })

/** An installation that was started but never used. */
async function clear(ask: Ask): Promise<void> {
  await ask(sql`drop schema if exists drizzle cascade`)
  const tables = await ask(sql`
    select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`)
  if (tables.length > 0) await ask(sql.raw(`drop table ${tables.map(({ name }) => name).join(', ')} cascade`))
  const routines = await ask(sql`
    select oid::regprocedure::text as name from pg_proc as p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`)
  for (const { name } of routines) await ask(sql.raw(`drop routine if exists ${name} cascade`))
}

const BYTES_AT_ONCE = 2 * 2 ** 20
const ROWS_AT_ONCE = 1_000

async function fill(ask: Ask, { name, rows, lastId, lines }: Table): Promise<void> {
  const table = sql`${sql.identifier('public')}.${sql.identifier(name)}`
  const qualified = `public.${name}`
  const [columns] = await ask(sql`
    select string_agg(quote_ident(attname), ', ' order by attnum) as names,
      (select attname::text from pg_attribute where attrelid = to_regclass(${qualified}) and attidentity <> '') as id
    from pg_attribute where attrelid = to_regclass(${qualified}) and attnum > 0 and not attisdropped`)
  if (!columns?.names) throw new Error(`no columns of ${qualified}`)
  const names = sql.raw(String(columns.names))
  const insert = (batch: string[]) =>
    ask(sql`
      insert into ${table} (${names}) overriding system value
      select ${names} from json_populate_recordset(null::${table}, ${`[${batch.join(',')}]`}::text::json)`)
  for await (const batch of batches(lines)) {
    await insert(batch)
    await setImmediate()
  }
  const [counted] = await ask(sql`select count(*)::float8 as rows from ${table}`)
  if (counted?.rows !== rows)
    throw new CannotOpen(`the archive is damaged: ${name} does not have as many rows as its manifest says`)
  if (columns.id)
    await ask(sql`
      select setval(pg_get_serial_sequence(${qualified}, ${columns.id}), greatest(${lastId}::bigint, max(${sql.identifier(String(columns.id))})))
      from ${table}`)
}

async function* batches(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  let size = 0
  for await (const line of lines) {
    batch.push(line)
    size += line.length
    if (size < BYTES_AT_ONCE && batch.length < ROWS_AT_ONCE) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

/** The rows must name exactly the files of the archive: any other could never be deleted or read. */
async function assertFiles(ask: Ask): Promise<void> {
  const [wrong] = await ask(sql`
    select coalesce(named.line, files.name) as name
    from (${fileNames}) as named full join wrk_restore.files as files on files.name = named.line
    where named.line is null or files.name is null limit 1`)
  if (wrong) throw new CannotOpen(`the archive is damaged: its rows and its files differ in ${JSON.stringify(wrong.name)}`)
}
