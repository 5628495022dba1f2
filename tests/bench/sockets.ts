import { nextOf } from './calls'

type Hall = { sockets: WebSocket[]; missing: number; complete: () => void }

const AT_ONCE = 100
const HEARD_MS = 10_000
/** By server. */
const halls = new Map<string, Hall>()

/** Opens sockets that stay, until `disconnect`. */
export async function connect({ origin, boardId, cookies, sockets }: Connecting): Promise<void> {
  const hall: Hall = { sockets: [], missing: 0, complete: () => {} }
  halls.set(origin, hall)
  while (hall.sockets.length < sockets) {
    const some = Math.min(AT_ONCE, sockets - hall.sockets.length)
    hall.sockets.push(
      ...(await Promise.all(Array.from({ length: some }, () => listener(origin, boardId, nextOf(cookies), hall)))),
    )
  }
}

type Connecting = { origin: string; boardId: number; cookies: string[]; sockets: number }

/** Until the last of a server's sockets has heard of what `change` does. */
export async function heardByAll(origin: string, change: () => Promise<unknown>): Promise<void> {
  const hall = halls.get(origin)
  if (!hall) throw new Error('nobody listens to that server')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  hall.missing = hall.sockets.length
  hall.complete = resolve
  const late = setTimeout(() => reject(new Error(`${hall.missing} sockets did not hear of a change`)), HEARD_MS)
  await Promise.all([promise, change()]).finally(() => clearTimeout(late))
}

export async function disconnect(origin: string): Promise<void> {
  await Promise.all((halls.get(origin)?.sockets ?? []).map(close))
  halls.delete(origin)
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
