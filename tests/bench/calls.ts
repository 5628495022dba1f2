/** What calls took, in `elapsed` ms. */
export type Times = { times: number[]; elapsed: number }
export type Measured = { perSecond: number; p50: number; p99: number }

let calls = 0

/** Members take turns: one person has at most 600 calls a minute. */
export const nextOf = (cookies: string[]) => cookies[calls++ % cookies.length] ?? ''

export async function call(url: string, cookie: string, method = 'GET', body?: object): Promise<void> {
  const response = await fetch(url, {
    method,
    headers: { cookie, 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    body: body && JSON.stringify(body),
    decompress: false,
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`)
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export function summary(times: number[], elapsed: number): Measured {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { perSecond: (times.length / elapsed) * 1000, p50: at(0.5), p99: at(0.99) }
}

/** As often as the time allows, by so many at once; `nth` goes on. */
export async function during(seconds: number, connections: number, work: (nth: number) => Promise<unknown>): Promise<Times> {
  const times: number[] = []
  const start = performance.now()
  let nth = 0
  const one = async () => {
    while (performance.now() - start < seconds * 1000) times.push(await timed(() => work(nth++)))
  }
  await Promise.all(Array.from({ length: connections }, one))
  return { times, elapsed: performance.now() - start }
}

const COLUMNS = 3
/** No task that begins at its number's column is where it was before: else nobody would hear of the move. */
export function nthMove(nth: number, tasks: number) {
  const task = (nth * 7) % tasks
  return { task, before: (task + 3) % tasks, column: (task + 1 + Math.floor(nth / tasks)) % COLUMNS }
}
