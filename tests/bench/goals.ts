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

export const OPEN = 'open 500, 10 at once, a second'
/** In short turns the slowest calls are those that find the other server at work, so this is of two seconds on end. */
export const OPEN_P99 = 'open 500, 10 at once, p99'
export function afterChange(tasks: number) {
  return `open ${tasks.toLocaleString('en-CA')} after a change`
}
export function healthMeanwhile(tasks: number) {
  return `/health meanwhile, ${tasks.toLocaleString('en-CA')}, longest`
}
export const START = 'start to first answer'
export const IDLE = 'memory idle, MiB'
export const CREATE = 'create a task'
export const MOVE = 'move a task'
export const lastOf = (sockets: number) => `move to last of ${sockets.toLocaleString('en-CA')} sockets`

const own = (most: number): Goal => ({ of: 'ours', atMost: most })

export const GOALS: Record<'Postgres' | 'embedded', Goals> = {
  Postgres: {
    [START]: own(600),
    [IDLE]: own(110),
    [OPEN]: { of: 'ratio', atLeast: 0.6 },
    [OPEN_P99]: own(15),
    [CREATE]: atMost(2.2),
    [MOVE]: atMost(2.6),
    [lastOf(200)]: atMost(1.8),
    ...afterChanges(10, 80, 30),
  },
  embedded: {
    [START]: own(1_500),
    [IDLE]: own(230),
    [OPEN]: { of: 'ratio', atLeast: 0.5 },
    [OPEN_P99]: own(45),
    [CREATE]: atMost(2.4),
    [MOVE]: atMost(3.2),
    [lastOf(200)]: atMost(1.8),
    ...afterChanges(20, 150, 60),
  },
}
