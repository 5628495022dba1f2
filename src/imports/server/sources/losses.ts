import type { Loss } from '../../schema'
import { LOSS_KINDS, type LossKind } from '../lossKinds'

const EXAMPLES = 5
const EXAMPLE_MAX = 80

const WEIGHTS = new Map<string, number>(LOSS_KINDS.map((kind, nth) => [kind, nth]))
const weightOf = ({ what }: Loss): number => WEIGHTS.get(what) ?? 0

/** What is most missed first. */
export const byWeight = (losses: Loss[]): Loss[] => losses.toSorted((a, b) => weightOf(a) - weightOf(b))

/** Lists and labels of a board, and the ids of those that its cards have. */
type Unused = {
  lists: { id: string; name: string }[]
  listIds: (string | null)[]
  labels: { id: string | null; name: string; color: string }[]
  labelIds: (string | null)[]
}

/** What the board will not have, or not as it was, counted by kind. */
export function createLosses() {
  const losses: Loss[] = []
  const byKind = new Map<string, Loss>()

  function add(what: LossKind, example = '', count = 1) {
    const known = byKind.get(what)
    const loss = known ?? { what, count: 0, examples: [] }
    if (!known) losses.push(loss)
    byKind.set(what, loss)
    loss.count += count
    const short = example.slice(0, EXAMPLE_MAX).toWellFormed()
    if (short !== '' && loss.examples.length < EXAMPLES && !loss.examples.includes(short)) loss.examples.push(short)
  }

  return {
    losses,
    add,
    /** A board of wrk has neither lists nor labels of its own: both are there as tags of cards. */
    addUnused({ lists, listIds, labels, labelIds }: Unused) {
      const [usedLists, usedLabels] = [new Set(listIds), new Set(labelIds)]
      for (const { id, name } of lists) if (!usedLists.has(id)) add('lists without cards', name)
      for (const { id, name, color } of labels)
        if (name !== '' && !usedLabels.has(id)) add('labels that no card has', `${name} (${color})`)
    },
  }
}
