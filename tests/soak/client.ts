import type { AnnouncedChange, ServerMessage } from '../../src/protocol'
import type { Snapshot } from '../../src/tasks/schema'
import { type Board, openBoard } from './board'
import type { History } from './history'
import type { Measures } from './measures'
import type { Opened } from './reduce'
import type { Server } from './site'

const OPENED_WITHIN_MS = 3_000
const READ_WITHIN_MS = 3_000
const ALIVE_EVERY_MS = 1_000
const SILENT_MS = 3_000
const CONNECT_AFTER_MS = 500
const SIGNED_OUT = 4001

/** Bun's own client takes headers, and can ask whether the other side lives. */
type BunSocket = WebSocket & { ping(): void; terminate(): void }
const BunSocket = WebSocket as unknown as new (url: string, options: { headers: Record<string, string> }) => BunSocket

export type Client = ReturnType<typeof createClient>
type Given = {
  name: string
  userId: number
  cookie: string
  address: string
  first: number
  servers: Server[]
  history: History
  measures: Measures
  onMessage(client: Client, message: AnnouncedChange): void
}

/** A client of somebody's, with a socket and the boards that they are on. */
export function createClient(given: Given) {
  const { name, userId, servers, history, measures } = given
  const boards = new Map<number, Board>()
  let nth = given.first
  let socket: BunSocket | undefined
  let isOver = false
  let openSince = Number.POSITIVE_INFINITY
  let cookie = given.cookie
  let nextCookie: string | undefined
  let endedAt: number | undefined
  const server = () => servers[nth % servers.length] ?? neverWithout()

  async function get(path: string): Promise<Response> {
    const headers = { cookie, 'x-forwarded-for': given.address }
    const at = server().lines.clients.url.replace(/\/$/, '')
    const response = await fetch(at + path, { headers, keepalive: false, signal: AbortSignal.timeout(READ_WITHIN_MS) })
    if (!response.ok && response.status !== 404) throw new Error(`${path}: ${response.status}`)
    return response
  }
  const list = async (path: string) => (await get(path)).json()
  const readOf = (boardId: number) => ({
    async board(): Promise<Snapshot | 'gone'> {
      const response = await get(`/api/boards/${boardId}/snapshot`)
      // Our own server sends it.
      return response.status === 404 ? 'gone' : ((await response.json()) as Snapshot)
    },
    async task(taskId: number): Promise<Opened | undefined> {
      const [comments, entries] = await Promise.all([
        list(`/api/tasks/${taskId}/comments`),
        list(`/api/time-entries/task/${taskId}`),
      ])
      // Deleted, or one is no member any more: both may be undone, and then nobody has read them.
      return Array.isArray(comments) && Array.isArray(entries) ? { taskId, comments, entries } : undefined
    },
  })

  function boardOf(boardId: number): Board {
    const read = readOf(boardId)
    const board = boards.get(boardId) ?? openBoard(boardId, { who: name, read, history, measures, isOver: () => isOver })
    boards.set(boardId, board)
    return board
  }
  function join(boardId: number) {
    boardOf(boardId)
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'join_board', payload: { boardId } }))
  }

  function receive({ type, payload }: ServerMessage) {
    if (type === 'joined_board') return boardOf(payload.boardId).joined(payload.version)
    if (type === 'error') {
      if (payload.boardId === undefined) return history.note(`hears ${payload.message}`, { person: name })
      if (payload.code === 'NOT_FOUND') boards.get(payload.boardId)?.gone()
      else setTimeout(join, CONNECT_AFTER_MS, payload.boardId)
      return
    }
    if (!('by' in payload)) return
    // What has `by` was stored.
    const message = { type, payload } as AnnouncedChange
    if (message.type === 'board_member_added' && message.payload.user.id === userId) join(payload.boardId)
    boards.get(payload.boardId)?.hear(message)
    given.onMessage(self, message)
    if (message.type === 'board_member_removed' && message.payload.userId === userId) boards.get(payload.boardId)?.gone()
  }

  /** The boards that one is on, which may have become more while nobody told. */
  async function catchUp() {
    const known = await list('/api/boards').catch(() => [])
    for (const { id } of Array.isArray(known) ? known : []) if (!boards.get(id)?.snapshot) join(id)
  }

  function connect() {
    if (isOver) return
    if (nextCookie) cookie = nextCookie
    nextCookie = endedAt = undefined
    const opening = new BunSocket(`${server().lines.clients.url.replace('http', 'ws')}ws`, {
      headers: { cookie, 'x-forwarded-for': given.address },
    })
    socket = opening
    let heardAt = performance.now()
    let isEnded = false
    const tooLate = setTimeout(end, OPENED_WITHIN_MS)
    const asking = setInterval(() => {
      if (performance.now() - heardAt > SILENT_MS) end()
      else if (opening.readyState === WebSocket.OPEN) opening.ping()
    }, ALIVE_EVERY_MS)
    /** Whether or not the other side says that it has. */
    function end() {
      if (isEnded) return
      isEnded = true
      clearTimeout(tooLate)
      clearInterval(asking)
      opening.terminate()
      openSince = Number.POSITIVE_INFINITY
      for (const board of boards.values()) board.left()
      nth += 1
      if (!isOver) setTimeout(connect, CONNECT_AFTER_MS)
    }
    opening.addEventListener('pong', () => {
      heardAt = performance.now()
    })
    opening.onopen = () => {
      clearTimeout(tooLate)
      openSince = history.now()
      for (const boardId of boards.keys()) join(boardId)
      void catchUp()
    }
    opening.onmessage = ({ data }) => {
      if (isEnded) return
      heardAt = performance.now()
      // Only our own server is at the other end.
      receive(JSON.parse(String(data)) as ServerMessage)
    }
    opening.onclose = ({ code }) => {
      if (code === SIGNED_OUT) history.note('is signed out', { person: name })
      end()
    }
  }

  const self = {
    name,
    userId,
    boards,
    server,
    get cookie() {
      return cookie
    },
    openSince: () => openSince,
    connect,
    catchUp,
    endedAt: () => endedAt,
    /** Its session is over, or may be; from its next connection on it has another one. */
    signedOut(next: string, isCertain: boolean) {
      if (isCertain) endedAt ??= history.now()
      else socket?.terminate()
      nextCookie = next
    },
    reconnect: () => socket?.terminate(),
    close() {
      isOver = true
      socket?.terminate()
    },
  }
  return self
}

function neverWithout(): never {
  throw new Error('a site has servers')
}
