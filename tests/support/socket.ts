import { once } from 'node:events'
import { connect } from 'node:net'
import type { ServerMessage } from '../../src/protocol'
import { happenings } from './until'

const NO_BOARD = 2_147_483_647

type Payloads = { [M in ServerMessage as M['type']]: M['payload'] }
export type TestSocket = Awaited<ReturnType<typeof openSocket>>

/** Opens the live channel; fails where it is refused. */
export async function openSocket(origin: string, headers: Record<string, string> = {}) {
  // Bun takes headers here; the browser's types, which the page needs, know only protocols.
  const options = { headers } as unknown as string[]
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, options)
  const unread: ServerMessage[] = []
  const arrivals = happenings()
  const opened = Promise.withResolvers<void>()
  let end: { code: number; reason: string } | undefined
  socket.onopen = () => opened.resolve()
  socket.onmessage = ({ data }) => {
    // Only the server's own messages come this way; what is in them, the tests assert.
    unread.push(JSON.parse(String(data)) as ServerMessage)
    arrivals.happen()
  }
  socket.onclose = ({ code, reason }) => {
    opened.reject(new Error('the socket was refused'))
    end = { code, reason }
    arrivals.happen()
  }
  await opened.promise

  const send = (type: string, payload: unknown) => socket.send(JSON.stringify({ type, payload }))

  /** Takes the first unread message that is so. */
  function take(isSought: (message: ServerMessage) => boolean): ServerMessage | undefined {
    const index = unread.findIndex(isSought)
    return index >= 0 ? unread.splice(index, 1)[0] : undefined
  }
  const come = (what: string, isSought: (message: ServerMessage) => boolean) =>
    arrivals.until(
      () => {
        const found = take(isSought)
        if (!found && end) throw new Error(`no ${what} came before it was closed (${end.code} ${end.reason})`)
        return found
      },
      () => `no ${what} came; unread are ${JSON.stringify(unread)}`,
    )
  const closed = () =>
    arrivals.until(
      () => end,
      () => `the socket stayed open; unread are ${JSON.stringify(unread).slice(0, 500)}`,
    )

  /** Waits for the next message of a type; others stay unread. */
  async function next<T extends keyof Payloads>(type: T): Promise<Payloads[T]> {
    const message = await come(type, (one) => one.type === type)
    // The type was just compared.
    return message.payload as Payloads[T]
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
      await come('answer to a join', ({ type, payload }) => type === 'error' && payload.boardId === NO_BOARD)
      return unread.splice(0).filter(({ type }) => type !== 'notification_added')
    },
    closed,
    close() {
      socket.close()
      return closed()
    },
  }
}

/** The head of the answer to an upgrade, which no WebSocket client shows. */
export async function handshake(origin: string, cookie: string): Promise<string> {
  const { host, hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  const [head] = await once(socket, 'data')
  socket.destroy()
  return String(head)
}
