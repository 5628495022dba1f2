import { Pause, Play } from 'lucide-react'
import { mayChangeTimerWhileLocked } from '../../access'
import { useStartTimer, useSwitchTimer } from '../../time/page/cache'
import { ownZone } from '../../time/page/clock'
import type { Timer } from '../../time/schema'
import { Button } from '../../web/ui/Button'
import type { OwnTask } from '../schema'

type Props = { task: OwnTask; timer: Timer | undefined; locked: boolean }

export function TimerToggle({ task, timer, locked }: Props) {
  const start = useStartTimer(task.boardId)
  const change = useSwitchTimer(task.boardId)
  const running = timer?.status === 'ACTIVE'
  const next = running ? 'PAUSED' : 'ACTIVE'
  if (locked && !(timer && mayChangeTimerWhileLocked(timer, next, []))) return <span className="size-7 shrink-0" />
  const turn = () => (timer ? change.run({ entry: timer, changes: { status: next } }) : start.run({ task, timeZone: ownZone() }))
  const does = running ? 'Pause' : timer ? 'Resume' : 'Start'
  const Icon = running ? Pause : Play
  return (
    <Button
      look="quiet"
      size="small-icon"
      title={`${does} timer`}
      aria-label={`${does} timer: ${task.title}`}
      onClick={() => void turn()}
      className={running ? 'text-text' : ''}
    >
      <Icon className="size-3.5 fill-current" aria-hidden />
    </Button>
  )
}
