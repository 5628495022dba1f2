/** A subscription as the provider has it. */
export type Subscription = {
  id: string
  status: string
  cancelAtPeriodEnd: boolean
  currentPeriodEnd: Date | null
}

/** What is stored of somebody who pays, or began to, at the moment at which the provider is asked. */
export type Account = {
  userId: number
  /** The address under which the provider's customer is made. */
  email: string
  reference: string
  attempt: number
  version: number
  customerId: string | null
  subscription: Subscription | null
  graceUntil: Date | null
}

declare module '../../server/context' {
  interface Services {
    /** The payment provider; null where payments are not set up. */
    payments: Provider | null
  }
}

/** As above, once there is a customer. */
type Customer = Account & { customerId: string }

/** Somebody who paid, or began to, and whose account is gone. */
export type DeletedCustomer = { reference: string; customerId: string | null; email: string | null }

/** `clientSecret` lets a card form pay for it; null where there is nothing to pay. */
type Begun = { subscription: Subscription; clientSecret: string | null }

/** Whoever takes the money: Stripe, or what stands in for it. Each of these may take long. */
export type Provider = {
  simulated: boolean
  publishableKey: string | null
  /** The customer that stands for an account: the one that is stored, one that was made and not stored, or a new one. */
  customerOf(account: Account): Promise<string>
  /** The subscription that counts; null where there is none. */
  subscriptionOf(account: Account): Promise<Subscription | null>
  /** The same, or a new one where it is none that pays or can be paid. */
  begin(customer: Customer): Promise<Begun>
  /** Lets the subscription end with its period, or go on after it; answers what it is then. */
  setCancelling(account: Account, cancelling: boolean): Promise<Subscription | null>
  /** Ends all that a customer has there, and deletes what is known of them. */
  forget(customer: DeletedCustomer): Promise<void>
  /** Of whom a webhook tells; null where it tells of nobody. Throws BAD_REQUEST where the provider did not sign it. */
  heardOf(body: string, signature: string): Promise<string | null>
  /** Whether an error is the provider's: it was out of reach, or it refused, and says the same again to the same key. */
  failureIn(error: unknown): 'no answer' | 'refused' | null
}

const ENDED = ['canceled', 'incomplete_expired']
export const hasEnded = ({ status }: Subscription) => ENDED.includes(status)

const PAYING = ['active', 'trialing', 'past_due']
/** Whether it is one that can be told to end with its period, or to go on after it. */
export const isOngoing = (found: Subscription | null) => found !== null && PAYING.includes(found.status)

/** Until when one who did not pay in time stays Pro: to the end of the period in which that began. */
export function graceOf(account: Pick<Account, 'subscription' | 'graceUntil'>, found: Subscription): Date | null {
  if (found.status !== 'past_due') return null
  return (account.subscription?.id === found.id && account.graceUntil) || found.currentPeriodEnd
}

/** Whether a subscription makes its owner Pro. */
export function makesPro({ status }: Subscription, graceUntil: Date | null): boolean {
  if (status === 'past_due') return graceUntil !== null && graceUntil > new Date()
  return status === 'active' || status === 'trialing'
}
