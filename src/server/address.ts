import { lazy } from '../schema'

/** Loading it takes a tenth of a start, and most addresses do without. */
const net = lazy(() => process.getBuiltinModule('node:net'))

/** The caller's address. With TRUST_PROXY the last in X-Forwarded-For: the proxy wrote it, anyone can send the rest. */
export function addressOf(request: Request, peer: string, trustProxy: boolean): string {
  const forwarded = trustProxy && request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
  const given = forwarded ? withoutPort(forwarded) : ''
  return withoutMapping(given && net().isIP(given) ? given : peer)
}

const withoutPort = (text: string) => text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')

const withoutMapping = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/i, '')

/** An IPv6 address's /64, since one household or server has all of its addresses; anything else unchanged. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !net().isIPv6(address)) return address
  const [start = '', end = ''] = address.replace(/%.*/, '').split('::')
  const before = start.split(':').filter(Boolean)
  const after = end.split(':').filter(Boolean)
  const zeros = address.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : []
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
