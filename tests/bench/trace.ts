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

/** What the page's main thread did for each frame, in ms of its own time, and what the longest consist of. */
export function workPerFrame({ traceEvents }: Trace) {
  const own = mainThread(traceEvents).filter(({ ph }) => ph === 'X')
  const ticks = own.filter(({ name }) => name === 'FireAnimationFrame').map(({ ts }) => ts)
  const frames: { tasks: TraceEvent[] }[] = []
  let tasks: TraceEvent[] = []
  let tick = 0
  // A frame is what was done up to the task that draws it, in which the page's own callback is called.
  for (const task of own.filter(({ name }) => name === 'RunTask').toSorted((a, b) => a.ts - b.ts)) {
    tasks.push(task)
    const drawn = ticks[tick]
    if (drawn === undefined || drawn > endOf(task)) continue
    while ((ticks[tick] ?? Number.POSITIVE_INFINITY) <= endOf(task)) tick++
    frames.push({ tasks })
    tasks = []
  }
  const worked = frames.map((frame, nth) => ({ ...frame, nth, work: sum(frame.tasks) }))
  const longest = worked.toSorted((a, b) => b.work - a.work).slice(0, 3)
  return { work: worked.map(({ work }) => work), parts: longest.map((frame) => described(frame, own)) }
}

const endOf = ({ ts, dur = 0 }: TraceEvent) => ts + dur
const sum = (events: TraceEvent[]) => events.reduce((all, { tdur, dur = 0 }) => all + (tdur ?? dur) / 1000, 0)

/** Of several pages' threads the one that did most. */
function mainThread(events: TraceEvent[]): TraceEvent[] {
  const names = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const threads = names.map(({ pid, tid }) => events.filter((event) => event.pid === pid && event.tid === tid))
  return threads.toSorted((a, b) => b.length - a.length)[0] ?? []
}

function described({ nth, tasks, work }: { nth: number; tasks: TraceEvent[]; work: number }, own: TraceEvent[]): string {
  const inside = own.filter(({ ts }) => tasks.some((task) => ts >= task.ts && ts < endOf(task)))
  const parts = NAMED.map((name) => ({ name, ms: sum(inside.filter((event) => event.name === name)) }))
  const shown = parts.filter(({ ms }) => ms >= 1).map(({ name, ms }) => `${name} ${ms.toFixed(0)}`)
  return `frame ${nth}: ${work.toFixed(0)} (${shown.join(', ')})`
}
