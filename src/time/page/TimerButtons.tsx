import { Pause, Play, Square } from 'lucide-react'
import { useState } from 'react'
import { mayChangeTimerWhileLocked } from '../../access'
import { useIsLocked } from '../../boards/page/cache'
import { serverNow } from '../../web/clock'
import { lazyComponent } from '../../web/lazy'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'
import { durationText, elapsedMs, isOverdue, overdueText, roundedMinutes } from '../basics'
import type { TimeEntry } from '../schema'
import { useSwitchTimer } from './cache'
import type { StopProps } from './StopForm'

type Props = {
  boardId: number
  timer: TimeEntry
  small?: boolean
  onGone(): void
}

export function TimerButtons({ boardId, timer, small, onGone }: Props) {
  const [stopping, setStopping] = useState(false)
  const change = useSwitchTimer(boardId)
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
          <Icon className="size-3.5 fill-current" aria-hidden />
          <span className={small ? 'sr-only' : ''}>{running ? 'Pause' : 'Resume'}</span>
        </Button>
      )}
      <Button {...look} title={small ? 'Stop' : undefined} onClick={() => setStopping(true)}>
        <Square className="size-3.5 fill-current" aria-hidden />
        <span className={small ? 'sr-only' : ''}>Stop</span>
      </Button>
      {stopping && <StopTimer boardId={boardId} timer={timer} onClose={() => setStopping(false)} onGone={onGone} />}
    </>
  )
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
      title="Stop Timer"
      description={overdue ? overdueText(counted) : ran}
      keep
    >
      <StopForm {...props} {...stopped} fallback={<div className="h-64" aria-busy />} onLost={props.onClose} />
    </Dialog>
  )
}
