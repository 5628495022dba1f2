import type { Config } from '../config'
import { forbidden } from './errors'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Refuses what another site makes a browser send. Clients that are no browser send
 * neither header and carry no cookie that they were not given. Throws FORBIDDEN.
 */
export function assertOwnOrigin(
  request: Request,
  { origin, config }: { origin(): string; config: Pick<Config, 'production'> },
): void {
  const from = request.headers.get('origin')
  const foreign =
    from === null ? request.headers.get('sec-fetch-site') === 'cross-site' : !isOwn(from, origin(), config.production)
  if (foreign) throw forbidden('This request comes from another site')
}

/**
 * Refuses a request that was made by another name than this site's: a page elsewhere can make its own name lead here,
 * and is then of one origin with what it asks. Throws FORBIDDEN.
 */
export function assertOwnHost(request: Request, { origin }: { origin(): string }): void {
  const { hostname } = new URL(request.url)
  if (!LOOPBACK.has(hostname) && hostname !== new URL(origin()).hostname) throw forbidden('This site has another name')
}

function isOwn(from: string, own: string, production: boolean): boolean {
  if (from === own) return true
  if (production || !URL.canParse(from)) return false
  // On one's own machine the same server has several names.
  const [a, b] = [new URL(from), new URL(own)]
  return LOOPBACK.has(a.hostname) && LOOPBACK.has(b.hostname) && a.port === b.port && a.protocol === b.protocol
}
