import Stripe from 'stripe'

const KEY = 'sk_test_standin'
const SECRET = 'whsec_standin'
const PRICE = 'price_pro'
const DAY = 86_400

type Customer = { id: string; object: 'customer'; email: string; metadata: Record<string, string>; deleted?: true }
type Sold = {
  id: string
  customer: string
  status: string
  cancel_at_period_end: boolean
  cancel_at: number | null
  created: number
  period_end: number
  price: string
  voided?: true
}
type Answer = { status: number; body: unknown }
/**
 * How it answers: as it should; that it cannot; what it did with a fault, or not at all, or not before it is let go; or it
 * does nothing before the same is asked a second time.
 */
type Manner =
  | 'works'
  | 'is down'
  | 'fails when it is done'
  | 'is cut off when it is done'
  | 'hangs when it is done'
  | 'waits for a second'
/** When it is as it is said to be: at every call, or only at those that begin so. */
type When = { manner: Manner; calls: RegExp }

/**
 * A stand-in for Stripe, over HTTP in the test's process: it keeps customers and subscriptions, answers the same to the
 * same key, and signs what it tells. Its `env` names it to a server.
 */
export function stripe() {
  const customers = new Map<string, Customer>()
  const sold = new Map<string, Sold>()
  const answered = new Map<string, { asked: string; answer: Answer | null }>()
  const calls: string[] = []
  let when: When = { manner: 'works', calls: /^/ }
  let letGo = Promise.withResolvers<void>()
  let hanging = Promise.withResolvers<void>()
  let count = 0
  let met = 0
  const next = (kind: string) => `${kind}_${++count}`
  const now = () => Math.floor(Date.now() / 1000)

  async function fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const call = `${request.method} ${pathname.replace('/v1/', '')}`
    calls.push(call)
    if (request.headers.get('authorization') !== `Bearer ${KEY}`) return json(refusal(401, 'bad key'))
    if (!request.headers.get('stripe-version')?.includes('endive')) return json(refusal(400, 'another version'))
    const manner = when.calls.test(call) ? when.manner : 'works'
    if (manner === 'is down') return json(fault(503))
    const isFirst = manner === 'waits for a second' && ++met === 1
    if (met > 1) letGo.resolve()
    const text = await request.text()
    const key = request.headers.get('idempotency-key')
    const before = key ? answered.get(key) : undefined
    if (before && before.asked !== call + text) return json(refusal(400, 'Keys are for the same parameters', 'idempotency_error'))
    if (before && !before.answer) return json(refusal(409, 'in use', 'idempotency_error'))
    if (before?.answer) return json(before.answer)
    const entry: { asked: string; answer: Answer | null } = { asked: call + text, answer: null }
    if (key) answered.set(key, entry)
    // As it takes a moment, others come meanwhile.
    await new Promise(setImmediate)
    if (isFirst) await letGo.promise
    const answer = act(call, new URLSearchParams(request.method === 'GET' ? searchParams : text))
    entry.answer = manner === 'fails when it is done' ? fault(500) : answer
    if (manner === 'hangs when it is done') {
      hanging.resolve()
      await letGo.promise
    }
    if (manner === 'is cut off when it is done') return cutOff()
    return json(entry.answer)
  }

  function act(call: string, given: URLSearchParams): Answer {
    const [, what = '', id = ''] = call.match(/ (\w+)\/?(\w*)/) ?? []
    const method = call.split(' ')[0]
    if (what === 'customers') {
      if (method === 'POST') return ok(newCustomer(given))
      if (!id) return list([...customers.values()].filter(({ email, deleted }) => !deleted && email === given.get('email')))
      const found = customers.get(id)
      if (!found || (method === 'DELETE' && found.deleted)) return missing('customer')
      if (method === 'DELETE') forgetCustomer(found)
      return ok(found.deleted ? { id, object: 'customer', deleted: true } : found)
    }
    if (what === 'invoices' && call.endsWith('/void')) return voided(id)
    if (what !== 'subscriptions') return refusal(404, 'no such path')
    if (method === 'GET') {
      const customer = given.get('customer') ?? ''
      if (!customers.has(customer)) return missing('customer')
      return list(of(customer).map(shown))
    }
    if (method === 'POST' && !id) return sell(given)
    const found = sold.get(id)
    if (!found || (method === 'DELETE' && isOver(found))) return missing('subscription')
    if (method === 'DELETE') found.status = 'canceled'
    else if (isOver(found)) return refusal(400, 'A canceled subscription cannot be changed')
    else setEnd(found, given)
    return ok(shown(found))
  }

  /** The first invoice of what was never paid takes that along; a paid one stays. */
  function voided(invoice: string): Answer {
    const found = sold.get(invoice.replace('in_', ''))
    if (!found) return missing('invoice')
    if (invoiceOf(found) !== 'open') return refusal(400, 'This invoice is not open')
    found.voided = true
    if (found.status === 'incomplete') found.status = 'incomplete_expired'
    return ok({ id: invoice, object: 'invoice', status: 'void' })
  }

  function newCustomer(given: URLSearchParams): Customer {
    const metadata = { account: given.get('metadata[account]') ?? '' }
    const made: Customer = { id: next('cus'), object: 'customer', email: given.get('email') ?? '', metadata }
    customers.set(made.id, made)
    return made
  }

  function forgetCustomer(customer: Customer) {
    customer.deleted = true
    for (const one of of(customer.id)) if (!isOver(one)) one.status = 'canceled'
  }

  function sell(given: URLSearchParams): Answer {
    const customer = customers.get(given.get('customer') ?? '')
    if (!customer || customer.deleted) return missing('customer')
    if (given.get('payment_behavior') !== 'default_incomplete') return refusal(400, 'it would be charged at once')
    if (!given.toString().includes('latest_invoice.confirmation_secret')) return refusal(400, 'the secret is not asked for')
    const price = given.get('items[0][price]') ?? ''
    if (!price.startsWith(PRICE)) return missing('price')
    const one = { id: next('sub'), customer: customer.id, status: 'incomplete', price, created: ++count }
    const made: Sold = { ...one, cancel_at_period_end: false, cancel_at: null, period_end: now() + 30 * DAY }
    sold.set(made.id, made)
    return ok(shown(made))
  }

  const of = (customer: string) => [...sold.values()].filter((one) => one.customer === customer).reverse()

  /** As the events of a subscription and its invoices are: what they hold was true when they were made. */
  const event = (type: string, one: Sold) => ({
    id: next('evt'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created: now(),
    type,
    data: { object: type.startsWith('invoice') ? { id: `in_${one.id}`, object: 'invoice', customer: one.customer } : shown(one) },
  })

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch, idleTimeout: 120 })
  const change = (id: string, changes: Partial<Sold>, type = 'customer.subscription.updated') => {
    const one = sold.get(id)
    if (!one) throw new Error(`no subscription ${id}`)
    return event(type, Object.assign(one, changes))
  }
  return {
    env: {
      STRIPE_SECRET_KEY: KEY,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_standin',
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_PRICE_ID: PRICE,
      STRIPE_API_BASE: `http://127.0.0.1:${server.port}`,
    },
    customers,
    sold,
    /** What was asked, as `POST subscriptions`. */
    calls,
    change,
    /** The card form's part: what a client secret stands for is paid. */
    pay: (clientSecret: string) => change(clientSecret.replace('_secret', ''), { status: 'active' }),
    hostedInvoice,
    behave(manner: Manner, only = /^/) {
      when = { manner, calls: only }
      met = 0
      if (manner === 'hangs when it is done') hanging = Promise.withResolvers()
      letGo.resolve()
      letGo = Promise.withResolvers()
    },
    /** Waits until somebody waits for an answer. */
    hangs: () => hanging.promise,
    /** As a day later, when keys are forgotten. */
    forgetKeys: () => answered.clear(),
    /** Tells a server of something, with a signature of so many seconds ago; answers its status. */
    async tell(origin: string, told: object, { secret = SECRET, secondsAgo = 0 } = {}): Promise<number> {
      const payload = JSON.stringify(told)
      const signature = await signing.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp: now() - secondsAgo })
      const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
      return (await globalThis.fetch(`${origin}/api/stripe/webhook`, { method: 'POST', body: payload, headers })).status
    },
    clear() {
      customers.clear()
      sold.clear()
      answered.clear()
      calls.length = 0
      when = { manner: 'works', calls: /^/ }
    },
    remove: () => server.stop(true),
  }
}

