import { BlockList, isIP, isIPv6 } from 'node:net'

const listOf = (ranges: string[]) => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Of one's own machine and network. */
const PRIVATE = listOf(['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128', 'fc00::/7'])

/** Link-local ones among them, and those at which clouds tell a machine its secrets. */
const NOBODYS = listOf([
  '0.0.0.0/8',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  'fd00:ec2::254/128',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])

const GLOBAL_IPV6 = listOf(['2000::/3'])

/** Whether it is the address of a server in the internet, or, where those are allowed, in one's own network. */
export function mayBeAsked(address: string, privateToo: boolean): boolean {
  const plain = unmapped(address)
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4'
  if (!isIP(plain) || NOBODYS.check(plain, family)) return false
  if (PRIVATE.check(plain, family)) return privateToo
  return family === 'ipv4' || GLOBAL_IPV6.check(plain, family)
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
