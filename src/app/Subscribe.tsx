import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { keepReturnUrl } from '../auth/page/returnUrl'
import { toastOnArrival } from '../auth/page/signIn'
import { Checkout } from '../billing/page/Checkout'
import { refetchViewer } from '../billing/page/cache'
import { isAlreadyPro, type Payment, useCheckout, usePayment } from '../billing/page/PaymentForm'
import { Benefits } from '../billing/page/Upgrade'
import { ALREADY_SUBSCRIBED, PRO_PRICE } from '../billing/schema'
import { useSession } from '../users/page/viewer'
import type { OwnUser } from '../users/schema'
import { refusalOf } from '../web/refusal'
import { settings } from '../web/settings'
import { type ToastText, toast } from '../web/toast'
import { Button } from '../web/ui/Button'
import { useHeadingFocus } from '../web/ui/focus'
import { NotFound } from '../web/ui/NotFound'
import { Logo } from '../web/ui/PublicFrame'

export function Subscribe() {
  const user = useSession()
  const payment = usePayment()
  if (!settings().hasPlans) return <NotFound />
  if (!user) return <Leave to="/login" because={SIGNED_OUT} />
  // A payment here makes the user Pro a moment before the success message.
  if (user.isPro && !payment.busy) return <Leave to={`/${user.username}`} because={ALREADY} />
  return <Upgrade user={user} payment={payment} />
}

const SIGNED_OUT = { title: 'Authentication Required', description: 'Please log in to continue with the subscription.' }
const ALREADY = { title: 'Already Subscribed', description: ALREADY_SUBSCRIBED }

function Leave({ to, because }: { to: string; because: ToastText }) {
  const navigate = useNavigate()
  const leave = useEffectEvent(() => {
    if (to === '/login') return leaveFor(to, because)
    toast({ variant: 'destructive', ...because })
    void navigate({ to, replace: true })
    void refetchViewer()
  })
  useEffect(() => {
    // Delayed, so that StrictMode's first mount, which React undoes at once, shows no toast.
    const soon = setTimeout(leave)
    return () => clearTimeout(soon)
  }, [])
  return null
}

function leaveFor(path: string, because: ToastText) {
  toastOnArrival({ variant: 'destructive', ...because })
  keepReturnUrl()
  window.location.replace(path)
}

function Upgrade({ user, payment }: { user: OwnUser; payment: Payment }) {
  const checkout = useCheckout()
  const place = useHeadingFocus<HTMLDivElement>()
  if (isAlreadyPro(checkout.error)) return <Leave to={`/${user.username}`} because={ALREADY} />
  if (refusalOf(checkout.error)?.code === 'UNAUTHORIZED') return <Leave to="/login" because={SIGNED_OUT} />
  return (
    <div data-no-top-bar className="mx-auto flex min-h-full max-w-4xl flex-col gap-8 px-6 pb-16 sm:px-8">
      <title>Upgrade to Pro · wrk</title>
      <header className="flex items-center justify-between py-6">
        {/* A full load leaves Stripe's scripts and their security policy behind. */}
        <Link to="/" reloadDocument aria-label="wrk dashboard" className="rounded-card">
          <Logo />
        </Link>
        <Button asChild look="quiet" className="-mr-inset">
          <Link to="/" reloadDocument>
            Back to Dashboard
          </Link>
        </Button>
      </header>
      <main className="flex flex-col gap-10">
        <h1 className="font-strong text-display tracking-display">Upgrade to Pro</h1>
        <div className="grid items-start gap-6 md:grid-cols-2">
          <Plan />
          <div ref={place}>
            <Checkout checkout={checkout} payment={payment} />
          </div>
        </div>
      </main>
    </div>
  )
}

const Plan = () => (
  <section aria-labelledby="plan" className="flex flex-col gap-5 rounded-panel bg-surface p-6 shadow-card">
    <h2 id="plan" className="text-quiet">
      Pro plan
    </h2>
    <p className="tabular font-strong text-title">
      {PRO_PRICE}
      <span className="font-normal text-quiet">/month</span>
    </p>
    <Benefits />
  </section>
)
