import { afterAll, expect, test } from 'bun:test'
import { onEachDatabase, onOneDatabase, type Server } from '../support/databases'
import { stripe } from '../support/stripe'

const nothing = { status: 409, body: { message: 'There is no subscription to change.', code: 'CONFLICT' } }

onEachDatabase('the simulated checkout', (server) => {
  test('is the whole flow: declined, paid, to be ended, resumed, renewed, ended, and paid again', async () => {
    const { ada, bob } = await server.people()
    const page = await ada.socket()
    const call = (path: string, body?: object) => ada.http('POST', `/api/${path}`, body)
    const status = async () => (await ada.http('GET', '/api/subscription-status')).body
    /** Every change of how it goes on reaches the own pages. */
    const told = async (isPro: boolean) => expect(await page.next('current_user_updated')).toMatchObject({ user: { isPro } })
    const begin = async () => {
      const { clientSecret, publishableKey } = await ada.api.billing.setUp.mutate()
      expect(publishableKey).toBeNull()
      return clientSecret
    }
    const clientSecret = await begin()
    expect(await begin()).toBe(clientSecret)
    const declined = await call('dev/checkout', { clientSecret, outcome: 'declined' })
    expect(declined).toMatchObject({ status: 402, body: { message: 'Your card was declined.', code: 'PAYMENT_REQUIRED' } })
    expect(await status()).toEqual({ cancelAtPeriodEnd: false, currentPeriodEnd: null, paymentFailed: false })
    expect((await call('dev/checkout', { clientSecret: 'another', outcome: 'paid' })).status).toBe(404)
    expect((await call('dev/checkout', { clientSecret, outcome: 'perhaps' })).status).toBe(400)
    expect((await bob.http('POST', '/api/dev/checkout', { clientSecret, outcome: 'paid' })).status).toBe(409)

    expect(await call('dev/checkout', { clientSecret, outcome: 'paid' })).toMatchObject({ status: 200, body: { success: true } })
    await told(true)
    expect((await call('dev/checkout', { clientSecret, outcome: 'paid' })).status).toBe(404)
    expect(await call('get-or-create-subscription')).toMatchObject({
      status: 409,
      body: { message: 'You are already subscribed to the Pro plan.' },
    })
    const paid = await status()
    expect((await call('boards', { name: 'Second' })).status).toBe(201)
    expect((await call('dev/end-period')).status).toBe(200)
    await told(true)
    const renewed = await status()
    expect(renewed).not.toEqual(paid)
    expect((await call('cancel-subscription')).status).toBe(200)
    await told(true)
    expect(await status()).toMatchObject({ cancelAtPeriodEnd: true })
    expect((await call('resume-subscription')).status).toBe(200)
    await told(true)
    expect(await status()).toEqual(renewed)
    await call('cancel-subscription')
    await told(true)
    expect((await call('dev/end-period')).status).toBe(200)
    await told(false)
    expect(await call('boards', { name: 'Third' })).toMatchObject({ status: 403, body: { requiresUpgrade: true } })
    for (const path of ['dev/end-period', 'resume-subscription', 'cancel-subscription'])
      expect(await call(path)).toMatchObject(nothing)

    expect((await call('dev/checkout', { clientSecret: await begin(), outcome: 'paid' })).status).toBe(200)
    await told(true)
    await server.clean()
    expect(await status()).toMatchObject({ cancelAtPeriodEnd: false, currentPeriodEnd: expect.any(String) })
  })

  test('twenty who begin at once, and twenty who pay at once, are one', async () => {
    const { eve } = await server.people()
    const secrets = await Promise.all(Array.from({ length: 20 }, () => eve.api.billing.setUp.mutate()))
    expect(new Set(secrets.map(({ clientSecret }) => clientSecret)).size).toBe(1)
    const paid = { clientSecret: secrets[0]?.clientSecret, outcome: 'paid' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => eve.http('POST', '/api/dev/checkout', paid)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(404)])
  })
})

/** Whoever asks for it, signed in or not, and with what would be right elsewhere. */
async function refusals(server: Server) {
  const { eve, nobody } = await server.people()
  const begun = await eve.http('POST', '/api/get-or-create-subscription')
  const paid = { clientSecret: (begun.body as { clientSecret?: string }).clientSecret ?? 'x', outcome: 'paid' }
  const answers = await Promise.all([
    eve.http('POST', '/api/dev/checkout', paid),
    eve.http('POST', '/api/dev/end-period'),
    eve.http('POST', '/trpc/billing.simulatePayment', paid),
    eve.http('POST', '/trpc/billing.simulatePeriodEnd', {}),
    nobody.http('POST', '/api/dev/checkout', paid),
    nobody.http('POST', '/api/dev/end-period'),
  ])
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404))
  expect((await eve.http('GET', '/api/auth/me')).body).toMatchObject({ isPro: false })
  return { eve, begun }
}

onOneDatabase(
  'payments in production without a key',
  (server) => {
    test('are neither simulated nor set up', async () => {
      const { eve, begun } = await refusals(server)
      const notSetUp = {
        status: 412,
        body: { message: 'Payments are not set up on this server.', code: 'PRECONDITION_FAILED' },
      }
      expect(begun).toMatchObject(notSetUp)
      expect(await eve.http('POST', '/api/cancel-subscription')).toMatchObject(notSetUp)
      expect((await eve.http('POST', '/api/stripe/webhook', {})).status).toBe(404)
      expect((await eve.http('GET', '/api/subscription-status')).status).toBe(200)
      await server.clean()
    })
  },
  { NODE_ENV: 'production', PUBLIC_URL: 'http://wrk.example.com' },
)

const standIn = stripe()
afterAll(() => standIn.remove())

for (const NODE_ENV of ['development', 'production'])
  onOneDatabase(
    `payments with a key, ${NODE_ENV}`,
    (server) => {
      test('are not simulated', async () => {
        const { begun } = await refusals(server)
        expect(begun).toMatchObject({ status: 200, body: { publishableKey: 'pk_test_standin' } })
      })
    },
    { ...standIn.env, NODE_ENV, PUBLIC_URL: 'http://wrk.example.com' },
  )
