import type { Services } from '../../server/context'
import { reasonOf } from '../../server/errors'
import { claimDeletedCustomer, forgetDeletedCustomer } from './deletedCustomers/store'
import { claimDueCheck } from './store'
import { refreshSubscription } from './syncSubscription'

/** In case an event was missed. Processes share the work; without an answer the rest waits. */
export async function reconcile(services: Services): Promise<void> {
  await Promise.all([refreshDue(services).catch(warn), forgetDeletedCustomers(services)])
}

/** Retried later on failure. Never throws. */
export const forgetDeletedCustomers = (services: Services): Promise<void> => tellProvider(services).catch(warn)

const warn = (error: unknown) => console.warn(`payments wait: ${reasonOf(error)}`)

async function refreshDue(services: Services) {
  if (!services.payments || services.payments.simulated) return
  for (let userId = await claimDueCheck(services.db); userId !== undefined; userId = await claimDueCheck(services.db))
    await refreshSubscription(services, userId)
}

async function tellProvider({ db, payments }: Services) {
  if (!payments) return
  for (let departed = await claimDeletedCustomer(db); departed; departed = await claimDeletedCustomer(db)) {
    await payments.forget(departed)
    await forgetDeletedCustomer(db, departed)
  }
}
