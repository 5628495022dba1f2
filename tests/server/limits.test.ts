import { heapStats } from 'bun:jsc'
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test'
import { createRateLimits, type Limit, limitAttempts } from '../../src/server/rateLimits'
import { type Answer, browser, ownAddress } from '../support/browser'
import { onOneDatabase, type Server } from '../support/databases'
import { PASSWORD } from '../support/people'
import { type Place, placeOn, QUICKER } from '../support/places'
import { startServer } from '../support/process'
import { canStartRedis, ownRedis } from '../support/redis'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

const QUARTER = 15 * 60
const WRONG = 'wrong password'
const STRANGER = /^Too many attempts\. Please try again in 15 minutes, or use a browser you have signed in with before\.$/
const STRANGER_BY_MAIL = /^Too many emails requested\. Please try again in 60 minutes, or use a browser/

/** From a new address, unless one is given. */
const logIn = (origin: string, username: string, password = WRONG, from = ownAddress()) =>
  browser(origin).http('POST', '/api/auth/login', { username, password }, { 'x-forwarded-for': from })

const statuses = (answers: Answer[]) => answers.map(({ status }) => status)
const times = <T>(count: number, work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => work(n)))

function expectToWait({ status, headers, body }: Answer, atMost: number, message: RegExp) {
  expect(status).toBe(429)
  expect(body).toEqual({ code: 'TOO_MANY_REQUESTS', message: expect.stringMatching(message), retryAfter: expect.any(Number) })
  const { retryAfter } = body as { retryAfter: number }
  expect(headers.get('retry-after')).toBe(String(retryAfter))
  expect(retryAfter).toBeGreaterThan(atMost - 30)
  expect(retryAfter).toBeLessThanOrEqual(atMost)
}

