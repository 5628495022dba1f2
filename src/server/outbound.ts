import { lookup } from 'node:dns/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, isIPv6 } from 'node:net'
import type { Config } from '../config'
import { mayBeAsked } from './addressRanges'
import { badRequest, Refusal } from './errors'

type Outside = { status: number; type: string | null; bytes: Uint8Array<ArrayBuffer> }
type Asking = { headers?: Record<string, string>; maxBytes: number; timeoutMs: number }
/** Throws BAD_REQUEST, in a sentence, for whatever cannot be had; any status is an answer. */
export type FetchOutside = (url: string, asking: Asking) => Promise<Outside>
type Resolve = (host: string) => Promise<string[]>

const REDIRECTS = 5

/**
 * Gets what somebody else names: only from servers in the internet, unless the operator allows the own network. The connection
 * goes to an address that was looked at, as names may be resolved otherwise a moment later.
 */
export function createFetchOutside(
  { importPrivateAddresses }: Pick<Config, 'importPrivateAddresses'>,
  resolve: Resolve = resolveName,
): FetchOutside {
  async function addressesOf({ hostname }: URL): Promise<string[]> {
    const host = hostname.replace(/^\[|\]$/g, '')
    const all = isIP(host) ? [host] : await resolve(host).catch(() => [])
    if (all.length === 0) throw badRequest(`${hostname} cannot be found.`)
    const allowed = all.filter((address) => mayBeAsked(address, importPrivateAddresses))
    if (allowed.length === 0) throw badRequest(`${hostname} is in a private network, which this server does not ask.`)
    return allowed
  }

  async function follow(url: URL, asking: Asking, signal: AbortSignal, left: number): Promise<Outside> {
    const response = await open(url, await addressesOf(url), asking.headers ?? {}, signal)
    const { statusCode: status = 0, headers } = response
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      response.destroy()
      if (left === 0) throw badRequest(`${url.hostname} leads from one address to the next too often.`)
      const next = webAddress(headers.location, url)
      return follow(next, next.origin === url.origin ? asking : { ...asking, headers: {} }, signal, left - 1)
    }
    return { status, type: headers['content-type'] ?? null, bytes: await whole(response, url, asking.maxBytes) }
  }

  return async (url, asking) => {
    const first = webAddress(url)
    const signal = AbortSignal.timeout(asking.timeoutMs)
    const late = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => late.reject(badRequest(`${first.hostname} takes too long to answer.`)))
    return Promise.race([follow(first, asking, signal, REDIRECTS).catch(asRefusal(first, signal)), late.promise])
  }
}

const resolveName: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

function webAddress(text: string, from?: URL): URL {
  const url = URL.canParse(text, from?.href) ? new URL(text, from?.href) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw badRequest('Only addresses with http:// or https:// can be asked.')
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

async function whole(response: IncomingMessage, { hostname }: URL, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      response.destroy()
      throw badRequest(`What ${hostname} answers is larger than ${maxBytes} bytes.`)
    }
    chunks.push(chunk)
  }
  if (!response.complete) throw badRequest(`${hostname} ended its answer before it was whole.`)
  return new Uint8Array(Buffer.concat(chunks))
}

const asRefusal =
  ({ hostname }: URL, signal: AbortSignal) =>
  (error: unknown): never => {
    if (error instanceof Refusal) throw error
    throw badRequest(signal.aborted ? `${hostname} takes too long to answer.` : `${hostname} does not answer.`)
  }
