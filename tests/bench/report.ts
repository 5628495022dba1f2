import type { Goal } from './goals'
import type { Pair, Samples } from './rounds'
import { median, shown } from './tables'

/** Fewer rounds that nobody disturbed do not say whether a floor is kept. */
const ENOUGH = 9

/** The ratio stands first: milliseconds belong to the machine. */
export const rowsOf = (samples: Samples, goals: Record<string, Goal>): string[][] => [
  ['', 'wrk', 'ratio to bare server', 'floor'],
  ...[...samples].map(([name, pairs]) => row(name, pairs, goals[name])),
]

function row(name: string, all: Pair[], goal?: Goal): string[] {
  const still = all.filter(({ isDisturbed }) => !isDisturbed)
  const pairs = still.length > 0 ? still : all
  const ratios = pairs.map(({ ours, beside }) => ours / beside)
  const range = ratios.length > 1 ? ` (${shown(Math.min(...ratios))} to ${shown(Math.max(...ratios))})` : ''
  const ratio = Number.isNaN(ratios[0]) ? '' : `${shown(median(ratios))}${range}`
  const own = pairs.map(({ ours }) => ours)
  const longest = goal?.of === 'longest' ? `, ${shown(Math.max(...own))} once` : ''
  return [name, shown(median(own)) + longest, ratio, goal ? inWords(goal) + verdict(goal, still) : '']
}

function inWords(goal: Goal): string {
  const bar = 'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`
  return { ratio: bar, ours: `wrk ${bar}`, longest: `never ${bar.replace('≤', 'over')}` }[goal.of]
}

function verdict(goal: Goal, pairs: Pair[]): string {
  if (pairs.length < ENOUGH) return ` (${pairs.length} quiet rounds)`
  const own = pairs.map(({ ours }) => ours)
  const ratio = median(pairs.map(({ ours, beside }) => ours / beside))
  const value = { ratio, ours: median(own), longest: Math.max(...own) }[goal.of]
  return ('atMost' in goal ? value <= goal.atMost : value >= goal.atLeast) ? '' : ': missed'
}
