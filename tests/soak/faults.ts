import type { Failure } from '../support/line'
import type { Lot } from './deeds/deed'
import type { Part } from './measures'
import type { Server, Site } from './site'

/** `victim` is the server that it befalls, where it befalls one. */
export type Fault = {
  kind: string
  victim: Server | undefined
  /** Those that others stand on are healed first. */
  isGround: boolean
  strike(): Promise<void> | void
  heal(): Promise<void> | void
}
const COMMITS_FOR_MS = 150

type Kind = (site: Site, victim: Server) => Omit<Fault, 'kind'> | undefined

const kill: Kind = (_site, victim) => ({ victim, isGround: false, strike: victim.kill, heal: victim.start })
/** Killed while it is not yet told that its commits are done: nobody is left to announce them. */
const killCommitting: Kind = (_site, victim) => ({
  victim,
  isGround: false,
  async strike() {
    victim.lines.database.fail('committing')
    await Bun.sleep(COMMITS_FOR_MS)
    await victim.kill()
    victim.lines.database.mend()
  },
  heal: victim.start,
})
const freeze: Kind = (_site, victim) => ({ victim, isGround: false, strike: victim.freeze, heal: victim.goOn })

const ground = (part: Part, strike: () => Promise<void> | void, heal: () => Promise<void> | void) => ({
  victim: undefined,
  isGround: true,
  strike() {
    part.fail()
    return strike()
  },
  async heal() {
    await heal()
    part.heal()
  },
})

const postgres =
  (how: 'fast' | 'immediate' | 'kill' | 'freeze'): Kind =>
  ({ postgres }) => {
    if (how === 'freeze') return ground(postgres.part, voidly(postgres.freeze), voidly(postgres.goOn))
    return ground(postgres.part, how === 'kill' ? postgres.kill : () => postgres.stop(how), postgres.startAgain)
  }
const voidly = (work: () => Promise<unknown>) => async () => void (await work())

const redis =
  (how: 'kill' | 'freeze'): Kind =>
  ({ redis }) =>
    redis && (how === 'kill' ? ground(redis.part, redis.kill, redis.startAgain) : ground(redis.part, redis.hang, redis.goOn))

/** A line is only seen to be bad by whom it concerns: what was forgotten stays so, and has to be noticed. */
const line =
  (end: 'clients' | 'database', how: Failure): Kind =>
  (_site, victim) => ({
    victim,
    isGround: end === 'database',
    strike() {
      victim.parts[end].fail()
      victim.lines[end].fail(how)
    },
    heal() {
      victim.lines[end].mend()
      victim.parts[end].heal()
    },
  })

const front =
  (how: Failure): Kind =>
  ({ front }) => ({ ...ground(front.part, () => front.fail(how), front.mend), isGround: false })

/** Pages lose the line, and what they ask for when it is back is lost once more. */
const unread: Kind = (site, victim) => ({
  ...{ victim: undefined, isGround: false },
  strike() {
    front('cut')(site, victim)?.strike()
    site.front.mend()
    site.front.fail('unread')
  },
  heal() {
    site.front.mend()
    site.front.part.heal()
  },
})

const KINDS: Record<string, Kind> = {
  kill,
  'kill-committing': killCommitting,
  freeze,
  'postgres-fast': postgres('fast'),
  'postgres-immediate': postgres('immediate'),
  'postgres-kill': postgres('kill'),
  'postgres-freeze': postgres('freeze'),
  'redis-kill': redis('kill'),
  'redis-freeze': redis('freeze'),
  'clients-cut': line('clients', 'cut'),
  'clients-slow': line('clients', 'slow'),
  'clients-held': line('clients', 'held'),
  'clients-silent': line('clients', 'silent'),
  'clients-forgotten': line('clients', 'forgotten'),
  'database-cut': line('database', 'cut'),
  'database-slow': line('database', 'slow'),
  'database-held': line('database', 'held'),
  'database-silent': line('database', 'silent'),
  'database-forgotten': line('database', 'forgotten'),
  'pages-cut': front('cut'),
  'pages-unread': unread,
  'pages-held': front('held'),
  'pages-forgotten': front('forgotten'),
}
export const KIND_NAMES = Object.keys(KINDS)

/** Mostly one, at times two or three that have nothing to do with each other. */
export function drawFaults(lot: Lot, site: Site, only: string[]): Fault[] {
  const names = KIND_NAMES.filter(
    (name) => only.length === 0 || only.some((wanted) => name === wanted || name.startsWith(`${wanted}-`)),
  )
  if (names.length === 0) return []
  const count = lot.below(4) > 0 ? 1 : 2 + lot.below(2)
  const faults = Array.from({ length: count }, (): Fault | undefined => {
    const kind = lot.oneOf(names)
    const made = KINDS[kind]?.(site, lot.oneOf(site.servers))
    return made && { ...made, kind }
  }).filter((fault) => fault !== undefined)
  const parts = new Set<string>()
  const isNew = (fault: Fault) => {
    const part = fault.victim
      ? `${fault.victim.name} ${/^(clients|database)-/.exec(fault.kind)?.[1] ?? ''}`
      : fault.kind.replace(/-.*/, '')
    return !parts.has(part) && parts.add(part)
  }
  return faults.filter(isNew)
}
