import type { Server, ServerWebSocket } from 'bun'
import type { Session } from '../../auth/server/sessions'
import type { OwnUser } from '../../users/schema'
import { createOutboxes } from './messageOutbox'
import type { Bus, Envelope } from './relay'

/** The close code of a socket whose session has ended. */
export const SIGNED_OUT = 4001

/** What the server keeps with an open socket. */
export type Caller = {
  session: Session
  /** When its session ends, as far as this socket knows: requests of the same browser may have extended it. */
  signedInUntil: Date
  /** Messages that it may still send before it is too many. */
  allowance: { left: number; at: number }
  /** The same for all sockets of a user. */
  user: Working
}
/** The end of the work on what a user sent so far: one thing at a time, so that nobody's flood is others' queue. */
type Working = { working: Promise<void> }
export type Socket = ServerWebSocket<Caller>

export const boardTopic = (boardId: number) => `board:${boardId}`
export const userTopic = (userId: number) => `user:${userId}`

export type Hub = Awaited<ReturnType<typeof createHub>>

/** The open sockets of this process, by user, and the one place from which messages leave. */
export async function createHub(bus: Bus) {
  const sockets = new Map<number, Set<Socket>>()
  let server: Server<Caller> | null = null
  const socketsOf = (userId: number) => sockets.get(userId) ?? new Set<Socket>()

  function deliver(envelope: Envelope) {
    if (envelope.do === 'publish') {
      const text = JSON.stringify(envelope.message)
      for (const topic of envelope.topics) server?.publish(topic, text)
      if (envelope.message.type === 'current_user_updated') rename(envelope.message.payload.user)
    } else if (envelope.do === 'reach') {
      const text = JSON.stringify(envelope.message)
      for (const socket of socketsOf(envelope.userId)) if (!socket.isSubscribed(envelope.beyond)) socket.send(text)
    } else if (envelope.do === 'cut') {
      for (const socket of socketsOf(envelope.userId)) leave(socket, envelope.boardId)
    } else if (envelope.do === 'close') {
      for (const socket of all()) if (socket.data.session.key === envelope.sessionKey) socket.close(SIGNED_OUT, 'Signed out')
    } else {
      for (const socket of all()) socket.close(1012, 'Join again')
    }
  }
  /** What these sockets say to others, they say under the name that their user has now. */
  function rename(user: OwnUser) {
    for (const socket of socketsOf(user.id)) socket.data.session.user = user
  }
  const all = () => [...sockets.values()].flatMap((some) => [...some])
  await bus.receive(deliver)

  return {
    attach(running: Server<Caller>) {
      server = running
    },
    send: (envelopes: Envelope[]) => bus.send(envelopes),
    /** Collects what one transaction has to tell. */
    outbox: createOutboxes((envelopes) => bus.send(envelopes)),
    enter(socket: Socket) {
      const { id } = socket.data.session.user
      sockets.set(id, socketsOf(id).add(socket))
      socket.subscribe(userTopic(id))
    },
    exit(socket: Socket) {
      const { id } = socket.data.session.user
      const left = socketsOf(id)
      left.delete(socket)
      if (left.size === 0) sockets.delete(id)
    },
    /** Every open socket. */
    all,
    socketsOf,
    /** Closes every socket because this process stops. */
    goAway() {
      for (const socket of all()) socket.close(1001, 'Going away')
    },
  }
}

export function join(socket: Socket, boardId: number): void {
  socket.subscribe(boardTopic(boardId))
}

export function leave(socket: Socket, boardId: number): void {
  socket.unsubscribe(boardTopic(boardId))
}
