import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { SETUP_FAILED } from './useCheckout'

type Props = { error: unknown; busy?: boolean; onRetry(): void }

export function CheckoutFailed({ error, busy, onRetry }: Props) {
  const refused = refusalOf(error)
  const isNotSetUp = refused?.code === 'PRECONDITION_FAILED'
  return (
    <section aria-labelledby="failed" className="flex flex-col items-start gap-3 rounded-panel bg-accent-soft p-6">
      <h2 id="failed" tabIndex={-1} className="flex items-center gap-2 rounded-card font-strong">
        <TriangleAlert className="size-4 shrink-0 text-danger" aria-hidden />
        {isNotSetUp ? 'Payments are not set up on this server' : SETUP_FAILED.title}
      </h2>
      <p className="text-pretty">
        {isNotSetUp
          ? 'The upgrade cannot be bought here yet. Nothing was charged, and your free plan stays as it is.'
          : (tellable(refused) ?? `${SETUP_FAILED.description} Nothing was charged.`)}
      </p>
      <div className="flex flex-wrap gap-2 pt-1">
        <Button asChild look="primary">
          <Link to="/" reloadDocument>
            Return to Dashboard
          </Link>
        </Button>
        {!isNotSetUp && (
          <Button busy={busy} onClick={onRetry}>
            Try Again
          </Button>
        )}
      </div>
    </section>
  )
}

/** The server's message on an internal fault helps nobody. */
const tellable = (refused: ReturnType<typeof refusalOf>) =>
  refused && refused.code !== 'INTERNAL_SERVER_ERROR' ? refused.message : undefined
