import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { z } from 'zod'
import { browser } from '../support/browser'
import { scratchDatabase } from '../support/databases'
import { startServer } from '../support/process'
import { stripe } from '../support/stripe'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

const standIn = stripe()
afterAll(() => standIn.remove())

const children: { kill(signal: 'SIGKILL'): void }[] = []
afterAll(() => children.forEach((child) => void child.kill('SIGKILL')))

async function start(env: Record<string, string>) {
  const started = await startServer(env)
  children.push(started.child)
  return started
}

const checkout = z.object({ clientSecret: z.string() })

describe.skipIf(!process.env.TEST_DATABASE_URL)('several processes that subscribe', () => {
  test('make one customer and one subscription of everything at once, and of what was left by one that was killed', async () => {
    const scratch = await scratchDatabase()
    const env = { ...standIn.env, DATABASE_URL: scratch.url, DATA_DIR: '/nowhere', TRUST_PROXY: '1' }
    const [one, other] = await Promise.all([start(env), start(env)])
    const made = () => [standIn.customers.size, standIn.sold.size]

    /** Somebody with a browser at each of the two. */
    async function arrive(username: string) {
      const first = browser(one.origin)
      const account = { username, email: `${username}@example.com`, password: 'correct horse' }
      expect((await first.http('POST', '/api/auth/register', account)).status).toBe(201)
      return [first, browser(other.origin, first.cookie())] as const
    }
    const setUp = (from: ReturnType<typeof browser>) => from.http('POST', '/api/get-or-create-subscription')

    for (let round = 0; round < 4; round++) {
      standIn.clear()
      const [here, there] = await arrive(`clicker${round}`)
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => setUp(n % 2 ? here : there)))
      expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
      const secrets = answers.map(({ body }) => checkout.parse(body).clientSecret)
      expect([new Set(secrets).size, ...made()]).toEqual([1, 1, 1])
    }

    // Both have looked, and found nothing, before Stripe makes anything of what either asks.
    for (const step of [/^POST customers/, /^POST subscriptions/]) {
      standIn.clear()
      const meeting = await arrive(`meeting${step.source.length}`)
      standIn.behave('waits for a second', step)
      const answers = await Promise.all(meeting.map(setUp))
      standIn.behave('works')
      expect([...answers.map(({ status }) => status), ...made()]).toEqual([200, 200, 1, 1])
    }

    for (const step of [/^POST customers/, /^POST subscriptions/]) {
      standIn.clear()
      const dies = await start(env)
      const [here] = await arrive(`left${standIn.calls.length}${step.source.length}`)
      standIn.behave('hangs when it is done', step)
      const begun = setUp(browser(dies.origin, here.cookie())).catch(() => null)
      await standIn.hangs()
      dies.child.kill('SIGKILL')
      await dies.child.exited
      expect(await begun).toBeNull()
      standIn.behave('works')
      // Whoever comes back does so the next day.
      standIn.forgetKeys()
      checkout.parse((await setUp(here)).body)
      expect(made()).toEqual([1, 1])
    }

    // Both hear of it, and of its end; the last word is Stripe's.
    const [here] = await arrive('paying')
    const { clientSecret } = checkout.parse((await setUp(here)).body)
    const paid = standIn.pay(clientSecret)
    const ended = standIn.change(paid.data.object.id, { status: 'canceled' })
    const told = [paid, ended, paid, ended].flatMap((event) => [one, other].map(({ origin }) => standIn.tell(origin, event)))
    expect(new Set(await Promise.all(told))).toEqual(new Set([200]))
    expect((await here.http('GET', '/api/auth/me')).body).toMatchObject({ isPro: false })

    for (const { child } of [one, other]) child.kill('SIGTERM')
    await Promise.all([one, other].map(({ child }) => child.exited))
    await scratch.drop()
  })
})
