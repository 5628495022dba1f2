import { BlockList, isIP, isIPv6 } from 'node:net'

const listOf = (ranges: string[]) => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Of the operator's own network. */
const PRIVATE = listOf(['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'])

/** This machine, link-local addresses, those at which clouds tell a machine its secrets, and those that nobody has. */
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

/** Where an address is; `never` is one that nothing may be asked at, whatever an operator allows. */
export function placeOf(address: string): 'internet' | 'private' | 'never' {
  const plain = unmapped(address)
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4'
  if (!isIP(plain) || NEVER.check(plain, family)) return 'never'
  if (PRIVATE.check(plain, family)) return 'private'
  return family === 'ipv4' || GLOBAL_IPV6.check(plain, family) ? 'internet' : 'never'
}

/** An IPv4 address that is written as one of IPv6, in either spelling. */
function unmapped(address: string): string {
  if (!isIPv6(address)) return address
  const [, high = '', low = ''] =
    /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(new URL(`http://[${withoutZone(address)}]`).hostname) ?? []
  if (high === '') return withoutZone(address)
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

const withoutZone = (address: string) => address.replace(/%.*$/, '')
