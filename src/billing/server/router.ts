import { done } from '../../schema'
import { conflict, notFound, reasonOf, unauthorized } from '../../server/errors'
import { anyone, type Context, router, signedIn } from '../../server/trpc'
import { ALREADY_SUBSCRIBED, type Checkout, NOT_SUBSCRIBED, type SubscriptionStatus, simulatedPayment } from '../schema'
import { isOngoing } from './provider'
import { endPeriod, pay } from './simulatedProvider'
import { findAccount, keepCustomer, openAccount, readStatus } from './store'
import { providerOf, refresh, sync } from './syncSubscription'

/** Who pays, or ends paying: the provider is asked, so nothing of it is within a transaction. */
const paying = signedIn.use(async ({ ctx, next }) => {
  const provider = providerOf(ctx.parts)
  await ctx.parts.limits.spend('payments', `user ${ctx.viewer.id}`)
  ctx.takesLong()
  return next({ ctx: { provider } })
})

/** Who began to pay where nobody takes real money; elsewhere there is no such call (contract.md, section 7). */
const simulating = anyone.meta({ needsSession: true }).use(async ({ ctx, next }) => {
  if (!ctx.parts.payments?.simulated) throw notFound('There is no such call')
  if (!ctx.session) throw unauthorized()
  const viewer = ctx.session.user
  if (!(await findAccount(ctx.db, viewer.id))) throw conflict(NOT_SUBSCRIBED)
  return next({ ctx: { viewer } })
})

export const billingRouter = router({
  /** How it goes on with one's subscription; one who comes back from paying may be faster than Stripe's event. */
  status: signedIn.query(async ({ ctx }): Promise<SubscriptionStatus> => {
    const { status, isAwaited } = await readStatus(ctx.db, ctx.viewer.id)
    if (!isAwaited) return status
    ctx.takesLong()
    if (await ctx.parts.limits.allows('payments', `user ${ctx.viewer.id}`))
      await refresh(ctx.parts, ctx.viewer.id).catch((error: unknown) =>
        console.warn(`a payment is not known yet: ${reasonOf(error)}`),
      )
    return (await readStatus(ctx.db, ctx.viewer.id)).status
  }),

  /** Begins to subscribe, or goes on with what was begun. */
  setUp: paying.mutation(async ({ ctx: { db, parts, viewer, provider } }): Promise<Checkout> => {
    if (viewer.isPro) throw conflict(ALREADY_SUBSCRIBED)
    await openAccount(db, viewer)
    const { clientSecret } = await sync(parts, viewer.id, async (account) => {
      const customerId = await provider.customerOf(account)
      // Before there is anything to pay: an event about a customer finds its account.
      if (customerId !== account.customerId) await keepCustomer(db, account, customerId)
      return provider.begin({ ...account, customerId })
    })
    if (clientSecret === null) throw conflict(ALREADY_SUBSCRIBED)
    return { clientSecret, publishableKey: provider.publishableKey }
  }),

  /** Ends the subscription with its period. */
  cancel: paying.mutation(({ ctx }) => setCancelling(ctx, ctx.viewer.id, true)),

  /** Takes that back. */
  resume: paying.mutation(({ ctx }) => setCancelling(ctx, ctx.viewer.id, false)),

  simulatePayment: simulating.input(simulatedPayment).mutation(async ({ ctx, input }) => {
    await sync(ctx.parts, ctx.viewer.id, async (account) => ({ subscription: pay(account, input) }))
    return done
  }),

  simulatePeriodEnd: simulating.mutation(async ({ ctx }) => {
    await sync(ctx.parts, ctx.viewer.id, async (account) => ({ subscription: endPeriod(account) }))
    return done
  }),
})

/** Throws CONFLICT where there is no subscription, or it has ended. */
async function setCancelling({ parts }: Pick<Context, 'parts'>, userId: number, cancelling: boolean) {
  if (!isOngoing((await findAccount(parts.db, userId))?.subscription ?? null)) throw conflict(NOT_SUBSCRIBED)
  const { subscription } = await sync(parts, userId, async (account, provider) => ({
    subscription: await provider.setCancelling(account, cancelling),
  }))
  if (!isOngoing(subscription)) throw conflict(NOT_SUBSCRIBED)
  return done
}
