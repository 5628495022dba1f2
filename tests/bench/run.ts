/**
 * `bun run bench [figure…]`: the server beside a bare one that does the same by hand, on the same kind of database, at once.
 * BENCH_DATABASE_URL names a Postgres server on which it may create databases; without it, the embedded one serves.
 */
import { parseArgs } from 'node:util'
import { withCleanUp } from './cleanUp'
import { type Bench, figures, type Side } from './figures'
import { fill } from './fill'
import { GOALS, START } from './goals'
import { watchMachine } from './machine'
import { firstPage } from './page'
import { tableOf } from './report'
import { type Found, inTurns, type Samples, startLoad } from './rounds'
import { DATABASES, makePlace, type Place, type Program, run, twin } from './servers'
import { conditions, publish } from './tables'

const BOARDS = [500, 5_000]

const { values: options, positionals: only } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '11' }, write: { type: 'boolean' } },
})
const rounds = Number(options.rounds)
const names = ['start', 'memory', ...Object.keys(figures), 'page']
const kind = process.env.BENCH_DATABASE_URL ? 'Postgres' : 'embedded'

async function main() {
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: the figures are ${names.join(', ')}`)
  if (options.write && only.length > 0) throw new Error('only a whole run is written down')
  const wanted = (name: string) => only.length === 0 || only.includes(name)
  await Bun.$`bun run build`.quiet()
  const place = await makePlace(process.env.BENCH_DATABASE_URL)
  const filled = await fill(place, ...BOARDS)
  const other = await twin(place)
  const samples: Samples = wanted('start') ? await starting(place, other) : new Map()
  const ours: Side = { server: await run('src/main.ts', place), filled }
  const bare: Side = { server: await run('tests/bench/bare.ts', other), filled }
  await measure({ load: startLoad(), ours, bare, rounds }, wanted, samples)
  await publish(`bench ${kind}`, `${await conditions()}, ${kind}:\n\n${tableOf(samples, GOALS[kind])}`)
  if (wanted('page')) await reportPage(ours)
}

async function measure(bench: Bench, wanted: (name: string) => boolean, samples: Samples) {
  const remember = async (when: string) =>
    samples.set(`memory ${when}, MiB`, [{ ours: await bench.ours.server.memory(), beside: await bench.bare.server.memory() }])
  if (wanted('memory')) await Bun.sleep(IDLE_MS).then(() => remember('idle'))
  for (const [name, figure] of Object.entries(figures)) {
    if (!wanted(name)) continue
    console.error(name)
    for (const [title, pairs] of await figure(bench)) samples.set(title, pairs)
  }
  if (wanted('memory')) await remember('after load')
}

const IDLE_MS = 2_000

/** Each is started and stopped again, so this comes before all else. */
async function starting(place: Place, other: Place): Promise<Samples> {
  const start = async (program: Program, at: Place): Promise<Found> => {
    const own: number[] = []
    const lost = watchMachine(own, DATABASES)
    const server = await run(program, at)
    own.push(server.pid)
    const values = { [START]: server.startedIn }
    const found = { values, lost: lost() }
    await server.stop()
    return found
  }
  const [ours, bare] = [() => start('src/main.ts', place), () => start('tests/bench/bare.ts', other)]
  await ours()
  await bare()
  return inTurns(rounds, ours, bare)
}

async function reportPage({ server }: Side) {
  for (const path of ['/', '/login']) {
    const { html, css, js } = await firstPage(server.origin, path)
    console.log(`first load of ${path}, gzip: html ${html} + css ${css} + js ${js} = ${html + css + js} bytes`)
  }
}

await withCleanUp(main)
