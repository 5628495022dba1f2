import { afterAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../src/db/tables'
import { onServer } from '../support/databases'
import type { Person } from '../support/people'
import { stripe } from '../support/stripe'

const standIn = stripe()
afterAll(() => standIn.remove())

const outOfReach = {
  status: 502,
  body: {
    message: 'The payment provider could not be reached. Nothing was charged. Please try again.',
    code: 'BAD_GATEWAY',
  },
}
const subscribed = { status: 409, body: { message: 'You are already subscribed to the Pro plan.', code: 'CONFLICT' } }

onServer(
  'subscribing',
  (server) => {
    beforeEach(() => standIn.clear())

    const setUp = (person: Pick<Person, 'http'>) => person.http('POST', '/api/get-or-create-subscription')
    const status = (person: Pick<Person, 'http'>) => person.http('GET', '/api/subscription-status')
    const isPro = async ({ http }: Pick<Person, 'http'>) => (await http('GET', '/api/auth/me')).body
    const made = () => [standIn.customers.size, standIn.sold.size]

    test('one pays, Stripe tells of it, and every open page knows', async () => {
      const { ada, bob } = await server.people()
      const [pages, bobs] = await Promise.all([Promise.all([ada.socket(), ada.socket()]), bob.socket()])
      const { clientSecret, publishableKey } = await ada.api.billing.setUp.mutate()
      expect(publishableKey).toBe('pk_test_standin')
      expect(await isPro(ada)).toMatchObject({ isPro: false })
      expect((await ada.http('POST', '/api/boards', { name: 'Second' })).status).toBe(403)
      expect(await standIn.tell(server.origin, standIn.pay(clientSecret))).toBe(200)
      for (const page of pages)
        expect(await page.next('current_user_updated')).toMatchObject({ user: { id: ada.id, isPro: true } })
      expect(await status(ada)).toMatchObject({
        body: { cancelAtPeriodEnd: false, currentPeriodEnd: expect.stringMatching(/Z$/) },
      })
      expect((await ada.http('POST', '/api/boards', { name: 'Second' })).status).toBe(201)
      expect(await setUp(ada)).toMatchObject(subscribed)
      expect((await bobs.heard()).filter(({ type }) => type === 'current_user_updated')).toEqual([])
    })

    test('one who comes back before Stripe has told of it is Pro by asking', async () => {
      const { eve } = await server.people()
      const { clientSecret } = await eve.api.billing.setUp.mutate()
      const told = standIn.pay(clientSecret)
      standIn.behave('is down')
      expect(await status(eve)).toMatchObject({ status: 200, body: { cancelAtPeriodEnd: false, currentPeriodEnd: null } })
      standIn.behave('works')
      expect(await status(eve)).toMatchObject({ status: 200, body: { currentPeriodEnd: expect.any(String) } })
      expect(await isPro(eve)).toMatchObject({ isPro: true })
      const socket = await eve.socket()
      expect(await standIn.tell(server.origin, told)).toBe(200)
      expect(await socket.heard()).toEqual([])
    })

    test('one who paid, but of whom nobody heard, does not pay twice', async () => {
      const { eve } = await server.people()
      standIn.pay((await eve.api.billing.setUp.mutate()).clientSecret)
      expect(await setUp(eve)).toMatchObject(subscribed)
      expect(await isPro(eve)).toMatchObject({ isPro: true })
      expect(made()).toEqual([1, 1])
    })

    test('what was begun is gone on with: after a declined card, an action of the bank, or another day', async () => {
      const { eve } = await server.people()
      const first = await eve.api.billing.setUp.mutate()
      const { id } = [...standIn.sold.values()][0] ?? { id: '' }
      for (const type of ['invoice.payment_failed', 'invoice.payment_action_required'])
        expect(await standIn.tell(server.origin, standIn.change(id, {}, type))).toBe(200)
      expect(await status(eve)).toMatchObject({ body: { cancelAtPeriodEnd: false, currentPeriodEnd: null } })
      standIn.forgetKeys()
      expect(await eve.api.billing.setUp.mutate()).toEqual(first)
      expect(made()).toEqual([1, 1])
      expect(await standIn.tell(server.origin, standIn.pay(first.clientSecret))).toBe(200)
      expect(await isPro(eve)).toMatchObject({ isPro: true })
    })

    test('where the first one has expired, was not paid for, or is of another price, there is a new one, and one to pay', async () => {
      const { eve } = await server.people()
      const secrets = [(await eve.api.billing.setUp.mutate()).clientSecret]
      for (const changes of [{ status: 'incomplete_expired' }, { status: 'unpaid' }, { price: 'price_pro_old' }]) {
        standIn.change(`${secrets.at(-1)}`.replace('_secret', ''), changes)
        secrets.push((await eve.api.billing.setUp.mutate()).clientSecret)
      }
      expect(new Set(secrets).size).toBe(4)
      expect(standIn.customers.size).toBe(1)
      expect([...standIn.sold.values()].map((one) => one.status)).toEqual([
        'incomplete_expired',
        'canceled',
        // With its invoice, which nobody can pay any more.
        'incomplete_expired',
        'incomplete',
      ])
    })

    for (const [what, before] of Object.entries({
      'is of another price': [{ price: 'price_pro_old' }],
      'is past due': [{ status: 'active' }, { status: 'past_due', period_end: 1 }],
    }))
      test(`what ${what}, and is paid as it is replaced, is kept, and is all that is paid`, async () => {
        const { eve } = await server.people()
        const id = (await eve.api.billing.setUp.mutate()).clientSecret.replace('_secret', '')
        for (const changes of before) await standIn.tell(server.origin, standIn.change(id, changes))
        standIn.behave('hangs when it is done', /^GET subscriptions/)
        const replaced = setUp(eve)
        await standIn.hangs()
        // By the card form of another tab, or by Stripe, which tries the card again.
        standIn.change(id, { status: 'active', period_end: Math.floor(Date.now() / 1000) + 86_400 })
        standIn.behave('works')
        expect(await replaced).toMatchObject(subscribed)
        expect([...standIn.sold.values()].map(({ status }) => status)).toEqual(['active'])
        expect(await isPro(eve)).toMatchObject({ isPro: true })
      })

    test('who clicks twenty times at once gets one customer and one subscription', async () => {
      const { person } = await server.people()
      for (let round = 0; round < 3; round++) {
        standIn.clear()
        const one = await person(`clicker${round}`)
        const answers = await Promise.all(Array.from({ length: 20 }, () => setUp(one)))
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
        expect([answers[0]?.status, ...made()]).toEqual([200, 1, 1])
      }
    })

    test('wherever Stripe is down, nothing is half made, and the next try goes on', async () => {
      const { person } = await server.people()
      const steps = [/^GET customers/, /^POST customers/, /^GET subscriptions/, /^POST subscriptions/]
      for (const [n, step] of steps.entries()) {
        standIn.clear()
        const one = await person(`unlucky${n}`)
        standIn.behave('is down', step)
        expect(await setUp(one)).toMatchObject(outOfReach)
        standIn.behave('works')
        expect((await setUp(one)).status).toBe(200)
        expect(made()).toEqual([1, 1])
      }
    })

    test('whatever Stripe did and did not say, it does not do twice', async () => {
      const { person } = await server.people()
      for (const [n, step] of [/^POST customers/, /^POST subscriptions/].entries()) {
        standIn.clear()
        const one = await person(`lost${n}`)
        standIn.behave('fails when it is done', step)
        expect(await setUp(one)).toMatchObject(outOfReach)
        standIn.behave('works')
        expect((await setUp(one)).status).toBe(200)
        expect(made()).toEqual([1, 1])
      }
      standIn.clear()
      const one = await person('cut')
      standIn.behave('is cut off when it is done', /^POST/)
      expect((await setUp(one)).status).toBe(502)
      standIn.behave('works')
      standIn.forgetKeys()
      expect((await setUp(one)).status).toBe(200)
      expect(made()).toEqual([1, 1])
    })

    test('a customer that is gone at Stripe, as with keys of another account, is made anew', async () => {
      const { eve } = await server.people()
      await server.db.update(users).set({ stripeCustomerId: 'cus_of_another_key' }).where(eq(users.id, eve.id))
      expect((await setUp(eve)).status).toBe(200)
      standIn.behave('works')
      const [first] = standIn.customers.values()
      if (first) first.deleted = true
      for (const one of standIn.sold.values()) one.status = 'canceled'
      expect((await setUp(eve)).status).toBe(200)
      expect(made()).toEqual([2, 2])
    })

    test('what is begun asks little of Stripe, and of whom it is asked too often is told so', async () => {
      const { eve } = await server.people()
      await setUp(eve)
      expect(standIn.calls).toEqual(['GET customers', 'POST customers', 'GET subscriptions', 'POST subscriptions'])
      const answers = await Promise.all(Array.from({ length: 30 }, () => setUp(eve)))
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    })
  },
  standIn.env,
)