function limits(server: Server) {
  test('a tenth failed login is answered, an eleventh is not, nor is the right password, wherever it comes from', async () => {
    await server.people()
    const tried = await times(10, (n) => logIn(server.origin, n % 2 ? 'ada' : ' ADA@example.com'))
    expect(statuses(tried)).toEqual(Array(10).fill(401))
    expectToWait(await logIn(server.origin, 'ada'), QUARTER, STRANGER)
    expectToWait(await logIn(server.origin, 'ada@example.com', PASSWORD), QUARTER, STRANGER)
    expect((await logIn(server.origin, 'bob', PASSWORD)).status).toBe(200)
  })

  test('a name that nobody has is locked just as an account is', async () => {
    await server.people()
    const attempts = async (username: string) => {
      const answers = await times(12, () => logIn(server.origin, username))
      return answers.map(({ text }) => text.replace(/"retryAfter":\d+/, '')).toSorted()
    }
    expect(await attempts('nobody-at-all')).toEqual(await attempts('bob'))
  })

  test('one address fails ten times, whatever names it tries; another is not held up', async () => {
    await server.people()
    const from = ownAddress()
    const tried = await times(10, (n) => logIn(server.origin, `guess${n}`, WRONG, from))
    expect(statuses(tried)).toEqual(Array(10).fill(401))
    expectToWait(await logIn(server.origin, 'eve', PASSWORD, from), QUARTER, STRANGER)
    expect((await logIn(server.origin, 'eve', PASSWORD)).status).toBe(200)
  })

  test('right passwords do not count, and take back only themselves', async () => {
    await server.people()
    const from = ownAddress()
    const ada = (password: string) => logIn(server.origin, 'ada', password, from)
    expect(statuses(await times(5, () => ada(PASSWORD)))).toEqual(Array(5).fill(200))
    expect(statuses(await times(6, () => ada(WRONG)))).toEqual(Array(6).fill(401))
    expect((await ada(PASSWORD)).status).toBe(200)
    expect((await ada(WRONG)).status).toBe(401)
    expect((await ada(PASSWORD)).status).toBe(429)
  })

  test('a stranger at one address leaves an account tries for its owner, and a mailbox mails', async () => {
    await server.people()
    const from = ownAddress()
    expect(statuses(await times(7, () => logIn(server.origin, 'ada', WRONG, from)))).toEqual(Array(7).fill(401))
    expectToWait(await logIn(server.origin, 'ada', WRONG, from), QUARTER, STRANGER)
    expect((await logIn(server.origin, 'ada', PASSWORD)).status).toBe(200)
    expect((await logIn(server.origin, 'bob', PASSWORD, from)).status).toBe(200)

    const email = `${crypto.randomUUID()}@example.com`
    const ask = (address: string) =>
      browser(server.origin).http('POST', '/api/auth/forgot-password', { email }, { 'x-forwarded-for': address })
    expect(statuses(await inTurn(3, () => ask(from)))).toEqual([200, 200, 200])
    expectToWait(await ask(from), 3600, STRANGER_BY_MAIL)
    expect((await ask(ownAddress())).status).toBe(200)
  })

  test('no number of tries tells a name that somebody has from one that nobody has', async () => {
    await server.people()
    for (const from of [ownAddress, () => '192.0.2.77'])
      expect(await answersTo('eve', from)).toEqual(await answersTo('nobody-here', from))
  })

  /** Seventy in turn; the seconds to wait are told in minutes, for some pass meanwhile. */
  const answersTo = async (username: string, from: () => string) => {
    const answers = await inTurn(70, () => logIn(server.origin, username, WRONG, from()))
    return answers.map(({ status, headers }) => `${status} ${Math.ceil(Number(headers.get('retry-after')) / 60)}`)
  }

  test('of a hundred wrong passwords at once, ten are looked at', async () => {
    await server.people()
    const answers = statuses(await times(100, () => logIn(server.origin, 'ada')))
    expect([401, 429].map((status) => answers.filter((answer) => answer === status).length)).toEqual([10, 90])
    expect((await logIn(server.origin, 'ada', PASSWORD)).status).toBe(429)
  })

  test('tRPC says it in the answer and in the header', async () => {
    await server.people()
    const from = { 'x-forwarded-for': ownAddress() }
    const tried = () => browser(server.origin).http('POST', '/trpc/auth.login', { username: 'ada', password: WRONG }, from)
    await times(10, tried)
    const { status, headers, body } = await tried()
    const retryAfter = Number(headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(QUARTER - 30)
    expect([status, body]).toEqual([
      429,
      { error: expect.objectContaining({ data: expect.objectContaining({ code: 'TOO_MANY_REQUESTS', retryAfter }) }) },
    ])
  })

  test('an address makes twenty accounts an hour', async () => {
    const from = { 'x-forwarded-for': ownAddress() }
    const register = (n: number, headers: Record<string, string>) =>
      browser(server.origin).http(
        'POST',
        '/api/auth/register',
        { username: `new${n}`, email: `new${n}@example.com`, password: PASSWORD },
        headers,
      )
    expect(statuses(await times(20, (n) => register(n, from)))).toEqual(Array(20).fill(201))
    expectToWait(await register(20, from), 3600, /^Too many new accounts .* in 60 minutes\.$/)
    expect((await register(20, {})).status).toBe(201)
  })

  test('five mails an hour are asked for from one address, whoever they are for', async () => {
    const from = { 'x-forwarded-for': ownAddress() }
    const ask = (n: number, headers: Record<string, string>) =>
      browser(server.origin).http('POST', '/api/auth/magic-link', { email: `${crypto.randomUUID()}${n}@example.com` }, headers)
    expect(statuses(await times(5, (n) => ask(n, from)))).toEqual(Array(5).fill(200))
    expectToWait(await ask(5, from), 3600, STRANGER_BY_MAIL)
    expect((await ask(6, {})).status).toBe(200)
  })

  test('names of boards are asked for sixty times a quarter of an hour from one address', async () => {
    const { nobody, ada, board } = await server.people()
    const from = { 'x-forwarded-for': ownAddress() }
    const ask = (who: Pick<typeof ada, 'http'>, headers: Record<string, string>) =>
      who.http('GET', `/api/boards/${board.id}/info`, undefined, headers)
    expect(statuses(await times(60, () => ask(nobody, from)))).toEqual(Array(60).fill(404))
    expectToWait(await ask(nobody, from), QUARTER, /in 15 minutes\.$/)
    expect((await ask(ada, {})).status).toBe(200)
  })

  test('a user makes 600 calls a minute by all ways together, each of a batch counted, another user meanwhile as many', async () => {
    const { ada, bob, board, nobody } = await server.people()
    const task = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    const batch = `/trpc/${Array(10).fill('auth.me').join(',')}?batch=1&input=%7B%7D`
    // What bob has done already is one call, and these are 599.
    for (let n = 0; n < 59; n++) expect((await bob.http('GET', batch)).status).toBe(200)
    const snapshot = `/api/boards/${board.id}/snapshot`
    const others = [snapshot, snapshot, snapshot, '/api/auth/me', '/api/boards', '/api/user', `/api/tasks/${task.id}`]
    const counted = await inTurn(9, (n) => bob.http('GET', others[n % others.length] ?? ''))
    expect(statuses(counted)).toEqual(Array(9).fill(200))
    for (const path of ['/api/auth/me', snapshot])
      expectToWait(await bob.http('GET', path), 60, /^Too many requests\. Please try again in (\d+ seconds|1 minute)\.$/)
    const refused = await bob.http('GET', batch)
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect((await bob.http('PATCH', `/api/tasks/${task.id}`, { title: 'Sow' })).status).toBe(429)
    expect((await ada.api.tasks.get.query({ taskId: task.id })).title).toBe('Dig')
    expect((await nobody.http('GET', '/api/auth/me')).status).toBe(401)
  })
}

async function inTurn<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (let n = 0; n < count; n++) done.push(await work(n))
  return done
}