const signing = new Stripe(KEY)

const isOver = ({ status }: Sold) => status === 'canceled' || status === 'incomplete_expired'

function setEnd(one: Sold, given: URLSearchParams) {
  const ends = given.get('cancel_at_period_end')
  if (ends !== null) one.cancel_at_period_end = ends === 'true'
  if (ends === 'true') one.cancel_at = one.period_end
  else if (ends === 'false' || given.get('cancel_at') === '') one.cancel_at = null
}

const invoiceOf = ({ status, voided }: Sold) =>
  voided ? 'void' : status === 'incomplete' || status === 'past_due' ? 'open' : 'paid'

const shown = ({ period_end, price, voided, ...one }: Sold) => ({
  ...one,
  object: 'subscription',
  items: { object: 'list', data: [{ id: `si_${one.id}`, current_period_end: period_end, price: { id: price } }] },
  latest_invoice: {
    id: `in_${one.id}`,
    object: 'invoice',
    status: invoiceOf({ ...one, period_end, price, ...(voided && { voided }) }),
    hosted_invoice_url: hostedInvoice(one.id),
    confirmation_secret: { client_secret: `${one.id}_secret`, type: 'payment_intent' },
  },
})

const hostedInvoice = (id: string) => `https://invoice.stripe.test/in_${id}`

const ok = (body: unknown): Answer => ({ status: 200, body })
const list = (data: unknown[]) => ok({ object: 'list', data, has_more: false, url: '/' })
const refusal = (status: number, message: string, type = 'invalid_request_error'): Answer => ({
  status,
  body: { error: { type, message } },
})
const missing = (what: string): Answer => ({
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}` } },
})
const fault = (status: number): Answer => ({ status, body: { error: { type: 'api_error', message: 'Something failed' } } })

// A fault is not repeated by the client: Stripe says so.
const json = ({ status, body }: Answer) =>
  Response.json(body, { status, headers: status >= 500 ? { 'stripe-should-retry': 'false' } : {} })

/** Half an answer, and then none. */
const cutOff = () => new Response('{"id":')
