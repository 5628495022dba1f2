/** Of the ratio, or of ours alone. */
export type Goal = { of: 'ratio' | 'ours'; atLeast: number } | { of: 'ratio' | 'ours' | 'longest'; atMost: number }
type Goals = Record<string, Goal>

const atMost = (most: number): Goal => ({ of: 'ratio', atMost: most })

const afterChanges = (of500: number, of5000: number, health: number): Goals => ({
  [afterChange(500)]: { of: 'ours', atMost: of500 },
  [afterChange(5_000)]: { of: 'ours', atMost: of5000 },
  [healthMeanwhile(500)]: { of: 'longest', atMost: health },
  [healthMeanwhile(5_000)]: { of: 'longest', atMost: health },
})

export const openAt = (connections: number, what: string) =>
  `open at ${connections} connection${connections > 1 ? 's' : ''}, ${what}`
/** In short turns the slowest calls are those that find the other server at work. */
export const STEADY = openAt(10, 'for two seconds on end, p99 ms')
export function afterChange(tasks: number) {
  return `open ${tasks.toLocaleString('en-CA')} tasks after a change, beside unchanged, p50 ms`
}
export function healthMeanwhile(tasks: number) {
  return `/health while ${tasks.toLocaleString('en-CA')} tasks change, longest ms`
}
export const START = 'start to the first answer, ms'
export const START_BOARD = 'start until a board of 500 tasks is open, ms'
export const CREATE = 'create a task, p50 ms'
export const MOVE = 'move a task, p50 ms'
export const lastOf = (sockets: number) => `a move until the last of ${sockets.toLocaleString('en-CA')} sockets has it, p50 ms`
export const busyFor = (sockets: number) => `a move with ${sockets.toLocaleString('en-CA')} sockets on the board, processor ms`

export const GOALS: Record<'Postgres' | 'embedded', Goals> = {
  Postgres: {
    [START]: atMost(1.5),
    [openAt(10, 'a second')]: { of: 'ratio', atLeast: 0.6 },
    [STEADY]: { of: 'ours', atMost: 15 },
    [CREATE]: atMost(2.2),
    [MOVE]: atMost(2.6),
    [lastOf(200)]: atMost(1.8),
    [busyFor(3_500)]: atMost(1.2),
    ...afterChanges(10, 80, 30),
  },
  embedded: {
    [openAt(10, 'a second')]: { of: 'ratio', atLeast: 0.5 },
    [STEADY]: { of: 'ours', atMost: 45 },
    [CREATE]: atMost(2.4),
    [MOVE]: atMost(3.2),
    ...afterChanges(20, 150, 60),
  },
}
