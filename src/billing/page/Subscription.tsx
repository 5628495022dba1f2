import { useServerOptions } from '../../auth/page/cache'
import type { OwnUser } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/TryAgain'
import { useHeadingFocus } from '../../web/ui/useHeadingFocus'
import type { SubscriptionStatus } from '../schema'
import { Comparison } from './Comparison'
import { useSubscriptionStatus } from './cache'
import { EndPeriod } from './EndPeriod'
import { PlanChange } from './PlanChange'
import { UpgradeLink } from './UpgradeLink'

export function Subscription({ user: { isPro } }: { user: OwnUser }) {
  const { data: status, error, isError, isFetching, refetch } = useSubscriptionStatus(isPro)
  const simulated = useServerOptions()?.simulatedPayment
  const place = useHeadingFocus<HTMLDivElement>()
  return (
    <div ref={place} className="flex flex-col gap-6">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex flex-col gap-0.5">
          <p className="text-quiet">Current plan</p>
          <h1 tabIndex={-1} className="flex items-center gap-2 rounded-card font-strong text-title">
            {isPro ? 'Pro Plan' : 'Free Plan'}
            {isPro && status && <Badge status={status} />}
          </h1>
          {isPro && <p className="min-h-5 text-quiet">{status && periodText(status)}</p>}
        </div>
        {!isPro && (
          <Button asChild look="primary">
            <UpgradeLink>Upgrade to Pro</UpgradeLink>
          </Button>
        )}
        {isPro && status?.currentPeriodEnd && <PlanChange cancelling={status.cancelAtPeriodEnd} />}
      </header>
      {isPro && isError && !status && (
        <TryAgain busy={isFetching} retry={() => void refetch()} error={error} className="rounded-card bg-column px-3 py-2">
          How your subscription goes on could not be loaded.
        </TryAgain>
      )}
      <Comparison />
      {isPro && simulated && <EndPeriod />}
    </div>
  )
}

const Badge = ({ status: { cancelAtPeriodEnd } }: { status: SubscriptionStatus }) => (
  <span
    className={`flex items-center gap-1.5 rounded-card bg-column px-2 py-0.5 font-strong text-small ring-1 ring-line ring-inset before:size-2 before:rounded-full ${cancelAtPeriodEnd ? 'before:bg-inprogress' : 'before:bg-done'}`}
  >
    {cancelAtPeriodEnd ? 'Cancelling' : 'Active'}
  </span>
)

/** A plan that was given by hand has no period and is not billed. */
function periodText({ cancelAtPeriodEnd, currentPeriodEnd }: SubscriptionStatus) {
  if (!currentPeriodEnd) return 'Without billing'
  const date = new Date(currentPeriodEnd).toLocaleDateString('en', { dateStyle: 'long' })
  return cancelAtPeriodEnd ? `Ends on ${date}, then Free` : `Renews on ${date}`
}
