import { use } from 'react'
import type { Task } from '../schema'
import { TaskMenuContext } from './useTaskMenu'

type Props = { task: Task; inTabOrder: boolean }

// Transparent colour, not opacity: opacity would make each card a layer that slows down scrolling.
/** What is done with a card, by clicks: moving it too, for users who cannot drag (WCAG 2.5.7). */
export function CardMenu({ task, inTabOrder }: Props) {
  const open = use(TaskMenuContext)
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={`Menu of ${task.title}`}
      tabIndex={inTabOrder ? 0 : -1}
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect()
        open(task.id, currentTarget, left, bottom)
      }}
      className="absolute top-2 right-1.5 size-7 rounded-card font-strong text-transparent tracking-widest pointed:bg-surface pointed:text-quiet pointer-coarse:text-quiet hover:bg-hover hover:text-text"
    >
      ···
    </button>
  )
}
