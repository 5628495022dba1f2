import type { Config } from '../config'
import { forbidden } from './errors'

const FOREIGN = new Set(['cross-site', 'same-site'])
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Refuses requests of other sites, those on the same domain too. Clients that are no browser send neither header. Throws FORBIDDEN. */
export function assertOwnOrigin(
  request: Request,
  { origin, config }: { origin(): string; config: Pick<Config, 'production'> },
): void {
  const from = request.headers.get('origin')
  const foreign =
    from === null ? FOREIGN.has(request.headers.get('sec-fetch-site') ?? '') : !isOwn(from, origin(), config.production)
  if (foreign) throw forbidden('This request comes from another site')
}

/** Against DNS rebinding: another site's name can lead here and count as same-origin. Throws FORBIDDEN. */
export function assertOwnHost(request: Request, { origin }: { origin(): string }): void {
  const { hostname } = new URL(request.url)
  if (!LOOPBACK.has(hostname) && hostname !== new URL(origin()).hostname) throw forbidden('This site has another name')
}

function isOwn(from: string, own: string, production: boolean): boolean {
  if (from === own) return true
  if (production || !URL.canParse(from)) return false
  const [a, b] = [new URL(from), new URL(own)]
  return LOOPBACK.has(a.hostname) && LOOPBACK.has(b.hostname) && a.port === b.port && a.protocol === b.protocol
}
