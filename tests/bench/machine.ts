import { readdirSync, readFileSync } from 'node:fs'

/** One processor in ten lost: what a round says is no longer about the servers. */
export const MAY_LOSE = 0.05

const TICKS_A_SECOND = 100

/**
 * Looks how much of the machine went to others until it is called: what all its processors did, and what the host kept for
 * itself, without what `own` processes and the database's did; a share of all processors. The clock ticks slowly, so that of a short
 * time it may be less than nothing.
 */
export function watchMachine(own: number[], database: string): () => number {
  const [busy, ours, start] = [busyTicks(), ownTicks(own, database), performance.now()]
  return () => {
    const others = busyTicks() - busy - since(ours, ownTicks(own, database))
    const all = ((performance.now() - start) / 1000) * TICKS_A_SECOND * navigator.hardwareConcurrency
    return others / all
  }
}

/** Without interrupts, which are mostly the servers' own. */
function busyTicks(): number {
  const [user = 0, nice = 0, system = 0, , , , , stolen = 0] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '')
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return user + nice + system + stolen
}

type Ticks = Map<number, number>

const ownTicks = (own: number[], database: string): Ticks =>
  new Map([process.pid, ...own, ...postgresProcesses(database)].map((pid) => [pid, ticksOf(pid)]))

/** Without those that have ended: what they did before is not taken off. */
const since = (before: Ticks, now: Ticks) => [...now].reduce((sum, [pid, ticks]) => sum + ticks - (before.get(pid) ?? 0), 0)

/** Those that work for the benchmark's databases, and those that work for all. */
function postgresProcesses(database: string): number[] {
  const isOurs = (name: string) => name.startsWith('postgres: ') && (name.includes(database) || !name.includes('127.0.0.1('))
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOurs(read(`/proc/${name}/cmdline`)))
    .map(Number)
}

/** Of a processor, so far. */
export function ticksOf(pid: number): number {
  const [, fields = ''] = read(`/proc/${pid}/stat`).split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return user + system
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It has ended.
    return ''
  }
}
