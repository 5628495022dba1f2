import { Play, Square } from 'lucide-react'
import { useTimerOf } from '../../time/page/timerToggles'
import type { Task } from '../schema'

/** Shown as the card's menu is, beside it. */
export function CardTimerButton({ task, inTabOrder }: { task: Task; inTabOrder: boolean }) {
  const { isRunning, isOffered, toggle } = useTimerOf(task)
  if (!isOffered) return null
  const Icon = isRunning ? Square : Play
  return (
    <button
      type="button"
      tabIndex={inTabOrder ? 0 : -1}
      aria-label={`${isRunning ? 'Stop' : 'Start'} the timer of ${task.title}`}
      onClick={toggle}
      className="absolute top-2 right-8.5 grid size-7 place-items-center rounded-card text-transparent pointed:bg-surface pointed:text-quiet pointer-coarse:text-quiet hover:bg-hover hover:text-text"
    >
      <Icon className="size-3.5 fill-current" aria-hidden />
    </button>
  )
}
