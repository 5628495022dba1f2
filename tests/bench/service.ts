import { atEnd } from './cleanUp'

export const CARDS = 500
export const LISTENERS = 100
export const DESCRIPTION = 'What is to be done, said in a sentence or two, as people do.'

/** A running server with a board of its own to load; each asks as that server's web client does. */
export type Service = {
  name: string
  open(nth: number): Promise<unknown>
  change(nth: number): Promise<unknown>
  create(nth: number): Promise<unknown>
  move(nth: number): Promise<unknown>
  /** Moves a card and waits until the last of the listeners has heard of it. */
  moveHeard(nth: number): Promise<unknown>
}

export type Ask = (method: string, path: string, body?: object) => Promise<unknown>

/** One may ask again after `seconds`. */
class Limited extends Error {
  constructor(readonly seconds: number) {
    super(`asked too often, for ${seconds} s`)
  }
}

export const asking =
  (origin: string, headers: Record<string, string>): Ask =>
  async (method, path, body) => {
    const response = await fetch(origin + path, {
      method,
      headers: { 'accept-encoding': 'gzip', ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
      decompress: method !== 'GET',
    })
    const text = await response.text()
    if (response.status === 429) throw new Limited(Number(response.headers.get('retry-after')))
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
    return method === 'GET' ? text : JSON.parse(text)
  }

/** A round in which a server was asked more often than it allows is repeated when it may be. */
export async function unlessLimited<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Limited)) throw error
    await Bun.sleep(error.seconds * 1_000)
    return unlessLimited(work)
  }
}

export function removeAtEnd(ask: Ask, path: string, body?: object): void {
  atEnd(() => unlessLimited(() => ask('DELETE', path, body)))
}
