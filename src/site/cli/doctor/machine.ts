import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../../config'
import { FOR_OTHERS } from '../../../db/embeddedFolder'
import type { DatabaseFacts } from '../../../db/facts'
import { measureDisk, spareFor } from '../../../server/diskGuard'
import { Ailment } from './finding'

const OLDEST_POSTGRES = 15
const MIB = 2 ** 20
const CLOCK_MAY_DIFFER_MS = 2_000

export function databaseVersion({ version }: DatabaseFacts): string {
  if (Number.parseInt(version, 10) >= OLDEST_POSTGRES) return `Postgres ${version}, with all migrations`
  throw new Ailment(`Postgres ${version} is too old`, `move the data to Postgres ${OLDEST_POSTGRES} or newer`)
}

export function trigrams({ hasTrigrams }: DatabaseFacts): string {
  if (hasTrigrams) return 'installed'
  throw new Ailment('not installed', 'have an administrator run, on this database: create extension pg_trgm')
}

export function operator({ hasOperator }: DatabaseFacts, operatorEmail: string | undefined): string {
  if (hasOperator) return 'there is one'
  throw new Ailment(
    'there is none yet',
    operatorEmail
      ? 'at /login, create an account with the email in OPERATOR_EMAIL, or ask for a sign-in link to it, and open the link emailed there'
      : 'open the link that "wrk setup" prints, and sign in or create an account there',
  )
}

export function clock({ now }: DatabaseFacts, here: number): string {
  const difference = Math.round(here - now)
  if (Math.abs(difference) <= CLOCK_MAY_DIFFER_MS) return `within ${Math.abs(difference)} ms of the database's`
  throw new Ailment(
    `${Math.abs(difference / 1_000).toFixed(1)} seconds ${difference > 0 ? 'ahead of' : 'behind'} the database's`,
    'sync both machines’ clocks over NTP, for example with systemd-timesyncd or chrony',
  )
}

type Disk = Pick<Config, 'dataDir' | 'diskReserve'> & Partial<Pick<Config, 'databaseUrl'>>

export function room({ dataDir, diskReserve, databaseUrl }: Disk, facts?: Pick<DatabaseFacts, 'largestTable'>): string {
  const { free, size } = measureDisk(dataDir)
  if (size === 0) throw new Ailment(`${dataDir} cannot be measured`, 'start wrk once, which creates it, or set DATA_DIR')
  const says = `${Math.round(free / MIB)} MB free for ${dataDir}`
  const table = databaseUrl ? undefined : facts?.largestTable
  if (free >= diskReserve && table && table.bytes > spareFor(free, diskReserve))
    throw new Ailment(
      `${says}, not enough to rewrite the table ${table.name}, so deleted data stays on the disk`,
      `make room for its ${Math.ceil(table.bytes / MIB)} MB there; wrk then rewrites it within a day`,
    )
  if (free >= diskReserve) return says
  throw new Ailment(says, `make room there: below ${diskReserve / MIB} MB (DISK_RESERVE_MB) changes are refused`)
}

const PARTS = ['.', 'postgres', 'uploads', 'mail', 'lock', 'command']

export function rights({ dataDir }: Pick<Config, 'dataDir'>): string {
  const own = process.getuid?.()
  for (const path of PARTS.map((part) => join(dataDir, part))) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && found.mode & FOR_OTHERS) throw new Ailment(`other users can open ${path}`, `chmod go= ${path}`)
    if (found && own !== undefined && own !== 0 && found.uid !== own)
      throw new Ailment(`${path} belongs to another user`, `run this as the user that wrk runs as, or: chown -R USER ${dataDir}`)
  }
  return `only its owner can open ${dataDir}`
}
