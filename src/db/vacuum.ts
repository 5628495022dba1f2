import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { log } from '../log'
import type { Db, Disk, Vacuum } from './database'

const ERASE_EVERY_MS = 12 * 3_600_000
const ERASE_AT_LATEST_MS = 24 * 3_600_000
const QUIET_MS = 60_000
const LOOK_EVERY_MS = 10_000
const LOOK_EVERY_BYTES = 8 * 2 ** 20
const AGAIN_WHEN_SHORT_MS = 15_000
const DEAD_ROWS = 50
const DEAD_SHARE = 0.2
const GROWN_TIMES = 2
const GROWN_BYTES = 8 * 2 ** 20

/** `bytes` with indexes and long texts; `changes` are updates and deletions so far. */
type Table = { name: string; isOwn: boolean; bytes: number; rows: number; changes: number; dead: number; isDue: boolean }

/**
 * What Postgres' autovacuum does, which the embedded database lacks. Both commands make everyone else wait.
 *
 * - VACUUM, on tables with many dead rows, frees their space for new rows.
 * - VACUUM FULL, on tables that grew without their rows, returns the space to the disk. Each changed table also gets one at least
 *   once a day: deleted text would stay in free space, and its words in search indexes.
 */
export function createVacuum(db: Db): Vacuum {
  const startedAt = performance.now()
  /** The fewest bytes per row ever seen in a table, or when it was rewritten. */
  const leastBytes = new Map<string, number>()
  const rewrittenChanges = new Map<string, number>()
  /** Tables too large for the disk, whose deleted data stays. */
  const tooLarge = new Set<string>()
  let running: Promise<unknown> = Promise.resolve()
  let isStopped = false
  let logHoldsDeleted = false
  let erasedAt: number | undefined
  /** By the end of Postgres' log. */
  let written = { bytes: 0, at: startedAt }
  let looked = { bytes: 0, at: startedAt }

  async function vacuum(isShort: boolean) {
    for (const { name, dead, isDue } of await readTables(db)) {
      if (isStopped || !(isDue || (isShort && dead > 0))) continue
      await db.execute(sql.raw(`vacuum ${name}`))
      await setImmediate()
    }
  }

  function noteLeast(table: Table): void {
    leastBytes.set(table.name, Math.min(bytesOfRow(table), leastBytes.get(table.name) ?? Number.POSITIVE_INFINITY))
  }

  const hasGrown = (table: Table) =>
    table.bytes > GROWN_BYTES && bytesOfRow(table) > GROWN_TIMES * (leastBytes.get(table.name) ?? Number.POSITIVE_INFINITY)

  const hasChanged = ({ name, changes }: Table) => changes !== rewrittenChanges.get(name)

  /** The smallest first: each may make room for the next. */
  async function rewriteWhere(isMeant: (table: Table) => boolean, disk: () => Disk) {
    const tables = isStopped ? [] : (await readTables(db)).filter(({ isOwn }) => isOwn)
    tables.forEach(noteLeast)
    for (const table of tables.filter(isMeant).toSorted((a, b) => a.bytes - b.bytes)) {
      if (isStopped) return
      const fits = table.bytes < disk().spare || table.bytes - (await reusableBytes(db, table.name)) < disk().spare
      if (fits) await rewrite(table)
      else tellTooLarge(table)
      await setImmediate()
    }
  }

  function tellTooLarge({ name, bytes }: Table) {
    if (tooLarge.has(name)) return
    tooLarge.add(name)
    const size = `${Math.ceil(bytes / 2 ** 20)} MB`
    log.warn(`there is not enough free space to rewrite the table ${name} (${size}), so deleted data stays on the disk`)
  }

  async function rewrite({ name, changes }: Table) {
    tooLarge.delete(name)
    await db.execute(sql.raw(`vacuum full ${name}`))
    for (const after of await readTables(db, name)) leastBytes.set(name, bytesOfRow(after))
    rewrittenChanges.set(name, changes)
    logHoldsDeleted = true
  }

  async function noteWritten(): Promise<void> {
    const bytes = await writtenBytes(db)
    if (bytes > written.bytes) written = { bytes, at: performance.now() }
  }

  function isLookDue({ isShort }: Disk): boolean {
    const fresh = written.bytes - looked.bytes
    if (isShort) return fresh > 0
    return fresh > LOOK_EVERY_BYTES || (fresh > 0 && performance.now() - looked.at > LOOK_EVERY_MS)
  }

  function isEraseDue({ isShort }: Disk): boolean {
    const now = performance.now()
    const since = now - (erasedAt ?? startedAt)
    if (isShort) return erasedAt === undefined || since > AGAIN_WHEN_SHORT_MS
    const isQuiet = now - written.at > QUIET_MS
    return since > ERASE_AT_LATEST_MS || (isQuiet && (erasedAt === undefined || since > ERASE_EVERY_MS))
  }

  async function erase(disk: () => Disk): Promise<void> {
    erasedAt = performance.now()
    await rewriteWhere(hasChanged, disk)
    if (!logHoldsDeleted || isStopped) return
    await db.execute(sql`select pg_switch_wal()`)
    await db.execute(sql`checkpoint`)
    logHoldsDeleted = false
  }

  async function run(disk: () => Disk): Promise<number> {
    await noteWritten()
    if (isLookDue(disk())) {
      await vacuum(disk().isShort)
      await rewriteWhere(hasGrown, disk)
      // The log grows by 16 MB at a time, and frees what is before the last checkpoint.
      if (disk().isShort) await db.execute(sql`checkpoint`)
      looked = { bytes: await writtenBytes(db), at: performance.now() }
    }
    if (isEraseDue(disk())) await erase(disk)
    return disk().isShort ? reusableBytes(db) : 0
  }

  return {
    run(disk) {
      const result = isStopped ? Promise.resolve(0) : run(disk)
      running = result
      return result
    },
    async stop() {
      isStopped = true
      await running.catch(() => {})
    },
  }
}

