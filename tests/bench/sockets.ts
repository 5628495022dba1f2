import { nextOf } from './calls'

export type Audience = { boardId: number; cookies: string[]; sockets: number }
type Hall = { sockets: WebSocket[]; missing: number; complete: () => void }

const AT_ONCE = 100
const HEARD_MS = 10_000
/** By server and board. */
const halls = new Map<string, Hall>()

/** Opens sockets that stay, until `disconnect`; answers how many there are in all. */
export async function connect(origin: string, audiences: Audience[]): Promise<void> {
  for (const { boardId, cookies, sockets } of audiences) {
    const hall: Hall = { sockets: [], missing: 0, complete: () => {} }
    halls.set(`${origin} ${boardId}`, hall)
    while (hall.sockets.length < sockets) {
      const some = Math.min(AT_ONCE, sockets - hall.sockets.length)
      hall.sockets.push(
        ...(await Promise.all(Array.from({ length: some }, () => listener(origin, boardId, nextOf(cookies), hall)))),
      )
    }
  }
}

export function hallOf(origin: string, boardId: number): Hall {
  const hall = halls.get(`${origin} ${boardId}`)
  if (!hall) throw new Error('nobody listens to that board')
  return hall
}

/** Until the last of a board's sockets has heard of what `change` does. */
export async function heardByAll(hall: Hall, change: () => Promise<unknown>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  hall.missing = hall.sockets.length
  hall.complete = resolve
  const late = setTimeout(() => reject(new Error(`${hall.missing} sockets did not hear of a change`)), HEARD_MS)
  await Promise.all([promise, change()]).finally(() => clearTimeout(late))
}

export async function disconnect(origin: string): Promise<void> {
  const closed: Promise<void>[] = []
  for (const [name, hall] of halls)
    if (name.startsWith(`${origin} `)) {
      closed.push(...hall.sockets.map(close))
      halls.delete(name)
    }
  await Promise.all(closed)
}

function close(socket: WebSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.onclose = () => resolve()
  socket.close()
  return promise
}

// TypeScript sees the browser's constructor, which takes no headers.
const BunSocket = WebSocket as unknown as new (url: string, options: { headers: Record<string, string> }) => WebSocket

function listener(origin: string, boardId: number, cookie: string, hall: Hall): Promise<WebSocket> {
  const socket = new BunSocket(`${origin.replace('http', 'ws')}/ws`, { headers: { cookie } })
  socket.onopen = () => socket.send(JSON.stringify({ type: 'join_board', payload: { boardId } }))
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>()
  socket.onerror = () => reject(new Error('a socket did not open'))
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    if (data.startsWith('{"type":"joined_board"')) resolve(socket)
    else if (data.includes('"type":"task_updated"') && --hall.missing === 0) hall.complete()
  }
  return promise
}
