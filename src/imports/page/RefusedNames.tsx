import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Board } from '../../boards/schema'
import { displayName } from '../../users/basics'
import { namesText } from '../basics'
import { NameQuestion } from './NameQuestion'
import { useOwnNames } from './names'

/** What one has said is not one's own: one line, until somebody thinks better of it. */
export function RefusedNames({ board }: { board: Board }) {
  const [open, setOpen] = useState(false)
  const names = useOwnNames(board).filter(({ isRefused }) => isRefused)
  if (names.length === 0) return null
  return (
    <div className="flex shrink-0 flex-col gap-1">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-w-0 items-center gap-1 rounded-card py-1 text-left text-quiet text-small hover:text-text"
      >
        <ChevronRight className={`size-3.5 shrink-0 ${open ? 'rotate-90' : ''}`} aria-hidden />
        <span className="truncate">Not yours: {namesText(names.map(({ user }) => displayName(user)))}</span>
      </button>
      {open && (
        <ul aria-label="Not yours" className="flex max-h-40 flex-col overflow-y-auto pl-4.5">
          {names.map((name) => (
            <li key={name.user.id}>
              <NameQuestion boardId={board.id} {...name} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
