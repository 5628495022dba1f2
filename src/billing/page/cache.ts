import { useMutation, useQuery } from '@tanstack/react-query'
import { boardsQuery } from '../../boards/page/cache'
import { sessionQuery } from '../../users/page/viewer'
import { client } from '../../web/client'
import type { Handlers } from '../../web/live/socket'
import { queryClient, restartRead, trpc } from '../../web/queryClient'
import { reasonIn, refusalOf } from '../../web/refusal'
import { DECLINED, type SubscriptionStatus } from '../schema'

const statusQuery = () => trpc.billing.status.queryOptions()

/** The plan may have changed, which affects the subscription, locked boards and support. */
export const planHandlers: Handlers = { current_user_updated: refetchPlan }

export function refetchPlan(): void {
  void queryClient.invalidateQueries(statusQuery())
  void queryClient.invalidateQueries(boardsQuery())
  void queryClient.invalidateQueries(trpc.users.support.queryFilter())
}

export const useSubscriptionStatus = () => useQuery({ ...statusQuery(), staleTime: 0 })

/** Whether there may be a subscription: Pro given by an operator has none. */
export async function refetchAfterPayment(): Promise<boolean> {
  const status = await queryClient.fetchQuery({ ...statusQuery(), staleTime: 0, networkMode: 'always' }).catch(() => null)
  await Promise.all([refetchViewer(), queryClient.invalidateQueries(boardsQuery())])
  return status === null || status.currentPeriodEnd !== null
}

export const refetchViewer = (): Promise<void> => queryClient.invalidateQueries(sessionQuery())

export const useUnpaidInvoice = () =>
  useMutation({
    mutationFn: () => client.billing.unpaidInvoice.mutate(),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: () => queryClient.invalidateQueries(statusQuery()),
    meta: { failure: failureWith('Could not open the invoice. Please try again.') },
  })

export const useCancelSubscription = () =>
  useMutation({
    mutationFn: () => client.billing.cancel.mutate(),
    onSuccess: () => setCancelAtPeriodEnd(true),
    meta: {
      success: {
        title: 'Subscription Cancelled',
        description: 'Your subscription will be downgraded to Free at the end of the billing period.',
      },
      failure: failureWith('Failed to cancel your subscription. Please try again.'),
    },
  })

export const useResumeSubscription = () =>
  useMutation({
    mutationFn: () => client.billing.resume.mutate(),
    onSuccess: () => setCancelAtPeriodEnd(false),
    meta: {
      success: { title: 'Subscription Resumed', description: 'You stay on the Pro plan.' },
      failure: failureWith('Failed to resume your subscription. Please try again.'),
    },
  })

function setCancelAtPeriodEnd(cancelAtPeriodEnd: boolean) {
  const { queryKey } = statusQuery()
  queryClient.setQueryData(queryKey, (known) => known && { ...known, cancelAtPeriodEnd })
  restartRead(queryKey)
}

const failureWith = (words: string) => (error: unknown) => ({ title: 'Error', description: reasonIn(error) ?? words })

export async function payBySimulation(clientSecret: string, outcome: 'paid' | 'declined'): Promise<string | null> {
  try {
    await client.billing.simulatePayment.mutate({ clientSecret, outcome })
    return null
  } catch (error) {
    if (refusalOf(error)?.message === DECLINED) return DECLINED
    throw error
  }
}

export const useEndPeriod = () =>
  useMutation({
    async mutationFn() {
      await client.billing.simulatePeriodEnd.mutate()
      // The period has ended even if the new status cannot be read.
      return client.billing.status.query().catch(() => null)
    },
    meta: {
      success: (status) => ({ title: 'Billing Period Ended', ...periodEndText(status as SubscriptionStatus | null) }),
      failure: failureWith('Could not end the billing period. Please try again.'),
    },
  })

function periodEndText(status: SubscriptionStatus | null): { description?: string } {
  if (!status) return {}
  if (!status.currentPeriodEnd) return { description: 'Your subscription has ended, and you are on the Free plan.' }
  const date = new Date(status.currentPeriodEnd).toLocaleDateString(undefined, { dateStyle: 'long' })
  return { description: `Your subscription was renewed and now runs until ${date}.` }
}
