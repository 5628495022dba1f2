export type Subscription = {
  id: string
  status: string
  cancelAtPeriodEnd: boolean
  currentPeriodEnd: Date | null
}

export type Account = {
  userId: number
  email: string
  reference: string
  attempt: number
  version: number
  customerId: string | null
  subscription: Subscription | null
  graceUntil: Date | null
  isDisabled: boolean
}

declare module '../../server/context' {
  interface Services {
    payments: Provider | null
  }
}

type Customer = Account & { customerId: string }

export type DeletedCustomer = { reference: string; customerId: string | null; email: string | null }

type Started = { subscription: Subscription; clientSecret: string | null }

/** Stripe, or its simulation. Every call may be slow. */
export type Provider = {
  simulated: boolean
  publishableKey: string | null
  customerOf(account: Account): Promise<string>
  subscriptionOf(account: Account): Promise<Subscription | null>
  begin(customer: Customer): Promise<Started>
  /** `url` is the provider's page that takes the payment, null if none is due. */
  unpaidInvoiceOf(account: Account): Promise<{ subscription: Subscription | null; url: string | null }>
  setCancelling(account: Account, cancelling: boolean): Promise<Subscription | null>
  /** At the end of the paid period; at once if nothing is paid. */
  end(account: Account): Promise<Subscription | null>
  forget(customer: DeletedCustomer): Promise<void>
  /** The customer that a webhook is about. Throws BAD_REQUEST for a wrong signature. */
  customerInWebhook(body: string, signature: string): Promise<string | null>
  /** A refusal is repeated for the same key; null when the error is not the provider's. */
  failureKind(error: unknown): 'no answer' | 'refused' | null
}

const ENDED = ['canceled', 'incomplete_expired']
export const hasEnded = ({ status }: Subscription) => ENDED.includes(status)

const PAYING = ['active', 'trialing', 'past_due']
export const isOngoing = (found: Subscription | null) => found !== null && PAYING.includes(found.status)

/** Stripe may keep a subscription past due forever, with a new period each month: the first one counts. */
export function graceOf(account: Pick<Account, 'subscription' | 'graceUntil'>, found: Subscription): Date | null {
  if (found.status !== 'past_due') return null
  return (account.subscription?.id === found.id && account.graceUntil) || found.currentPeriodEnd
}

export function makesPro({ status }: Subscription, graceUntil: Date | null): boolean {
  if (status === 'past_due') return graceUntil !== null && graceUntil > new Date()
  return status === 'active' || status === 'trialing'
}
