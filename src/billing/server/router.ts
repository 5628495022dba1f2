import { messageOf } from '../../db/failures'
import { log } from '../../log'
import { done } from '../../protocol'
import { success } from '../../schema'
import type { Context } from '../../server/context'
import { conflict, notFound } from '../../server/errors'
import { repeatOrRun, storeAnswer } from '../../server/idempotency.store'
import { restCalls } from '../../server/rest'
import { requireSignedIn, type SignedIn } from '../../server/signedIn'
import { protectedProcedure, publicProcedure, router } from '../../server/trpc'
import {
  ALREADY_SUBSCRIBED,
  type Checkout,
  checkout,
  NOT_SUBSCRIBED,
  NOTHING_TO_PAY,
  type SubscriptionStatus,
  simulatedPayment,
  subscriptionStatus,
  type UnpaidInvoice,
  unpaidInvoice,
} from '../schema'
import { grantOwnBilling } from './grants'
import { findBillingAccount } from './lookup'
import { endPeriod, pay } from './payments'
import { type Account, isOngoing, type Provider, type Subscription } from './provider'
import { billingRoutes } from './routes'
import { openBillingAccount, readStatus, storeCustomer } from './store'
import { notSetUp, providerOf, refreshSubscription, updateSubscription } from './updateSubscription'

/** None on a server without plans. */
const withPlans = protectedProcedure.use(({ ctx, next }) => {
  if (!ctx.services.config.hasPlans) throw notFound('This server has no plans.')
  return next()
})

/** Asks the provider, so nothing runs in a transaction. */
const paying = withPlans.use(async ({ ctx, next }) => {
  const provider = providerOf(ctx.services)
  if (provider.simulated && !ctx.isDeveloper) throw notSetUp()
  ctx.services.diskGuard.assertChange()
  await ctx.services.limits.consume('payments', `user ${ctx.viewer.id}`)
  ctx.extendTimeout()
  return next({ ctx: { provider } })
})

const simulated = publicProcedure.meta({ needsSession: true }).use(async ({ ctx, next }) => {
  const { config, payments } = ctx.services
  if (!ctx.isDeveloper || !config.hasPlans || !payments?.simulated) throw notFound('No such endpoint')
  const { user: viewer } = requireSignedIn(ctx.session)
  if (!(await findBillingAccount(ctx.db, viewer.id))) throw conflict(NOT_SUBSCRIBED)
  return next({ ctx: { viewer } })
})

const billingRouter = router({
  /** The user may return from paying before Stripe's event arrives. */
  status: withPlans.query(async ({ ctx }): Promise<SubscriptionStatus> => {
    const { status, isAwaited } = await readStatus(ctx.db, ctx.viewer)
    if (!isAwaited) return status
    ctx.extendTimeout()
    if (await ctx.services.limits.tryConsume('payments', `user ${ctx.viewer.id}`))
      await refreshSubscription(ctx.services, grantOwnBilling(ctx.viewer)).catch((error: unknown) =>
        log.warn(`the outcome of a payment is not known yet: ${messageOf(error)}`),
      )
    return (await readStatus(ctx.db, ctx.viewer)).status
  }),

  setUp: paying.mutation(async ({ ctx: { db, services, viewer, provider } }): Promise<Checkout> => {
    if (viewer.isPro) throw conflict(ALREADY_SUBSCRIBED)
    await openBillingAccount(db, viewer)
    const { clientSecret } = await updateSubscription(services, grantOwnBilling(viewer), async (account) => {
      const customerId = await provider.customerOf(account)
      // Before anything can be paid, so that events find the account.
      if (customerId !== account.customerId) await storeCustomer(db, account, customerId)
      return provider.begin({ ...account, customerId })
    })
    if (clientSecret === null) throw conflict(ALREADY_SUBSCRIBED)
    return { clientSecret, publishableKey: provider.publishableKey }
  }),

  /** Where to pay an invoice whose payment failed; asking also tells whether it has been paid meanwhile. */
  unpaidInvoice: paying.mutation(async ({ ctx: { services, viewer } }): Promise<UnpaidInvoice> => {
    if (!(await findBillingAccount(services.db, viewer.id))) throw conflict(NOTHING_TO_PAY)
    const { url } = await updateSubscription(services, grantOwnBilling(viewer), (account, provider) =>
      provider.unpaidInvoiceOf(account),
    )
    if (url === null) throw conflict(NOTHING_TO_PAY)
    return { url }
  }),

  cancel: paying.mutation(({ ctx }) => setCancelling(ctx, true)),

  resume: paying.mutation(({ ctx }) => setCancelling(ctx, false)),

  simulatePayment: simulated.input(simulatedPayment).mutation(({ ctx, input }) =>
    repeatOrRun(ctx, async () => {
      await update(
        ctx,
        async (account) => pay(account, input),
        () => true,
      )
      return done
    }),
  ),

  simulatePeriodEnd: simulated.mutation(({ ctx }) =>
    repeatOrRun(ctx, async () => {
      await update(
        ctx,
        async (account) => endPeriod(account),
        () => true,
      )
      return done
    }),
  ),
})

type Protected = Context & { viewer: SignedIn }
type Ask = (account: Account, provider: Provider) => Promise<Subscription | null>

const setCancelling = (ctx: Protected, cancelling: boolean) =>
  repeatOrRun(ctx, async () => {
    const account = await findBillingAccount(ctx.services.db, ctx.viewer.id)
    if (!isOngoing(account?.subscription ?? null)) throw conflict(NOT_SUBSCRIBED)
    const subscription = await update(ctx, (account, provider) => provider.setCancelling(account, cancelling), isOngoing)
    if (!isOngoing(subscription)) throw conflict(NOT_SUBSCRIBED)
    return done
  })

async function update(ctx: Protected, ask: Ask, isDone: (found: Subscription | null) => boolean) {
  const { subscription } = await updateSubscription(
    ctx.services,
    grantOwnBilling(ctx.viewer),
    async (account, provider) => ({ subscription: await ask(account, provider) }),
    async (db, answer) => {
      if (isDone(answer.subscription)) await storeAnswer(db, ctx, done)
    },
  )
  return subscription
}

const { get, post } = restCalls('billing', billingRouter)

const billingRest = [
  get('/api/subscription-status', 'status', 'The state of your subscription', subscriptionStatus),
  post(
    '/api/get-or-create-subscription',
    'setUp',
    'Start or resume a Pro subscription; returns what the card form needs',
    checkout,
    { refuses: [412] },
  ),
  post('/api/unpaid-invoice', 'unpaidInvoice', 'Where to pay the invoice of a failed payment', unpaidInvoice, { refuses: [412] }),
  post('/api/cancel-subscription', 'cancel', 'Cancel the subscription at the end of its period', success, { refuses: [412] }),
  post('/api/resume-subscription', 'resume', 'Resume a cancelled subscription before it ends', success, { refuses: [412] }),
  post('/api/dev/checkout', 'simulatePayment', 'Pay, or be declined, on a server that only simulates payments', success, {
    refuses: [402, 404],
  }),
  post('/api/dev/end-period', 'simulatePeriodEnd', 'End your billing period, on a server that only simulates payments', success, {
    refuses: [404],
  }),
]

export const billingDomain = {
  router: billingRouter,
  rest: billingRest,
  routes: billingRoutes,
  shapes: { Checkout: checkout, SubscriptionStatus: subscriptionStatus },
}
