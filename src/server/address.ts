import { isIP, isIPv6 } from 'node:net'

/**
 * Where a request comes from on the network. Behind a proxy (`TRUST_PROXY`, contract.md, section 8) that is the last
 * address in X-Forwarded-For, the one that this site's own proxy wrote: what stands before it, anyone can send. So there
 * must be just one proxy, and no way around it. Without TRUST_PROXY the header is not looked at.
 */
export function addressOf(request: Request, peer: string, trustProxy: boolean): string {
  const forwarded = trustProxy && request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
  const given = forwarded ? withoutPort(forwarded) : ''
  return withoutMapping(isIP(given) ? given : peer)
}

/** Some proxies write 192.0.2.1:5678 or [2001:db8::1]:5678. */
const withoutPort = (text: string) => text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')

/** IPv4 as it is seen on a socket that takes both. */
const withoutMapping = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/i, '')

/**
 * Of an IPv6 address, its first 64 bits: that is what one household or one server gets, to take addresses from at will.
 * Anything else as it is.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [start = '', end = ''] = address.replace(/%.*/, '').split('::')
  const [before, after] = [start, end].map((part) => part.split(':').filter(Boolean)) as [string[], string[]]
  const zeros = address.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : []
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
