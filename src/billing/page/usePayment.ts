import { useEffect, useRef, useState } from 'react'
import { sleep } from '../../web/sleep'
import { type ToastText, toast } from '../../web/toast'
import { PAID_AT } from '../schema'

/** Resolves to null after a payment, else to the provider's reason. */
type Attempt = () => Promise<string | null>
export type Payment = ReturnType<typeof usePayment>

export function usePayment() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const underWay = useRef(false)
  useEffect(() => {
    window.addEventListener('pageshow', beginAnew)
    return () => window.removeEventListener('pageshow', beginAnew)
  }, [])
  const pay = async (attempt: Attempt) => {
    // Two clicks can come before the button is disabled.
    if (underWay.current) return
    underWay.current = true
    setBusy(true)
    setFailure(undefined)
    const failed = await failureOf(attempt)
    if (!failed) return arrive()
    underWay.current = false
    setBusy(false)
    setFailure(failed.description)
    toast({ variant: 'destructive', ...failed })
  }
  return { busy, failure, pay }
}

/** The browser may restore this page from its cache, still busy, after "back" from a bank's page. */
const beginAnew = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload()

async function failureOf(attempt: Attempt): Promise<ToastText | null> {
  try {
    const reason = await attempt()
    return reason === null ? null : { title: 'Payment Failed', description: reason }
  } catch (error) {
    console.warn('A payment could not be made', error)
    return { title: 'Payment Error', description: 'An unexpected error occurred. Please try again.' }
  }
}

/** Until the page goes on, so that the notice is read. */
const SUCCESS_SHOWN_FOR = 1_000

/** A full load leaves Stripe's scripts and policy behind; `replace` keeps "back" from a form that is done. */
async function arrive() {
  toast({ title: 'Payment Successful', description: 'You are now subscribed to the Pro plan!' })
  await sleep(SUCCESS_SHOWN_FOR)
  window.location.replace(PAID_AT)
}
