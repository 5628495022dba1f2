import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useViewer } from '../../auth/page/cache'
import { useLiveStatus } from '../../web/socket'
import { dismissToast, toast } from '../../web/toast'
import { NOT_CONFIRMED } from '../schema'
import { refetchAfterPayment, refetchViewer } from './cache'

/**
 * What came of a payment from which one comes back. It is believed for as long as it takes to ask: anyone can open the
 * address, and Stripe may tell the browser before it tells the server, of which the live channel then hears.
 */
export function usePaymentReturn(failed: boolean): 'activated' | 'failed' | 'unconfirmed' {
  const { isPro } = useViewer()
  const { isSuccess: asked } = useQuery({
    queryKey: ['after payment'],
    queryFn: refetchAfterPayment,
    gcTime: 0,
    networkMode: 'always',
  })
  // What comes of the plan later is not about this payment.
  const [paid, setPaid] = useState(isPro)
  if (isPro && !paid) setPaid(true)
  const came = paid ? 'activated' : failed ? 'failed' : asked ? 'unconfirmed' : 'activated'

  // The address says it once only: not again after a reload, nor on the way back.
  const navigate = useNavigate()
  useEffect(() => void navigate({ to: '/', search: {}, replace: true }), [navigate])

  useEffect(() => {
    if (came === 'unconfirmed') return
    const shown = toast(TOASTS[came])
    return () => dismissToast(shown)
  }, [came])

  // It may have been told between the reading and the opening of the channel.
  const hears = useLiveStatus() === 'open'
  useEffect(() => {
    if (hears && came === 'unconfirmed') void refetchViewer()
  }, [hears, came])

  return came
}

const TOASTS = {
  activated: { title: 'Payment Successful', description: 'You are now subscribed to the Pro plan with unlimited boards' },
  failed: { variant: 'destructive', title: 'Payment Failed', description: NOT_CONFIRMED },
} as const
