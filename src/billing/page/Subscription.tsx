import FlaskConical from 'lucide-react/icons/flask-conical'
import { useRef, useState } from 'react'
import { useServerOptions } from '../../auth/page/cache'
import type { OwnUser } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Confirm, type Question } from '../../web/ui/Confirm'
import { TryAgain } from '../../web/ui/Failure'
import { useHeadingFocus } from '../../web/ui/focus'
import { PRO_PRICE, type SubscriptionStatus } from '../schema'
import { useCancelSubscription, useEndPeriod, useResumeSubscription, useSubscriptionStatus, useUnpaidInvoice } from './cache'
import { UpgradeLink } from './Upgrade'

export function Subscription({ user: { isPro } }: { user: OwnUser }) {
  const { data: status, error, isError, isFetching, refetch } = useSubscriptionStatus()
  const isLapsed = !isPro && status !== undefined && isUnpaid(status)
  const simulated = useServerOptions()?.simulatedPayment
  const place = useHeadingFocus<HTMLDivElement>()
  return (
    <div ref={place} className="flex flex-col gap-6">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex flex-col gap-0.5">
          <p className="text-quiet">Current plan</p>
          <h2 tabIndex={-1} className="flex items-center gap-2 rounded-card font-strong text-title">
            {isPro ? 'Pro Plan' : 'Free Plan'}
            {isPro && status && <Badge status={status} />}
          </h2>
          {isPro && <p className="min-h-5 text-pretty text-quiet">{status && periodText(status)}</p>}
          {isLapsed && (
            <p className="text-pretty text-quiet">
              Your last payment failed. Pay the invoice to return to Pro, or cancel your subscription.
            </p>
          )}
        </div>
        {!isPro && !isLapsed && (
          <Button asChild look="primary">
            <UpgradeLink>Upgrade to Pro</UpgradeLink>
          </Button>
        )}
        {(isPro || isLapsed) && status?.currentPeriodEnd && (
          <div className="flex flex-wrap gap-2">
            {isUnpaid(status) && <PayNow />}
            <PlanChange cancelling={status.cancelAtPeriodEnd} />
          </div>
        )}
      </header>
      {isPro && isError && !status && (
        <TryAgain busy={isFetching} retry={() => void refetch()} error={error} className="rounded-card bg-column px-3 py-2">
          Your subscription could not be loaded.
        </TryAgain>
      )}
      <Comparison />
      {isPro && simulated && <EndPeriod />}
    </div>
  )
}

const Badge = ({ status: { cancelAtPeriodEnd, paymentFailed } }: { status: SubscriptionStatus }) => (
  <span
    className={`flex items-center gap-1.5 rounded-chip bg-column px-1.5 font-strong text-small before:size-2 before:rounded-full ${cancelAtPeriodEnd || paymentFailed ? 'before:bg-inprogress' : 'before:bg-done'}`}
  >
    {cancelAtPeriodEnd ? 'Cancelling' : 'Active'}
  </span>
)

const isUnpaid = ({ paymentFailed, cancelAtPeriodEnd }: SubscriptionStatus) => paymentFailed && !cancelAtPeriodEnd

/** A plan given by an operator has no period. */
function periodText(status: SubscriptionStatus) {
  if (!status.currentPeriodEnd) return 'Free of charge'
  const date = new Date(status.currentPeriodEnd).toLocaleDateString(undefined, { dateStyle: 'long' })
  if (isUnpaid(status)) return `Your last payment failed. Pay by ${date} to keep Pro.`
  return status.cancelAtPeriodEnd ? `Ends on ${date}, then Free` : `Renews on ${date}`
}

function PayNow() {
  const invoice = useUnpaidInvoice()
  return (
    <Button look="primary" busy={invoice.isPending} onClick={() => invoice.mutate()}>
      Pay now
    </Button>
  )
}

function PlanChange({ cancelling }: { cancelling: boolean }) {
  const changes = { cancel: useCancelSubscription(), resume: useResumeSubscription() }
  const possible = cancelling ? 'resume' : 'cancel'
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  // The question stays as it was asked, even if the plan changes meanwhile.
  const [asked, setAsked] = useState<typeof possible>(possible)
  const ask = () => {
    setAsked(possible)
    setOpen(true)
  }
  const giveBack = (event: Event) => {
    event.preventDefault()
    button.current?.focus()
  }
  return (
    <>
      <Button ref={button} look={cancelling ? 'primary' : 'plain'} onClick={ask}>
        {QUESTIONS[possible].title}
      </Button>
      <Confirm
        {...QUESTIONS[asked]}
        open={open}
        onOpenChange={setOpen}
        busy={changes[asked].isPending}
        onConfirm={() => changes[asked].mutate(undefined, { onSuccess: () => setOpen(false) })}
        onCloseAutoFocus={giveBack}
      />
    </>
  )
}

const QUESTIONS: Record<'cancel' | 'resume', Question> = {
  cancel: {
    title: 'Cancel Subscription',
    text: 'Your subscription stays active until the end of the billing period. Then your account is downgraded to Free, with 1 board and unlimited collaborators. You can resume your subscription any time before then.',
    cancel: 'Keep Subscription',
    action: 'Yes, Cancel Subscription',
    look: 'danger',
  },
  resume: {
    title: 'Resume Subscription',
    text: 'You stay on the Pro plan. Your regular billing cycle and your current period do not change.',
    cancel: 'Cancel',
    action: 'Resume Subscription',
    look: 'primary',
  },
}

const PLANS: [feature: string, free: string, pro: string][] = [
  ['Boards', '1', 'Unlimited'],
  ['Tasks per board', 'Unlimited', 'Unlimited'],
  ['Collaborators', 'Unlimited', 'Unlimited'],
  ['Real-time updates', 'Yes', 'Yes'],
  ['Support', 'Email, within 72 hours', 'Priority: fast email replies and dedicated video help'],
]

const Comparison = () => (
  <table className="w-full table-fixed text-left">
    <caption className="sr-only">Plan comparison</caption>
    <thead>
      <tr className="border-line border-b *:align-top">
        <th scope="col" className="w-3/10 py-2 pr-2 font-normal text-quiet">
          Feature
        </th>
        <th scope="col" className="w-3/10 px-2 py-2 font-strong">
          Free
        </th>
        <th scope="col" className="px-2 py-2 font-strong">
          Pro <span className="whitespace-nowrap font-normal text-quiet text-small">{PRO_PRICE}/month</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {PLANS.map(([feature, free, pro]) => (
        <tr key={feature} className="border-line border-b align-top last:border-b-0 last:*:pb-0">
          <th scope="row" className="break-words py-2.5 pr-2 font-normal text-quiet">
            {feature}
          </th>
          <td className="break-words px-2 py-2.5">{free}</td>
          <td className="break-words px-2 py-2.5">{pro}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

function EndPeriod() {
  const end = useEndPeriod()
  return (
    <section
      aria-labelledby="simulated"
      className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-edge border-dashed px-3 py-2.5"
    >
      <div className="flex min-w-48 flex-1 gap-2">
        <FlaskConical className="mt-0.5 size-4 shrink-0 text-quiet" aria-hidden />
        <p id="simulated" className="text-pretty">
          <strong className="font-strong">Simulated payment.</strong> See what happens when the billing period ends.
        </p>
      </div>
      <Button size="small" busy={end.isPending} onClick={() => end.mutate()}>
        End billing period
      </Button>
    </section>
  )
}
