import { hashPassword } from '../../src/auth/server/passwords'
import { openDatabase } from '../../src/db/openDatabase'
import { users } from '../../src/db/tables'
import { ownAddress } from '../support/browser'
import { mailbox } from '../support/mail'
import { startServer } from '../support/process'
import { random } from '../support/random'
import { makePlace } from './servers'

/**
 * Whether time tells which accounts exist: `bun tests/bench/timing.ts`, with BENCH_DATABASE_URL
 * on Postgres. Mail goes to a mail server in this process, for what is sent after an answer may slow the next one.
 */
const TRIES = 200
const WARM_UP = 20

/** The standard error of the overlap below, where two kinds take the same time. */
const CHANCE = Math.sqrt((2 * TRIES + 1) / (12 * TRIES * TRIES))

type Sample = { answer: number; next: number }

/** One request of each kind; each comes from an address of its own and is about a name of its own, as limits count. */
const KINDS = {
  'log in, unknown user': (nth: number) => logIn(`unknown${nth}`),
  'log in, wrong password': (nth: number) => logIn(`known${nth}`),
  'forgot password, unknown': (nth: number) => forgot(`unknown${nth}@example.com`),
  'forgot password, known': (nth: number) => forgot(`known${nth}@example.com`),
  'sign-in link, unknown': (nth: number) => link(`stranger${nth}@example.com`),
  'sign-in link, known': (nth: number) => link(`member${nth}@example.com`),
} satisfies Record<string, (nth: number) => Promise<number>>
type Kind = keyof typeof KINDS
// The keys of the object above, and no others.
const kinds = Object.keys(KINDS) as Kind[]

const logIn = (username: string) => timed('POST', '/api/auth/login', { username, password: 'wrong password' })
const forgot = (email: string) => timed('POST', '/api/auth/forgot-password', { email })
const link = (email: string) => timed('POST', '/api/auth/magic-link', { email })

const box = await mailbox()
const place = await makePlace(process.env.BENCH_DATABASE_URL)
await settle()
const { child, origin } = await startServer({
  DATA_DIR: place.dataDir,
  ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
  TRUST_PROXY: '1',
  SMTP_URL: box.url,
  MAIL_FROM: 'post@wrk.example.com',
})
const samples = await measure()
await box.arrived((TRIES + WARM_UP) * 2)
child.kill('SIGTERM')
await child.exited
await Promise.all([box.stop(), place.remove()])
report(samples)

/** As many accounts as tries, for each may be guessed at, and mailed to, a few times only. */
async function settle() {
  const { db, close } = await openDatabase(place)
  const password = await hashPassword('correct horse')
  const names = Array.from({ length: TRIES + WARM_UP }, (_, nth) => [`known${nth}`, `member${nth}`]).flat()
  await db.insert(users).values(names.map((username) => ({ username, email: `${username}@example.com`, password })))
  await close()
}

/** All kinds in turn, in an order of its own each time, so that what else the machine does meets all alike. */
async function measure() {
  const { shuffled } = random('the order of the tries')
  const samples = new Map<Kind, Sample[]>(kinds.map((kind) => [kind, []]))
  for (let nth = 0; nth < TRIES + WARM_UP; nth++)
    for (const kind of shuffled(kinds)) {
      const answer = await KINDS[kind](nth)
      const next = await timed('GET', '/health')
      if (nth >= WARM_UP) samples.get(kind)?.push({ answer, next })
    }
  return samples
}

/** Milliseconds until the whole answer is there. */
async function timed(method: string, path: string, body?: object): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': ownAddress() }
  const start = performance.now()
  const response = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  await response.arrayBuffer()
  const time = performance.now() - start
  if (![200, 401].includes(response.status)) throw new Error(`${path} answered ${response.status}`)
  return time
}

function report(measured: Map<Kind, Sample[]>) {
  const of = (kind: Kind, what: keyof Sample) => (measured.get(kind) ?? []).map((sample) => sample[what])
  for (const what of ['answer', 'next'] as const) {
    console.log(`\n${what === 'answer' ? 'the answer' : 'the request after it'}, ms: median (p5–p95) of ${TRIES}`)
    for (let nth = 0; nth < kinds.length; nth += 2) {
      const pair = kinds.slice(nth, nth + 2)
      for (const kind of pair) console.log(`  ${kind.padEnd(26)} ${summary(of(kind, what))}`)
      const [unknown = [], known = []] = pair.map((kind) => of(kind, what))
      console.log(`  the second is slower with a probability of ${overlap(unknown, known).toFixed(3)}\n`)
    }
  }
  console.log(`0.5 tells nothing; by chance alone it lies within 0.5 ± ${(1.96 * CHANCE).toFixed(3)} in 19 of 20 runs`)
}

function summary(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
  return `${at(0.5)} (${at(0.05)}–${at(0.95)})`
}

/** How likely one of `b` is larger than one of `a` (Mann and Whitney's U, as a share). */
function overlap(a: number[], b: number[]): number {
  const wins = b.flatMap((y) => a.map((x) => (y > x ? 1 : y === x ? 0.5 : 0)))
  return wins.reduce((sum: number, win) => sum + win, 0) / wins.length
}
