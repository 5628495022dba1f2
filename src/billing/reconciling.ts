import { reasonOf } from '../server/errors'
import type { Parts } from '../server/trpc'
import { look } from './settling'
import { claimDeparted, claimLook, forgetDeparted } from './store'

/**
 * Asks Stripe about subscriptions whose period is over, and about each once a day, in case an event was missed. Several
 * processes share the work; where Stripe does not answer, the rest waits for the next time.
 */
export async function reconcile(parts: Parts): Promise<void> {
  await Promise.all([lookAround(parts).catch(warn), sayGoodbye(parts)])
}

/** Tells the provider of whoever's account is gone; what fails is told again. Never throws. */
export const sayGoodbye = (parts: Parts): Promise<void> => tellDepartures(parts).catch(warn)

const warn = (error: unknown) => console.warn(`payments wait: ${reasonOf(error)}`)

async function lookAround(parts: Parts) {
  if (!parts.payments || parts.payments.simulated) return
  for (let userId = await claimLook(parts.db); userId !== undefined; userId = await claimLook(parts.db)) await look(parts, userId)
}

async function tellDepartures({ db, payments }: Parts) {
  if (!payments) return
  for (let departed = await claimDeparted(db); departed; departed = await claimDeparted(db)) {
    await payments.forget(departed)
    await forgetDeparted(db, departed)
  }
}
