import type { Finished } from './requests'

const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000]
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']

type Counted = { method: string; route: string; statuses: Map<number, number>; within: number[]; count: number; sumMs: number }

export type Traffic = ReturnType<typeof createTraffic>

/** Counts answers by their routes and statuses, and how long they took, since the start. */
export function createTraffic() {
  const counted = new Map<string, Counted>()

  function begin({ method, route }: Finished): Counted {
    const named = METHODS.includes(method) ? method : 'other'
    return { method: named, route, statuses: new Map(), within: BOUNDS_MS.map(() => 0), count: 0, sumMs: 0 }
  }

  function count(finished: Finished): void {
    const { method, route, status, ms } = finished
    const key = `${METHODS.includes(method) ? method : 'other'} ${route}`
    const one = counted.get(key) ?? begin(finished)
    counted.set(key, one)
    one.statuses.set(status, (one.statuses.get(status) ?? 0) + 1)
    one.count += 1
    one.sumMs += ms
    const bound = BOUNDS_MS.findIndex((most) => ms <= most)
    if (bound >= 0) one.within[bound] = (one.within[bound] ?? 0) + 1
  }

  return { count, all: (): Counted[] => [...counted.values()] }
}

/** How many took at most so many seconds, for each bound; the last one is all. */
export function cumulated({ within, count }: Counted): [bound: string, count: number][] {
  let sum = 0
  const bounded = BOUNDS_MS.map((ms, index): [string, number] => {
    sum += within[index] ?? 0
    return [String(ms / 1_000), sum]
  })
  return [...bounded, ['+Inf', count]]
}
