import { Link } from '@tanstack/react-router'
import Lock from 'lucide-react/icons/lock'
import Plus from 'lucide-react/icons/plus'
import { Hint, Truncated } from '../../web/ui/Hint'
import type { BoardListItem } from '../schema'
import { useOwnBoards } from './cache'
import { NewBoard } from './NewBoard'

type Props = { truncateAt?: number; onNavigate?(): void }

const FITS = 20
export function MyBoards({ truncateAt, onNavigate }: Props) {
  const { data: boards, isLoading } = useOwnBoards()
  return (
    <nav aria-labelledby="my-boards" className="flex min-h-0 flex-1 flex-col">
      <h2 id="my-boards" className="px-2 pb-1 text-quiet text-small">
        My Boards
      </h2>
      {!boards && <Placeholders />}
      {boards?.length === 0 && <p className="px-2 py-1.5 text-quiet">No boards yet</p>}
      <ul className="-mx-1 -my-1 flex min-h-0 flex-col overflow-y-auto p-1">
        {boards?.map((board) => (
          <li key={board.id}>
            <BoardLink board={board} truncateAt={truncateAt} onNavigate={onNavigate} />
          </li>
        ))}
      </ul>
      {/* Its place depends on the length of the list above. */}
      {!isLoading && (
        <NewBoard>
          {(open) => (
            <button
              type="button"
              onClick={open}
              className="flex items-center gap-2 rounded-card px-2 py-1.5 pointer-coarse:min-h-control text-quiet hover:bg-hover hover:text-text"
            >
              <Plus className="size-4" aria-hidden />
              New Board
            </button>
          )}
        </NewBoard>
      )}
    </nav>
  )
}

function BoardLink({ board, truncateAt, onNavigate }: { board: BoardListItem } & Props) {
  const link = (
    <Link
      to="/board/$boardId"
      params={{ boardId: board.id }}
      onClick={onNavigate}
      className="group flex items-center gap-2 rounded-card px-2 py-1.5 pointer-coarse:min-h-control text-quiet hover:bg-hover hover:text-text data-[status=active]:bg-column data-[status=active]:font-strong data-[status=active]:text-text"
    >
      <span className="mx-1 size-2 shrink-0 rounded-chip bg-edge opacity-50 forced-color-adjust-none group-data-[status=active]:bg-accent group-data-[status=active]:opacity-100" />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {truncateAt ? <Truncated text={board.name} max={truncateAt} /> : board.name}
      </span>
      {board.locked && <Lock className="size-3.5 shrink-0" aria-label="Pro Only" />}
    </Link>
  )
  if (truncateAt || [...board.name].length <= FITS) return link
  return (
    <Hint text={board.name} soon>
      {link}
    </Hint>
  )
}

const Placeholders = () => (
  <div className="waiting flex flex-col" role="status" aria-label="Loading boards">
    {['w-36', 'w-28', 'w-32', 'w-20'].map((width) => (
      <div key={width} className="flex h-8 items-center gap-2 px-2 pointer-coarse:h-control">
        <span className="mx-1 size-2 rounded-chip bg-edge/30" />
        <span className={`h-4 rounded-card bg-edge/30 ${width}`} />
      </div>
    ))}
  </div>
)
