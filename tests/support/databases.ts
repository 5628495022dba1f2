import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { auto_explain } from '@electric-sql/pglite/contrib/auto_explain'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { readConfig } from '../../src/config'
import type { Database, Db } from '../../src/db/database'
import { openDatabase } from '../../src/db/openDatabase'
import { extensions, migratedDb, openPGlite } from '../../src/db/pglite'
import { boards, deletedCustomers, firstAccount, magicLinks, mails, unwantedFiles, users } from '../../src/db/tables'
import { serve } from '../../src/site/serve'
import { emptyDatabase, made } from './emptyDatabase'
import { takeFaults } from './faults'
import { outsideOf } from './network'
import { type People, type PeopleWithTask, peopleOf, peopleWithTask } from './people'
import { hearPlan } from './plans'
import { PATIENCE, until } from './until'

/** A running server on a database of its own, emptied before each test. */
export type Server = {
  origin: string
  db: Db
  people: () => Promise<People>
  peopleWithTask: (title?: string) => Promise<PeopleWithTask>
  clear: () => Promise<void>
  clean: () => Promise<unknown>
  gather: () => Promise<void>
  reconcile: () => Promise<void>
}

/** Nothing can be written there, not even by root: these servers keep no files, and mail needs a mailbox. */
const NO_FOLDER = '/dev/null/nowhere'

/** Where scratch databases can be made, if anywhere. */
const administration = process.env.TEST_DATABASE_URL

/**
 * Describes tests that run on the embedded database and, where TEST_DATABASE_URL names a Postgres server, on
 * that too. What `define` is given works within tests only.
 */
export function onEachDatabase(name: string, define: (server: Server) => void, env: Record<string, string> = {}): void {
  setDefaultTimeout(PATIENCE)
  describe(`${name} (embedded)`, () => define(running(openInMemory, env)))
  if (!administration) return
  describe(`${name} (Postgres)`, () => define(running(openQuick, env)))
}

/**
 * Describes tests that are mostly of races and crashes: on the Postgres server where there is one, for the embedded
 * database does one thing at a time.
 */
export function onServer(name: string, define: (server: Server) => void, env: Record<string, string> = {}): void {
  setDefaultTimeout(PATIENCE)
  describe(administration ? `${name} (Postgres)` : name, () => define(running(openQuick, env)))
}

/** A test among those of a server whose calls wait for each other's locks. */
export const onPostgres = test.skipIf(!administration)

/** Makes a change that is committed once `act` waits for it, or is over. */
export const amid = <T>(db: Db, change: (db: Db) => Promise<unknown>, act: () => Promise<T>): Promise<{ answer: Promise<T> }> =>
  db.transaction(async (own) => {
    await change(own)
    const answer = act()
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const waits = until('it waits', async () => ((await db.execute(waiting)) as unknown as unknown[]).length > 0)
    await Promise.race([answer, waits])
    // Not the promise itself: the transaction would wait for what waits for it.
    return { answer }
  })

/** Describes tests of what no database has a part in: they run on the quicker one; `kept` is what each leaves to the next. */
export function onOneDatabase(
  name: string,
  define: (server: Server) => void,
  env: Record<string, string> = {},
  { kept = false } = {},
): void {
  setDefaultTimeout(PATIENCE)
  describe(name, () => define(running(openQuick, env, kept)))
}

/** Describes tests of what Postgres does for a query: the embedded database does for one session only. */
export function onEmbedded(name: string, define: (server: Server) => void, env: Record<string, string> = {}): void {
  setDefaultTimeout(PATIENCE)
  describe(name, () => define(running(openInMemory, env, true)))
}

/** Boards first: none is left without its creator. */
export async function deleteEverybody(db: Db): Promise<void> {
  await db.delete(boards)
  await db.delete(users)
  // Of addresses, whoever has them.
  await db.delete(magicLinks)
}

function running(open: () => Promise<Database>, env: Record<string, string>, kept = false): Server {
  let parts: Pick<Server, 'origin' | 'db' | 'clean' | 'gather' | 'reconcile'> | undefined
  let stop = async () => {}
  beforeAll(async () => {
    const database = await open()
    // Nobody whom a test registers is the operator, but where it is about that.
    await database.db.insert(firstAccount).values({}).onConflictDoNothing()
    const config = readConfig({ PORT: '0', DATA_DIR: NO_FOLDER, TRUST_PROXY: '1', ...env })
    const started = await serve(config, database, 'none')
    started.services.fetchOutside = outsideOf(config)
    const { port, clean, gather, reconcile } = started
    parts = { origin: `http://127.0.0.1:${port}`, db: database.db, clean, gather, reconcile }
    stop = started.stop
  }, PATIENCE)
  // Everything but mail belongs to somebody, and goes with them.
  const clear = async () => {
    await given().db.delete(mails)
    await deleteEverybody(given().db)
    // Noted down as the rows went.
    await given().db.delete(unwantedFiles)
    await given().db.delete(deletedCustomers)
  }
  if (!kept) beforeEach(clear)
  // A test that brings a fault about takes it first.
  afterEach(() => expect(takeFaults()).toEqual([]))
  afterAll(() => stop(), PATIENCE)

  const given = () => {
    if (!parts) throw new Error('the server runs only within tests')
    return parts
  }
  return {
    get origin() {
      return given().origin
    },
    get db() {
      return given().db
    },
    people: () => peopleOf(given()),
    peopleWithTask: (title) => peopleWithTask(given(), title),
    clear,
    clean: () => given().clean(),
    gather: () => given().gather(),
    reconcile: () => given().reconcile(),
  }
}

