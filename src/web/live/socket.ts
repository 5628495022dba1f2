import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { type ClientMessage, type ServerMessage, SIGNED_OUT } from '../../protocol'
import { createStore } from '../createStore'
import { serverAnswered, serverUnreachable, tryAgain } from './reachability'

type Receiver = (message: ServerMessage) => void

export type Handlers = {
  [Type in ServerMessage['type']]?: (payload: Extract<ServerMessage, { type: Type }>['payload']) => void
}

export const handle =
  (handlers: Handlers): Receiver =>
  ({ type, payload }) =>
    // TypeScript does not see that the payload is that of the handler's type.
    (handlers[type] as ((given: object) => void) | undefined)?.(payload)

const RECONNECT_AFTER_MS = 3_000

/** A dead connection can look open for minutes. */
const ASK_EVERY_MS = 20_000
const ANSWER_WITHIN_MS = 4_000
const OPEN_WITHIN_MS = 10_000

export type Status = 'off' | 'connecting' | 'open' | 'lost'

let socket: WebSocket | null = null
const line = createStore<{ status: Status; failed: number }>({ status: 'off', failed: 0 })
let retry: ReturnType<typeof setTimeout> | undefined
let silence: ReturnType<typeof setTimeout> | undefined
const joined = new Map<number, number>()
const receivers = new Set<Receiver>()

const become = (status: Status, failed = failedOpenings()) => line.set({ status, failed })

let onNotLetIn: () => void = () => {}

/** Reopens it after each loss, until `disconnect`. Calls `notLetIn` if it cannot be opened: the session may have ended. */
export function connect(notLetIn = onNotLetIn): void {
  onNotLetIn = notLetIn
  if (socket) return
  watchPage()
  clearTimeout(retry)
  if (liveStatus() === 'off') become('connecting')
  if (!navigator.onLine) serverUnreachable()
  const opening = new WebSocket(`${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}/ws`)
  socket = opening
  dropAfter(OPEN_WITHIN_MS)
  opening.onopen = () => {
    clearTimeout(silence)
    serverAnswered()
    tryAgain()
    for (const boardId of joined.keys()) send({ type: 'join_board', payload: { boardId } })
    become('open', 0)
  }
  opening.onmessage = (event: MessageEvent<string>) => {
    // Our own server sends it.
    const message = JSON.parse(event.data) as ServerMessage
    clearTimeout(silence)
    retryJoin(message)
    dispatch(message)
  }
  opening.onclose = ({ code }) => {
    if (socket !== opening) return
    if (code === SIGNED_OUT || liveStatus() !== 'open') notLetIn()
    socket = null
    clearTimeout(silence)
    become('lost', failedOpenings() + (liveStatus() === 'open' ? 0 : 1))
    retry = setTimeout(connect, RECONNECT_AFTER_MS)
  }
}

export function disconnect(): void {
  clearTimeout(retry)
  clearTimeout(silence)
  const closing = socket
  socket = null
  closing?.close()
  become('off', 0)
}

const PASSING = ['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE']

/** Retries after a server fault. */
const retryJoin = handle({
  error({ boardId, code }) {
    if (boardId === undefined || !PASSING.includes(code)) return
    setTimeout(() => joined.has(boardId) && send({ type: 'join_board', payload: { boardId } }), RECONNECT_AFTER_MS)
  },
})

/** A dead connection can look open after sleep or a network change: rejoining catches up. */
function lookAlive() {
  if (document.visibilityState !== 'visible') return
  if (liveStatus() === 'lost') connect()
  if (liveStatus() !== 'open') return
  for (const boardId of joined.keys()) send({ type: 'join_board', payload: { boardId } })
  askWhetherAlive(RECONNECT_AFTER_MS)
}

/** Any message within `patience` counts as the answer. */
function askWhetherAlive(patience: number) {
  send({ type: 'ping', payload: {} })
  dropAfter(patience)
}

function dropAfter(patience: number) {
  clearTimeout(silence)
  silence = setTimeout(drop, patience)
}

let isWatching = false

function watchPage() {
  if (isWatching) return
  isWatching = true
  setInterval(() => {
    if (liveStatus() === 'open' && document.visibilityState === 'visible') askWhetherAlive(ANSWER_WITHIN_MS)
  }, ASK_EVERY_MS)
  window.addEventListener('online', () => {
    lookAlive()
    tryAgain()
  })
  window.addEventListener('offline', () => {
    drop()
    serverUnreachable()
  })
  document.addEventListener('visibilitychange', lookAlive)
}

function drop() {
  const dead = socket
  if (!dead) return
  dead.close()
  dead.onclose?.(new CloseEvent('close'))
}

export function send(message: ClientMessage): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

/** Receives a board's messages until the returned function is called. */
export function joinBoard(boardId: number): () => void {
  const users = joined.get(boardId) ?? 0
  joined.set(boardId, users + 1)
  if (users === 0) send({ type: 'join_board', payload: { boardId } })
  return () => {
    const left = (joined.get(boardId) ?? 1) - 1
    if (left > 0) {
      joined.set(boardId, left)
      return
    }
    joined.delete(boardId)
    send({ type: 'leave_board', payload: { boardId } })
  }
}

export function dispatch(message: ServerMessage): void {
  for (const receiver of receivers) receiver(message)
}

export function listen(receiver: Receiver): () => void {
  receivers.add(receiver)
  return () => {
    receivers.delete(receiver)
  }
}

export function useLiveMessages(handlers: Handlers): void {
  useEveryLiveMessage((message) => handle(handlers)(message))
}

export function useEveryLiveMessage(receiver: Receiver): void {
  const latest = useEffectEvent(receiver)
  useEffect(() => listen((message) => latest(message)), [])
}

/** Also called at each further failure to open. */
export const watchLive = line.watch

export const liveStatus = (): Status => line.get().status

export const useIsLost = (): boolean => useSyncExternalStore(watchLive, () => liveStatus() === 'lost')

/** How often in a row the socket could not connect. */
export const failedOpenings = (): number => line.get().failed

export const joinedBoards = (): number[] => [...joined.keys()]

/** Calls `begin` each time it opens, and now if it is open. */
export function onOpen(begin: () => void): () => void {
  let wasOpen = false
  const look = () => {
    if (liveStatus() === 'open' && !wasOpen) begin()
    wasOpen = liveStatus() === 'open'
  }
  look()
  return watchLive(look)
}

/** Resolves once it has this status; never if `until` is aborted first. */
export const whenLive = (isSo: (status: Status) => boolean, until: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (until.aborted) return
    const stop = watchLive(look)
    until.addEventListener('abort', stop)
    function look() {
      if (!isSo(liveStatus())) return
      stop()
      resolve()
    }
    look()
  })
