type TraceEvent = {
  name: string
  ph: string
  ts: number
  dur?: number
  tdur?: number
  pid: number
  tid: number
  args: { name?: string; elementCount?: number; beginData?: { dirtyObjects?: number } }
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

/** The thread of the page that marks its frames. */
function mainThread({ traceEvents }: Trace): TraceEvent[] {
  const mark = traceEvents.find(({ name }) => name === 'frame')
  return traceEvents.filter(({ pid, tid }) => pid === mark?.pid && tid === mark.tid)
}

function described(tasks: TraceEvent[], own: TraceEvent[]): string {
  const inside = own.filter(({ ts, ph }) => ph === 'X' && tasks.some((task) => ts >= task.ts && ts < endOf(task)))
  const parts = NAMED.map((name) => ({ name, events: inside.filter((event) => event.name === name) }))
  const shown = parts.filter(({ events }) => sum(events) >= 1)
  return `${sum(tasks).toFixed(0)} (${shown.map(({ name, events }) => `${name} ${sum(events).toFixed(0)}${counted(events)}`).join(', ')})`
}

/** How many elements were styled, or boxes laid out. */
function counted(events: TraceEvent[]): string {
  const count = events.reduce((all, { args }) => all + (args.elementCount ?? args.beginData?.dirtyObjects ?? 0), 0)
  return count > 0 ? ` of ${count}` : ''
}