let embeddedOnce: Promise<Db> | undefined

/** One embedded database for all files of a run: starting one takes seconds. */
export async function openInMemory(): Promise<Database> {
  embeddedOnce ??= createEmbedded()
  return { db: await embeddedOnce, close: async () => {} }
}

let serverOnce: Promise<Database> | undefined

async function createEmbedded(): Promise<Db> {
  const options = { extensions: { ...extensions, auto_explain }, onStderr: hearPlan }
  return migratedDb(await openPGlite({ ...options, loadDataDir: await emptyDatabase() }))
}

/** As above, on the Postgres server where there is one, which takes half of the work. */
export async function openQuick(): Promise<Database> {
  if (!administration) return openInMemory()
  serverOnce ??= openOfProcess()
  return { ...(await serverOnce), close: async () => {} }
}

const OF_PROCESS = 'wrk_test_process_'

/** Nothing tells a process of tests that it ends, so the next one drops what it left. */
async function openOfProcess(): Promise<Database> {
  const name = OF_PROCESS + process.pid
  const template = await migrated()
  await asAdministrator(async (sql) => {
    const left = await sql<{ datname: string }[]>`select datname from pg_database where starts_with(datname, ${OF_PROCESS})`
    // Not while somebody uses it, who may be a process of another machine.
    for (const { datname } of left)
      if (!isRunning(Number(datname.slice(OF_PROCESS.length)))) await sql.unsafe(`drop database ${datname}`).catch(() => {})
    await sql.unsafe(`create database ${name} template ${template}`)
  })
  return openDatabase({ databaseUrl: urlOf(name), dataDir: '/nowhere' })
}

const isRunning = (pid: number) => pid !== process.pid && existsSync(`/proc/${pid}`)

/** A new database on the test server, with every migration and nothing in it. */
export const scratchDatabase = async () => databaseOf(await migrated())

/** As above, where nothing has been migrated. */
export const blankDatabase = () => databaseOf('template1')

async function databaseOf(template: string) {
  const name = `wrk_test_${crypto.randomUUID().replaceAll('-', '')}`
  await asAdministrator((sql) => sql.unsafe(`create database ${name} template ${template}`))
  return { url: urlOf(name), drop: () => asAdministrator((sql) => sql.unsafe(`drop database ${name} with (force)`)) }
}

let migratedOnce: Promise<string> | undefined

/** What the databases of tests are copied from: migrating each of them takes longer. */
function migrated(): Promise<string> {
  migratedOnce ??= migratedDatabase()
  return migratedOnce
}

const MIGRATED = 'wrk_test_migrated_'

async function migratedDatabase(): Promise<string> {
  const name = MIGRATED + made
  const unfinished = `${name}_unfinished`
  await asAdministrator(async (sql) => {
    // Of several processes that start together one makes it; the lock goes with the connection.
    await sql`select pg_advisory_lock(hashtext(${name}))`
    const [found] = await sql`select 1 from pg_database where datname = ${name}`
    if (found) return
    await sql.unsafe(`drop database if exists ${unfinished}`)
    await sql.unsafe(`create database ${unfinished}`)
    const { close } = await openDatabase({ databaseUrl: urlOf(unfinished), dataDir: '/nowhere' })
    await close()
    await sql.unsafe(`alter database ${unfinished} rename to ${name}`)
    // Not everybody may look at files.
    await dropOld(sql).catch(() => {})
  })
  return name
}

/** Of schemas that nobody has by now; a younger one may be of another checkout, whose tests run. */
async function dropOld(sql: postgres.Sql) {
  const old = await sql<{ datname: string }[]>`
    select datname from pg_database
    where starts_with(datname, ${MIGRATED}) and (pg_stat_file('base/' || oid || '/PG_VERSION')).modification < now() - interval '1 day'`
  for (const { datname } of old) await sql.unsafe(`drop database if exists ${datname}`)
}

function urlOf(name: string): string {
  const url = new URL(administration ?? '')
  url.pathname = `/${name}`
  return url.href
}

async function asAdministrator(work: (sql: postgres.Sql) => Promise<unknown>) {
  if (!administration) throw new Error('TEST_DATABASE_URL is not set')
  const sql = postgres(administration, { max: 1, onnotice: () => {} })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}
