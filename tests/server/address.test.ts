import { describe, expect, spyOn, test } from 'bun:test'
import { addressOf, networkOf } from '../../src/server/address'
import { createContext, type Services } from '../../src/server/context'
import { forwardingWarning } from '../../src/site/warnings'
import { browser, ownAddress } from '../support/browser'
import { onEachDatabase } from '../support/databases'

const tenTimes = (work: (n: number) => Promise<number>) => Promise.all(Array.from({ length: 10 }, (_, n) => work(n)))

const statusOf = async (origin: string, username: string, from: string) => {
  const body = { username, password: 'wrong password' }
  return (await browser(origin).http('POST', '/api/auth/login', body, { 'x-forwarded-for': from })).status
}

onEachDatabase('behind a proxy', (server) => {
  test('only the last address counts: what stands before it, anyone can write', async () => {
    const through = ownAddress()
    const tried = await tenTimes((n) => statusOf(server.origin, `guess${n}`, `${ownAddress()}, ${through}`))
    expect(tried).toEqual(Array(10).fill(401))
    expect(await statusOf(server.origin, 'another', `${ownAddress()},${through}:1234`)).toBe(429)
    expect(await statusOf(server.origin, 'another', `${through}, ${ownAddress()}`)).toBe(401)
  })

  test('the addresses of one IPv6 network are one client', async () => {
    const network = (n: number) => `2001:db8:7:${n}`
    const tried = await tenTimes((n) => statusOf(server.origin, `guess${n}`, `${network(1)}::${n}:1`))
    expect(tried).toEqual(Array(10).fill(401))
    expect(await statusOf(server.origin, 'another', `[${network(1)}:ffff::2]:443`)).toBe(429)
    expect(await statusOf(server.origin, 'another', `${network(2)}::1`)).toBe(401)
  })
})

onEachDatabase(
  'without a proxy',
  (server) => {
    test('a header makes nobody another client', async () => {
      const tried = await tenTimes((n) => statusOf(server.origin, `guess${n}`, ownAddress()))
      expect(tried).toEqual(Array(10).fill(401))
      expect(await statusOf(server.origin, 'another', ownAddress())).toBe(429)
    })
  },
  { TRUST_PROXY: '0' },
)

describe('an address', () => {
  const seen = (forwarded: string | null, trust = true) =>
    addressOf(
      new Request('http://x', { headers: forwarded === null ? {} : { 'x-forwarded-for': forwarded } }),
      '::ffff:192.0.2.1',
      trust,
    )

  test('is that of the peer, as IPv4 where it is, unless a proxy is trusted and names one', () => {
    expect(seen(null)).toBe('192.0.2.1')
    for (const none of ['', 'unknown', '203.0.113.5, ', '_hidden', '203.0.113.5, example.com', '1.2.3'])
      expect(seen(none)).toBe('192.0.2.1')
    expect(seen('203.0.113.5', false)).toBe('192.0.2.1')
    expect(seen('198.51.100.9, 203.0.113.5')).toBe('203.0.113.5')
    expect(seen('203.0.113.5:4711')).toBe('203.0.113.5')
    expect(seen('[2001:db8::5]:4711')).toBe('2001:db8::5')
    expect(seen('::FFFF:203.0.113.5')).toBe('203.0.113.5')
  })

  const networks: [string, string][] = [
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:0DB8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['192.0.2.1', '192.0.2.1'],
    ['user 7', 'user 7'],
  ]
  for (const [address, network] of networks)
    test(`${address} counts as ${network}`, () => {
      expect(networkOf(address)).toBe(network)
    })
})

describe('X-Forwarded-For without TRUST_PROXY', () => {
  const warnings = (trustProxy: boolean, ...forwarded: (string | null)[]) => {
    const said = spyOn(console, 'warn').mockImplementation(() => {})
    const warn = forwardingWarning({ trustProxy })
    for (const value of forwarded) warn(new Request('http://x', { headers: value === null ? {} : { 'x-forwarded-for': value } }))
    const lines = said.mock.calls.map(([line]) => line)
    said.mockRestore()
    return lines
  }

  test('is warned of once', () => {
    expect(warnings(false, null, '203.0.113.5', '203.0.113.6')).toEqual([
      'a request came with X-Forwarded-For, but TRUST_PROXY is off: behind a proxy everybody has its address, and shares its ' +
        'limits. Set TRUST_PROXY=1 if all requests come through one proxy that sets this header; not if anybody can reach this ' +
        'port directly, since anybody can send it',
    ])
  })

  test('is no matter where there is none, or where it is believed', () => {
    expect(warnings(false, null)).toEqual([])
    expect(warnings(true, '203.0.113.5')).toEqual([])
  })
})

test('is asked of the socket before anything is waited for: whoever hangs up has none any more', async () => {
  let isThere = true
  const services = {
    sessions: { find: async () => Bun.sleep(1) },
    addressOf: () => (isThere ? '192.0.2.7' : ''),
    config: {},
  } as unknown as Services
  const login = new Request('http://localhost/trpc/auth.login', { method: 'POST' })
  const coming = createContext(services, login)
  isThere = false
  expect((await coming).address()).toBe('192.0.2.7')
})
