import { Link, useNavigate } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useSession } from '../../auth/cache'
import { Benefits } from '../../billing/Benefits'
import { PRO_PRICE } from '../../billing/inputs'
import { type ToastText, toast } from '../toast'
import { Button } from '../ui/Button'
import { Logo } from '../ui/Logo'

/** The upgrade to Pro (product.md, section 2). */
export function Subscribe() {
  const user = useSession()
  if (!user) return <Leave to="/login" because={SIGNED_OUT} />
  if (user.isPro) return <Leave to={`/${user.username}`} because={ALREADY} />
  return <Upgrade />
}

const SIGNED_OUT = { title: 'Authentication Required', description: 'Please log in to continue with the subscription.' }
const ALREADY = { title: 'Already Subscribed', description: 'You are already subscribed to the Pro plan.' }

/** Sends a visitor on and says why. */
function Leave({ to, because }: { to: string; because: ToastText }) {
  const navigate = useNavigate()
  const leave = useEffectEvent(() => {
    toast({ variant: 'destructive', ...because })
    void navigate({ to, replace: true })
  })
  useEffect(() => {
    // Put off, so that a mount which React undoes at once (StrictMode) says nothing.
    const soon = setTimeout(leave)
    return () => clearTimeout(soon)
  }, [])
  return null
}

const Upgrade = () => (
  <div className="mx-auto flex min-h-full max-w-4xl flex-col gap-8 px-6 pb-16 sm:px-8">
    <title>Upgrade to Pro · wrk</title>
    <header className="flex items-center justify-between py-6">
      <Link to="/" aria-label="wrk, to the dashboard" className="rounded-card">
        <Logo />
      </Link>
      <Button asChild look="quiet">
        <Link to="/">Back to Dashboard</Link>
      </Button>
    </header>
    <main className="flex flex-col gap-10">
      <h1 className="font-strong text-display tracking-[-0.035em]">Upgrade to Pro</h1>
      <div className="grid items-start gap-6 md:grid-cols-2">
        <Plan />
        <NotSetUp />
      </div>
    </main>
  </div>
)

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

const NotSetUp = () => (
  <section aria-labelledby="not-set-up" className="flex flex-col items-start gap-3 rounded-panel bg-accent-soft p-6">
    <h2 id="not-set-up" className="flex items-center gap-2 font-strong">
      <TriangleAlert className="size-4 text-danger" aria-hidden />
      Payments are not set up on this server
    </h2>
    <p>The upgrade cannot be bought here yet. Nothing was charged, and your free plan stays as it is.</p>
    <Button asChild className="mt-1">
      <Link to="/">Return to Dashboard</Link>
    </Button>
  </section>
)
