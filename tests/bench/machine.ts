import { readdirSync, readFileSync } from 'node:fs'

/** One processor in ten lost: what a round says is no longer about the servers. */
export const MAY_LOSE = 0.05

const TICKS_A_SECOND = 100

/**
 * Looks how much of the machine went to others until it is called: what all its processors did, and what the host kept for
 * itself, without what this process, `own` ones and the database's did, or others that these had started; a share of all
 * processors. The clock ticks slowly, so it says little of less than a second.
 */
export function watchMachine(own: number[], database: string): () => number {
  const ownTicks = () => [process.pid, ...own, ...postgresProcesses(database)].reduce((sum, pid) => sum + ticksOf(pid), 0)
  const [busy, ours, start] = [busyTicks(), ownTicks(), performance.now()]
  return () => {
    const others = busyTicks() - busy - (ownTicks() - ours)
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

/** Those that work for the benchmark's databases, those that work for all, and who starts them. */
function postgresProcesses(database: string): number[] {
  const isOurs = (name: string) => name.startsWith('postgres: ') && (name.includes(database) || !name.includes('127.0.0.1('))
  const workers = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOurs(read(`/proc/${name}/cmdline`)))
    .map(Number)
  return [...workers, ...new Set(workers.map((pid) => Number(statOf(pid)[PARENT])))]
}

/** Of a processor, so far; with those that it had started and that have ended. */
function ticksOf(pid: number): number {
  return statOf(pid)
    .slice(...TIMES)
    .reduce((sum, ticks) => sum + Number(ticks), 0)
}

const PARENT = 1
const TIMES = [11, 15] as const

/** What the kernel says of it after its name; nothing where it has ended. */
const statOf = (pid: number) => (read(`/proc/${pid}/stat`).split(') ')[1] ?? '').split(' ')

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It has ended.
    return ''
  }
}
