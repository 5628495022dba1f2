import { setImmediate } from 'node:timers/promises'
import type { Server, WebSocketHandler } from 'bun'
import { SIGNED_OUT } from '../../protocol'
import { hasTooManyKeys } from '../body'
import type { Services } from '../context'
import { explain, Refusal, unauthorized } from '../errors'
import { assertOwnOrigin } from '../origin'
import { countCall } from '../rateLimits'
import type { MessageHandler } from './clientMessages'
import { type OwnTurns, type Socket, type SocketData, sendTo } from './openSockets'

const MAX_MESSAGE_BYTES = 64 * 1024
const MESSAGES_PER_SECOND = 30
const MESSAGE_BURST = 60
const REFILLED_AFTER_MS = (MESSAGE_BURST / MESSAGES_PER_SECOND) * 1000
const TRY_AGAIN = 1013
const MAX_SOCKETS = 20
const MAX_BACKPRESSURE_BYTES = 2 ** 20

type Messages = Record<string, MessageHandler>

export function createWebSocket(services: Services, messages: Messages) {
  const turns = new Map<number, OwnTurns>()

  const handlers: WebSocketHandler<SocketData> = {
    maxPayloadLength: 1024 * 1024,
    backpressureLimit: MAX_BACKPRESSURE_BYTES,
    closeOnBackpressureLimit: true,

    async open(socket) {
      services.hub.enter(socket)
      turns.set(socket.data.session.user.id, socket.data.own)
      // A sign-out since the upgrade found no socket to close.
      await closeIfSignedOut(services, socket).catch(() => socket.close(TRY_AGAIN, 'Try again'))
    },
    message(socket, data) {
      if (socket.readyState !== WebSocket.OPEN) return
      const { own } = socket.data
      if (!withinAllowance(own)) return reject(socket, 'TOO_MANY_REQUESTS', 'Too many messages')
      if (Buffer.byteLength(data) > MAX_MESSAGE_BYTES) return reject(socket, 'PAYLOAD_TOO_LARGE', 'Message too large')
      const parsed = parse(messages, data)
      if (!parsed) return reject(socket, 'BAD_REQUEST', 'Message not understood')
      own.last = own.last.then(() => handle(services, socket, parsed)).catch((error) => refuse(socket, parsed, error))
    },
    close(socket) {
      services.hub.exit(socket)
      forgetLater(socket.data.session.user.id)
    },
  }

  /** Once the budget is full again, so that reconnecting gains nothing. */
  function forgetLater(userId: number) {
    setTimeout(() => services.hub.socketsOf(userId).size === 0 && turns.delete(userId), REFILLED_AFTER_MS).unref()
  }

  function turnsOf(userId: number): OwnTurns {
    const own = turns.get(userId) ?? { left: MESSAGE_BURST, at: performance.now(), last: Promise.resolve() }
    turns.set(userId, own)
    return own
  }

  async function upgrade(request: Request, server: Server<SocketData>): Promise<Response | undefined> {
    if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return needsUpgrade()
    assertOwnOrigin(request, services)
    const found = await services.sessions.find(request)
    if (!found) throw unauthorized()
    await countCall(services, found.session)
    if (services.hub.socketsOf(found.session.user.id).size >= MAX_SOCKETS)
      throw new Refusal('TOO_MANY_REQUESTS', 'Too many open pages')
    const data: SocketData = {
      session: found.session,
      joined: new Map(),
      watched: new Map(),
      own: turnsOf(found.session.user.id),
    }
    const headers = new Headers(found.renewed.map((cookie): [string, string] => ['Set-Cookie', cookie]))
    if (server.upgrade(request, { data, headers })) return
    forgetLater(found.session.user.id)
    return needsUpgrade()
  }

  return { handlers, upgrade }
}

/** Also shows to outsiders that a proxy dropped the upgrade. */
const needsUpgrade = () => new Response('This address answers only WebSocket requests', { status: 426 })

async function closeIfSignedOut({ sessions }: Services, socket: Socket): Promise<void> {
  if (!(await sessions.isLive(socket.data.session))) socket.close(SIGNED_OUT, 'Signed out')
}

function withinAllowance(own: OwnTurns): boolean {
  const now = performance.now()
  own.left = Math.min(MESSAGE_BURST, own.left + ((now - own.at) / 1000) * MESSAGES_PER_SECOND)
  own.at = now
  if (own.left < 1) return false
  own.left -= 1
  return true
}

type Parsed = { message: MessageHandler; payload: unknown }

function parse(messages: Messages, data: string | Buffer): Parsed | undefined {
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
  // The embedded database answers without yielding: many messages would block everyone else.
  await setImmediate()
  if (socket.readyState === WebSocket.OPEN) await message.handle(services, socket, payload)
}
