import { useState } from 'react'
import { Button } from '../../../web/ui/Button'
import { useNow } from '../../entries/page/useNow'
import { durationText } from '../../entries/schema'
import { elapsedMs, isOverdue, roundedMinutes, type Timer } from '../schema'
import { useConfirmTimer } from './cache'
import { StopTimer } from './StopTimer'

/** Asks about a timer that ran long without a sign of its owner. Takes no focus, for the user may be writing. */
export function StillWorking({ timer, onGone }: { timer: Timer; onGone(): void }) {
  const now = useNow(timer.status === 'ACTIVE')
  const [trimming, setTrimming] = useState(false)
  const confirm = useConfirmTimer(timer.boardId)
  const asks = timer.status === 'ACTIVE' && isOverdue(timer, now)
  return (
    <>
      {asks && (
        <div className="flex flex-col gap-2 rounded-card bg-accent-soft p-3 text-small max-lg:order-last max-lg:mt-2 max-lg:basis-full">
          <p>
            {/* Only the question: screen readers would repeat the rest each minute. */}
            <span role="alert" className="font-strong">
              Still working?
            </span>{' '}
            This timer has run for <span className="tabular">{durationText(roundedMinutes(elapsedMs(timer, now)))}</span>.
          </p>
          <p className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => void confirm.run(timer)}>
              Yes, still working
            </Button>
            <Button size="small" onClick={() => setTrimming(true)}>
              Stop and trim
            </Button>
          </p>
        </div>
      )}
      {trimming && <StopTimer boardId={timer.boardId} timer={timer} onClose={() => setTrimming(false)} onGone={onGone} />}
    </>
  )
}
