import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import Square from 'lucide-react/icons/square'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { mayChangeTimerWhileLocked } from '../../access'
import { useIsLocked } from '../../boards/page/cache'
import { durationText } from '../../format'
import { serverNow } from '../../web/clock'
import { lazyComponent } from '../../web/lazyComponent'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'
import { elapsedMs, isOverdue, overdueText, roundedMinutes } from '../limits'
import type { TimeEntry } from '../schema'
import { useStopAtOnce, useSwitchTimer } from './cache'
import type { StopProps } from './StopForm'

type Props = {
  boardId: number
  timer: TimeEntry
  small?: boolean
  /** Takes the focus when the timer is gone. */
  onGone(): void
}

export function TimerButtons({ boardId, timer, small, onGone }: Props) {
  const change = useSwitchTimer(boardId)
  const { stop, form } = useStop(boardId, onGone)
  const locked = useIsLocked(boardId)
  const running = timer.status === 'ACTIVE'
  const next = running ? 'PAUSED' : 'ACTIVE'
  const Icon = running ? Pause : Play
  const look = small ? ({ look: 'quiet', size: 'icon' } as const) : ({ size: 'small' } as const)
  return (
    <>
      {(!locked || mayChangeTimerWhileLocked(timer, next, [])) && (
        <Button
          {...look}
          title={small ? (running ? 'Pause' : 'Resume') : undefined}
          onClick={() => void change.run({ entry: timer, changes: { status: next } })}
        >
          <Icon className="size-3.5" aria-hidden />
          <span className={small ? 'sr-only' : ''}>{running ? 'Pause' : 'Resume'}</span>
        </Button>
      )}
      <Button
        {...look}
        data-ignore-second-press
        title={small ? 'Stop' : undefined}
        onClick={() => {
          if (stop(timer)) onGone()
        }}
      >
        <Square className="size-3.5" aria-hidden />
        <span className={small ? 'sr-only' : ''}>Stop</span>
      </Button>
      {form}
    </>
  )
}

/** One press stops a timer and logs its time. Only of a forgotten one is asked how much was work: `stop` answers whether it has stopped. */
export function useStop(boardId: number, onGone: (timer: TimeEntry) => void) {
  const [asked, setAsked] = useState<TimeEntry>()
  const stopAtOnce = useStopAtOnce(boardId, useIsLocked(boardId))
  const stop = (timer: TimeEntry) => {
    const isForgotten = isOverdue(timer, serverNow())
    if (isForgotten) setAsked(timer)
    else flushSync(() => void stopAtOnce(timer))
    return !isForgotten
  }
  const form = asked && (
    <StopTimer boardId={boardId} timer={asked} onClose={() => setAsked(undefined)} onGone={() => onGone(asked)} />
  )
  return { stop, form }
}

export const StopForm = lazyComponent(() => import('./StopForm').then(({ loadStopForm }) => loadStopForm()))

export const StopTimer = (props: StopProps) => {
  // The time of the click counts, not that of writing the note.
  const [stopped] = useState(() => {
    const now = serverNow()
    return { counted: elapsedMs(props.timer, now), overdue: isOverdue(props.timer, now) }
  })
  const { counted, overdue } = stopped
  const ran = `${props.timer.task}: ${durationText(roundedMinutes(counted))}`
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title="Stop timer"
      description={overdue ? overdueText(counted) : ran}
      keep
    >
      <StopForm {...props} {...stopped} fallback={<div className="h-64" aria-busy />} onLost={props.onClose} />
    </Dialog>
  )
}
