import { Pin } from 'lucide-react'
import { preview } from '../../web/preview'
import type { BoardListItem } from '../schema'

export const GRID = 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3'
const CARD = 'flex min-h-40 flex-col gap-1.5 rounded-panel p-4'
export const OPEN_CARD = `${CARD} bg-surface shadow-card`
export const LOCKED_CARD = `${CARD} bg-column`
/** The facts below a board's description. */
export const CARD_FOOT = 'mt-auto flex flex-col gap-2'

export const CardText = ({ board }: { board: BoardListItem }) => (
  <>
    <span className="flex items-start gap-2 pr-7">
      {board.pinned && <Pin className="mt-0.5 size-4 shrink-0 text-quiet" aria-label="Pinned" />}
      <span dir="auto" className={`line-clamp-1 break-all font-strong ${board.locked ? 'text-quiet' : ''}`}>
        {board.name}
      </span>
      {board.locked && <span className="shrink-0 rounded-card bg-accent-soft px-1.5 text-accent text-small">Pro Only</span>}
    </span>
    <span dir="auto" className="line-clamp-2 break-words text-quiet">
      {preview(board.description ?? '') || 'No description'}
    </span>
  </>
)
