import { statSync } from 'node:fs'
import { request as http } from 'node:http'
import { request as https } from 'node:https'
import { join } from 'node:path'
import { type Config, ConfigError, isLoopback, readConfig } from '../../config'
import { CannotOpen } from '../../db/database'
import { FOR_OTHERS } from '../../db/embeddedFolder'
import { type DatabaseFacts, databaseFacts } from '../../db/installation'
import { measureDisk, spareFor } from '../../server/diskGuard'
import { openFiles } from '../../server/files/storage'
import { mailServer, sendTestMail } from '../../server/mail/transport'
import { fetchWithin } from '../../server/outbound'
import { redis } from '../../server/rateCounters'
import type { Context, Module, Say } from './command'
import { runCommand } from './runCommand'

export type Finding = { check: string; state: 'ok' | 'failed' | 'not used'; says: string; todo?: string }

/** A check that fails: what is wrong, and what to do. */
class FailedCheck extends Error {
  constructor(
    says: string,
    readonly todo: string,
  ) {
    super(says)
  }
}

/** `run` says what it found, or that there is nothing to check; anything it throws is a failure, and `todo` says what to do. */
async function examine(check: string, run: () => Promise<string | undefined>, todo: string): Promise<Finding> {
  try {
    const says = await run()
    return says === undefined ? { check, state: 'not used', says: 'not set up' } : { check, state: 'ok', says }
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    // These already say what to do.
    if (error instanceof CannotOpen || error instanceof ConfigError) return { check, state: 'failed', says }
    return { check, state: 'failed', says, todo: error instanceof FailedCheck ? error.todo : todo }
  }
}

async function mail(config: Config, to: string | undefined) {
  const { smtpUrl, production, publicUrl } = config
  const isOwnMachine = !production && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))
  if (!smtpUrl && to === undefined && isOwnMachine) return undefined
  if (!smtpUrl) throw new FailedCheck('no mail server is set up, so no email leaves this machine', 'set SMTP_URL and MAIL_FROM')
  const { host } = new URL(smtpUrl)
  if (to !== undefined) {
    const { sent, answer } = await sendTestMail(config, to)
    if (!sent) throw new Error(answer)
    return `${host} accepted an email to ${to}`
  }
  await (await mailServer(smtpUrl)).verify()
  return `${host} accepts email; --mail ADDRESS sends a test`
}

/** Writes, reads and deletes a small file, like an upload. */
async function storage(config: Config): Promise<string> {
  const files = openFiles(config)
  const name = `doctor-${crypto.randomUUID()}`
  await files.put(name, Buffer.from(name), 'text/plain')
  const read = await files.get(name)
  const isSame = (await read?.text()) === name
  await files.delete(name)
  if (!isSame) throw new FailedCheck('a file that was written could not be read back', 'check what else uses that location')
  return config.s3 ? `the bucket ${config.s3.bucket} stores files` : `${config.dataDir}/uploads stores files`
}

async function counters({ redisUrl }: Config) {
  if (!redisUrl) return undefined
  const client = redis(redisUrl)
  try {
    await client.connect()
    await client.send('EVAL', ['return 1', '0'])
    return `${new URL(redisUrl).host} is reachable`
  } finally {
    client.close()
  }
}

const OLDEST_POSTGRES = 15
const MIB = 2 ** 20
const CLOCK_MAY_DIFFER_MS = 2_000

export function databaseVersion({ version }: DatabaseFacts): string {
  if (Number.parseInt(version, 10) >= OLDEST_POSTGRES) return `Postgres ${version}, with all migrations`
  throw new FailedCheck(`Postgres ${version} is too old`, `move the data to Postgres ${OLDEST_POSTGRES} or newer`)
}

export function trigrams({ hasTrigrams }: DatabaseFacts): string {
  if (hasTrigrams) return 'installed'
  throw new FailedCheck('not installed', 'have an administrator run, on this database: create extension pg_trgm')
}

export function operator({ hasOperator }: DatabaseFacts, operatorEmail: string | undefined): string {
  if (hasOperator) return 'there is one'
  throw new FailedCheck(
    'there is none yet',
    operatorEmail
      ? 'at /login, create an account with the address in OPERATOR_EMAIL, or request a sign-in link for that address, then open the link that is emailed'
      : 'open the link that "wrk setup" prints, and sign in or create an account there',
  )
}

