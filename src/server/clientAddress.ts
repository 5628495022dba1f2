import { BlockList, isIP, isIPv6 } from 'node:net'

/** The caller's address. With TRUST_PROXY the last in X-Forwarded-For: the proxy wrote it, anyone can send the rest. */
export function addressOf(request: Request, peer: string, trustProxy: boolean): string {
  const forwarded = trustProxy && request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
  const given = forwarded ? withoutPort(forwarded) : ''
  return given && isIP(given) ? given : peer
}

const withoutPort = (text: string) => text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')

/** What counts as one caller: an IPv4 address (also embedded in IPv6) or an IPv6 /56, typical of one household or server. */
export function networkOf(address: string): string {
  const parts = ipv6Parts(address)
  return parts ? (embeddedIpv4(parts) ?? prefix(parts, 56)) : address
}

/** The IPv6 /48 and /32 around a network, which one customer or provider may own; none for IPv4. */
export function blocksOf(address: string): { site: string; provider: string } | undefined {
  const parts = ipv6Parts(address)
  return parts && !embeddedIpv4(parts) ? { site: prefix(parts, 48), provider: prefix(parts, 32) } : undefined
}

function ipv6Parts(address: string): number[] | undefined {
  if (!address.includes(':') || !isIPv6(address)) return undefined
  // A URL's host normalizes the spelling, without dotted ends.
  const { hostname } = new URL(`http://[${withoutZone(address)}]`)
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((part) => Number.parseInt(part, 16))
}

/** The caller's IPv4 address in a mapped one (::ffff:0:0/96), NAT64 (64:ff9b::/96), 6to4 (2002::/16) or Teredo (2001::/32). */
function embeddedIpv4(parts: number[]): string | undefined {
  const start = parts.map((part) => part.toString(16)).join(':')
  const [, high = 0, low = 0, , , , nextToLast = 0, last = 0] = parts
  if (start.startsWith('0:0:0:0:0:ffff:') || start.startsWith('64:ff9b:0:0:0:0:')) return ipv4(nextToLast, last)
  if (start.startsWith('2002:')) return ipv4(high, low)
  // Teredo inverts it, so that no device on the way rewrites it.
  if (start.startsWith('2001:0:')) return ipv4(nextToLast ^ 0xffff, last ^ 0xffff)
  return undefined
}

const ipv4 = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.')

function prefix(parts: number[], bits: 32 | 48 | 56): string {
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const kept = { 32: [a, b], 48: [a, b, c], 56: [a, b, c, d & 0xff00] }[bits]
  return `${kept.map((part) => part.toString(16)).join(':')}::/${bits}`
}

const listOf = (ranges: string[]) => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

const PRIVATE = listOf(['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'])

/** This machine, link-local and cloud metadata addresses, and reserved ones. */
const NEVER = listOf([
  '0.0.0.0/8',
  '100.100.100.200/32',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  'fd00:42::42/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])

const GLOBAL_IPV6 = listOf(['2000::/3'])

/** `never` addresses are refused whatever the operator allows. */
export function placeOf(address: string): 'internet' | 'private' | 'never' {
  const plain = unmapped(address)
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4'
  if (!isIP(plain) || NEVER.check(plain, family)) return 'never'
  if (PRIVATE.check(plain, family)) return 'private'
  return family === 'ipv4' || GLOBAL_IPV6.check(plain, family) ? 'internet' : 'never'
}

const MAPPED = [0, 0, 0, 0, 0, 0xffff].join()

function unmapped(address: string): string {
  const parts = ipv6Parts(address)
  if (!parts) return address
  if (parts.slice(0, 6).join() !== MAPPED) return withoutZone(address)
  return ipv4(parts[6] ?? 0, parts[7] ?? 0)
}

const withoutZone = (address: string) => address.replace(/%.*$/, '')
