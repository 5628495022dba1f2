import { existsSync, fsyncSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite'
import { pg_freespacemap } from '@electric-sql/pglite/contrib/pg_freespacemap'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { log } from '../log'
import { oneAtATime } from '../promises'
import { CannotOpen, type Database, type Db, type MigrationState } from './database'
import { FOR_OTHERS, keepToOwner, lockDataDirectory } from './embeddedFolder'
import { messageOf } from './failures'
import { migrationsFolder, needsMigration } from './migrations'
import { createVacuum } from './vacuum'

/** What the migrations and vacuum.ts need. */
export const extensions = { pg_trgm, pg_freespacemap }

/** Runs Postgres in this process, with its files under `dataDir`. Throws CannotOpen. */
export async function openEmbedded(dataDir: string, schema: MigrationState): Promise<Database> {
  const folder = join(dataDir, 'postgres')
  if (schema === 'as it is' && !existsSync(folder)) throw new CannotOpen(noneIn(dataDir))
  const lock = lockDataDirectory(dataDir)
  const faults = watchFaults(folder)
  try {
    keepToOwner(dataDir)
    await assertSameVersion(folder)
    const client = await openPGlite({ ...durable(dataDir, faults), onStderr: faults.hear })
    const db = await migratedDb(client, schema)
    const vacuum = createVacuum(db)
    // During a backup it waits for minutes.
    const tidy = oneAtATime(() => shortenLog(client).catch(faults.warn))
    const tidying = setInterval(tidy, TIDY_EVERY_MS)
    tidying.unref()
    return {
      db,
      vacuum,
      async close() {
        clearInterval(tidying)
        await vacuum.stop()
        await client.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error instanceof CannotOpen ? error : new CannotOpen(faults.whyNotOpened(error))
  }
}

const noneIn = (dataDir: string) =>
  `DATA_DIR (${dataDir}) has no database: set it to the folder of the installation, or run "wrk start" or "wrk restore" first`

export async function openPGlite(options: PGliteOptions): Promise<PGlite> {
  const client = new SharedPGlite({ extensions, ...options })
  await client.waitReady
  return client
}

const TURN_EVERY_MS = 2

/** It answers in microtasks: without yielding in between, a series of queries would block everything else. */
class SharedPGlite extends PGlite {
  #last: Promise<unknown> = Promise.resolve()
  #turnedAt = performance.now()

  override query<Row>(...given: Parameters<PGlite['query']>) {
    return this.#inTurn(() => super.query<Row>(...given))
  }

  override transaction<T>(work: (transaction: Transaction) => Promise<T>) {
    return this.#inTurn(() => super.transaction(work))
  }

  /** One after the other, as PGlite works: waiting calls must not all yield at once. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(async () => {
      if (performance.now() - this.#turnedAt > TURN_EVERY_MS) {
        await setImmediate()
        this.#turnedAt = performance.now()
      }
      return run()
    })
    this.#last = answer.catch(() => {})
    return answer
  }
}

export async function migratedDb(client: PGlite, schema: MigrationState = 'migrated'): Promise<Db> {
  client.parsers = Object.fromEntries(Object.entries(client.parsers).filter(([type]) => Number(type) < TYPES_OF_ROWS))
  const db = drizzle({ client, casing: 'snake_case' })
  if (await needsMigration(db, schema)) await migrate(db, { migrationsFolder })
  return db
}

/** From this id on, types are tables' row types. PGlite copies its parsers on each Drizzle query, a quarter of its time. */
const TYPES_OF_ROWS = 10_000

/** PGlite runs Postgres with -F (no fsync) and its files ignore syncs; undone here, so that commits survive a power cut. */
export const durable = (dataDir: string, faults: Faults): PGliteOptions => ({
  fs: new DurableFS(join(dataDir, 'postgres'), faults),
  startParams: [
    ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
    '-c',
    'wal_sync_method=fsync',
    // The operating system caches these files too; Postgres' 128 MB would cost 100 MB and a seventh of a second per start.
    '-c',
    'shared_buffers=16MB',
    '-c',
    'maintenance_work_mem=16MB',
    // Without this a rewritten table goes to the log, too.
    '-c',
    'wal_level=minimal',
    '-c',
    'max_wal_senders=0',
    // Recycled log files would hold data deleted long ago.
    '-c',
    'wal_recycle=off',
  ],
})

const TIDY_EVERY_MS = 2_000
const LOG_MAX_BYTES = 32 * 2 ** 20

/** Nothing else in one process writes checkpoints: without them the write-ahead log would grow until the next start. */
async function shortenLog(client: PGlite): Promise<void> {
  const { rows } = await client.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
  )
  if ((rows[0]?.bytes ?? 0) > LOG_MAX_BYTES) await client.query('checkpoint')
}

type Files = {
  tryFSOperation<T>(operation: () => T): T
  node_ops: { setattr(node: unknown, attributes: { mode?: number }): void }
  stream_ops: { fsync?(stream: { nfd: number }): number }
}

/** Really syncs, closes files to other users, and reports failures: Postgres spins forever once it has given up. */
export class DurableFS extends NodeFS {
  constructor(
    folder: string,
    private readonly faults: Pick<Faults, 'failed' | 'end'>,
  ) {
    super(folder)
  }

  override async init(...args: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(...args)
    emscriptenOpts.preRun?.push(({ NODEFS }: { NODEFS: Files }) => {
      this.report(NODEFS)
      NODEFS.stream_ops.fsync = ({ nfd }) => {
        NODEFS.tryFSOperation(() => fsyncSync(nfd))
        return 0
      }
      const { setattr } = NODEFS.node_ops
      NODEFS.node_ops.setattr = (node, { mode, ...others }) =>
        setattr(node, mode === undefined ? others : { ...others, mode: mode & ~FOR_OTHERS })
    })
    return { emscriptenOpts: { ...emscriptenOpts, onAbort: () => this.faults.end() } }
  }

  private report(files: Files) {
    const { tryFSOperation } = files
    files.tryFSOperation = (operation) =>
      tryFSOperation(() => {
        try {
          return operation()
        } catch (error) {
          this.faults.failed(error)
          throw error
        }
      })
  }
}

const POSTGRES_VERSION = '18'

const EXPECTED = /^(ENOENT|EEXIST|ENOTEMPTY|ENOTDIR)/

/** Throws CannotOpen if another major version of Postgres made the folder. */
export async function assertSameVersion(folder: string): Promise<void> {
  const file = Bun.file(join(folder, 'PG_VERSION'))
  const version = (await file.exists()) ? (await file.text()).trim() : POSTGRES_VERSION
  if (version === POSTGRES_VERSION) return
  throw new CannotOpen(
    `the database in ${folder} was written by Postgres ${version || 'without a version'}, and this wrk has ${POSTGRES_VERSION}: ` +
      'start the version of wrk that wrote it, or set DATA_DIR to another folder',
  )
}

export type Faults = ReturnType<typeof watchFaults>

/** Why the database in `folder` failed: Postgres says so only on standard error, and about files not even there. */
export function watchFaults(folder: string) {
  let said = ''
  let ofFiles = ''
  return {
    failed(error: unknown) {
      if (error instanceof Error && !EXPECTED.test(error.message)) ofFiles = error.message
    },
    hear(line: string): boolean {
      said = /\b(?:PANIC|FATAL): {2}(.+)/.exec(line)?.[1] ?? said
      return true
    },
    whyNotOpened: (error: unknown) => `the database in ${folder} cannot be opened: ${said || ofFiles || messageOf(error)}`,
    /** A query after it gave up would make it spin forever and block every signal to the process. */
    end(): never {
      log.error(
        `the database in ${folder} failed: ${said || 'it did not say why'}. ` +
          'Everything it acknowledged is saved. wrk is stopping: fix the cause and start it again',
      )
      process.exit(1)
    },
    warn: (error: unknown) => log.warn(`the database's log could not be shortened: ${messageOf(error)}`),
  }
}
