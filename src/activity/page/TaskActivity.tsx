import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Board } from '../../boards/schema'
import { Feed } from './Feed'

export function TaskActivity({ board, taskId }: { board: Board; taskId: number }) {
  const [open, setOpen] = useState(false)
  return (
    <section aria-labelledby="activity" className="flex flex-col gap-3">
      <h2 id="activity" className="font-strong">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="-ml-1 flex min-h-7 items-center gap-1 rounded-card pr-2 text-quiet hover:text-text"
        >
          <ChevronRight className={`size-4 transition-transform ${open ? 'rotate-90' : ''}`} aria-hidden />
          Activity
        </button>
      </h2>
      {open && <Feed board={board} taskId={taskId} />}
    </section>
  )
}
