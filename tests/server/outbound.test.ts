import { afterAll, describe, expect, test } from 'bun:test'
import { placeOf } from '../../src/server/clientAddress'
import { createFetchOutside, fetchWithin } from '../../src/server/outbound'
import { network, outsideOf } from '../support/network'

const asked: { path: string; host: string | null; key: string | null }[] = []
const answers: Record<string, (request: Request) => Response> = {
  '/bomb': () => new Response(Bun.gzipSync(new Uint8Array(50_000_000)), { headers: { 'Content-Encoding': 'gzip' } }),
  '/drip': () => new Response(drip(), { headers: { 'Content-Length': '1000' } }),
  '/whole': () => new Response('all of it', { headers: { 'Content-Type': 'text/plain' } }),
  '/made': () => Response.json({ all: 'of it' }, { status: 201, headers: { 'X-Own': 'kept' } }),
  '/large': () => new Response('x'.repeat(2_000)),
  '/missing': () => new Response('nothing', { status: 404 }),
  '/around': () => Response.redirect('/around'),
  '/endless': () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })),
  '/silent': () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(9)) })),
  '/to': ({ url }) => Response.redirect(new URL(url).searchParams.get('url') ?? ''),
}
const drip = () =>
  new ReadableStream({
    async pull(controller) {
      await Bun.sleep(20)
      controller.enqueue(new Uint8Array(1))
    },
  })
const outside = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch(request) {
    const { pathname } = new URL(request.url)
    asked.push({ path: pathname, host: request.headers.get('host'), key: request.headers.get('x-api-key') })
    return answers[pathname]?.(request) ?? new Response()
  },
})
afterAll(() => outside.stop(true))

const at = (path: string, host = 'files.test') => `http://${host}:${outside.port}${path}`
const limits = { maxBytes: 1_000_000, timeoutMs: 20_000 }
const planka = { ...limits, usesImportAllow: true }
const fetchOutside = outsideOf({
  importAllow: [`planka.lan:${outside.port}`, `to.loopback:${outside.port}`, `to.metadata:${outside.port}`],
})
const since = async (act: () => unknown) => {
  const before = asked.length
  await act()
  return asked.slice(before)
}

