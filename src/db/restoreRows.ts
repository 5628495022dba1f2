import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { CannotOpen, type Database } from './database'
import { migrateBetween, newestMigration } from './migrations'
import { type DatabasePlace, openDatabase } from './openDatabase'
import { archivedTables, fileNames } from './snapshot'
import { type Run, runOn } from './statements'

/** A database that nothing else uses, as it is. Throws CannotOpen if it is in use or has data. */
export async function openEmpty({ databaseUrl, dataDir }: DatabasePlace): Promise<Database> {
  const database = databaseUrl
    ? (await import('./postgres')).openAlone(databaseUrl, 'wrk restore')
    : await openDatabase({ dataDir }, 'untouched')
  try {
    await assertFree(runOn(database.db))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

const OTHERS_GONE_WITHIN_MS = 2_000
const LOOK_EVERY_MS = 100

async function assertFree(run: Run): Promise<void> {
  const end = performance.now() + OTHERS_GONE_WITHIN_MS
  let found = await findUse(run)
  // Closed connections and the lock of a killed restore take a moment to disappear.
  while (found?.isFree !== true && performance.now() < end) {
    await Bun.sleep(LOOK_EVERY_MS)
    found = await findUse(run)
  }
  if (found?.isFree !== true) throw new CannotOpen(IN_USE)
  if (!found.isWrk && Number(found.tables) > 0) throw new CannotOpen(OF_OTHERS)
  if (!found.isWrk) return
  const [rows] = await run(sql`select exists (select from users) or exists (select from boards) as "areThere"`)
  if (rows?.areThere) throw new CannotOpen(NOT_EMPTY)
}

/** Takes the restore's lock until the session ends. */
const findUse = async (run: Run) => {
  const [found] = await run(sql`
    select pg_try_advisory_lock(${sql.raw(String(RESTORE_LOCK))}) and not exists (select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name like 'wrk %') as "isFree",
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
  const run = runOn(db)
  await run(sql`create schema if not exists wrk_restore`)
  await run(sql`create table if not exists wrk_restore.files (name text primary key, is_new boolean not null)`)
  return writtenFiles({ db })
}

export async function writtenFiles({ db }: Pick<Database, 'db'>): Promise<string[]> {
  const rows = await runOn(db)(sql`select name from wrk_restore.files where is_new`)
  return rows.map(({ name }) => String(name))
}

/** Recorded before it is written; `isNew` if the store does not have it yet. */
export async function noteFiles({ db }: Database, files: { name: string; isNew: boolean }[]): Promise<void> {
  const json = JSON.stringify(files.map(({ name, isNew }) => ({ name, is_new: isNew })))
  await runOn(db)(sql`
    insert into wrk_restore.files select * from json_populate_recordset(null::wrk_restore.files, ${json}::text::json)
    on conflict (name) do update set is_new = excluded.is_new or wrk_restore.files.is_new`)
}

export const forgetNotedFiles = ({ db }: Database) => runOn(db)(sql`delete from wrk_restore.files`)
export const unmarkRestore = ({ db }: Pick<Database, 'db'>) => runOn(db)(sql`drop schema wrk_restore cascade`)

type Table = { name: string; rows: number; lastId: number | null; lines: AsyncIterable<string> }

/** The schema as it was at `migration`, its rows, then the later migrations: all of it or nothing. Throws CannotOpen. */
export const restoreRows = ({ db, url }: Database, migration: number, tables: Table[]): Promise<void> =>
  db.transaction(async (transaction) => {
    const run = runOn(transaction)
    await clear(run)
    if (url) await run(sql`create extension if not exists pg_trgm`)
    await migrateBetween(run, null, migration)
    const archived = new Set((await archivedTables(run)).map(({ name }) => name))
    for (const table of tables) {
      // Never one of Postgres' own, nor one that would sign someone in, send email or delete files.
      if (!archived.has(table.name)) throw new CannotOpen(`the archive has a table that no wrk backup has: ${table.name}`)
      await fill(run, table)
    }
    await migrateBetween(run, migration, newestMigration)
    // They were emailed after the backup.
    await run(sql`update notifications set waits = false where waits`)
    await assertFiles(run)
    await unmarkRestore({ db: transaction })
  })

/** An installation that was started but never used. */
async function clear(run: Run): Promise<void> {
  await run(sql`drop schema if exists drizzle cascade`)
  const tables = await run(sql`
    select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`)
  if (tables.length > 0) await run(sql.raw(`drop table ${tables.map(({ name }) => name).join(', ')} cascade`))
  const routines = await run(sql`
    select oid::regprocedure::text as name from pg_proc as p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`)
  for (const { name } of routines) await run(sql.raw(`drop routine if exists ${name} cascade`))
}

const BYTES_AT_ONCE = 2 * 2 ** 20
const ROWS_AT_ONCE = 1_000

async function fill(run: Run, { name, rows, lastId, lines }: Table): Promise<void> {
  const table = sql`${sql.identifier('public')}.${sql.identifier(name)}`
  const qualified = `public.${name}`
  const [columns] = await run(sql`
    select string_agg(quote_ident(attname), ', ' order by attnum) as names,
      (select attname::text from pg_attribute where attrelid = to_regclass(${qualified}) and attidentity <> '') as id
    from pg_attribute where attrelid = to_regclass(${qualified}) and attnum > 0 and not attisdropped`)
  if (!columns?.names) throw new Error(`no columns of ${qualified}`)
  const names = sql.raw(String(columns.names))
  const insert = (batch: string[]) =>
    run(sql`
      insert into ${table} (${names}) overriding system value
      select ${names} from json_populate_recordset(null::${table}, ${`[${batch.join(',')}]`}::text::json)`)
  for await (const batch of batches(lines)) {
    await insert(batch)
    await setImmediate()
  }
  const [counted] = await run(sql`select count(*)::float8 as rows from ${table}`)
  if (counted?.rows !== rows)
    throw new CannotOpen(`the archive is damaged: ${name} does not have as many rows as its manifest says`)
  if (columns.id)
    await run(sql`
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
async function assertFiles(run: Run): Promise<void> {
  const [wrong] = await run(sql`
    select coalesce(named.line, files.name) as name
    from (${fileNames}) as named full join wrk_restore.files as files on files.name = named.line
    where named.line is null or files.name is null limit 1`)
  if (wrong) throw new CannotOpen(`the archive is damaged: its rows and its files differ in ${JSON.stringify(wrong.name)}`)
}
