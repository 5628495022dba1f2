/**
 * `bun run bench:beside URL [URL]`: two running servers under the same load, in turns; each may be wrk or Planka 2. With one
 * address wrk is started beside it, on BENCH_DATABASE_URL or the embedded database.
 */
import { parseArgs } from 'node:util'
import { plankaAt } from './besidePlanka'
import { wrkAt } from './besideWrk'
import { during, summary, timed } from './calls'
import { withCleanUp } from './cleanUp'
import { tableOf } from './report'
import { inTurns, type Samples } from './rounds'
import { makePlace, run } from './servers'
import { LISTENERS, type Service, unlessLimited } from './service'
import { conditions } from './tables'

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
  for (const [name, measure] of Object.entries(FIGURES)) {
    const [ours, beside] = services.map(
      (service) => () => unlessLimited(async () => ({ values: { [name]: await measure(service) }, lost: 0 })),
    )
    if (!ours || !beside) continue
    // The first round warms up.
    await ours()
    await beside()
    for (const [title, pairs] of await inTurns(Number(options.rounds), ours, beside)) samples.set(title, pairs)
  }
  console.log(`\n${await conditions()}, ${services.map(({ name }) => name).join(' beside ')}:\n\n${tableOf(samples, {})}`)
}

const seconds = Number(options.seconds)
let asked = 0
const perSecond = async (connections: number, work: (nth: number) => Promise<unknown>) =>
  (await during(seconds, connections, () => work(asked++))).perSecond
const p50 = async (work: (nth: number) => Promise<unknown>) => (await during(seconds, 1, () => work(asked++))).p50

const FIGURES: Record<string, (service: Service) => Promise<number>> = {
  'a board of 500 tasks opened a second, at 1 connection': ({ open }) => perSecond(1, open),
  'the same, at 10 connections': ({ open }) => perSecond(10, open),
  'opened after a change, p50 ms': afterChange,
  'create a task, p50 ms': ({ create }) => p50(create),
  'move a task, p50 ms': ({ move }) => p50(move),
  [`a move until the last of ${LISTENERS} sockets has it, p50 ms`]: ({ moveHeard }) => p50(moveHeard),
}

async function afterChange({ change, open }: Service): Promise<number> {
  const took: number[] = []
  await during(seconds, 1, async () => {
    await change(asked++)
    took.push(await timed(() => open(asked++)))
  })
  return summary(took, 1).p50
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