onOneDatabase('limits', (server) => {
  limits(server)

  test('a user searches 120 times a minute, another meanwhile as often', async () => {
    const { ada, bob } = await server.people()
    const search = ({ http }: typeof ada) => http('GET', '/api/find?text=dig')
    expect(statuses(await times(120, () => search(ada)))).toEqual(Array(120).fill(200))
    expectToWait(await search(ada), 60, /^Too many searches\. Please try again in (\d+ seconds|1 minute)\.$/)
    expect((await search(bob)).status).toBe(200)
  })

  test('an account signs in sixty times a minute, rightly or not, wherever from', async () => {
    const { person } = await server.people()
    const busy = (await person('busy')).user.username
    // However long it takes a busy machine, it is one minute.
    setSystemTime(Date.now())
    try {
      expect(statuses(await inTurn(60, () => logIn(server.origin, busy, PASSWORD)))).toEqual(Array(60).fill(200))
      expectToWait(await logIn(server.origin, busy, PASSWORD), 60, /^Too many attempts\./)
    } finally {
      setSystemTime()
    }
  })
})

const redis = canStartRedis ? await ownRedis() : null
if (redis) {
  onOneDatabase(
    'limits over Redis',
    (server) => {
      // Users of several databases have the same numbers.
      beforeEach(redis.empty)
      limits(server)
    },
    { REDIS_URL: redis.url },
  )
  afterAll(() => redis.kill())
}

describe.skipIf(!canStartRedis)('two processes with one Redis', () => {
  /** How often each answer came to a hundred wrong passwords for one name, half of them here and half there. */
  async function guesses(places: Place[], redisUrls: (url: string) => string[]) {
    const { url, kill } = await ownRedis()
    const servers = await Promise.all(
      redisUrls(url).map((REDIS_URL, n) => startServer({ ...places[n % places.length]?.env, REDIS_URL, TRUST_PROXY: '1' })),
    )
    // Whichever is connected first would count alone for a moment.
    await Promise.all(servers.map(({ origin }, n) => countsInRedis(redisUrls(url)[n] ?? url, origin)))
    const answers = statuses(await times(100, (n) => logIn(servers[n % 2]?.origin ?? '', 'grace')))
    for (const { child } of servers) {
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
    }
    await Promise.all([...places.map((place) => place.remove()), kill()])
    return [401, 429].map((status) => answers.filter((answer) => answer === status).length)
  }

  test.skipIf(!process.env.TEST_DATABASE_URL)(
    'count together if they are of one installation',
    async () => expect(await guesses([await placeOn('Postgres')], (url) => [url, url])).toEqual([10, 90]),
    120_000,
  )

  test('count for themselves if each is of its own', async () => {
    const places = await times(2, () => placeOn(QUICKER))
    expect(await guesses(places, (url) => [url, `${url}/1`])).toEqual([20, 80])
  }, 120_000)

  test('count for themselves also in the same database of Redis', async () => {
    const places = await times(2, () => placeOn(QUICKER))
    expect(await guesses(places, (url) => [url, url])).toEqual([20, 80])
  }, 120_000)
})

/** Waits until what a server counts is in Redis. */
async function countsInRedis(url: string, origin: string) {
  const client = new Bun.RedisClient(url)
  const size = async () => Number(await client.send('DBSIZE', []))
  for (let n = 0, before = await size(); (await size()) <= before; n++) {
    if (n === 200) throw new Error('it does not count in Redis')
    await logIn(origin, crypto.randomUUID())
  }
  client.close()
}

