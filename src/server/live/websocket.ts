import type { Server, WebSocketHandler } from 'bun'
import { hasTooManyKeys } from '../body'
import type { Services } from '../context'
import { explain, Refusal, unauthorized } from '../errors'
import { assertOwnOrigin } from '../origin'
import { type ClientMessage, sendTo } from './clientMessages'
import { SIGNED_OUT, type Socket, type SocketData } from './hub'

const MAX_MESSAGE_BYTES = 64 * 1024
const MESSAGES_PER_SECOND = 30
const MESSAGE_BURST = 60
const MAX_SOCKETS = 20
const MAX_BACKPRESSURE_BYTES = 2 ** 20

export function createWebSocket(services: Services, messages: Record<string, ClientMessage>) {
  const handlers: WebSocketHandler<SocketData> = {
    maxPayloadLength: 1024 * 1024,
    backpressureLimit: MAX_BACKPRESSURE_BYTES,
    closeOnBackpressureLimit: true,

    async open(socket) {
      services.hub.enter(socket)
      // Signing out between the upgrade and this moment found no socket to close.
      await isSignedIn(services, socket)
    },
    message(socket, data) {
      if (!withinAllowance(socket.data)) return reject(socket, 'TOO_MANY_REQUESTS', 'Too many messages')
      if (Buffer.byteLength(data) > MAX_MESSAGE_BYTES) return reject(socket, 'PAYLOAD_TOO_LARGE', 'Message too large')
      const parsed = parse(messages, data)
      if (!parsed) return reject(socket, 'BAD_REQUEST', 'Message not understood')
      const { queue } = socket.data
      queue.last = queue.last.then(() => handle(services, socket, parsed)).catch((error) => refuse(socket, parsed, error))
    },
    close: (socket) => services.hub.exit(socket),
  }

  /** Throws UNAUTHORIZED, FORBIDDEN, TOO_MANY_REQUESTS. */
  async function upgrade(request: Request, server: Server<SocketData>): Promise<Response | undefined> {
    assertOwnOrigin(request, services)
    const found = await services.sessions.find(request)
    if (!found) throw unauthorized()
    const openSockets = [...services.hub.socketsOf(found.session.user.id)]
    if (openSockets.length >= MAX_SOCKETS) throw new Refusal('TOO_MANY_REQUESTS', 'Too many open pages')
    const data: SocketData = {
      session: found.session,
      signedInUntil: new Date(0),
      allowance: { left: MESSAGE_BURST, at: performance.now() },
      queue: openSockets[0]?.data.queue ?? { last: Promise.resolve() },
    }
    const headers = new Headers(found.renewed ? { 'Set-Cookie': found.renewed } : undefined)
    if (!server.upgrade(request, { data, headers }))
      return new Response('This address answers WebSocket requests', { status: 426 })
  }

  const closeExpired = () => Promise.all(services.hub.all().map((socket) => isSignedIn(services, socket)))

  return { handlers, upgrade, closeExpired }
}

/** Closes the socket when its session has ended. */
async function isSignedIn({ sessions }: Services, socket: Socket): Promise<boolean> {
  if (socket.data.signedInUntil > new Date()) return true
  const until = await sessions.expiryOf(socket.data.session)
  if (!until) {
    socket.close(SIGNED_OUT, 'Signed out')
    return false
  }
  socket.data.signedInUntil = until
  return true
}

function withinAllowance({ allowance }: SocketData): boolean {
  const now = performance.now()
  allowance.left = Math.min(MESSAGE_BURST, allowance.left + ((now - allowance.at) / 1000) * MESSAGES_PER_SECOND)
  allowance.at = now
  allowance.left -= 1
  return allowance.left >= 0
}

type Parsed = { message: ClientMessage; payload: unknown }

function parse(messages: Record<string, ClientMessage>, data: string | Buffer): Parsed | undefined {
  if (typeof data !== 'string' || hasTooManyKeys(data)) return undefined
  try {
    const { type, payload } = JSON.parse(data)
    const message = typeof type === 'string' && Object.hasOwn(messages, type) ? messages[type] : undefined
    const parsed = message?.payload.safeParse(payload)
    return message && parsed?.success ? { message, payload: parsed.data } : undefined
  } catch {
    return undefined
  }
}

function reject(socket: Socket, code: string, message: string) {
  if (socket.readyState !== WebSocket.OPEN) return
  sendTo(socket, { type: 'error', payload: { message, code } })
  socket.close(1008, message)
}

function refuse(socket: Socket, { message: { refusedBoard }, payload }: Parsed, error: unknown) {
  const { message, code } = explain(error).body
  sendTo(socket, {
    type: 'error',
    payload: { message, code, ...(refusedBoard && { boardId: refusedBoard(payload) }) },
  })
}

async function handle(services: Services, socket: Socket, { message, payload }: Parsed): Promise<void> {
  if (socket.readyState !== WebSocket.OPEN || !(await isSignedIn(services, socket))) return
  await message.handle(services, socket, payload)
}
