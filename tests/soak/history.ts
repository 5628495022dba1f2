/** What a run can find; each can be left out by its name. */
export const CHECKS = {
  lost: 'an acknowledged change is not there',
  doubled: 'a change took effect twice',
  repeated: 'a repeated key had another answer',
  late: 'a joined socket was not told of a change within five seconds',
  unequal: 'a client does not show what the server holds five seconds after all is well again',
  page: 'a page does not show what the server holds five seconds after all is well again',
  heard: 'somebody hears a board five seconds after they were removed or signed out',
  sums: 'sums, orders or timers are wrong',
  offline: 'what was done in a page without a connection does not show at once, or is not stored once when it is back',
  rereads: 'a board that is read is older than one was told',
  answers: 'an answer is a fault of the server',
  log: 'a server says that something is wrong, or ends by itself',
  console: 'a page complains in its console',
}
export type Check = keyof typeof CHECKS

export type About = { board?: number; person?: string }
type Event = About & { at: number; text: string }
type Violation = About & { check: Check; at: number; text: string; history: string[] }
export type History = ReturnType<typeof createHistory>

const KEPT = 20_000
const TOLD = 25
const TOLD_MS = 15_000
const MOST_OF_A_KIND = 12

/** What happened in a run, in order, and what of it should not have. */
export function createHistory(without: readonly Check[] = [], say = (_line: string) => {}) {
  const began = performance.now()
  const events: Event[] = []
  const violations: Violation[] = []
  const counts = new Map<Check, number>()
  const now = () => performance.now() - began
  const line = ({ at, text, board, person }: Event) =>
    `${(at / 1000).toFixed(2)}s ${person ? `${person}: ` : ''}${text}${board === undefined ? '' : ` (board ${board})`}`
  const concerns = ({ board, person }: Event, about: About) =>
    (board === undefined && person === undefined) ||
    (board !== undefined && board === about.board) ||
    (person !== undefined && person === about.person)

  function note(text: string, about: About = {}) {
    events.push({ ...about, at: now(), text })
    if (events.length > 2 * KEPT) events.splice(0, KEPT)
  }

  return {
    note,
    /** Moments since the run began, in milliseconds. */
    now,
    violations,
    counts,
    violate(check: Check, text: string, about: About = {}) {
      if (without.includes(check)) return
      const count = (counts.get(check) ?? 0) + 1
      counts.set(check, count)
      if (count > MOST_OF_A_KIND) return
      const at = now()
      const near = events.filter((event) => event.at > at - TOLD_MS && concerns(event, about)).slice(-TOLD)
      violations.push({ ...about, check, at, text, history: near.map(line) })
      say(`VIOLATION ${check}: ${line({ ...about, at, text })}`)
    },
  }
}