export function clock({ now }: DatabaseFacts, here: number): string {
  const difference = Math.round(here - now)
  if (Math.abs(difference) <= CLOCK_MAY_DIFFER_MS) return `within ${Math.abs(difference)} ms of the database’s`
  throw new FailedCheck(
    `${Math.abs(difference / 1_000).toFixed(1)} seconds ${difference > 0 ? 'ahead of' : 'behind'} the database’s`,
    'sync both machines’ clocks over NTP, for example with systemd-timesyncd or chrony',
  )
}

type Disk = Pick<Config, 'dataDir' | 'diskReserve'> & Partial<Pick<Config, 'databaseUrl'>>

export function room({ dataDir, diskReserve, databaseUrl }: Disk, facts?: Pick<DatabaseFacts, 'largestTable'>): string {
  const { free, size } = measureDisk(dataDir)
  if (size === 0) throw new FailedCheck(`${dataDir} cannot be measured`, 'start wrk once, which creates it, or set DATA_DIR')
  const says = `${Math.round(free / MIB)} MB free for ${dataDir}`
  const table = databaseUrl ? undefined : facts?.largestTable
  if (free >= diskReserve && table && table.bytes > spareFor(free, diskReserve))
    throw new FailedCheck(
      `${says}, not enough to rewrite the table ${table.name}, so deleted data stays on disk`,
      `free up space for its ${Math.ceil(table.bytes / MIB)} MB there; wrk then rewrites it within a day`,
    )
  if (free >= diskReserve) return says
  throw new FailedCheck(says, `free up space there: below ${diskReserve / MIB} MB (DISK_RESERVE_MB) changes are refused`)
}

const PARTS = ['.', 'postgres', 'uploads', 'mail', 'lock', 'command']

function rights({ dataDir }: Pick<Config, 'dataDir'>): string {
  const own = process.getuid?.()
  for (const path of PARTS.map((part) => join(dataDir, part))) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && found.mode & FOR_OTHERS) throw new FailedCheck(`other users can open ${path}`, `chmod go= ${path}`)
    if (found && own !== undefined && own !== 0 && found.uid !== own)
      throw new FailedCheck(
        `${path} belongs to another user`,
        `run this as the user that wrk runs as, or: chown -R USER ${dataDir}`,
      )
  }
  return `only its owner can open ${dataDir}`
}

const WITHIN_MS = 10_000
const ask = fetchWithin({ maxBytes: 64 * 1024, timeoutMs: WITHIN_MS })
const SWITCHED = 101
const UNAUTHORIZED = 401

const PROXY = 'have the proxy pass everything at PUBLIC_URL to this server, and allow answers that take up to ten seconds'

/** As visitors reach it, through the proxy. */
export async function address(publicUrl: string, mark: string | undefined): Promise<string> {
  const answer = await ask(`${publicUrl}/health`, { redirect: 'manual' })
  if (answer.status >= 300 && answer.status < 400)
    throw new FailedCheck(
      `it redirects to ${answer.headers.get('location')}`,
      'set PUBLIC_URL to the address at which the site answers',
    )
  const found = answer.headers.get('x-installation')
  if (found === null) throw new FailedCheck(`something else answers there, with ${answer.status}`, PROXY)
  if (mark !== undefined && found !== mark)
    throw new FailedCheck(
      'another installation of wrk answers there',
      'compare DATABASE_URL and DATA_DIR with those of the server',
    )
  if (!answer.ok)
    throw new FailedCheck(`it answers ${answer.status}: ${await reasonOf(answer)}`, 'fix what the other lines report')
  return `${publicUrl} is this installation`
}

const reasonOf = async (answer: Response) => {
  const body: unknown = await answer.json().catch(() => null)
  return typeof body === 'object' && body !== null && 'status' in body ? body.status : 'no reason'
}

export function encrypted(publicUrl: string, trustProxy: boolean): string {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:') return trustProxy ? 'used, behind a trusted proxy' : 'used'
  if (isLoopback(hostname)) return 'not needed for a loopback address'
  throw new FailedCheck(
    `${publicUrl} sends passwords and sessions where others can read them`,
    'put a proxy with a certificate in front, such as Caddy, and set PUBLIC_URL to its https address',
  )
}

const SOCKETS =
  'have the proxy pass WebSocket upgrades at /ws: the headers Upgrade and Connection, over HTTP/1.1, and without a short time limit'

