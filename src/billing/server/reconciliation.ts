import { reasonOf } from '../../server/errors'
import type { Parts } from '../../server/trpc'
import { claimDeparted, forgetDeparted } from './deletedCustomers/store'
import { claimLook } from './store'
import { refresh } from './syncSubscription'

/**
 * Asks Stripe about subscriptions whose period is over, and about each once a day, in case an event was missed. Several
 * processes share the work; where Stripe does not answer, the rest waits for the next time.
 */
export async function reconcile(parts: Parts): Promise<void> {
  await Promise.all([refreshDue(parts).catch(warn), forgetAllDeparted(parts)])
}

/** Tells the provider of whoever's account is gone; what fails is told again. Never throws. */
export const forgetAllDeparted = (parts: Parts): Promise<void> => tellProvider(parts).catch(warn)

const warn = (error: unknown) => console.warn(`payments wait: ${reasonOf(error)}`)

async function refreshDue(parts: Parts) {
  if (!parts.payments || parts.payments.simulated) return
  for (let userId = await claimLook(parts.db); userId !== undefined; userId = await claimLook(parts.db))
    await refresh(parts, userId)
}

async function tellProvider({ db, payments }: Parts) {
  if (!payments) return
  for (let departed = await claimDeparted(db); departed; departed = await claimDeparted(db)) {
    await payments.forget(departed)
    await forgetDeparted(db, departed)
  }
}
