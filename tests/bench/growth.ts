/**
 * `bun run bench:growth`: every call on a small board where others have 10,000 tasks, beside the same where they have 1,000,000.
 * BENCH_DATABASE_URL names a Postgres server on which it may create databases.
 */
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import type { Db } from '../../src/db/database'
import { openDatabase } from '../../src/db/openDatabase'
import { fillCrowd, ONLY_CROWD, type Size } from '../support/crowd'
import { type EveryCall, everyCall } from '../support/everyCall'
import { peopleOf } from '../support/people'
import { startServer } from '../support/process'
import { type Given, newWorld } from '../support/world'
import { atEnd, withCleanUp } from './cleanUp'
import { makePlace, type Place, twin } from './servers'
import { conditions, median, publish, shown, table } from './tables'

const LIMIT = 1.25
/** As much lies between two rounds of one call, so less says nothing of a call of a millisecond. */
const FLOOR_MS = 0.5
const SPENT_ROUNDS = 15
const TOO_MANY = 429

const { values: options, positionals: only } = parseArgs({
  allowPositionals: true,
  options: {
    tasks: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '41' },
    write: { type: 'boolean' },
  },
})
const tasks = Number(options.tasks)
/** Already the small one fills the pages of every list. */
const GROWN_TIMES = 100
const sizeOf = (tasks: number): Size => ({
  tasks,
  boards: Math.max(5, Math.round(tasks / 100)),
  users: Math.max(10, Math.round(tasks / 50)),
})
const rounds = Number(options.rounds)

type Site = { origin: string; db: Db }
type Compared = { call: EveryCall; before: number; after: number }

async function main() {
  if (!process.env.BENCH_DATABASE_URL) throw new Error('BENCH_DATABASE_URL has to name a Postgres server')
  const [small, large] = await bothSites()
  const calls = everyCall().filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))
  const compared: Compared[] = []
  for (const call of calls) compared.push(await compare(call, small, large))
  await report(compared)
  if (compared.some(hasGrown)) process.exitCode = 1
}

async function bothSites(): Promise<[Site, Site]> {
  const place = await makePlace(process.env.BENCH_DATABASE_URL)
  await (await openDatabase(place)).close()
  const grown = await twin(place)
  await fill(place, tasks / GROWN_TIMES)
  await fill(grown, tasks)
  return [await siteAt(place), await siteAt(grown)]
}

async function fill({ databaseUrl = '' }: Place, tasks: number) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const start = performance.now()
  await fillCrowd((query) => sql.unsafe(query), sizeOf(tasks))
  await sql.unsafe('vacuum analyze')
  const [row] = await sql`select pg_size_pretty(pg_database_size(current_database())) as size`
  console.error(`${tasks} tasks, ${row?.size}, after ${Math.round((performance.now() - start) / 1000)} s`)
  await sql.end()
}

async function siteAt(place: Place): Promise<Site> {
  const { databaseUrl = '', dataDir } = place
  const { child, origin } = await startServer({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, TRUST_PROXY: '1' })
  const { db, close } = await openDatabase(place)
  atEnd(close)
  atEnd(async () => {
    child.kill()
    await child.exited
  })
  return { origin, db }
}

/** What seems to have grown is measured again, for longer; without the dead rows of the worlds before, which go sooner from a small table. */
async function compare(call: EveryCall, small: Site, large: Site): Promise<Compared> {
  const times = call.spends ? Math.min(rounds, SPENT_ROUNDS) : rounds
  const once = { call, ...(await inTurns(call, [small, large], times)) }
  if (hasGrown(once)) for (const { db } of [small, large]) await db.execute('vacuum')
  const compared = hasGrown(once) ? { call, ...(await inTurns(call, [small, large], 3 * times)) } : once
  console.error(
    `${shown(compared.after / compared.before)}  ${shown(compared.before)} → ${shown(compared.after)} ms  ${call.name}`,
  )
  return compared
}

const hasGrown = ({ before, after }: Pick<Compared, 'before' | 'after'>) => after > LIMIT * before && after - before > FLOOR_MS

async function inTurns(call: EveryCall, [small, large]: [Site, Site], times: number) {
  const before = asker(call, small)
  const after = asker(call, large)
  for (let n = 0; n < times; n++) for (const asked of n % 2 ? [before, after] : [after, before]) await asked.ask()
  return { before: median(before.took), after: median(after.took) }
}

function asker(call: EveryCall, site: Site) {
  const took: number[] = []
  let world: Given | undefined
  async function ask() {
    const isFirst = !world
    world ??= await worldAt(site)
    const send = await call.ready(world)
    // What a process does once for somebody new, it has done.
    if (isFirst && !call.spends) await send()
    const start = performance.now()
    const { status } = await send()
    const time = performance.now() - start
    if (call.spends || status === TOO_MANY) world = undefined
    if (status === TOO_MANY) return
    if (status !== call.status) throw new Error(`${call.name} answered ${status}`)
    took.push(time)
  }
  return { took, ask }
}

const worldAt = (site: Site): Promise<Given> =>
  newWorld({
    db: site.db,
    people: () => peopleOf(site),
    clear: async () => {
      for (const query of ONLY_CROWD) await site.db.execute(query)
    },
  })

async function report(compared: Compared[]) {
  const grown = compared.filter(hasGrown)
  const worst = compared.toSorted((a, b) => b.after / b.before - a.after / a.before).slice(0, 5)
  const { users, boards } = sizeOf(tasks)
  const counts = [tasks, boards, users].map((count) => count.toLocaleString('en-CA'))
  const lines = [
    `${await conditions()}: ${counts[0]} tasks, ${counts[1]} boards and ${counts[2]} users of others, with all their data; “before” has a hundredth of it. Of ${compared.length} calls, ${grown.length} take more than ${LIMIT} times as long and ${FLOOR_MS} ms more. The five that differ most:`,
    table([
      ['p50 of calls in turns, ms', 'ratio', 'before', 'after'],
      ...worst.map(({ call, before, after }) => [call.name, shown(after / before), shown(before), shown(after)]),
    ]),
  ]
  await publish('growth', lines.join('\n\n'))
}

await withCleanUp(main)
