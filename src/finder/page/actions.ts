import type { BoardListItem } from '../../boards/schema'
import { foldCase } from '../../format'
import { useKnownTimers } from '../../time/page/timersCache'
import { useViewer } from '../../users/page/viewer'
import { useIsReachable } from '../../web/live/reachability'
import type { Theme } from '../../web/theme'
import { byRank, wordsOf } from '../rank'
import type { FoundBoard, FoundTask } from '../schema'

/** What the page can do, with other words that people use for it. */
export const COMMANDS = {
  board: { label: 'New board', also: 'create add' },
  time: { label: 'My time', also: 'timesheet hours week' },
  import: { label: 'Import a board', also: '' },
  profile: { label: 'Profile', also: 'account settings' },
  operator: { label: 'Operator', also: 'server' },
  shortcuts: { label: 'Keyboard shortcuts', also: 'help keys' },
  light: { label: 'Light theme', also: 'appearance mode' },
  dark: { label: 'Dark theme', also: 'appearance mode' },
  system: { label: 'System theme', also: 'appearance mode' },
  logout: { label: 'Log out', also: 'sign logout' },
} as const
export type Command = keyof typeof COMMANDS
const NAMES = Object.keys(COMMANDS) as Command[]

export const TARGETED = {
  timer: 'Start timer on',
  task: 'New task in',
  logs: 'Time logs for',
  invite: 'Invite people to',
} as const
export type Targeted = keyof typeof TARGETED
const KINDS = Object.keys(TARGETED) as Targeted[]

export type Action =
  | { kind: 'command'; command: Command }
  | { kind: 'timer'; on: FoundTask }
  | { kind: Exclude<Targeted, 'timer'>; on: FoundBoard }

export const isTheme = (command: Command): command is Theme => command === 'light' || command === 'dark' || command === 'system'

const NEEDS_SERVER: ReadonlySet<Command | Targeted> = new Set(['board', 'import', 'operator', 'logout', 'logs', 'invite'])

const TARGETS_SHOWN = 3
const ON_FOUND = ['timer', 'task', 'logs'] as const
/** Fewer letters are not conclusive. */
const FEWEST_LETTERS = 2

type Given = {
  typed: string
  named: Named
  tasks: FoundTask[]
  found: FoundBoard[]
  here: FoundBoard[]
  recent: FoundBoard[]
  boards: BoardListItem[]
}

/** Those that the typed text names, and others to show below the results. */
export function useActions({ typed, named, tasks, found, here, recent, boards }: Given) {
  const viewer = useViewer()
  const timers = useKnownTimers()
  const isReachable = useIsReachable()
  const isPossible = (kind: Command | Targeted) => isReachable || !NEEDS_SERVER.has(kind)
  const isOpen = (boardId: number) => boards.some(({ id, locked }) => id === boardId && !locked)
  const targets = (kind: Targeted, on: FoundBoard[], each: number): Action[] => {
    if (!isPossible(kind)) return []
    if (kind === 'timer')
      return tasks
        .filter(({ id, board }) => isOpen(board.id) && timers?.every(({ taskId }) => taskId !== id))
        .slice(0, each)
        .map((task) => ({ kind, on: task }))
    return on
      .filter(({ id }) => kind === 'logs' || isOpen(id))
      .slice(0, each)
      .map((board) => ({ kind, on: board }))
  }
  const commands = NAMES.filter((name) => (name !== 'operator' || viewer.operator) && isPossible(name))
  const toAction = (command: Command): Action => ({ kind: 'command', command })
  if (typed === '') return { asked: [], others: [...KINDS.flatMap((kind) => targets(kind, here, 1)), ...commands.map(toAction)] }
  const called = byRank(
    commands.filter((name) => isNamed(typed, COMMANDS[name])),
    typed,
    (name) => COMMANDS[name].label,
  )
  // Named alone, it applies to the open board, else to the last opened ones; a timer needs a named task.
  const likely = here.length > 0 ? here : recent
  const targeted = named.kinds.flatMap((kind) => {
    if (named.rest !== '') return targets(kind, found, TARGETS_SHOWN)
    return kind === 'timer' ? [] : targets(kind, likely, TARGETS_SHOWN)
  })
  const others = targeted.length > 0 ? [] : ON_FOUND.flatMap((kind) => targets(kind, found, 1))
  return { asked: [...called.map(toAction), ...targeted], others }
}

function isNamed(typed: string, { label, also }: { label: string; also: string }): boolean {
  const own = wordsOf(`${label} ${also}`)
  const words = wordsOf(typed)
  return words.join('').length >= FEWEST_LETTERS && words.every((word) => own.some((other) => other.startsWith(word)))
}

export const isExactly = (name: string, typed: string) => foldCase(name).trim() === foldCase(typed).trim()

export type Named = { kinds: Targeted[]; rest: string }

/** The actions that the first words name, and the rest to search for: "start inv" starts a timer on the invoice. */
export function actionsIn(typed: string): Named {
  const words = wordsOf(typed)
  const taken = KINDS.map((kind) => ({ kind, count: wordsMatched(wordsOf(TARGETED[kind]), words) }))
  const most = Math.max(...taken.map(({ count }) => count))
  const rest = words.slice(most).join(' ')
  // If more words follow, two letters are more likely the start of a name.
  if (words.slice(0, most).join('').length < (rest === '' ? FEWEST_LETTERS : 3)) return { kinds: [], rest: '' }
  return { kinds: taken.filter(({ count }) => count === most).map(({ kind }) => kind), rest }
}

/** Words of the label may be skipped or abbreviated; its last, such as "on", names nothing alone. */
function wordsMatched(label: string[], words: string[]): number {
  let from = 0
  let count = 0
  for (const word of words) {
    const at = label.findIndex((part, nth) => nth >= from && part.startsWith(word))
    if (at < 0 || (count === 0 && at === label.length - 1)) break
    from = at + 1
    count += 1
  }
  return count
}
