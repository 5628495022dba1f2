import type { Server, ServerWebSocket } from 'bun'
import type { PersonalMessage, ServerMessage } from '../../protocol'
import type { Session, SessionUser } from '../signedIn'
import { createMessageOutboxes } from './messageOutbox'
import type { Envelope, Relay } from './relay'

export const SIGNED_OUT = 4001

/** Shared by all sockets of a user: how many messages they may send, handled one at a time. */
export type OwnTurns = { left: number; at: number; last: Promise<void> }

export type SocketData = {
  session: Session
  signedInUntil: Date
  own: OwnTurns
}
export type Socket = ServerWebSocket<SocketData>

export const boardTopic = (boardId: number) => `board:${boardId}`
export const userTopic = (userId: number) => `user:${userId}`

export const toUsers = (userIds: number[], { type, payload }: PersonalMessage): Envelope => ({
  do: 'publish',
  topics: [...new Set(userIds)].map(userTopic),
  // TypeScript does not see that type and payload belong together.
  message: { type, payload } as ServerMessage,
})

/** Of who is on which board. */
type Watcher = {
  left(socket: Socket, boardId?: number): void
  heard(envelope: Extract<Envelope, { do: 'presence' }>): void
}

export type Hub = Awaited<ReturnType<typeof createHub>>

export async function createHub(relay: Relay) {
  const sockets = new Map<number, Set<Socket>>()
  let server: Server<SocketData> | null = null
  let watcher: Watcher = { left() {}, heard() {} }
  const socketsOf = (userId: number) => sockets.get(userId) ?? new Set<Socket>()
  const all = () => [...sockets.values()].flatMap((some) => [...some])

  function deliver(envelope: Envelope) {
    switch (envelope.do) {
      case 'publish':
        return publish(envelope.topics, envelope.message)
      case 'sendToUser':
        return sendToUser(envelope)
      case 'updateUser':
        return updateUser(envelope.user)
      case 'leaveBoard':
        for (const socket of socketsOf(envelope.userId)) leave(socket, envelope.boardId)
        return
      case 'closeSession':
        for (const socket of all()) if (socket.data.session.key === envelope.sessionKey) socket.close(SIGNED_OUT, 'Signed out')
        return
      case 'reconnect':
        for (const socket of all()) socket.close(1012, 'Join again')
        return
      case 'presence':
        watcher.heard(envelope)
    }
  }

  function leave(socket: Socket, boardId: number): void {
    socket.unsubscribe(boardTopic(boardId))
    watcher.left(socket, boardId)
  }

  function publish(topics: string[], message: ServerMessage) {
    const text = JSON.stringify(message)
    for (const topic of topics) server?.publish(topic, text)
  }

  function sendToUser({ userId, exceptTopic, message }: Extract<Envelope, { do: 'sendToUser' }>) {
    const text = JSON.stringify(message)
    for (const socket of socketsOf(userId)) if (!socket.isSubscribed(exceptTopic)) socket.send(text)
  }

  /** Relayed messages carry the user's current name. */
  function updateUser(user: SessionUser) {
    for (const socket of socketsOf(user.id)) socket.data.session.user = user
  }

  await relay.receive(deliver)

  return {
    attach(running: Server<SocketData>) {
      server = running
    },
    outbox: createMessageOutboxes((envelopes) => relay.send(envelopes)),
    send: (envelope: Envelope) => relay.send([envelope]),
    /** To the sockets of this process that have the board open. */
    publish: (boardId: number, message: ServerMessage) => publish([boardTopic(boardId)], message),
    isOpen: (boardId: number) => (server?.subscriberCount(boardTopic(boardId)) ?? 0) > 0,
    watch(given: Watcher) {
      watcher = given
    },
    leave,
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
      watcher.left(socket)
    },
    all,
    socketsOf,
    closeAll() {
      for (const socket of all()) socket.close(1001, 'Going away')
    },
  }
}

export function join(socket: Socket, boardId: number): void {
  socket.subscribe(boardTopic(boardId))
}
