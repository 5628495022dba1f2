import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import { isIP, isIPv6 } from 'node:net'
import type { Config } from '../config'
import { limited, readWhole } from './body'
import { placeOf } from './clientAddress'
import { badRequest, Refusal } from './errors'

type Outside = { status: number; type: string | null; bytes: Uint8Array<ArrayBuffer> }
type Asking = {
  headers?: Record<string, string>
  maxBytes: number
  timeoutMs: number
  usesImportAllow?: boolean
  signal?: AbortSignal
  /** Streams the answer here instead of into `bytes`: slow answers would fill the memory. */
  save?(chunks: AsyncIterable<Uint8Array>): Promise<void>
}
/** Resolves for any status. Throws BAD_REQUEST, in a sentence, if there is no answer. */
export type FetchOutside = (url: string, asking: Asking) => Promise<Outside>

const REDIRECTS = 5

/** `connectTo` redirects checked addresses: tests keep the internet on their own machine. */
const NETWORK = {
  resolve: async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address),
  connectTo: (address: string) => address,
}
type Network = typeof NETWORK

/**
 * Fetches URLs that users give: only from public servers, or a Planka that the operator allows. Connects to the address that was
 * checked, because a name may resolve differently a moment later.
 */
export function createFetchOutside({ importAllow }: Pick<Config, 'importAllow'>, network: Network = NETWORK): FetchOutside {
  /** `allowed` is the one host and port that may be in a private network. */
  async function addressesOf(url: URL, { usesImportAllow = false }: Asking, allowed: string | undefined): Promise<string[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const all = isIP(host) ? [host] : await network.resolve(host).catch(() => [])
    if (all.length === 0) throw badRequest(`${url.hostname} cannot be found.`)
    const isAllowed = hostAndPort(url) === allowed
    const found = all.filter((address) => placeOf(address) === 'internet' || (isAllowed && placeOf(address) === 'private'))
    if (found.length > 0) return found
    if (isAllowed) throw badRequest(`${url.hostname} resolves to an address this server never connects to.`)
    const unless = usesImportAllow ? ` unless the operator adds ${hostAndPort(url)} to IMPORT_ALLOW` : ''
    throw badRequest(`${url.hostname} is on a private network, which this server does not connect to${unless}.`)
  }

  async function follow(url: URL, asking: Asking, allowed: string | undefined, signal: AbortSignal, left: number) {
    const addresses = (await addressesOf(url, asking, allowed)).map(network.connectTo)
    const response = await open(url, addresses, asking.headers ?? {}, signal)
    const { statusCode: status = 0, headers } = response
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      response.destroy()
      if (left === 0) throw badRequest(`${url.hostname} redirects too many times.`)
      const next = webAddress(headers.location, url)
      const same = next.origin === url.origin
      return follow(next, same ? asking : { ...asking, headers: {} }, allowed, signal, left - 1)
    }
    return { status, type: headers['content-type'] ?? null, bytes: await bodyOf(response, url, asking) }
  }

  return async (url, asking) => {
    const first = webAddress(url)
    const allowed = asking.usesImportAllow ? importAllow.find((server) => server === hostAndPort(first)) : undefined
    const signal = AbortSignal.any([AbortSignal.timeout(asking.timeoutMs), ...(asking.signal ? [asking.signal] : [])])
    const late = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => late.reject(badRequest(`${first.hostname} took too long to answer.`)))
    return Promise.race([follow(first, asking, allowed, signal, REDIRECTS).catch(asRefusal(first, signal)), late.promise])
  }
}

const hostAndPort = ({ hostname, port, protocol }: URL) => `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`

function webAddress(text: string, from?: URL): URL {
  const url = URL.canParse(text, from?.href) ? new URL(text, from?.href) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw badRequest('Enter an address that starts with http:// or https://.')
  return url
}

function open(url: URL, addresses: string[], headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
  const known = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).get(
      {
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        path: `${url.pathname}${url.search}`,
        headers: { 'accept-encoding': 'identity', ...headers },
        agent: false,
        signal,
        lookup: (_host, _options, done) => done(null, known),
      },
      resolve,
    )
    request.once('error', reject)
  })
}

async function bodyOf(response: IncomingMessage, { hostname }: URL, { maxBytes, save }: Asking) {
  const tooLarge = () => badRequest(`The response from ${hostname} is larger than ${Math.ceil(maxBytes / 2 ** 20)} MB.`)
  const saved = async () => {
    await save?.(limited(response, maxBytes, tooLarge))
    return new Uint8Array()
  }
  const bytes = await (save ? saved() : readWhole(response, maxBytes, tooLarge)).finally(() => response.destroy())
  if (!response.complete) throw badRequest(`${hostname} closed the connection too early.`)
  return bytes
}

const asRefusal =
  ({ hostname }: URL, signal: AbortSignal) =>
  (error: unknown): never => {
    if (error instanceof Refusal) throw error
    throw badRequest(signal.aborted ? `${hostname} took too long to answer.` : `${hostname} did not answer.`)
  }

type Bounds = { maxBytes: number; timeoutMs: number }

/** `fetch` for configured servers: whole bodies, not decompressed, within limits of size and time. */
export const fetchWithin = ({ maxBytes, timeoutMs }: Bounds) =>
  async function fetchBounded(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
    const headers = new Headers(init.headers)
    headers.set('accept-encoding', 'identity')
    const asked = { redirect: 'error', ...init, headers, signal: AbortSignal.any(signals), decompress: false } as const
    const { body, status, headers: answered } = await fetch(input, asked)
    const tooLarge = () => new Error(`the answer has more than ${maxBytes} bytes`)
    return new Response(await readWhole(body ?? nothing(), maxBytes, tooLarge), { status, headers: answered })
  }

async function* nothing() {}
