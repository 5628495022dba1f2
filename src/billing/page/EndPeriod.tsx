import { FlaskConical } from 'lucide-react'
import { Button } from '../../web/ui/Button'
import { useEndPeriod } from './cache'

/** Ends the simulated billing period: a cancelled subscription ends, another renews. */
export function EndPeriod() {
  const end = useEndPeriod()
  return (
    <section
      aria-labelledby="simulated"
      className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-edge border-dashed px-3 py-2.5"
    >
      <div className="flex min-w-48 flex-1 gap-2">
        <FlaskConical className="mt-0.5 size-4 shrink-0 text-quiet" aria-hidden />
        <p id="simulated" className="text-pretty">
          <strong className="font-strong">Simulated payment.</strong> See at once what comes with the end of the billing period.
        </p>
      </div>
      <Button size="small" busy={end.isPending} onClick={() => end.mutate()}>
        End Billing Period
      </Button>
    </section>
  )
}
