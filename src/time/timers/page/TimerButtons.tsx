import { Pause, Play, Square } from 'lucide-react'
import { useState } from 'react'
import { mayChangeTimerWhileLocked } from '../../../access'
import { useIsLocked } from '../../../boards/page/cache'
import { Button } from '../../../web/ui/Button'
import type { TimeEntry } from '../../entries/schema'
import { useSwitchTimer } from './cache'
import { StopTimer } from './StopTimer'

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
  const look = small ? ({ look: 'quiet', size: 'small-icon' } as const) : ({ size: 'small' } as const)
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
