import { parseArgs } from 'node:util'
import { KIND_NAMES } from './faults'
import { CHECKS, type Check } from './history'
import { reportOf } from './report'

const HELP = `bun run soak [seconds] [seed] [--only kinds] [--without checks] [--no-redis] [--pages n]

  seconds    how long, 60 unless told otherwise
  seed       draws the same people, changes and faults again
  --only     kinds of faults, with commas, or the first word of several; none for no fault at all:
             ${KIND_NAMES.join(', ')}
  --without  checks to leave out, with commas: ${Object.keys(CHECKS).join(', ')}
  --offline  somebody works in the pages without a connection
  --no-redis without Redis between the processes
  --pages    how many pages in Chromium are among the clients, 2 unless told otherwise`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    without: { type: 'string', default: '' },
    pages: { type: 'string', default: '2' },
    offline: { type: 'boolean', default: false },
    'no-redis': { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}

const words = (text: string) => text.split(',').filter(Boolean)
const isCheck = (word: string): word is Check => word in CHECKS
const [seconds = '60', seed] = positionals
// Whoever draws by lot reads it when it is loaded.
if (seed !== undefined) process.env.SEED = seed
const { soak } = await import('./soak')

const result = await soak({
  seconds: Number(seconds),
  only: words(values.only),
  without: words(values.without).filter(isCheck),
  pages: Number(values.pages),
  offline: values.offline,
  redis: !values['no-redis'],
  say: console.log,
}).catch((error) => {
  console.error(error)
  // What runs besides this process ends with it.
  process.kill(process.pid, 'SIGTERM')
  return new Promise<never>(() => {})
})
for (const line of reportOf(result)) console.log(line)
process.exit(result.history.violations.length > 0 ? 1 : 0)
