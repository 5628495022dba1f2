import type { CrowdedBoard } from './servers'

/** The load, in a process of its own: it reads an order, `{"do":"open",…}`, and prints what it measured as JSON. */

/** `cookies` are those of different members. */
export type Order = { origin: string; cookies: string[] } & (
  | { do: 'open'; boardId: number; connections: number; seconds: number }
  | { do: 'create'; boardId: number; times: number }
  | { do: 'move'; taskIds: number[]; from: number; times: number }
  | { do: 'fan out'; boardId: number; taskIds: number[]; from: number; sockets: number; times: number }
  | { do: 'crowd'; boards: CrowdedBoard[]; turn: number; seconds: number }
)
export type Measured = { perSecond: number; p50: number; p99: number }

const order: Order = await Bun.stdin.json()
let calls = 0
const cookieOf = (nth: number) => order.cookies[nth % order.cookies.length] ?? ''

async function call(method: string, path: string, body?: object, cookie = cookieOf(calls++)) {
  const response = await fetch(order.origin + path, {
    method,
    headers: { cookie, 'content-type': 'application/json', 'accept-encoding': 'gzip' },
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

/** All sockets are multiples of it. */
const AT_ONCE = 100

async function fanOut({ boardId, taskIds, from, sockets, times }: Extract<Order, { do: 'fan out' }>): Promise<Measured> {
  let missing = 0
  let complete = () => {}
  const heard = () => {
    missing -= 1
    if (missing === 0) complete()
  }
  for (let open = 0; open < sockets; open += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => listener(boardId, cookieOf(open + nth), heard)))
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

const MOVES_A_SECOND = 20
const KEYS_A_MOVE = 5

/** People move tasks on boards of their own and type in between; timed is the way to the last of a board's sockets. */
async function crowd({ boards, turn, seconds }: Extract<Order, { do: 'crowd' }>): Promise<Measured> {
  const arrivals = boards.map(() => ({ missing: 0, complete: () => {} }))
  const sockets: WebSocket[][] = []
  for (const [nth, { boardId, cookies }] of boards.entries()) {
    const heard = () => {
      const arrival = arrivals[nth]
      if (arrival && --arrival.missing === 0) arrival.complete()
    }
    sockets.push(await Promise.all(cookies.map((cookie) => listener(boardId, cookie, heard, '"type":"task_updated"'))))
  }
  const took: number[] = []
  const one = async (n: number) => {
    const nth = (n * 7) % boards.length
    const { boardId, cookies, taskIds } = boards[nth] ?? { boardId: 0, cookies: [], taskIds: [] }
    const everyone = new Promise<void>((complete) => (arrivals[nth] = { missing: cookies.length, complete }))
    const taskId = taskIds[n % taskIds.length] ?? 0
    for (let key = 1; key <= KEYS_A_MOVE; key++)
      sockets[(nth + key) % boards.length]?.[0]?.send(typing(boards[(nth + key) % boards.length]?.taskIds[0] ?? 0, boardId))
    const change = { status: STATUSES[(turn + 1) % 3], before: taskIds[(n + 1) % taskIds.length] }
    took.push(await timed(() => Promise.all([everyone, call('PATCH', `/api/tasks/${taskId}`, change, cookies[0])])))
  }
  const under: Promise<void>[] = []
  for (let n = 0; n < seconds * MOVES_A_SECOND; n++) {
    under.push(one(n))
    await Bun.sleep(1000 / MOVES_A_SECOND)
  }
  await Promise.all(under)
  return summary(took, seconds * 1000)
}

const typing = (taskId: number, boardId: number) => JSON.stringify({ type: 'typing_started', payload: { taskId, boardId } })

/** A socket that has joined the board; what it hears is counted where it holds `sought`. */
function listener(boardId: number, cookie: string, heard: () => void, sought = ''): Promise<WebSocket> {
  const socket = new BunSocket(`${order.origin.replace('http', 'ws')}/ws`, { headers: { cookie } })
  socket.onopen = () => socket.send(JSON.stringify({ type: 'join_board', payload: { boardId } }))
  return new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error('a socket did not open'))
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (data.startsWith('{"type":"joined_board"')) resolve(socket)
      else if (data.includes(sought)) heard()
    }
  })
}

const measure = () => {
  if (order.do === 'open') return open(order)
  if (order.do === 'create') return create(order)
  if (order.do === 'move') return oneByOne(order.times, (n) => move(order.taskIds, order.from + n))
  if (order.do === 'crowd') return crowd(order)
  return fanOut(order)
}

console.log(JSON.stringify(await measure()))
process.exit(0)
