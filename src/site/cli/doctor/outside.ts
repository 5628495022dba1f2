import { request as http } from 'node:http'
import { request as https } from 'node:https'
import { isLoopback } from '../../../config'
import { fetchWithin } from '../../../server/outbound'
import { Ailment } from './finding'

const WITHIN_MS = 10_000
const ask = fetchWithin({ maxBytes: 64 * 1024, timeoutMs: WITHIN_MS })
const SWITCHED = 101
const UNAUTHORIZED = 401

const PROXY = 'let the proxy pass everything at PUBLIC_URL to this server, and allow answers that take up to ten seconds'

/** As visitors reach it: through the proxy. */
export async function address(publicUrl: string, mark: string | undefined): Promise<string> {
  const answer = await ask(`${publicUrl}/health`, { redirect: 'manual' })
  if (answer.status >= 300 && answer.status < 400)
    throw new Ailment(
      `it redirects to ${answer.headers.get('location')}`,
      'set PUBLIC_URL to the address at which the site answers',
    )
  const found = answer.headers.get('x-installation')
  if (found === null) throw new Ailment(`something else answers there, with ${answer.status}`, PROXY)
  if (mark !== undefined && found !== mark)
    throw new Ailment('another installation of wrk answers there', 'compare DATABASE_URL and DATA_DIR with those of the server')
  if (!answer.ok) throw new Ailment(`it answers ${answer.status}: ${await reasonOf(answer)}`, 'fix what the other lines report')
  return `${publicUrl} is this installation`
}

const reasonOf = async (answer: Response) => {
  const body: unknown = await answer.json().catch(() => null)
  return typeof body === 'object' && body !== null && 'status' in body ? body.status : 'no reason'
}

export function encrypted(publicUrl: string, trustProxy: boolean): string {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:') return trustProxy ? 'used, behind a trusted proxy' : 'used'
  if (isLoopback(hostname)) return 'not needed for a loopback address'
  throw new Ailment(
    `${publicUrl} sends passwords and sessions where others can read them`,
    'put a proxy with a certificate in front, such as Caddy, and set PUBLIC_URL to its https address',
  )
}

const SOCKETS =
  'have the proxy pass WebSocket upgrades at /ws: the headers Upgrade and Connection, over HTTP/1.1, and without a short time limit'

/** Nobody is signed in here: a server that meets an upgrade says 401, some proxies 101 before it does; 426 is to a plain request. */
export async function sockets(publicUrl: string): Promise<string> {
  const status = await upgradeStatus(new URL('/ws', publicUrl))
  if (status === UNAUTHORIZED || status === SWITCHED) return 'come through'
  throw new Ailment(`get the answer ${status} before they reach the server as WebSocket requests`, SOCKETS)
}

const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'd3JrIGRvY3RvciBhc2tzIQ==',
}

function upgradeStatus(url: URL): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const asked = (url.protocol === 'https:' ? https : http)(url, { headers: UPGRADE, timeout: WITHIN_MS })
  asked.on('response', ({ statusCode = 0 }) => resolve(statusCode))
  asked.on('upgrade', () => resolve(SWITCHED))
  asked.on('timeout', () => reject(new Ailment('nothing answers there', SOCKETS)))
  asked.on('error', reject)
  asked.end()
  return promise.finally(() => asked.destroy())
}