const own = canStartRedis ? await ownRedis() : null
if (own) {
  onOneDatabase(
    'a Redis that goes away',
    (server) => {
      const tenAtMost = async () => {
        const username = crypto.randomUUID()
        const answers = statuses(await inTurn(12, () => logIn(server.origin, username)))
        expect(answers).toEqual([...Array(10).fill(401), 429, 429])
      }

      test('dies: the limits hold in the process, and over Redis again once it is back', async () => {
        await countsInRedis(own.url, server.origin)
        await tenAtMost()
        await own.kill()
        await tenAtMost()
        await own.startAgain()
        await countsInRedis(own.url, server.origin)
        await tenAtMost()
      })

      test('hangs: nobody waits for it longer than a moment, nor twice', async () => {
        const { ada } = await server.people()
        await countsInRedis(own.url, server.origin)
        own.hang()
        try {
          const start = performance.now()
          expect(statuses(await inTurn(50, () => ada.http('GET', '/api/auth/me')))).toEqual(Array(50).fill(200))
          // Each would wait a second for it, were it asked each time.
          expect(performance.now() - start).toBeLessThan(25_000)
          await tenAtMost()
        } finally {
          own.goOn()
        }
        await countsInRedis(own.url, server.origin)
      })
    },
    { REDIS_URL: own.url },
  )
  afterAll(() => own.kill())
}

describe('what is counted in the process', () => {
  const each: [Limit, number, number][] = [
    ['failedLogins', 10, QUARTER],
    ['mails', 5, 3600],
    ['registrations', 20, 3600],
    ['calls', 600, 60],
  ]
  for (const [limit, count, seconds] of each)
    test(`${limit}: ${count} in ${seconds} s, and again when these are over`, async () => {
      const counting = await createRateLimits(undefined)
      const start = Date.now()
      try {
        for (let n = 0; n < count; n++) await counting.consume(limit, 'ada')
        setSystemTime(start + seconds * 1000 - 500)
        await expect(counting.consume(limit, 'ada')).rejects.toMatchObject({ extra: { retryAfter: 1 } })
        setSystemTime(start + seconds * 1000 + 500)
        for (let n = 0; n < count; n++) await counting.consume(limit, 'ada')
        await expect(counting.consume(limit, 'ada')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
      } finally {
        setSystemTime()
      }
    })

  test('what is given back after its time makes nobody richer', async () => {
    const counting = await createRateLimits(undefined)
    await counting.refundAll([['mails', 'ada']])
    for (let n = 0; n < 5; n++) await counting.consume('mails', 'ada')
    await expect(counting.consume('mails', 'ada')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  test('no flood of names and networks washes a count away, or takes more than some megabytes', async () => {
    const limits = await createRateLimits(undefined)
    const guess = (address: string, device?: string) => limitAttempts({ limits }, { address, device }, 7, async () => false)
    for (let n = 0; n < 10; n++) await guess(`2001:db8:1:${n}00::1`)
    Bun.gc(true)
    const before = heapStats().heapSize
    const refused: number[] = []
    for (let n = 0; n < 200_000; n++) await limits.consume('failedLogins', `name ${n}`).catch(() => refused.push(n))
    for (let n = 0; n < 20_000; n++)
      await limits
        .consumeFrom('failedLoginsNetwork', `2a00:${(n >> 8).toString(16)}:1:${(n & 255).toString(16)}00::1`)
        .catch(() => {})
    Bun.gc(true)
    expect(heapStats().heapSize - before).toBeLessThan(40 * 2 ** 20)
    // Those for which there is no room share counters, and so are refused sooner, never later.
    expect(refused[0]).toBeGreaterThan(100_000)
    for (const address of ['2001:db8:1::1', '192.0.2.1'])
      await expect(guess(address)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(await guess('192.0.2.1', '7 own')).toBe(false)
  })

  test('room is made as time passes', async () => {
    const counting = await createRateLimits(undefined)
    const start = Date.now()
    const allowed = async (name: string) => {
      const tries = await inTurn(70, () => counting.tryConsume('logins', name))
      return tries.filter(Boolean).length
    }
    try {
      for (let n = 0; n < 150_000; n++) await counting.consume('logins', `name ${n}`)
      expect(await allowed('late')).toBeLessThan(60)
      setSystemTime(start + 90_000)
      expect(await allowed('late')).toBe(60)
    } finally {
      setSystemTime()
    }
  })

  test('what is refused for one of several keys counts for none', async () => {
    const counting = await createRateLimits(undefined)
    for (let n = 0; n < 5; n++) await counting.consume('mails', 'here')
    for (let n = 0; n < 9; n++) await counting.consume('mails', 'ada', 'here').catch(() => {})
    for (let n = 0; n < 5; n++) await counting.consume('mails', 'ada', `there ${n}`)
    await expect(counting.consume('mails', 'ada', 'elsewhere')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })
})
