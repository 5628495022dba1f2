import { useMutation, useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../auth/page/cache'
import { boardsQuery } from '../../boards/page/cache'
import { client } from '../../web/client'
import { queryClient, restartRead } from '../../web/queryClient'
import { reasonIn, refusalOf } from '../../web/refusal'
import { DECLINED, type SubscriptionStatus } from '../schema'
import { statusQuery } from './planHandlers'

/** Only Pro has a subscription; read again each time it is shown. */
export const useSubscriptionStatus = (isPro: boolean) => useQuery({ ...statusQuery(), staleTime: 0, enabled: isPro })

export async function refetchAfterPayment(): Promise<true> {
  await queryClient.fetchQuery({ ...statusQuery(), staleTime: 0, networkMode: 'always' }).catch(() => {})
  await Promise.all([refetchViewer(), queryClient.invalidateQueries(boardsQuery())])
  return true
}

export const refetchViewer = (): Promise<void> => queryClient.invalidateQueries(sessionQuery())

export const useCancelSubscription = () =>
  useMutation({
    mutationFn: () => client.billing.cancel.mutate(),
    onSuccess: () => setEnding(true),
    meta: {
      success: {
        title: 'Subscription Cancelled',
        description: 'Your subscription will be downgraded to Free at the end of the billing period.',
      },
      failure: reasonOr('Failed to cancel your subscription. Please try again.'),
    },
  })

export const useResumeSubscription = () =>
  useMutation({
    mutationFn: () => client.billing.resume.mutate(),
    onSuccess: () => setEnding(false),
    meta: {
      success: { title: 'Subscription Resumed', description: 'You stay on the Pro plan.' },
      failure: reasonOr('Failed to resume your subscription. Please try again.'),
    },
  })

function setEnding(cancelAtPeriodEnd: boolean) {
  const { queryKey } = statusQuery()
  queryClient.setQueryData(queryKey, (known) => known && { ...known, cancelAtPeriodEnd })
  restartRead(queryKey)
}

const reasonOr = (words: string) => (error: unknown) => ({ title: 'Error', description: reasonIn(error) ?? words })

/** Simulates the card form; resolves to the reason where the card was declined. */
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
      // The period has ended even where the new status cannot be read.
      return client.billing.status.query().catch(() => null)
    },
    meta: {
      success: (status) => ({ title: 'Billing Period Ended', ...whatCame(status as SubscriptionStatus | null) }),
      failure: reasonOr('The billing period could not be ended. Please try again.'),
    },
  })

function whatCame(status: SubscriptionStatus | null): { description?: string } {
  if (!status) return {}
  if (!status.currentPeriodEnd) return { description: 'Your subscription has ended, and you are on the Free plan.' }
  const date = new Date(status.currentPeriodEnd).toLocaleDateString('en', { dateStyle: 'long' })
  return { description: `Your subscription was renewed until ${date}.` }
}
