import type { Server, ServerWebSocket } from 'bun'
import { type AnnouncedChange, type ChannelMessage, type PersonalMessage, type ServerMessage, SIGNED_OUT } from '../../protocol'
import type { Session, SessionUser } from '../signedIn'
import type { Joined, Missed } from './missed.lookup'
import type { Envelope } from './relay'

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

export const sendTo = (socket: Socket, message: ChannelMessage) => socket.send(JSON.stringify(message))

export type PresenceEvents = {
  left(socket: Socket, boardId?: number): void
  heard(envelope: Extract<Envelope, { do: 'presence' }>): void
}

export type Sockets = ReturnType<typeof createSockets>

/** The open sockets of this process: what they joined, and what is delivered to them. */
export function createSockets() {
  const byUser = new Map<number, Set<Socket>>()
  /** By joined board: the last version announced to its sockets. */
  const told = new Map<number, number>()
  let server: Server<SocketData> | null = null
  let presence: PresenceEvents = { left() {}, heard() {} }
  let onPublished = (_message: ServerMessage) => {}
  const socketsOf = (userId: number) => byUser.get(userId) ?? new Set<Socket>()
  const all = () => [...byUser.values()].flatMap((some) => [...some])
  const isBehind = (boardId: number, version: number) => (told.get(boardId) ?? version) < version

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

  /** For sockets that joined before that version; returns them. */
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
    if (isAnnounced(message)) {
      const { boardId, version } = message.payload
      if (isBehind(boardId, version)) told.set(boardId, version)
    }
    onPublished(message)
  }

  function updateUser(user: SessionUser) {
    for (const socket of socketsOf(user.id)) socket.data.session.user = user
  }

  function closeSessions(keys: string[]) {
    if (keys.length === 0) return
    const ended = new Set(keys)
    for (const socket of all()) if (ended.has(socket.data.session.key)) socket.close(SIGNED_OUT, 'Signed out')
  }

  /** Skips boards watched since the question was sent: nobody has checked those. */
  function tellWatched(socket: Socket, versions: Missed['versions'], wasAsked: (boardId: number) => boolean) {
    const { watched } = socket.data
    const boardIds = [...watched].flatMap(([boardId, known]) => {
      const version = versions[boardId] ?? known
      if (version === known || !wasAsked(boardId)) return []
      watched.set(boardId, version)
      return [boardId]
    })
    if (boardIds.length > 0) sendTo(socket, { type: 'boards_changed', payload: { boardIds } })
  }

  return {
    deliver,
    publish,
    leave,
    all,
    socketsOf,
    attach(running: Server<SocketData>) {
      server = running
    },
    isOpen: (boardId: number) => (server?.subscriberCount(boardTopic(boardId)) ?? 0) > 0,
    hearPublished(hear: typeof onPublished) {
      onPublished = hear
    },
    onPresence(events: PresenceEvents) {
      presence = events
    },
    enter(socket: Socket) {
      const { id } = socket.data.session.user
      byUser.set(id, socketsOf(id).add(socket))
      socket.subscribe(userTopic(id))
    },
    /** Under the board's lock, at this version. */
    join(socket: Socket, boardId: number, version: number) {
      socket.data.joined.set(boardId, version)
      if (!told.has(boardId)) told.set(boardId, version)
      socket.subscribe(boardTopic(boardId))
    },
    exit(socket: Socket) {
      const { id } = socket.data.session.user
      const left = socketsOf(id)
      left.delete(socket)
      if (left.size === 0) byUser.delete(id)
      presence.left(socket)
    },
    isNext(envelopes: Envelope[]): boolean {
      const messages = envelopes.flatMap((envelope) => (envelope.do === 'publish' ? envelope.message : []))
      return !messages.some((message) => isAnnounced(message) && isBehind(message.payload.boardId, message.payload.version - 1))
    },
    /** What to ask the database about. Forgets boards that nobody has open any more. */
    collectJoined(): Joined | undefined {
      const open = all()
      const members = new Map<string, [boardId: number, userId: number]>()
      for (const { data } of open)
        for (const boardId of [...data.joined.keys(), ...data.watched.keys()])
          members.set(`${boardId} ${data.session.user.id}`, [boardId, data.session.user.id])
      const boards = new Set([...members.values()].map(([boardId]) => boardId))
      for (const boardId of told.keys()) if (!boards.has(boardId)) told.delete(boardId)
      if (open.length === 0) return undefined
      return { members: [...members.values()], sessionKeys: [...new Set(open.map(({ data }) => data.session.key))] }
    },
    /** Sockets may have joined or heard more meanwhile: versions tell. */
    applyMissed({ versions, gone, ended }: Missed, { members }: Joined) {
      closeSessions(ended)
      for (const [boardId, userId] of gone) {
        const version = (versions[boardId] ?? Number.POSITIVE_INFINITY) + 1
        for (const socket of endMembership(userId, { boardId, version }))
          sendTo(socket, { type: 'error', payload: { message: 'Board not found', code: 'NOT_FOUND', boardId } })
      }
      const asked = new Set(members.map(([boardId, userId]) => `${boardId} ${userId}`))
      for (const socket of all())
        tellWatched(socket, versions, (boardId) => asked.has(`${boardId} ${socket.data.session.user.id}`))
      const found = Object.entries(versions).map(([id, version]) => ({ boardId: Number(id), version }))
      const behind = found.filter(({ boardId, version }) => isBehind(boardId, version))
      for (const { boardId, version } of behind) told.set(boardId, version)
      for (const { boardId, version } of behind)
        publish([boardTopic(boardId)], { type: 'joined_board', payload: { boardId, version } })
    },
  }
}

const isAnnounced = (message: ServerMessage): message is AnnouncedChange => 'by' in message.payload
