import { type Config, readConfig } from '../../../config'
import { type DatabaseFacts, databaseFacts } from '../../../db/installation'
import type { Context, Module, Say } from '../command'
import { reach } from '../reach'
import {
  address,
  clock,
  counters,
  databaseVersion,
  encrypted,
  examine,
  type Finding,
  mail,
  NOT_USED,
  operator,
  rights,
  room,
  sockets,
  storage,
  trigrams,
} from './checks'

type Given = { mail?: string }

const START = 'check the server log, and DATABASE_URL or DATA_DIR'
const STORE = 'check S3_ENDPOINT, S3_BUCKET and its keys, or who may write to DATA_DIR'
const MAIL = 'check SMTP_URL and MAIL_FROM, and whether this machine can reach the mail server'
const OUTSIDE = 'check DNS, the proxy and its certificate, and whether PUBLIC_URL is its address'

async function here(given: Given, say: Say): Promise<Finding[]> {
  const config = readConfig(process.env)
  const read = await readFacts(config, say)
  const findings = [
    ...read.findings,
    await examine('disk space', async () => room(config, read.facts), START),
    await examine('file permissions', async () => rights(config), START),
    await examine('storage', () => storage(config), STORE),
    await examine('mail', () => mail(config, given.mail), MAIL),
    await examine('Redis', () => counters(config), 'check REDIS_URL; without it each process counts limits by itself'),
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
      facts = (await reach('database', database, {} as never, say)) as DatabaseFacts
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
  const at = async (look: (url: string) => string | Promise<string>) => (publicUrl === undefined ? NOT_USED : look(publicUrl))
  return [
    await examine('public address', () => at((url) => address(url, mark)), OUTSIDE),
    await examine('https', () => at((url) => encrypted(url, trustProxy)), OUTSIDE),
    await examine('sockets', () => at(sockets), OUTSIDE),
  ]
}

const SIGNS = { ok: 'ok', failed: 'FAILED', 'not used': '-' }

/** What fails is red where somebody looks on, and plain in a file. */
const red = (text: string) => (process.stdout.isTTY ? `\x1b[31m${text}\x1b[0m` : text)

function show(findings: Finding[]): string {
  const lines = findings.flatMap(({ check, state, says, todo }) => [
    (state === 'failed' ? red : String)(`${SIGNS[state].padEnd(6)}  ${check.padEnd(15)}  ${says}`),
    ...(todo ? [`${' '.repeat(25)}→ ${todo}`] : []),
  ])
  return lines.join('\n')
}

/** Checks all that a server needs. Exit code 1 if something fails. */
export const doctor: Module<Given, Finding[]> = { here, show }

export const database = {
  run: ({ database }: Context): Promise<DatabaseFacts> => databaseFacts(database.db),
  show: ({ version, hasTrigrams }: DatabaseFacts) => `Postgres ${version}, ${hasTrigrams ? 'with' : 'without'} pg_trgm`,
}
