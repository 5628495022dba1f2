import type { ServerMessage } from '../../src/protocol'

/** No test waits this long for a message unless it is about to fail. */
const GUARD = 5_000
const NO_BOARD = 2_147_483_647

type Payloads = { [M in ServerMessage as M['type']]: M['payload'] }
export type TestSocket = Awaited<ReturnType<typeof openSocket>>

/** Opens the live channel; fails where it is refused. */
export async function openSocket(origin: string, headers: Record<string, string> = {}) {
  // Bun takes headers here; the browser's types, which the page needs, know only protocols.
  const options = { headers } as unknown as string[]
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, options)
  const unread: ServerMessage[] = []
  let arrived = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  socket.onopen = () => opened.resolve()
  socket.onmessage = ({ data }) => {
    // Only the server's own messages come this way; what is in them, the tests assert.
    unread.push(JSON.parse(String(data)) as ServerMessage)
    arrived.resolve()
    arrived = Promise.withResolvers<void>()
  }
  socket.onclose = ({ code, reason }) => {
    opened.reject(new Error('the socket was refused'))
    closed.resolve({ code, reason })
  }
  await opened.promise

  const send = (type: string, payload: unknown) => socket.send(JSON.stringify({ type, payload }))

  /** Waits for the next message of a type; others stay unread. */
  async function next<T extends keyof Payloads>(type: T): Promise<Payloads[T]> {
    const late = guard(() => `no ${type} came; unread are ${JSON.stringify(unread)}`)
    try {
      for (;;) {
        const index = unread.findIndex((message) => message.type === type)
        const [message] = index >= 0 ? unread.splice(index, 1) : []
        // The type was just compared.
        if (message) return message.payload as Payloads[T]
        await Promise.race([arrived.promise, late.promise])
      }
    } finally {
      late.cancel()
    }
  }

  return {
    send,
    next,
    /** Sends what the protocol may not know. */
    sendRaw: (data: string | Uint8Array<ArrayBuffer>) => socket.send(data),
    async join(boardId: number) {
      send('join_board', { boardId })
      return next('joined_board')
    },
    /** All unread messages of boards, once everything that the server sent before this call has arrived. */
    async heard(): Promise<ServerMessage[]> {
      send('join_board', { boardId: NO_BOARD })
      const late = guard(() => 'no answer to a join came')
      const isAnswer = (message: ServerMessage) => message.type === 'error' && message.payload.boardId === NO_BOARD
      while (!unread.some(isAnswer)) await Promise.race([arrived.promise, late.promise])
      late.cancel()
      unread.splice(unread.findIndex(isAnswer), 1)
      return unread.splice(0).filter(({ type }) => type !== 'notification_added')
    },
    async closed() {
      const late = guard(() => `the socket stayed open; unread are ${JSON.stringify(unread).slice(0, 500)}`)
      return Promise.race([closed.promise, late.promise]).finally(late.cancel)
    },
    close() {
      socket.close()
      return closed.promise
    },
  }
}

function guard(text: () => string) {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  const timer = setTimeout(() => reject(new Error(text())), GUARD)
  return { promise, cancel: () => clearTimeout(timer) }
}
