import type { Server, WebSocketHandler } from 'bun'
import { holdBoard } from '../../boards/server/store'
import { type ClientMessage, clientMessage, type PassingMessage, type ServerMessage } from '../../messages'
import type { UserSummary } from '../../users/schema'
import { explain, Refusal, unauthorized } from '../errors'
import { grantReading, grantTaskReading } from '../grants'
import { assertOwnOrigin } from '../origin'
import type { Parts } from '../trpc'
import { boardTopic, type Caller, join, leave, SIGNED_OUT, type Socket } from './hub'

const LARGEST_MESSAGE = 64 * 1024
const MESSAGES_PER_SECOND = 30
const MESSAGES_AT_ONCE = 60
/** Open pages of one user, on one process. */
const SOCKETS_AT_ONCE = 20
const LONGEST_QUEUE = 2 ** 20

/** The live channel (contract.md, section 5): who may open it, what they may send, what they get. */
export function createChannel(parts: Parts) {
  const handlers: WebSocketHandler<Caller> = {
    maxPayloadLength: 1024 * 1024,
    backpressureLimit: LONGEST_QUEUE,
    closeOnBackpressureLimit: true,

    async open(socket) {
      parts.hub.enter(socket)
      // Signing out between the upgrade and this moment found no socket to close.
      await isSignedIn(parts, socket)
    },
    message(socket, data) {
      if (!withinAllowance(socket.data)) return reject(socket, 'TOO_MANY_REQUESTS', 'Too many messages')
      if (Buffer.byteLength(data) > LARGEST_MESSAGE) return reject(socket, 'PAYLOAD_TOO_LARGE', 'Message too large')
      const message = parse(data)
      if (!message) return reject(socket, 'BAD_REQUEST', 'Message not understood')
      const { user } = socket.data
      user.working = user.working.then(() => take(parts, socket, message)).catch((error) => refuse(socket, message, error))
    },
    close: (socket) => parts.hub.exit(socket),
  }

  /** Turns a request into a socket. Throws UNAUTHORIZED, FORBIDDEN, TOO_MANY_REQUESTS. */
  async function upgrade(request: Request, server: Server<Caller>): Promise<Response | undefined> {
    assertOwnOrigin(request, parts)
    const found = await parts.sessions.find(request)
    if (!found) throw unauthorized()
    const others = [...parts.hub.socketsOf(found.session.user.id)]
    if (others.length >= SOCKETS_AT_ONCE) throw new Refusal('TOO_MANY_REQUESTS', 'Too many open pages')
    const data: Caller = {
      session: found.session,
      signedInUntil: new Date(0),
      allowance: { left: MESSAGES_AT_ONCE, at: performance.now() },
      user: others[0]?.data.user ?? { working: Promise.resolve() },
    }
    const headers = new Headers(found.renewed ? { 'Set-Cookie': found.renewed } : undefined)
    if (!server.upgrade(request, { data, headers }))
      return new Response('This address answers WebSocket requests', { status: 426 })
  }

  /** Closes the sockets whose session has run out. */
  const closeExpired = () => Promise.all(parts.hub.all().map((socket) => isSignedIn(parts, socket)))

  return { handlers, upgrade, closeExpired }
}

/** Whether a socket's session goes on; the socket is closed where it does not. */
async function isSignedIn({ sessions }: Parts, socket: Socket): Promise<boolean> {
  if (socket.data.signedInUntil > new Date()) return true
  const until = await sessions.endOf(socket.data.session)
  if (!until) {
    socket.close(SIGNED_OUT, 'Signed out')
    return false
  }
  socket.data.signedInUntil = until
  return true
}

function withinAllowance({ allowance }: Caller): boolean {
  const now = performance.now()
  allowance.left = Math.min(MESSAGES_AT_ONCE, allowance.left + ((now - allowance.at) / 1000) * MESSAGES_PER_SECOND)
  allowance.at = now
  allowance.left -= 1
  return allowance.left >= 0
}

function parse(data: string | Buffer): ClientMessage | undefined {
  if (typeof data !== 'string') return undefined
  try {
    return clientMessage.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}

const send = (socket: Socket, message: ServerMessage) => socket.send(JSON.stringify(message))

function reject(socket: Socket, code: string, message: string) {
  if (socket.readyState !== WebSocket.OPEN) return
  send(socket, { type: 'error', payload: { message, code } })
  socket.close(1008, message)
}

/** Names the board where that is what was refused, and not a task of it: who lost a board leaves its page. */
function refuse(socket: Socket, { payload }: ClientMessage, error: unknown) {
  const { message, code } = explain(error).body
  const boardId = 'boardId' in payload && !('taskId' in payload) ? payload.boardId : undefined
  send(socket, { type: 'error', payload: { message, code, ...(boardId !== undefined && { boardId }) } })
}

async function take(parts: Parts, socket: Socket, message: ClientMessage): Promise<void> {
  if (socket.readyState !== WebSocket.OPEN || !(await isSignedIn(parts, socket))) return
  switch (message.type) {
    case 'join_board':
      return joinBoard(parts, socket, message.payload.boardId)
    case 'leave_board':
      return leave(socket, message.payload.boardId)
    case 'editing_status':
      return relayEditing(parts, socket, message)
    case 'typing_started':
    case 'typing_stopped':
      return relayTyping(parts, socket, message)
  }
  // The other messages name changes: others hear of them from the server, when they are stored.
}

/** Joins while the board is held, so that no change, and no end of this membership, can fall in between. */
async function joinBoard({ db }: Parts, socket: Socket, boardId: number) {
  const version = await db.transaction(async (transaction) => {
    await holdBoard(transaction, boardId)
    const { board } = await grantReading(transaction, socket.data.session.user, boardId)
    if (socket.readyState === WebSocket.OPEN) join(socket, boardId)
    return board.version
  })
  send(socket, { type: 'joined_board', payload: { boardId, version } })
}

async function relayEditing({ db }: Parts, socket: Socket, { payload }: Extract<ClientMessage, { type: 'editing_status' }>) {
  const { boardId, element, status } = payload
  const { board } = await grantReading(db, socket.data.session.user, boardId)
  const { user, userId } = sender(socket)
  passOn(socket, { type: 'editing_status', payload: { boardId, version: board.version, element, status, userId, user } })
}

type Typing = Extract<ClientMessage, { type: 'typing_started' | 'typing_stopped' }>

async function relayTyping({ db }: Parts, socket: Socket, { type, payload }: Typing) {
  const { taskId } = payload
  const { board } = await grantTaskReading(db, socket.data.session.user, taskId)
  const { user, userId } = sender(socket)
  const about = { boardId: board.id, version: board.version, taskId, userId }
  passOn(socket, type === 'typing_stopped' ? { type, payload: about } : { type, payload: { ...about, user, element: 'comment' } })
}

function sender({ data }: Socket) {
  const { id, username, name, avatar } = data.session.user
  const user: UserSummary = { id, username, name, avatar }
  return { user, userId: id }
}

/** To the other members who have the board open, on this process. */
const passOn = (socket: Socket, message: PassingMessage) =>
  socket.publish(boardTopic(message.payload.boardId), JSON.stringify(message))
