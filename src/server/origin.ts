import { type Config, isLoopback } from '../config'
import { forbidden } from './errors'

const FOREIGN = new Set(['cross-site', 'same-site'])

/** Refuses requests from other sites, same-domain ones too. Clients other than browsers send neither header. Throws FORBIDDEN. */
export function assertOwnOrigin(
  request: Request,
  { origin, config }: { origin(): string; config: Pick<Config, 'production'> },
): void {
  const from = request.headers.get('origin')
  const foreign =
    from === null ? FOREIGN.has(request.headers.get('sec-fetch-site') ?? '') : !isOwn(from, origin(), config.production)
  if (foreign) throw forbidden('This request comes from another site')
}

function isOwn(from: string, own: string, production: boolean): boolean {
  if (from === own) return true
  if (production || !URL.canParse(from)) return false
  const [a, b] = [new URL(from), new URL(own)]
  return isLoopback(a.hostname) && isLoopback(b.hostname) && a.port === b.port && a.protocol === b.protocol
}

type Given = Pick<Config, 'production' | 'isLocal'>

/** True outside production on a server that only its own machine reaches. */
export const isForDevelopers = ({ production, isLocal }: Given): boolean => !production && isLocal

const FORWARDED_HOSTS = ['x-forwarded-host', 'x-forwarded-server', 'x-original-host']

/** Whether a request came from that machine. A tunnel or proxy on it may hide the true Host in another header. */
export function isDeveloper(config: Given, { url, headers }: Request): boolean {
  if (!isForDevelopers(config) || !isLoopback(URL.parse(url)?.hostname ?? '')) return false
  if (headers.has('forwarded') || headers.has('via')) return false
  return FORWARDED_HOSTS.every((name) => headers.get(name)?.split(',').every(isLoopbackHost) ?? true)
}

const isLoopbackHost = (host: string) => isLoopback(host.trim().replace(/:\d+$/, ''))
