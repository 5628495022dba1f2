import { wordsOf } from '../basics'
import type { FoundBoard, FoundTask } from '../schema'

export type Action =
  | { kind: 'timer'; on: FoundTask }
  | { kind: 'task'; on: FoundBoard }
  | { kind: 'logs'; on: FoundBoard }
  | { kind: 'import' }

export const ACTION_LABELS: Record<Action['kind'], string> = {
  timer: 'Start timer on',
  task: 'New task in',
  logs: 'Go to Time Logs of',
  import: 'Import a board',
}
/** Those that are on something, and so offered with what was found. */
export const ACTIONS = ['timer', 'task', 'logs'] as const
const NAMED = [...ACTIONS, 'import'] as const

const FEWEST_LETTERS = 3

/** Which actions the first of the typed words name, and what is left to look for: "start inv" is a timer on the invoice. */
export function actionsIn(typed: string): { kinds: Action['kind'][]; text: string } {
  const words = wordsOf(typed)
  const taken = NAMED.map((kind) => ({ kind, count: takenBy(wordsOf(ACTION_LABELS[kind]), words) }))
  const most = Math.max(...taken.map(({ count }) => count))
  const named = words.slice(0, most).join('')
  if (named.length < FEWEST_LETTERS) return { kinds: [], text: typed }
  return {
    kinds: taken.filter(({ count }) => count === most).map(({ kind }) => kind),
    text: words.slice(most).join(' ') || typed,
  }
}

/** Words may be left out of a label, and typed to their beginning. */
function takenBy(label: string[], words: string[]): number {
  let from = 0
  let count = 0
  for (const word of words) {
    const at = label.findIndex((part, nth) => nth >= from && part.startsWith(word))
    if (at < 0) break
    from = at + 1
    count += 1
  }
  return count
}
