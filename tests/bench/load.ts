/** The load, in a process of its own: `bun load.ts '{"do":"open",…}'` prints what it measured as JSON. */

/** `cookies` are those of different members. */
export type Order = { origin: string; cookies: string[] } & (
  | { do: 'open'; boardId: number; connections: number; seconds: number }
  | { do: 'create'; boardId: number; times: number }
  | { do: 'move'; taskIds: number[]; from: number; times: number }
  | { do: 'fan out'; boardId: number; taskIds: number[]; from: number; sockets: number; times: number }
)
export type Measured = { perSecond: number; p50: number; p99: number }

const order: Order = JSON.parse(process.argv[2] ?? '')
let calls = 0
const cookieOf = (nth: number) => order.cookies[nth % order.cookies.length] ?? ''

async function call(method: string, path: string, body?: object) {
  calls += 1
  const response = await fetch(order.origin + path, {
    method,
    headers: { cookie: cookieOf(calls), 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    body: body && JSON.stringify(body),
    decompress: false,
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function summary(times: number[], elapsed: number): Measured {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { perSecond: (times.length / elapsed) * 1000, p50: at(0.5), p99: at(0.99) }
}

async function open({ boardId, connections, seconds }: Extract<Order, { do: 'open' }>): Promise<Measured> {
  const read = () => call('GET', `/api/boards/${boardId}/snapshot`)
  const during = async (length: number) => {
    const times: number[] = []
    const start = performance.now()
    const one = async () => {
      while (performance.now() - start < length) times.push(await timed(read))
    }
    await Promise.all(Array.from({ length: connections }, one))
    return summary(times, performance.now() - start)
  }
  await during(500)
  return during(seconds * 1000)
}

/** One after the other; the first tenth warms up. */
async function oneByOne(times: number, work: (n: number) => Promise<unknown>): Promise<Measured> {
  const took: number[] = []
  for (let n = 0; n < times * 1.1; n++) took.push(await timed(() => work(n)))
  const counted = took.slice(-times)
  return summary(
    counted,
    counted.reduce((sum, time) => sum + time, 0),
  )
}

const create = ({ boardId, times }: Extract<Order, { do: 'create' }>) =>
  oneByOne(times, (n) =>
    call('POST', `/api/boards/${boardId}/tasks`, {
      title: `Task ${n}`,
      description: 'What is to be done, said in a sentence or two, as people do.',
      status: 'todo',
      tags: ['print', 'client'],
    }),
  )

const STATUSES = ['todo', 'inprogress', 'done']

/** The nth move: to another column, before a task that stands there or has just left. */
function move(taskIds: number[], n: number) {
  const at = (index: number) => taskIds[index % taskIds.length] ?? 0
  return call('PATCH', `/api/tasks/${at(n * 7)}`, { status: STATUSES[n % 3], before: at(n * 7 + 3) })
}

async function fanOut({ boardId, taskIds, from, sockets, times }: Extract<Order, { do: 'fan out' }>): Promise<Measured> {
  let missing = 0
  let complete = () => {}
  const heard = () => {
    missing -= 1
    if (missing === 0) complete()
  }
  await Promise.all(Array.from({ length: sockets }, (_, nth) => listener(boardId, cookieOf(nth), heard)))
  return oneByOne(times, async (n) => {
    missing = sockets
    const everyone = new Promise<void>((resolve) => {
      complete = resolve
    })
    await Promise.all([everyone, move(taskIds, from + n)])
  })
}

// TypeScript sees the browser's constructor, which takes no headers.
const BunSocket = WebSocket as unknown as new (url: string, options: { headers: Record<string, string> }) => WebSocket

/** A socket that has joined the board. */
function listener(boardId: number, cookie: string, heard: () => void): Promise<WebSocket> {
  const socket = new BunSocket(`${order.origin.replace('http', 'ws')}/ws`, { headers: { cookie } })
  socket.onopen = () => socket.send(JSON.stringify({ type: 'join_board', payload: { boardId } }))
  return new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error('a socket did not open'))
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (data.startsWith('{"type":"joined_board"')) resolve(socket)
      else heard()
    }
  })
}

const measure = () => {
  if (order.do === 'open') return open(order)
  if (order.do === 'create') return create(order)
  if (order.do === 'move') return oneByOne(order.times, (n) => move(order.taskIds, order.from + n))
  return fanOut(order)
}

console.log(JSON.stringify(await measure()))
process.exit(0)
