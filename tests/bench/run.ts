/**
 * `bun run bench [figure…]`: the server beside a bare one that does the same by hand, on the same kind of database, at once.
 * BENCH_DATABASE_URL names a Postgres server on which it may create databases; without it, the embedded one serves.
 */
import { parseArgs } from 'node:util'
import { withCleanUp } from './cleanUp'
import { type Bench, figures, type Side } from './figures'
import { type Filled, fill } from './fill'
import { GOALS, IDLE, START } from './goals'
import { firstPage } from './page'
import { rowsOf } from './report'
import { collect, inTurns, type Pair, type Samples, startLoad, type Turn, undisturbed } from './rounds'
import { makePlace, type Place, type Program, run, twin } from './servers'
import { amongWritten, conditions, publish, table } from './tables'

const BOARDS = [500, 5_000]

const { values: options, positionals: only } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '9' }, write: { type: 'boolean' } },
})
const rounds = Number(options.rounds)
const names = ['start', 'memory', ...Object.keys(figures), 'page']
const isWhole = only.length === 0
const kind = process.env.BENCH_DATABASE_URL ? 'Postgres' : 'embedded'

async function main() {
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: the figures are ${names.join(', ')}`)
  const wanted = (name: string) => isWhole || only.includes(name)
  await Bun.$`bun run build`.quiet()
  const place = await makePlace(process.env.BENCH_DATABASE_URL)
  const filled = await fill(place, ...BOARDS)
  const other = await twin(place)
  const load = startLoad()
  const samples: Samples = new Map()
  for (let nth = 0; nth < rounds; nth++) {
    console.error(`round ${nth + 1} of ${rounds}`)
    if (wanted('start')) collect(samples, await starting(place, other))
    const bench = { load, ...(await startBoth(place, other, filled)) }
    await measure(bench, wanted, samples)
    if (wanted('page') && nth === rounds - 1) await reportPage(bench.ours)
    for (const { server } of [bench.ours, bench.bare]) await server.stop()
  }
  const name = `bench ${kind}`
  const rows = rowsOf(samples, GOALS[kind])
  const all = options.write && !isWhole ? await amongWritten(name, rows) : rows
  await publish(name, `${await conditions()}, ${kind}:\n\n${table(all)}`)
}

async function startBoth(place: Place, other: Place, filled: Filled): Promise<{ ours: Side; bare: Side }> {
  const ours = { server: await run('src/main.ts', place), filled }
  return { ours, bare: { server: await run('tests/bench/bare.ts', other), filled } }
}

async function measure(bench: Bench, wanted: (name: string) => boolean, samples: Samples) {
  const remember = async (name: string) => {
    const [ours, beside] = [await bench.ours.server.memory(), await bench.bare.server.memory()]
    collect(samples, { [name]: { ours, beside } })
  }
  if (wanted('memory')) {
    await Bun.sleep(IDLE_MS)
    await remember(IDLE)
  }
  for (const [name, figure] of Object.entries(figures)) if (wanted(name)) collect(samples, await figure(bench))
  if (isWhole) await remember('memory after load, MiB')
}

const IDLE_MS = 2_000
const STARTS = 5

/** Each is started and stopped again, so this comes before all else. */
async function starting(place: Place, other: Place): Promise<Record<string, Pair>> {
  const start = (program: Program, at: Place) => () => started(program, at)
  const { ours, beside, isDisturbed } = await undisturbed([], () =>
    inTurns(STARTS, start('src/main.ts', place), start('tests/bench/bare.ts', other)),
  )
  return { [START]: { ours: ours.p50, beside: beside.p50, isDisturbed } }
}

async function started(program: Program, at: Place): Promise<Turn> {
  const server = await run(program, at)
  await server.stop()
  return { times: [server.startedIn], elapsed: server.startedIn }
}

async function reportPage({ server }: Side) {
  for (const path of ['/', '/login']) {
    const { html, css, js } = await firstPage(server.origin, path)
    console.log(`first load of ${path}, brotli: html ${html} + css ${css} + js ${js} = ${html + css + js} bytes`)
  }
}

await withCleanUp(main)
