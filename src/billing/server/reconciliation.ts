import { log } from '../../log'
import type { Services } from '../../server/context'
import { reasonOf, unlessUnavailable } from '../../server/errors'
import { claimDeletedCustomer, forgetDeletedCustomer } from './deletedCustomers/store'
import { grantDueCheck } from './grants'
import { refreshSubscription } from './updateSubscription'

/** In case an event was missed. Processes share the work; without an answer the rest waits. */
export async function reconcile(services: Services): Promise<void> {
  await Promise.all([refreshDue(services).catch(warn), forgetDeletedCustomers(services)])
}

/** Retried later on failure. Never throws. */
export const forgetDeletedCustomers = (services: Services): Promise<void> => deleteAtProvider(services).catch(warn)

const warn = unlessUnavailable((error) => log.warn(`payments wait: ${reasonOf(error)}`))

async function refreshDue(services: Services) {
  if (!services.payments || services.payments.simulated) return
  for (let grant = await grantDueCheck(services.db); grant; grant = await grantDueCheck(services.db))
    await refreshSubscription(services, grant)
}

async function deleteAtProvider({ db, payments }: Services) {
  if (!payments) return
  for (let customer = await claimDeletedCustomer(db); customer; customer = await claimDeletedCustomer(db)) {
    await payments.forget(customer)
    await forgetDeletedCustomer(db, customer)
  }
}