describe('addresses that nobody outside has', () => {
  const PRIVATE = ['10.0.0.1', '100.64.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1']
  const LOOPBACK = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:7f00:1', '::FFFF:127.0.0.1']
  const PRIVATE_IPV6 = ['fc00::1', 'fd12:3456::1', '::ffff:10.0.0.1', '0:0:0:0:0:ffff:c0a8:101']
  const NOBODYS = ['0.0.0.0', '0.1.2.3', '100.100.100.200', '168.63.129.16', '169.254.169.254', '192.0.0.1', '192.0.2.1']
  const RESERVED = ['198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255']
  const IPV6 = [
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
  ]
  const MORE = [
    '::127.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:0.0.0.0',
    'fd00:ec2::254',
    'fd20:ce::254',
    '64:ff9b::a00:1',
    '100::1',
    'nonsense',
    '',
  ]
  const PUBLIC = [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.0.1',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '223.255.255.255',
  ]

  test.each([...PRIVATE, ...PRIVATE_IPV6])('%s is asked only where the operator allows it', (address) => {
    expect(placeOf(address)).toBe('private')
  })
  test.each([...LOOPBACK, ...NOBODYS, ...RESERVED, ...IPV6, ...MORE])('%s is never asked', (address) => {
    expect(placeOf(address)).toBe('never')
  })
  test.each([...PUBLIC, '2606:4700::1111', '::ffff:1.1.1.1'])('%s is', (address) => {
    expect(placeOf(address)).toBe('internet')
  })

  test.each(['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '[::1]', '[::ffff:127.0.0.1]', 'home.loopback', 'planka.lan'])(
    'nor by the name %s, and nothing arrives there',
    async (host) => {
      const arrived = await since(() =>
        expect(fetchOutside(at('/whole', host), limits)).rejects.toThrow('is on a private network'),
      )
      expect(arrived).toEqual([])
    },
  )
})

describe('a Planka in the own network', () => {
  const to = (url: string, from: string) => at(`/to?url=${encodeURIComponent(url)}`, from)

  test('is asked where its host and port are allowed, and by nothing but the import from it', async () => {
    expect((await fetchOutside(at('/whole', 'planka.lan'), planka)).status).toBe(200)
    const arrived = await since(async () => {
      await expect(fetchOutside(at('/whole', 'planka.lan'), limits)).rejects.toThrow('on a private network')
      await expect(fetchOutside('http://planka.lan:1/', planka)).rejects.toThrow('adds planka.lan:1 to IMPORT_ALLOW')
      await expect(fetchOutside(at('/whole', 'other.lan'), planka)).rejects.toThrow('on a private network')
    })
    expect(arrived).toEqual([])
  })

  test.each(['to.loopback', 'to.metadata'])('is not asked at %s, though that is allowed', async (host) => {
    const arrived = await since(() => expect(fetchOutside(at('/whole', host), planka)).rejects.toThrow('never connects to'))
    expect(arrived).toEqual([])
  })

  test('leads to no other server of that network, and no server in the internet leads to it', async () => {
    const arrived = await since(async () => {
      for (const url of [
        at('/whole', 'other.lan'),
        'http://planka.lan:1/',
        at('/whole', 'to.loopback'),
        at('/whole', '127.0.0.1'),
      ])
        await expect(fetchOutside(to(url, 'planka.lan'), planka)).rejects.toThrow('on a private network')
      await expect(fetchOutside(to(at('/whole', 'planka.lan'), 'files.test'), planka)).rejects.toThrow('on a private network')
    })
    expect(arrived.map(({ path }) => path)).toEqual(Array(5).fill('/to'))
    expect((await fetchOutside(to(at('/whole', 'planka.lan'), 'planka.lan'), planka)).status).toBe(200)
  })
})

describe('what another server has', () => {
  test('is asked under its name, at the address that was looked at', async () => {
    const [one] = await since(async () => {
      const { status, type, bytes } = await fetchOutside(at('/whole', 'files.test'), { ...limits, headers: { 'X-Api-Key': 'k' } })
      expect([status, type, new TextDecoder().decode(bytes)]).toEqual([200, 'text/plain', 'all of it'])
    })
    expect(one).toEqual({ path: '/whole', host: `files.test:${outside.port}`, key: 'k' })
  })

  test('a name that means another address the second time is asked at the first one', async () => {
    const given: string[] = []
    const asked: string[] = []
    const resolve = async () => [given.push('') === 1 ? '93.184.216.34' : '169.254.169.254']
    const connectTo = (address: string) => {
      asked.push(address)
      return '127.0.0.1'
    }
    const turning = createFetchOutside({ importAllow: [] }, { resolve, connectTo })
    expect((await turning(at('/whole', 'turning.test'), limits)).status).toBe(200)
    expect([given, asked]).toEqual([[''], ['93.184.216.34']])
  })

  test('a redirect to a private address is not followed', async () => {
    const to = (url: string) => at(`/to?url=${encodeURIComponent(url)}`)
    const arrived = await since(async () => {
      for (const host of ['second.lan', 'second.metadata', '169.254.169.254', '10.0.0.1', '[64:ff9b::7f00:1]'])
        await expect(fetchOutside(to(`http://${host}/`), limits)).rejects.toThrow(`${host} is on a private network`)
      await expect(fetchOutside(to('file:///etc/passwd'), limits)).rejects.toThrow('http:// or https://')
    })
    expect(arrived.map(({ path }) => path)).toEqual(Array(6).fill('/to'))
  })

  test('a redirect takes its key along only to the same server', async () => {
    const headers = { 'X-Api-Key': 'k' }
    const arrived = await since(async () => {
      await fetchOutside(at(`/to?url=${encodeURIComponent(at('/whole'))}`), { ...limits, headers })
      await fetchOutside(at(`/to?url=${encodeURIComponent(at('/whole', 'other.test'))}`), { ...limits, headers })
    })
    expect(arrived.map(({ key }) => key)).toEqual(['k', 'k', 'k', null])
  })

  test('redirects end after five', async () => {
    const arrived = await since(() => expect(fetchOutside(at('/around'), limits)).rejects.toThrow('too many times'))
    expect(arrived).toHaveLength(6)
  })

  test('an endless body ends at its limit, a silent one at its time', async () => {
    await expect(fetchOutside(at('/endless'), limits)).rejects.toThrow('larger than')
    await expect(fetchOutside(at('/silent'), { ...limits, timeoutMs: 200 })).rejects.toThrow('took too long')
    await expect(fetchOutside(at('/drip'), { ...limits, timeoutMs: 200 })).rejects.toThrow('took too long')
    const never = createFetchOutside({ importAllow: [] }, { ...network, resolve: () => new Promise(() => {}) })
    await expect(never(at('/whole', 'never.test'), { ...limits, timeoutMs: 50 })).rejects.toThrow('took too long')
  })

  test('what is packed stays so, as little may become very much', async () => {
    expect((await fetchOutside(at('/bomb'), limits)).bytes.length).toBeLessThan(100_000)
  })

  test('any status is an answer; nobody there, no name and no web address are refusals', async () => {
    expect((await fetchOutside(at('/missing'), limits)).status).toBe(404)
    const nobody = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    await nobody.stop(true)
    await expect(fetchOutside(`http://files.test:${nobody.port}/`, limits)).rejects.toThrow('did not answer')
    await expect(fetchOutside('http://nowhere.example/', limits)).rejects.toThrow('nowhere.example cannot be found.')
    for (const url of ['ftp://files.test/a', 'javascript:alert(1)', 'nonsense', ''])
      await expect(fetchOutside(url, limits)).rejects.toThrow('http:// or https://')
  })
})

describe('a server that the operator has named', () => {
  const ask = (path: string, bounds: { maxBytes?: number; timeoutMs?: number } = {}) =>
    fetchWithin({ maxBytes: 1_000, timeoutMs: 20_000, ...bounds })(`${outside.url.origin}${path}`)

  test('answers as it would to fetch, and what is packed stays so', async () => {
    const answer = await ask('/made')
    expect([answer.status, answer.headers.get('x-own'), await answer.json()]).toEqual([201, 'kept', { all: 'of it' }])
    expect((await (await ask('/bomb', { maxBytes: 100_000 })).bytes()).length).toBeLessThan(100_000)
  })

  test('ends at its limit of size and of time, and leads nowhere else', async () => {
    for (const path of ['/large', '/endless'])
      expect(String(await ask(path).catch((error) => error))).toContain('more than 1000 bytes')
    expect(await ask('/silent', { timeoutMs: 200 }).catch((error) => error.name)).toBe('TimeoutError')
    expect(await ask('/around').catch((error) => error.code)).toBe('UnexpectedRedirect')
  })
})
