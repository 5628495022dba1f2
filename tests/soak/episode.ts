import type { Lot } from './deeds/deed'
import { drawFaults, type Fault } from './faults'
import type { History } from './history'
import type { Measures } from './measures'
import type { Site } from './site'
import type { Work } from './work'

const CALM_MS = [800, 2_500] as const
const FAULT_MS = [2_000, 5_000] as const
/** Longer than the five seconds after which everybody has heard of everything, or nothing more. */
const HUSH_MS = [6_000, 7_000] as const
const PARTING_MS = [8_000, 9_000] as const
const BURST_MS = 250
/** Connections that a router forgot are found out when they are used, by calls that are answered within five seconds. */
const NOTICED_MS = 5_000

/**
 * What people do when a fault strikes: they go on, or stop at that moment, so that nothing later tells of what was missed, or
 * somebody is removed and somebody signed out just then.
 */
const SCENES = ['writing', 'hush', 'hush', 'parting'] as const
const LASTS_MS = { writing: FAULT_MS, hush: HUSH_MS, parting: PARTING_MS }

type Given = { site: Site; history: History; measures: Measures; work: Work; lot: Lot; only: string[] }

/** One episode after the other: all is well, faults strike, and are healed. Answers when the last of them was. */
export function createEpisodes({ site, history, measures, work, lot, only }: Given) {
  const between = ([from, to]: readonly [number, number]) => from + lot.below(to - from)

  async function strike(faults: Fault[]) {
    for (const { kind, victim, strike } of faults) {
      history.note(`STRIKES ${kind}${victim ? ` ${victim.name}` : ''}`)
      measures.count(kind)
      await strike()
    }
  }

  async function heal(faults: Fault[]) {
    for (const { kind, victim, heal } of faults.toSorted((a, b) => Number(b.isGround) - Number(a.isGround))) {
      await heal()
      history.note(`heals ${kind}${victim ? ` ${victim.name}` : ''}`)
    }
  }

  return async function play(): Promise<{ struckAt: number; healedAt: number; kinds: string[] }> {
    work.goOn()
    await Bun.sleep(between(CALM_MS))
    const faults = drawFaults(lot, site, only)
    const scene = lot.oneOf(SCENES)
    history.note(`scene: ${scene}`)
    work.hurry(true)
    await Bun.sleep(BURST_MS)
    const parting = scene === 'parting' ? work.part(lot, faults[0]?.victim) : undefined
    const struckAt = history.now()
    await strike(faults)
    if (scene === 'hush') work.rest()
    work.hurry(false)
    await Bun.sleep(between(LASTS_MS[scene]))
    await heal(faults)
    await parting
    const kinds = faults.map(({ kind }) => kind)
    const noticed = kinds.includes('database-forgotten') ? NOTICED_MS : 0
    return { struckAt, healedAt: history.now() + noticed, kinds }
  }
}
