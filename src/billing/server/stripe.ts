import Stripe from 'stripe'
import type { Config } from '../../config'
import { badRequest } from '../../server/errors'
import { fetchWithin } from '../../server/outbound'
import { type Account, type DeletedCustomer, graceOf, hasEnded, makesPro, type Provider, type Subscription } from './provider'

/** The SDK's types describe this version; an account's default may be older. */
const API_VERSION = '2026-10-28.endive'

const TIMEOUT_MS = 10_000
const MAX_RETRIES = 2

const LIST_LIMIT = 100
/** A hundred subscriptions with their invoices are smaller than 1 MB. */
const ANSWER_MAX_BYTES = 2 * 2 ** 20
const ask = Object.assign(fetchWithin({ maxBytes: ANSWER_MAX_BYTES, timeoutMs: TIMEOUT_MS }), { preconnect: fetch.preconnect })

type Keys = NonNullable<Config['stripe']>

/** Looks first, then creates under a key made from stored state: twenty clicks, two processes or a crash create only one. */
export function createStripe({ secretKey, publishableKey, webhookSecret, priceId, apiBase }: Keys): Provider {
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(ask),
    ...(apiBase && address(new URL(apiBase))),
  })

  async function createdFor({ email, reference }: Pick<Account, 'email' | 'reference'>) {
    const { data } = await stripe.customers.list({ email, limit: LIST_LIMIT })
    return data.filter(({ metadata }) => metadata.account === reference)
  }

  async function exists(customerId: string): Promise<boolean> {
    const customer = await unlessMissing(stripe.customers.retrieve(customerId))
    return customer !== null && !customer.deleted
  }

  async function allOf(customer: string): Promise<Stripe.Subscription[]> {
    const expand = ['data.latest_invoice.confirmation_secret']
    return (await unlessMissing(stripe.subscriptions.list({ customer, status: 'all', limit: LIST_LIMIT, expand })))?.data ?? []
  }

  const currentOf = async ({ customerId }: Account) =>
    customerId === null ? null : (currentAmong(await allOf(customerId)) ?? null)

  const isPayable = (found: Stripe.Subscription) => secretIn(found) !== null && found.items.data[0]?.price.id === priceId

  const create = (customer: string, idempotencyKey: string) =>
    stripe.subscriptions.create(
      {
        customer,
        items: [{ price: priceId }],
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card'] },
        expand: ['latest_invoice.confirmation_secret'],
      },
      { idempotencyKey },
    )

  return {
    simulated: false,
    publishableKey,

    async customerOf(account) {
      const { email, reference, attempt, customerId } = account
      if (customerId !== null && (await exists(customerId))) return customerId
      const [existing] = await createdFor(account)
      if (existing) return existing.id
      const idempotencyKey = `customer ${reference} ${attempt} after ${customerId}`
      return (await stripe.customers.create({ email, metadata: { account: reference } }, { idempotencyKey })).id
    },

    async subscriptionOf(account) {
      const found = await currentOf(account)
      return found && toSubscription(found)
    },

    async begin(account) {
      const all = await allOf(account.customerId)
      const found = currentAmong(all)
      if (found && isPayable(found)) return { subscription: toSubscription(found), clientSecret: secretIn(found) }
      const current = found && toSubscription(found)
      if (current && makesPro(current, graceOf(account, current))) return { subscription: current, clientSecret: null }
      // Cancelled first, so that nobody can pay for two.
      if (found && current && !hasEnded(current) && !(await cancelUnpaid(found))) {
        const paid = currentAmong(await allOf(account.customerId))
        if (paid) return { subscription: toSubscription(paid), clientSecret: secretIn(paid) }
      }
      const created = await create(
        account.customerId,
        `subscription ${account.customerId} ${account.attempt} after ${all[0]?.id}`,
      )
      return { subscription: toSubscription(created), clientSecret: secretIn(created) }
    },

    async unpaidInvoiceOf(account) {
      const found = await currentOf(account)
      return { subscription: found && toSubscription(found), url: found && unpaidIn(found) }
    },

    async setCancelling(account, cancelling) {
      const found = await currentOf(account)
      if (!found) return null
      const current = toSubscription(found)
      if (hasEnded(current) || current.cancelAtPeriodEnd === cancelling) return current
      const resumed = found.cancel_at_period_end ? { cancel_at_period_end: false } : ({ cancel_at: '' } as const)
      return toSubscription(await stripe.subscriptions.update(found.id, cancelling ? { cancel_at_period_end: true } : resumed))
    },

    async end(account) {
      const found = await currentOf(account)
      if (found?.status === 'past_due') await cancelUnpaid(found)
      return this.setCancelling(account, true)
    },

    async forget(customer) {
      for (const id of await customersOf(customer)) await unlessMissing(stripe.customers.del(id))
    },

    async customerInWebhook(body, signature) {
      const event = await stripe.webhooks.constructEventAsync(body, signature, webhookSecret).catch(() => {
        throw badRequest('The signature is not from Stripe, or it is too old.')
      })
      return customerIn(event)
    },

    failureKind(error) {
      if (!(error instanceof Stripe.errors.StripeError)) return null
      const { statusCode: status } = error
      return status === undefined || status === IN_USE || status === TOO_MANY ? 'no answer' : 'refused'
    },
  }

  /** Voids the invoice first, which Stripe refuses once it is paid: false then. */
  async function cancelUnpaid({ id, latest_invoice: invoice }: Stripe.Subscription): Promise<boolean> {
    const open = typeof invoice === 'object' && invoice?.status === 'open' ? invoice.id : undefined
    if (open !== undefined && !(await unlessInvalid(stripe.invoices.voidInvoice(open)))) return false
    await unlessMissing(stripe.subscriptions.cancel(id))
    return true
  }

  async function customersOf({ reference, customerId, email }: DeletedCustomer): Promise<string[]> {
    if (customerId !== null) return [customerId]
    return email === null ? [] : (await createdFor({ reference, email })).map(({ id }) => id)
  }
}

