import { describe, expect, spyOn, test } from 'bun:test'
import { addressOf, blocksOf, networkOf } from '../../src/server/clientAddress'
import { createContext, type Services } from '../../src/server/context'
import { createRateLimits } from '../../src/server/rateLimits'
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

  test('the addresses of one IPv6 /56 are one client', async () => {
    const tried = await tenTimes((n) => statusOf(server.origin, `guess${n}`, `2001:db8:7:1${n}f::1`))
    expect(tried).toEqual(Array(10).fill(401))
    expect(await statusOf(server.origin, 'another', '[2001:db8:7:1ff:ffff::2]:443')).toBe(429)
    expect(await statusOf(server.origin, 'another', '2001:db8:7:2ff::1')).toBe(401)
  })

  test('an IPv4 address is one client with the IPv6 addresses that hold it', async () => {
    const spellings = ['192.0.2.9', '::ffff:192.0.2.9', '::ffff:c000:209', '64:ff9b::192.0.2.9', '2002:c000:209:1::1']
    const tried = await tenTimes((n) => statusOf(server.origin, `guess${n}`, spellings[n % spellings.length] ?? ''))
    expect(tried).toEqual(Array(10).fill(401))
    for (const from of spellings) expect(await statusOf(server.origin, 'another', from)).toBe(429)
  })

  test('all of an IPv6 /48 together may try as often as ten of its networks', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 120 }, (_, n) => statusOf(server.origin, `guess${n}`, `2001:db8:8:${(n * 256).toString(16)}::1`)),
    )
    expect([401, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([100, 20])
    expect(await statusOf(server.origin, 'another', '2001:db8:9::1')).toBe(401)
  })

  test('all of an IPv6 /32 together may try as often as a hundred of its networks', async () => {
    const limits = await createRateLimits(undefined)
    const failed = async (n: number) =>
      limits.consumeFrom('registrations', `2001:db9:${n.toString(16)}::1`).then(
        () => 0,
        () => 1,
      )
    let refused = 0
    for (let n = 0; n < 2_100; n++) refused += await failed(n)
    expect(refused).toBe(100)
    await limits.consumeFrom('registrations', '2001:dba::1')
    limits.close()
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

  test('is that of the peer, unless a proxy is trusted and names one', () => {
    expect(seen(null)).toBe('::ffff:192.0.2.1')
    for (const none of ['', 'unknown', '203.0.113.5, ', '_hidden', '203.0.113.5, example.com', '1.2.3'])
      expect(seen(none)).toBe('::ffff:192.0.2.1')
    expect(seen('203.0.113.5', false)).toBe('::ffff:192.0.2.1')
    expect(seen('198.51.100.9, 203.0.113.5')).toBe('203.0.113.5')
    expect(seen('203.0.113.5:4711')).toBe('203.0.113.5')
    expect(seen('[2001:db8::5]:4711')).toBe('2001:db8::5')
  })

  const networks: [address: string, network: string, block?: string][] = [
    ['2001:db8:0:1ff:2:3:4:5', '2001:db8:0:100::/56', '2001:db8:0::/48'],
    ['2001:0DB8::1', '2001:db8:0:0::/56', '2001:db8:0::/48'],
    ['2001:db8:1:2::', '2001:db8:1:0::/56', '2001:db8:1::/48'],
    ['2001:db8:1:ff02:3:4:5::', '2001:db8:1:ff00::/56', '2001:db8:1::/48'],
    ['::1', '0:0:0:0::/56', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/56', 'fe80:0:0::/48'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:201', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
    ['64:ff9b:0:1::c000:201', '64:ff9b:0:0::/56', '64:ff9b:0::/48'],
    ['2002:c000:201:1::1', '192.0.2.1'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdfe', '192.0.2.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['', ''],
  ]
  for (const [address, network, block] of networks)
    test(`${address} counts as ${network}${block ? `, and with ${block}` : ''}`, () => {
      const provider = block && `${block.split(':').slice(0, 2).join(':')}::/32`
      const blocks = blocksOf(address)
      expect([networkOf(address), blocks?.site, blocks?.provider]).toEqual([network, block, provider])
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
      'a request came with X-Forwarded-For, but TRUST_PROXY is off: behind a proxy, everyone appears to have the proxy’s address and shares one ' +
        'set of limits. Set TRUST_PROXY=1 only if every request comes through one proxy that sets this header. Leave it off if anyone ' +
        'can reach this port directly, since anyone can fake the header',
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
  expect((await coming).address).toBe('192.0.2.7')
})
