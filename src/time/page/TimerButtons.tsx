import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import Square from 'lucide-react/icons/square'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { mayChangeTimerWhileLocked } from '../../access'
import { useIsLocked } from '../../boards/page/cache'
import { serverNow } from '../../web/clock'
import { Button } from '../../web/ui/Button'
import { isOverdue } from '../limits'
import type { TimeEntry } from '../schema'
import { stopTimer, switchTimer } from './cache'
import { StopForm } from './StopForm'

type Props = {
  timer: TimeEntry
  small?: boolean
  /** Takes the focus when the timer is gone. */
  onGone(): void
}

export function TimerButtons({ timer, small, onGone }: Props) {
  const { stop, form } = useStop(onGone)
  const locked = useIsLocked(timer.boardId)
  const [text, next, Icon] =
    timer.status === 'ACTIVE' ? (['Pause', 'PAUSED', Pause] as const) : (['Resume', 'ACTIVE', Play] as const)
  const look = small ? ({ look: 'quiet', size: 'icon' } as const) : ({ size: 'small' } as const)
  return (
    <>
      {(!locked || mayChangeTimerWhileLocked(timer, next, [])) && (
        <Button {...look} data-ignore-second-press title={small ? text : undefined} onClick={() => void switchTimer(timer, next)}>
          <Icon className="size-3.5" aria-hidden />
          <span className={small ? 'sr-only' : ''}>{text}</span>
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

/** One press stops a timer and logs its time, after a question only if it was forgotten. `stop` returns whether it stopped. */
export function useStop(onGone: (timer: TimeEntry) => void) {
  const [asked, setAsked] = useState<TimeEntry>()
  const stop = (timer: TimeEntry) => {
    const isForgotten = isOverdue(timer, serverNow())
    if (isForgotten) setAsked(timer)
    else flushSync(() => void stopTimer(timer))
    return !isForgotten
  }
  const form = asked && <StopForm timer={asked} onClose={() => setAsked(undefined)} onGone={() => onGone(asked)} />
  return { stop, form }
}
