type TraceEvent = {
  name: string
  ph: string
  ts: number
  dur?: number
  tdur?: number
  pid: number
  tid: number
  args: { name?: string }
}
export type Trace = { traceEvents: TraceEvent[] }

const NAMED = [
  'FunctionCall',
  'EvaluateScript',
  'UpdateLayoutTree',
  'Layout',
  'PrePaint',
  'Paint',
  'Layerize',
  'Commit',
  'MinorGC',
  'HitTest',
]

/** What the page's main thread did for each frame, in ms of its own time. The page marks its frames. */
export const workPerFrame = (trace: Trace): number[] => framesOf(mainThread(trace)).map(sum)

/** What the longest frames consist of. */
export function longestFrames(trace: Trace): string[] {
  const own = mainThread(trace)
  const longest = framesOf(own).toSorted((a, b) => sum(b) - sum(a))
  return longest.slice(0, 3).map((tasks) => described(tasks, own))
}

/** The tasks of each frame: what was done up to the one that draws it, in which the page's own callback is called. */
function framesOf(own: TraceEvent[]): TraceEvent[][] {
  const ticks = own.filter(({ name }) => name === 'frame').map(({ ts }) => ts)
  const frames: TraceEvent[][] = []
  let tasks: TraceEvent[] = []
  let tick = 0
  for (const task of own.filter(({ name, ph }) => name === TASK && ph === 'X').toSorted((a, b) => a.ts - b.ts)) {
    tasks.push(task)
    const drawn = ticks[tick]
    if (drawn === undefined || drawn > endOf(task)) continue
    while ((ticks[tick] ?? Number.POSITIVE_INFINITY) <= endOf(task)) tick++
    frames.push(tasks)
    tasks = []
  }
  return frames
}

const TASK = 'ThreadControllerImpl::RunTask'
const endOf = ({ ts, dur = 0 }: TraceEvent) => ts + dur
const sum = (events: TraceEvent[]) => events.reduce((all, { tdur, dur = 0 }) => all + (tdur ?? dur) / 1000, 0)

/** Of several pages' threads the one that did most. */
function mainThread({ traceEvents }: Trace): TraceEvent[] {
  const names = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const threads = names.map(({ pid, tid }) => traceEvents.filter((event) => event.pid === pid && event.tid === tid))
  return threads.toSorted((a, b) => b.length - a.length)[0] ?? []
}

function described(tasks: TraceEvent[], own: TraceEvent[]): string {
  const inside = own.filter(({ ts, ph }) => ph === 'X' && tasks.some((task) => ts >= task.ts && ts < endOf(task)))
  const parts = NAMED.map((name) => ({ name, ms: sum(inside.filter((event) => event.name === name)) }))
  const shown = parts.filter(({ ms }) => ms >= 1).map(({ name, ms }) => `${name} ${ms.toFixed(0)}`)
  return `${sum(tasks).toFixed(0)} (${shown.join(', ')})`
}
