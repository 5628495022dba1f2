import type { Server, ServerWebSocket } from 'bun'
import { type ChannelMessage, type PersonalMessage, type ServerMessage, SIGNED_OUT } from '../../protocol'
import type { Session, SessionUser } from '../signedIn'
import { createMessageOutboxes } from './messageOutbox'
import { createReconciler, createVersionTracker } from './reconcile'
import type { Found, Joined } from './reconcile.lookup'
import type { Envelope, Relay } from './relay'

/** The message budget shared by all sockets of a user; messages are handled one at a time. */
export type OwnTurns = { left: number; at: number; last: Promise<void> }

export type SocketData = {
  session: Session
  /** Joined boards, with their versions at that time. */
  joined: Map<number, number>
  /** Boards whose changes it wants to hear of, with the version it knows. */
  watched: Map<number, number>
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

type PresenceEvents = {
  left(socket: Socket, boardId?: number): void
  heard(envelope: Extract<Envelope, { do: 'presence' }>): void
}

type Listener = { hear(message: ServerMessage): void; missed(): void }

export type Hub = Awaited<ReturnType<typeof createHub>>

export async function createHub(relay: Relay) {
  const sockets = new Map<number, Set<Socket>>()
  const tracker = createVersionTracker()
  let server: Server<SocketData> | null = null
  let presence: PresenceEvents = { left() {}, heard() {} }
  const listeners: Listener[] = []
  const socketsOf = (userId: number) => sockets.get(userId) ?? new Set<Socket>()
  const all = () => [...sockets.values()].flatMap((some) => [...some])

  function deliver(envelope: Envelope) {
    switch (envelope.do) {
      case 'publish':
        return publish(envelope.topics, envelope.message, envelope.alsoTo)
      case 'updateUser':
        return updateUser(envelope.user)
      case 'leaveBoard':
        endMembership(envelope.userId, envelope)
        return
      case 'closeSession':
        return closeSessions([envelope.sessionKey])
      case 'presence':
        presence.heard(envelope)
    }
  }

  function leave(socket: Socket, boardId: number): void {
    socket.data.joined.delete(boardId)
    socket.unsubscribe(boardTopic(boardId))
    presence.left(socket, boardId)
  }

  /** Of sockets that joined before that version; returns those. */
  function endMembership(userId: number, { boardId, version }: { boardId: number; version: number }): Socket[] {
    const ended = [...socketsOf(userId)].filter(({ data }) => (data.joined.get(boardId) ?? version) < version)
    for (const { data } of socketsOf(userId)) data.watched.delete(boardId)
    for (const socket of ended) leave(socket, boardId)
    return ended
  }

  function publish(topics: string[], message: ServerMessage, alsoTo: number[] = []) {
    const text = JSON.stringify(message)
    for (const topic of topics) server?.publish(topic, text)
    for (const socket of alsoTo.flatMap((userId) => [...socketsOf(userId)]))
      if (!topics.some((topic) => socket.isSubscribed(topic))) socket.send(text)
    tracker.tell(message)
    for (const { hear } of listeners) hear(message)
  }

  function updateUser(user: SessionUser) {
    for (const socket of socketsOf(user.id)) socket.data.session.user = user
  }

  function closeSessions(keys: string[]) {
    if (keys.length === 0) return
    const ended = new Set(keys)
    for (const socket of all()) if (ended.has(socket.data.session.key)) socket.close(SIGNED_OUT, 'Signed out')
  }

  /** Sockets may have joined or heard more meanwhile: versions tell. */
  function applyMissed({ versions, gone, ended }: Found, { members }: Joined) {
    closeSessions(ended)
    for (const [boardId, userId] of gone) {
      const version = (versions[boardId] ?? Number.POSITIVE_INFINITY) + 1
      for (const socket of endMembership(userId, { boardId, version }))
        sendTo(socket, { type: 'error', payload: { message: 'Board not found', code: 'NOT_FOUND', boardId } })
    }
    const asked = new Set(members.map(([boardId, userId]) => `${boardId} ${userId}`))
    for (const socket of all()) tellWatched(socket, versions, (boardId) => asked.has(`${boardId} ${socket.data.session.user.id}`))
    for (const { boardId, version } of tracker.behind(versions))
      publish([boardTopic(boardId)], { type: 'joined_board', payload: { boardId, version } })
  }

  /** Skips boards watched since the question was sent: nobody has checked those. */
  function tellWatched(socket: Socket, versions: Found['versions'], wasAsked: (boardId: number) => boolean) {
    const { watched } = socket.data
    const boardIds = [...watched].flatMap(([boardId, known]) => {
      const version = versions[boardId] ?? known
      if (version === known || !wasAsked(boardId)) return []
      watched.set(boardId, version)
      return [boardId]
    })
    if (boardIds.length > 0) sendTo(socket, { type: 'boards_changed', payload: { boardIds } })
  }

  const reconciler = createReconciler(relay, { joined: () => tracker.joined(all()), applyMissed })
  const { hear, outbox } = createMessageOutboxes(relay, { deliver, isNext: tracker.isNext, isTrusted: reconciler.isTrusted })

  await relay.receive({
    hear,
    async catchUp(isAgain) {
      if (isAgain) for (const { missed } of listeners) missed()
      await reconciler.reconcile()
      if (isAgain) for (const socket of all()) sendTo(socket, { type: 'messages_missed', payload: {} })
    },
  })
  reconciler.start()

  return {
    attach(running: Server<SocketData>) {
      server = running
    },
    outbox,
    publish: (boardId: number, message: ServerMessage) => publish([boardTopic(boardId)], message),
    isOpen: (boardId: number) => (server?.subscriberCount(boardTopic(boardId)) ?? 0) > 0,
    /** Hears everything published, here or by other processes; `missed` means that some may be lost. */
    listen(hear: Listener['hear'], missed: Listener['missed']) {
      listeners.push({ hear, missed })
    },
    onPresence(events: PresenceEvents) {
      presence = events
    },
    leave,
    say: relay.say,
    isTrusted: reconciler.isTrusted,
    reconcile: reconciler.reconcile,
    enter(socket: Socket) {
      const { id } = socket.data.session.user
      sockets.set(id, socketsOf(id).add(socket))
      socket.subscribe(userTopic(id))
    },
    /** Under the board's lock, at this version. */
    join(socket: Socket, boardId: number, version: number) {
      socket.data.joined.set(boardId, version)
      tracker.begin(boardId, version)
      socket.subscribe(boardTopic(boardId))
    },
    exit(socket: Socket) {
      const { id } = socket.data.session.user
      const left = socketsOf(id)
      left.delete(socket)
      if (left.size === 0) sockets.delete(id)
      presence.left(socket)
    },
    all,
    socketsOf,
    closeAll() {
      reconciler.stop()
      for (const socket of all()) socket.close(1001, 'Going away')
    },
  }
}

export const sendTo = (socket: Socket, message: ChannelMessage) => socket.send(JSON.stringify(message))
