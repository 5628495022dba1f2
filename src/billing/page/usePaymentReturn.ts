import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useViewer } from '../../auth/page/cache'
import { onOpen } from '../../web/live/whenLive'
import { dismissToast, toast } from '../../web/toast'
import { NOT_CONFIRMED } from '../schema'
import { refetchAfterPayment, refetchViewer } from './cache'

/** Undefined until the server has said whether there was a payment, for anyone can open that address. */
export function usePaymentReturn(failed: boolean): 'activated' | 'failed' | 'unconfirmed' | undefined {
  const { isPro } = useViewer()
  const { isFetched } = useQuery({
    queryKey: ['after payment'],
    queryFn: refetchAfterPayment,
    gcTime: 0,
    networkMode: 'always',
  })
  // A later change of the plan is not about this payment.
  const [paid, setPaid] = useState(isPro)
  if (isPro && !paid) setPaid(true)
  const came = paid ? 'activated' : failed ? 'failed' : isFetched ? 'unconfirmed' : undefined

  // Removed from the address, so that a reload or "back" does not repeat it.
  const navigate = useNavigate()
  useEffect(() => void navigate({ to: '/', search: {}, replace: true }), [navigate])

  useEffect(() => {
    if (!came || came === 'unconfirmed') return
    const shown = toast(TOASTS[came])
    return () => dismissToast(shown)
  }, [came])

  // The server may have announced it between the read and the opening of the socket.
  useEffect(() => (came === undefined || came === 'unconfirmed' ? onOpen(() => void refetchViewer()) : undefined), [came])

  return came
}

const TOASTS = {
  activated: { title: 'Payment Successful', description: 'You are now subscribed to the Pro plan with unlimited boards' },
  failed: { variant: 'destructive', title: 'Payment Failed', description: NOT_CONFIRMED },
} as const
