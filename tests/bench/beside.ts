/**
 * `bun run bench:beside URL [URL]`: two running servers under the same load, in turns; each may be wrk or Planka 2. With one
 * address wrk is started beside it, on BENCH_DATABASE_URL or the embedded database.
 */
import { parseArgs } from 'node:util'
import { plankaAt } from './besidePlanka'
import { wrkAt } from './besideWrk'
import { during, type Measured, type Times, timed } from './calls'
import { withCleanUp } from './cleanUp'
import { rowsOf } from './report'
import { collect, inTurns, type Samples } from './rounds'
import { makePlace, run } from './servers'
import { LISTENERS, type Service, unlessLimited } from './service'
import { conditions, table } from './tables'

const { values: options, positionals: addresses } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '11' }, seconds: { type: 'string', default: '1' } },
})

async function main() {
  const [first, second] = addresses
  if (!first) throw new Error('which server? bun run bench:beside URL [URL]')
  const own = second ? first : await started()
  const services = [await serviceAt(own), await serviceAt(second ?? first)] as const
  const samples: Samples = new Map()
  for (const [name, [what, measure]] of Object.entries(FIGURES)) {
    const turnOf = (service: Service) => () => unlessLimited(() => measure(service))
    const [ours, beside] = [turnOf(services[0]), turnOf(services[1])]
    // The first turn warms up.
    await ours()
    await beside()
    for (let nth = 0; nth < Number(options.rounds); nth++) {
      const taken = await inTurns(1, ours, beside)
      collect(samples, { [name]: { ours: taken.ours[what], beside: taken.beside[what] } })
    }
  }
  console.log(`\n${await conditions()}, ${services.map(({ name }) => name).join(' beside ')}:\n\n${table(rowsOf(samples, {}))}`)
}

const seconds = Number(options.seconds)
let asked = 0
const calling = (work: (nth: number) => Promise<unknown>, connections = 1) => during(seconds, connections, () => work(asked++))

const FIGURES: Record<string, [keyof Measured, (service: Service) => Promise<Times>]> = {
  'a board of 500 tasks opened a second, at 1 connection': ['perSecond', ({ open }) => calling(open)],
  'the same, at 10 connections': ['perSecond', ({ open }) => calling(open, 10)],
  'opened after a change, p50 ms': ['p50', afterChange],
  'create a task, p50 ms': ['p50', ({ create }) => calling(create)],
  'move a task, p50 ms': ['p50', ({ move }) => calling(move)],
  [`a move until the last of ${LISTENERS} sockets has it, p50 ms`]: ['p50', ({ moveHeard }) => calling(moveHeard)],
}

async function afterChange({ change, open }: Service): Promise<Times> {
  const times: number[] = []
  const { elapsed } = await calling(async (nth) => {
    await change(nth)
    times.push(await timed(() => open(asked++)))
  })
  return { times, elapsed }
}

async function started(): Promise<string> {
  const place = await makePlace(process.env.BENCH_DATABASE_URL)
  return (await run('src/main.ts', place)).origin
}

/** Only wrk describes itself at that address. */
async function serviceAt(address: string): Promise<Service> {
  const origin = new URL(address).origin
  const described = await fetch(`${origin}/api/docs/openapi.json`)
  const isOurs = described.ok && described.headers.get('content-type')?.includes('json')
  console.error(`${origin} is ${isOurs ? 'wrk' : 'taken for Planka'}; its board is being made`)
  return isOurs ? wrkAt(origin) : plankaAt(origin)
}

await withCleanUp(main)
