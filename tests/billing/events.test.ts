import { afterAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { billing, deletedCustomers, users } from '../../src/db/tables'
import { onServer } from '../support/databases'
import type { Person } from '../support/people'
import { stripe } from '../support/stripe'

const standIn = stripe()
afterAll(() => standIn.remove())

const upgrade = { status: 403, body: { code: 'FORBIDDEN', requiresUpgrade: true } }
const nothing = { status: 409, body: { message: 'There is no subscription to change.', code: 'CONFLICT' } }
const YESTERDAY = Math.floor(Date.now() / 1000) - 86_400

onServer(
  'what Stripe tells',
  (server) => {
    beforeEach(() => standIn.clear())

    const tell = (told: object, how?: { secret?: string; secondsAgo?: number }) => standIn.tell(server.origin, told, how)
    const isPro = async ({ id }: Person) =>
      (await server.db.select({ isPro: users.isPro }).from(users).where(eq(users.id, id)))[0]?.isPro
    const stripeId = async ({ id }: Person) =>
      (await server.db.select({ id: users.stripeSubscriptionId }).from(users).where(eq(users.id, id)))[0]?.id

    /** Ada pays for Pro and has a second board, on which Bob is. */
    async function paid() {
      const { ada, bob, eve, board, person } = await server.people()
      const { clientSecret } = await ada.api.billing.setUp.mutate()
      const told = standIn.pay(clientSecret)
      expect(await tell(told)).toBe(200)
      const second = await ada.api.boards.create.mutate({ name: 'Second' })
      await ada.api.boards.addMember.mutate({ boardId: second.id, username: 'bob' })
      return { ada, bob, eve, board, second, told, person, id: clientSecret.replace('_secret', '') }
    }

    test('an end takes effect on a board that is open, and so does paying again; others are not concerned', async () => {
      const { ada, bob, board, second, id } = await paid()
      const page = await ada.socket(second)
      const add = (person: Person, boardId = second.id) => person.http('POST', `/api/boards/${boardId}/tasks`, { title: 'Dig' })
      expect((await add(ada)).status).toBe(201)
      await page.next('new_task')
      expect(await tell(standIn.change(id, { status: 'canceled' }, 'customer.subscription.deleted'))).toBe(200)
      expect(await page.next('current_user_updated')).toMatchObject({ user: { isPro: false } })
      expect(await add(ada)).toMatchObject(upgrade)
      expect((await ada.api.boards.list.query()).map(({ locked }) => locked)).toEqual([false, true])
      expect([(await add(bob)).status, (await add(ada, board.id)).status]).toEqual([201, 201])
      expect(await tell(standIn.pay((await ada.api.billing.setUp.mutate()).clientSecret))).toBe(200)
      expect(await page.next('current_user_updated')).toMatchObject({ user: { isPro: true } })
      expect((await add(ada)).status).toBe(201)
    })

    test('what is forged, old, unsigned or too long changes nothing', async () => {
      const { eve } = await server.people()
      const { clientSecret } = await eve.api.billing.setUp.mutate()
      const told = standIn.pay(clientSecret)
      const asked = standIn.calls.length
      expect(await tell(told, { secret: 'whsec_of_somebody_else' })).toBe(400)
      expect(await tell(told, { secondsAgo: 301 })).toBe(400)
      const unsigned = await eve.http('POST', '/api/stripe/webhook', told)
      expect(unsigned).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
      const signed = await eve.http('POST', '/api/stripe/webhook', 'x'.repeat(2 ** 20 + 1), { 'stripe-signature': 't=1,v1=x' })
      expect(signed.status).toBe(413)
      expect([await isPro(eve), standIn.calls.length]).toEqual([false, asked])
      expect(await tell(told, { secondsAgo: 290 })).toBe(200)
      expect(await isPro(eve)).toBe(true)
    })

    test('what comes twice, late or in another order never grants or takes Pro wrongly', async () => {
      const { ada, told: early, id } = await paid()
      const ended = standIn.change(id, { status: 'canceled' }, 'customer.subscription.deleted')
      expect(await Promise.all([early, ended, early, ended, early].map((one) => tell(one)))).toEqual([200, 200, 200, 200, 200])
      expect([await isPro(ada), await stripeId(ada)]).toEqual([false, null])
      const again = standIn.pay((await ada.api.billing.setUp.mutate()).clientSecret)
      for (const one of [again, ended, early]) expect(await tell(one)).toBe(200)
      expect([await isPro(ada), await stripeId(ada)]).toEqual([true, again.data.object.id])
    })

    test('an older answer that comes after a newer one is asked for anew', async () => {
      const { ada, id, told } = await paid()
      standIn.behave('hangs when it is done', /^GET subscriptions/)
      const slow = tell(told)
      await standIn.hangs()
      // Another process has stored an answer meanwhile.
      await server.db.update(billing).set({ version: 1_000 }).where(eq(billing.userId, ada.id))
      const ended = standIn.change(id, { status: 'canceled' }, 'customer.subscription.deleted')
      standIn.behave('works')
      expect([await slow, await isPro(ada)]).toEqual([200, false])
      expect(await tell(ended)).toBe(200)
    })

    test('of strangers, and of other things, it takes no notice', async () => {
      await server.people()
      const asked = standIn.calls.length
      const about = (object: object) => ({ id: 'evt_1', object: 'event', type: 'invoice.paid', data: { object } })
      for (const object of [{ customer: 'cus_stranger' }, { id: 'prod_1' }, { customer: null }, { customer: { id: 'cus_1' } }])
        expect(await tell(about(object))).toBe(200)
      for (const odd of [{}, { data: null }, { data: { object: null } }, about({ customer: 'cus_\0' })])
        expect(await tell({ object: 'event', ...odd })).toBe(200)
      expect(standIn.calls).toHaveLength(asked)
    })

    test('where Stripe does not answer, it is told that it must tell again', async () => {
      const { ada, id } = await paid()
      const ended = standIn.change(id, { status: 'canceled' }, 'customer.subscription.deleted')
      standIn.behave('is down')
      expect([await tell(ended), await isPro(ada)]).toEqual([502, true])
      standIn.behave('works')
      expect([await tell(ended), await isPro(ada)]).toEqual([200, false])
    })

    test('Pro follows the subscription, past due until its period ends', async () => {
      const { ada, id } = await paid()
      const seen: Record<string, boolean | undefined> = {}
      for (const status of ['trialing', 'unpaid', 'active', 'paused', 'past_due', 'incomplete_expired', 'active']) {
        expect(await tell(standIn.change(id, { status }))).toBe(200)
        seen[status] = await isPro(ada)
      }
      expect(seen).toEqual({
        ...{ trialing: true, unpaid: false, active: true },
        ...{ paused: false, past_due: true, incomplete_expired: false },
      })
      await tell(standIn.change(id, { status: 'past_due', period_end: YESTERDAY }, 'invoice.payment_failed'))
      expect(await isPro(ada)).toBe(false)
      // The next month is not paid for either: there is no further grace.
      await tell(standIn.change(id, { period_end: YESTERDAY + 31 * 86_400 }))
      expect(await isPro(ada)).toBe(false)
      expect((await ada.http('POST', '/api/cancel-subscription')).status).toBe(200)
      await tell(standIn.change(id, { status: 'active' }, 'invoice.paid'))
      expect(await isPro(ada)).toBe(true)
    })

    test('a payment that failed is said, and can be made on Stripe’s page of the invoice', async () => {
      const { ada, eve, id } = await paid()
      const invoice = (person: Person) => person.http('POST', '/api/unpaid-invoice')
      const nothingDue = { status: 409, body: { message: 'There is no unpaid invoice.', code: 'CONFLICT' } }
      expect(await invoice(ada)).toMatchObject(nothingDue)
      expect(await invoice(eve)).toMatchObject(nothingDue)
      const page = await ada.socket()
      await tell(standIn.change(id, { status: 'past_due' }, 'invoice.payment_failed'))
      expect(await page.next('current_user_updated')).toMatchObject({ user: { isPro: true } })
      expect((await ada.http('GET', '/api/subscription-status')).body).toMatchObject({ paymentFailed: true })
      expect(await invoice(ada)).toMatchObject({ status: 200, body: { url: standIn.hostedInvoice(id) } })
      // Paid there, but no event came yet.
      standIn.change(id, { status: 'active' })
      expect(await invoice(ada)).toMatchObject(nothingDue)
      expect(await page.next('current_user_updated')).toMatchObject({ user: { isPro: true } })
      expect((await ada.http('GET', '/api/subscription-status')).body).toMatchObject({ paymentFailed: false })
      standIn.behave('is down')
      expect((await invoice(ada)).status).toBe(502)
      standIn.behave('works')
      // The grace is over, but Stripe goes on trying to charge: it can still be paid, or cancelled.
      await tell(standIn.change(id, { status: 'past_due', period_end: YESTERDAY }, 'invoice.payment_failed'))
      expect(await isPro(ada)).toBe(false)
      expect((await ada.http('GET', '/api/subscription-status')).body).toMatchObject({ paymentFailed: true })
      expect((await invoice(ada)).status).toBe(200)
      expect((await ada.http('POST', '/api/cancel-subscription')).status).toBe(200)
      expect(standIn.sold.get(id)?.cancel_at_period_end).toBe(true)
    })

    test('a disabled account is not charged again, even if an answer about it was on its way', async () => {
      const { ada, id, told, person } = await paid()
      const olga = await person('olga')
      await server.db.update(users).set({ operator: true }).where(eq(users.id, olga.id))
      const act = (what: string) => olga.http('POST', `/api/operator/users/${ada.id}/${what}`)
      const isCancelling = () => standIn.sold.get(id)?.cancel_at_period_end
      expect((await act('disable')).status).toBe(200)
      await server.clean()
      expect([isCancelling(), await isPro(ada)]).toEqual([true, true])

      await act('enable')
      await tell(standIn.change(id, { cancel_at_period_end: false, cancel_at: null }))
      standIn.behave('hangs when it is done', /^GET subscriptions/)
      const slow = tell(told)
      await standIn.hangs()
      await act('disable')
      standIn.behave('works')
      expect([await slow, isCancelling()]).toEqual([200, true])

      // What is not paid is not tried again either.
      await tell(standIn.change(id, { status: 'past_due' }, 'invoice.payment_failed'))
      expect([standIn.sold.get(id)?.status, await isPro(ada)]).toEqual(['canceled', false])
    })

    test('a subscription ends with its period, or goes on after all', async () => {
      const { ada, id } = await paid()
      const status = async () => (await ada.http('GET', '/api/subscription-status')).body
      const change = (what: 'cancel' | 'resume') => ada.http('POST', `/api/${what}-subscription`)
      const ends = standIn.sold.get(id)?.period_end ?? 0
      const currentPeriodEnd = new Date(ends * 1000).toISOString()
      for (const [what, cancelAtPeriodEnd] of [
        ['cancel', true],
        ['cancel', true],
        ['resume', false],
        ['resume', false],
      ] as const) {
        expect(await change(what)).toMatchObject({ status: 200, body: { success: true } })
        expect([await status(), standIn.sold.get(id)?.cancel_at_period_end]).toEqual([
          { cancelAtPeriodEnd, currentPeriodEnd, paymentFailed: false },
          cancelAtPeriodEnd,
        ])
      }
      // Somebody set another day in Stripe's dashboard.
      await tell(standIn.change(id, { cancel_at: ends - 1_000 }))
      expect(await status()).toMatchObject({
        cancelAtPeriodEnd: true,
        currentPeriodEnd: new Date((ends - 1_000) * 1000).toISOString(),
      })
      expect((await change('resume')).status).toBe(200)
      expect(await status()).toEqual({ cancelAtPeriodEnd: false, currentPeriodEnd, paymentFailed: false })
      standIn.behave('is down')
      expect((await change('cancel')).status).toBe(502)
      standIn.behave('works')
      expect(await status()).toMatchObject({ cancelAtPeriodEnd: false })
      // It ended, and nobody has heard of it yet.
      standIn.change(id, { status: 'canceled' })
      expect(await change('resume')).toMatchObject(nothing)
      expect([await isPro(ada), await status()]).toEqual([
        false,
        { cancelAtPeriodEnd: false, currentPeriodEnd: null, paymentFailed: false },
      ])
      expect(await change('cancel')).toMatchObject(nothing)
    })

    test('a Pro that was given is no subscription, and no event takes it', async () => {
      const { ada, id, told } = await paid()
      await tell(standIn.change(id, { status: 'canceled' }))
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
      expect(await ada.http('GET', '/api/subscription-status')).toMatchObject({
        body: { cancelAtPeriodEnd: false, currentPeriodEnd: null },
      })
      expect(await ada.http('POST', '/api/cancel-subscription')).toMatchObject(nothing)
      expect([await tell(told), await isPro(ada)]).toEqual([200, true])
    })

    test('an event that was missed is made up for once the period is over', async () => {
      const { ada, id } = await paid()
      const page = await ada.socket()
      standIn.change(id, { status: 'canceled' })
      await server.clean()
      expect(await isPro(ada)).toBe(true)
      const over = { currentPeriodEnd: new Date(YESTERDAY * 1000), nextCheckAt: new Date() }
      await server.db.update(billing).set(over).where(eq(billing.userId, ada.id))
      standIn.behave('is down')
      await server.clean()
      expect(await isPro(ada)).toBe(true)
      standIn.behave('works')
      await server.db.update(billing).set(over).where(eq(billing.userId, ada.id))
      await server.clean()
      expect(await page.next('current_user_updated')).toMatchObject({ user: { isPro: false } })
      const asked = standIn.calls.length
      await server.clean()
      expect(standIn.calls).toHaveLength(asked)
    })

    test('whoever deletes their account pays no more, also where Stripe was away, or a customer was just made', async () => {
      const { ada, id, person } = await paid()
      const departed = () => server.db.$count(deletedCustomers)
      const comeDue = () => server.db.update(deletedCustomers).set({ dueAt: new Date() })
      const leave = async (person: Person) => {
        await server.db.update(users).set({ password: null }).where(eq(users.id, person.id))
        expect((await person.http('DELETE', '/api/account')).status).toBe(200)
      }
      standIn.behave('is down')
      await leave(ada)
      await server.clean()
      expect([standIn.sold.get(id)?.status, await departed()]).toEqual(['active', 1])
      standIn.behave('works')
      await comeDue()
      await server.clean()
      expect([standIn.sold.get(id)?.status, await departed()]).toEqual(['canceled', 0])

      const fast = await person('fast')
      standIn.behave('hangs when it is done', /^POST customers/)
      const begun = fast.http('POST', '/api/get-or-create-subscription')
      await standIn.hangs()
      await leave(fast)
      standIn.behave('works')
      expect((await begun).status).toBe(401)
      expect(standIn.sold.size).toBe(1)
      await comeDue()
      await server.clean()
      expect([...standIn.customers.values()].map(({ deleted }) => deleted)).toEqual([true, true])
      expect(await departed()).toBe(0)
    })
  },
  standIn.env,
)
