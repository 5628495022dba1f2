import type { Loss } from '../../schema'
import { LOSS_KINDS, type LossKind } from '../lossKinds'

const EXAMPLES = 5
const EXAMPLE_MAX = 80

export type Losses = ReturnType<typeof createLosses>

const WEIGHTS = new Map<string, number>(LOSS_KINDS.map((kind, nth) => [kind, nth]))
const weightOf = ({ what }: Loss): number => WEIGHTS.get(what) ?? 0

/** What is most missed first. */
export const byWeight = (losses: Loss[]): Loss[] => losses.toSorted((a, b) => weightOf(a) - weightOf(b))

/** What the board will not have, or not as it was, counted by kind. */
export function createLosses() {
  const losses: Loss[] = []
  const byKind = new Map<string, Loss>()
  return {
    losses,
    add(what: LossKind, example = '', count = 1) {
      const known = byKind.get(what)
      const loss = known ?? { what, count: 0, examples: [] }
      if (!known) losses.push(loss)
      byKind.set(what, loss)
      loss.count += count
      const short = example.slice(0, EXAMPLE_MAX).toWellFormed()
      if (short !== '' && loss.examples.length < EXAMPLES && !loss.examples.includes(short)) loss.examples.push(short)
    },
  }
}