/** Stripe's answers while a key or a customer is busy, and when it is asked too often. */
const IN_USE = 409
const TOO_MANY = 429

const address = ({ hostname, port, protocol }: URL) => ({
  host: hostname,
  protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
  ...(port && { port }),
})

const unlessMissing = <T>(call: Promise<T>) => unlessInvalid(call, 'resource_missing')

async function unlessInvalid<T>(call: Promise<T>, code?: string): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && (!code || error.code === code)) return null
    throw error
  }
}

const PRECEDENCE = ['active', 'trialing', 'past_due', 'incomplete', 'unpaid', 'paused']

const precedenceOf = ({ status }: Stripe.Subscription) => {
  const place = PRECEDENCE.indexOf(status)
  return place < 0 ? PRECEDENCE.length : place
}

export const currentAmong = (all: Stripe.Subscription[]): Stripe.Subscription | undefined =>
  all.toSorted((a, b) => precedenceOf(a) - precedenceOf(b))[0]

const moment = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1_000) : null)

export function toSubscription(found: Stripe.Subscription): Subscription {
  return {
    id: found.id,
    status: found.status,
    cancelAtPeriodEnd: found.cancel_at_period_end || found.cancel_at !== null,
    currentPeriodEnd: moment(found.cancel_at) ?? moment(found.items.data[0]?.current_period_end),
  }
}

export function secretIn({ status, latest_invoice: invoice }: Stripe.Subscription): string | null {
  if (status !== 'incomplete' || typeof invoice !== 'object') return null
  return invoice?.confirmation_secret?.client_secret ?? null
}

function unpaidIn({ status, latest_invoice: invoice }: Stripe.Subscription): string | null {
  if (status !== 'past_due' || typeof invoice !== 'object' || invoice?.status !== 'open') return null
  return invoice.hosted_invoice_url ?? null
}

export function customerIn(event: Stripe.Event): string | null {
  // Signed by Stripe, but perhaps not of the API version of the types.
  const { data } = event as { data?: { object?: { customer?: unknown } | null } }
  const customer = data?.object?.customer
  return typeof customer === 'string' && !customer.includes('\0') ? customer : null
}