const bytesOfRow = ({ bytes, rows }: Table) => bytes / Math.max(1, rows)

async function writtenBytes(db: Db): Promise<number> {
  const position = sql<number>`pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8`
  const [row] = await db.select({ position }).from(sql`(select) as nothing`)
  return row?.position ?? 0
}

/** Statistics are lost when the process is killed: larger tables are then vacuumed once, to count their rows. */
function readTables(db: Db, name?: string): Promise<Table[]> {
  const hasDead = (of: string) => sql.raw(`${of}.n_dead_tup > ${DEAD_ROWS} + ${DEAD_SHARE} * ${of}.n_live_tup`)
  const bytes = sql<number>`pg_total_relation_size(own.relid)::float8`
  return db
    .select({
      name: sql<string>`own.relid::regclass::text`,
      isOwn: sql<boolean>`own.schemaname = 'public'`,
      bytes,
      rows: sql<number>`own.n_live_tup::float8`,
      changes: sql<number>`(own.n_tup_upd + own.n_tup_del)::float8`,
      dead: sql<number>`(own.n_dead_tup + coalesce(long.n_dead_tup, 0))::float8`,
      isDue: sql<boolean>`${hasDead('own')} or coalesce(${hasDead('long')}, false) or (own.last_vacuum is null and ${bytes} > ${GROWN_BYTES})`,
    })
    .from(
      sql`pg_stat_all_tables own
        join pg_class on pg_class.oid = own.relid
        left join pg_stat_all_tables long on long.relid = pg_class.reltoastrelid`,
    )
    .where(sql`own.schemaname <> 'pg_toast' and ${name ? sql`own.relid = ${name}::regclass` : true}`)
}

async function reusableBytes(db: Db, name?: string): Promise<number> {
  await db.execute(sql`create extension if not exists pg_freespacemap`)
  const ofTable = sql`pg_class.oid = ${name}::regclass or pg_class.oid = (select reltoastrelid from pg_class where oid = ${name}::regclass)`
  const [row] = await db
    .select({ bytes: sql<number>`coalesce(sum(free.avail), 0)::float8` })
    .from(sql`pg_class, pg_freespace(pg_class.oid) free`)
    .where(sql`relkind in ('r', 't') and ${name ? sql`(${ofTable})` : true}`)
  return row?.bytes ?? 0
}