/** Signed out: a server answers an upgrade with 401, some proxies with 101 before it; 426 answers a plain request. */
async function sockets(publicUrl: string): Promise<string> {
  const status = await upgradeStatus(new URL('/ws', publicUrl))
  if (status === UNAUTHORIZED || status === SWITCHED) return 'come through'
  throw new FailedCheck(`do not reach the server as WebSocket requests: something answers ${status}`, SOCKETS)
}

const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'd3JrIGRvY3RvciBhc2tzIQ==',
}

function upgradeStatus(url: URL): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const asked = (url.protocol === 'https:' ? https : http)(url, { headers: UPGRADE, timeout: WITHIN_MS })
  asked.on('response', ({ statusCode = 0 }) => resolve(statusCode))
  asked.on('upgrade', () => resolve(SWITCHED))
  asked.on('timeout', () => reject(new FailedCheck('nothing answers there', SOCKETS)))
  asked.on('error', reject)
  asked.end()
  return promise.finally(() => asked.destroy())
}

type Given = { mail?: string }

const START = 'check the server log, and DATABASE_URL or DATA_DIR'
const STORE = 'check S3_ENDPOINT, S3_BUCKET and its keys, or who may write to DATA_DIR'
const MAIL = 'check SMTP_URL and MAIL_FROM, and whether this machine can reach the mail server'
const OUTSIDE = 'check DNS, the proxy and its certificate, and whether PUBLIC_URL is the proxy’s address'

async function here(given: Given, say: Say): Promise<Finding[]> {
  const config = readConfig(process.env)
  const read = await readFacts(config, say)
  const findings = [
    ...read.findings,
    await examine('disk space', async () => room(config, read.facts), START),
    await examine('file permissions', async () => rights(config), START),
    await examine('storage', () => storage(config), STORE),
    await examine('mail', () => mail(config, given.mail), MAIL),
    await examine(
      'Redis',
      () => counters(config),
      'check REDIS_URL; without Redis, each process enforces rate limits on its own',
    ),
    ...(await fromOutside(config, read.facts?.mark)),
  ]
  if (findings.some(({ state }) => state === 'failed')) process.exitCode = 1
  return findings
}

type Read = { findings: Finding[]; facts?: DatabaseFacts }

async function readFacts({ operatorEmail }: Config, say: Say): Promise<Read> {
  let facts: DatabaseFacts | undefined
  const connected = await examine(
    'database',
    async () => {
      facts = (await runCommand('database', database, {} as never, say)) as DatabaseFacts
      return databaseVersion(facts)
    },
    START,
  )
  const known = facts
  if (!known) return { findings: [connected] }
  const now = Date.now()
  const rest = [
    await examine('pg_trgm', async () => trigrams(known), START),
    await examine('clock', async () => clock(known, now), START),
    await examine('operator', async () => operator(known, operatorEmail), START),
  ]
  return { findings: [connected, ...rest], facts: known }
}

async function fromOutside({ publicUrl, trustProxy }: Config, mark: string | undefined): Promise<Finding[]> {
  const at = async (look: (url: string) => string | Promise<string>) => (publicUrl === undefined ? undefined : look(publicUrl))
  return [
    await examine('public address', () => at((url) => address(url, mark)), OUTSIDE),
    await examine('https', () => at((url) => encrypted(url, trustProxy)), OUTSIDE),
    await examine('sockets', () => at(sockets), OUTSIDE),
  ]
}

const SIGNS = { ok: 'ok', failed: 'FAILED', 'not used': '-' }

/** Failures are red in a terminal, plain in a file. */
const red = (text: string) => (process.stdout.isTTY ? `\x1b[31m${text}\x1b[0m` : text)

function show(findings: Finding[]): string {
  const lines = findings.flatMap(({ check, state, says, todo }) => [
    (state === 'failed' ? red : String)(`${SIGNS[state].padEnd(6)}  ${check.padEnd(15)}  ${says}`),
    ...(todo ? [`${' '.repeat(25)}→ ${todo}`] : []),
  ])
  return lines.join('\n')
}

/** Checks everything a server needs. Exit code 1 if something fails. */
export const doctor: Module<Given, Finding[]> = { here, show }

export const database = {
  run: ({ database }: Context): Promise<DatabaseFacts> => databaseFacts(database.db),
  show: ({ version, hasTrigrams }: DatabaseFacts) => `Postgres ${version}, ${hasTrigrams ? 'with' : 'without'} pg_trgm`,
}
