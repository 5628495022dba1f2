/** A socket of Sails over socket.io 4, in which Planka's web client asks and listens. */
export type SailsSocket = { ask(method: string, url: string, data?: object): Promise<unknown>; close(): void }

const QUERY =
  'EIO=4&transport=websocket&__sails_io_sdk_version=1.2.1&__sails_io_sdk_platform=browser&__sails_io_sdk_language=javascript'
const LATE_MS = 30_000

/** What engine.io and socket.io put before a message. */
const [OPENED, PING, PONG, CONNECT, EVENT, ANSWER] = ['0', '2', '3', '40', '42', '43']

type Answered = { statusCode: number; body: unknown }

export async function openSails(origin: string, token: string, heard: (event: string) => void): Promise<SailsSocket> {
  // TypeScript sees the browser's constructor, which takes no headers.
  const options = { headers: { origin } } as unknown as string[]
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket.io/?${QUERY}`, options)
  const waiting = new Map<number, (answer: Answered) => void>()
  const opened = Promise.withResolvers<void>()
  let asked = 0
  socket.onerror = () => opened.reject(new Error('the socket was refused'))
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    if (data === PING) socket.send(PONG)
    else if (data.startsWith(CONNECT)) opened.resolve()
    else if (data.startsWith(OPENED)) socket.send(CONNECT)
    else if (data.startsWith(EVENT)) heard(String(JSON.parse(data.slice(EVENT.length))[0]))
    else if (data.startsWith(ANSWER)) take(data.slice(ANSWER.length))
  }

  function take(text: string) {
    const start = text.indexOf('[')
    const id = Number(text.slice(0, start))
    waiting.get(id)?.(JSON.parse(text.slice(start))[0])
    waiting.delete(id)
  }

  async function ask(method: string, url: string, data: object = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<Answered>()
    const id = asked++
    waiting.set(id, resolve)
    const late = setTimeout(() => reject(new Error(`${method} ${url} was not answered`)), LATE_MS)
    const headers = { Authorization: `Bearer ${token}` }
    socket.send(`${EVENT}${id}${JSON.stringify([method.toLowerCase(), { method: method.toLowerCase(), headers, data, url }])}`)
    const { statusCode, body } = await promise
    clearTimeout(late)
    if (statusCode >= 400) throw new Error(`${method} ${url}: ${statusCode} ${JSON.stringify(body)}`)
    return body
  }

  await opened.promise
  return { ask, close: () => socket.close() }
}
