import type { Db } from '../../db/database'
import { messageOf } from '../../db/failures'
import { log } from '../../log'
import { createUserQueues } from '../../server/concurrency'
import type { Services } from '../../server/context'
import { Refusal, unauthorized, unlessUnavailable } from '../../server/errors'
import { runTransaction } from '../../server/transaction'
import { announceAccount } from '../../users/server/changes'
import { NOT_SET_UP, OUT_OF_REACH } from '../schema'
import { type BillingGrant, grantDueCheck } from './grants'
import { findBillingAccount } from './lookup'
import type { Account, Provider, Subscription } from './provider'
import { claimDeletedCustomer, forgetDeletedCustomer, raiseAttempt, storeSubscription } from './store'

const MAX_ROUNDS = 10
/** Random, so that two processes do not retry in step. */
const MAX_BACKOFF_MS = 50

const enqueue = createUserQueues(1)

/** Asks again if another answer was stored meanwhile. Throws BAD_GATEWAY, PRECONDITION_FAILED, UNAUTHORIZED. */
export const updateSubscription = <Answer extends { subscription: Subscription | null }>(
  services: Services,
  { userId }: BillingGrant,
  ask: (account: Account, provider: Provider) => Promise<Answer>,
  keep?: (db: Db, answer: Answer) => Promise<void>,
): Promise<Answer> =>
  enqueue(userId, async () => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const account = await findBillingAccount(services.db, userId)
      if (!account) throw unauthorized()
      const answer = await askProvider(services, account, ask)
      if (await storeAnswer(services, account, answer.subscription, (db) => keep?.(db, answer))) return answer
      await Bun.sleep(Math.random() * MAX_BACKOFF_MS * (round + 1))
    }
    throw outOfReach()
  })

export const refreshSubscription = (services: Services, grant: BillingGrant) =>
  updateSubscription(services, grant, async (account, provider) => ({
    // Someone who cannot sign in cannot cancel either.
    subscription: await (account.isDisabled ? provider.end(account) : provider.subscriptionOf(account)),
  }))

export const notSetUp = () => new Refusal('PRECONDITION_FAILED', NOT_SET_UP)

export function providerOf({ payments }: Services): Provider {
  if (!payments) throw notSetUp()
  return payments
}

const outOfReach = () => new Refusal('BAD_GATEWAY', OUT_OF_REACH)

async function askProvider<Answer>(
  services: Services,
  account: Account,
  ask: (account: Account, provider: Provider) => Promise<Answer>,
): Promise<Answer> {
  const provider = providerOf(services)
  try {
    return await ask(account, provider)
  } catch (error) {
    const failure = provider.failureKind(error)
    if (failure === null) throw error
    log.warn(`the payment provider failed (${failure}): ${error instanceof Error ? error.message : error}`)
    if (failure === 'refused') await raiseAttempt(services.db, account)
    throw outOfReach()
  }
}

const storeAnswer = (
  services: Services,
  account: Account,
  found: Subscription | null,
  keep: (db: Db) => Promise<void> | undefined,
): Promise<boolean> =>
  runTransaction(services, async ({ db, outbox }) => {
    const stored = await storeSubscription(db, account, found)
    if (stored?.isNews) announceAccount(outbox, stored.user)
    if (stored) await keep(db)
    return stored !== null
  })

/** For missed events. Processes share the work; without an answer the rest waits. */
export async function reconcile(services: Services): Promise<void> {
  await Promise.all([refreshDue(services).catch(warn), forgetDeletedCustomers(services)])
}

export const forgetDeletedCustomers = (services: Services): Promise<void> => deleteAtProvider(services).catch(warn)

const warn = unlessUnavailable((error) => log.warn(`payments are on hold: ${messageOf(error)}`))

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
