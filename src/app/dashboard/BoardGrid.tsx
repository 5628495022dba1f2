import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { mayExportBoard } from '../../access'
import { UpgradeLink } from '../../billing/page/Upgrade'
import { ARRANGING, boardsQuery, changeList, exportBoard } from '../../boards/page/cache'
import type { Arrangement, BoardListItem } from '../../boards/schema'
import { useViewer } from '../../users/page/viewer'
import { client } from '../../web/client'
import { queryClient } from '../../web/queryClient'
import { Menu, MenuItem, MenuLine } from '../../web/ui/Menu'
import { withDragAndDrop } from '../../web/withDragAndDrop'
import { CARD_FOOT, CardText, GRID, LOCKED_CARD, OPEN_CARD } from './DashboardSkeleton'

export function BoardGrid({ boards, more }: { boards: BoardListItem[]; more(board: BoardListItem): ReactNode }) {
  const arrange = useArrangeBoards()
  const [said, setSaid] = useState('')
  const put = (board: BoardListItem, order: Arrangement) => {
    arrange.mutate(order)
    const place = [...order.pinned, ...order.others].indexOf(board.id) + 1
    setSaid(`${board.name} is now in position ${place} of ${boards.length}`)
  }
  const drop = useBoardDrops((id, beside) => {
    const board = boards.find((one) => one.id === id)
    if (board) put(board, withBoardMoved(boards, id, beside))
  })
  const moveBy = (board: BoardListItem, step: 1 | -1) => {
    const other = neighbour(boards, board.id, step)
    return other && (() => put(board, withBoardMoved(boards, board.id, { id: other.id, after: step > 0 })))
  }
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      <ul className={GRID} aria-busy={false}>
        {boards.map((board) => (
          <BoardCard
            key={board.id}
            board={board}
            dropSide={drop?.id === board.id ? drop.side : undefined}
            moves={{
              pin: () => put(board, withBoardPinned(boards, board.id, !board.pinned)),
              up: moveBy(board, -1),
              down: moveBy(board, 1),
            }}
          >
            {more(board)}
          </BoardCard>
        ))}
      </ul>
    </>
  )
}

type Props = { board: BoardListItem; moves: BoardMoves; dropSide: Side | undefined; children: ReactNode }

function BoardCard({ board, moves, dropSide, children }: Props) {
  const card = useRef<HTMLLIElement>(null)
  const dragging = useDraggableBoard(card, board.id)
  const contents = (
    <>
      <CardText board={board} />
      <span className={CARD_FOOT}>{children}</span>
    </>
  )
  return (
    <li ref={card} className={`item relative ${dragging ? 'opacity-40' : ''}`}>
      {board.locked ? (
        <UpgradeLink draggable={false} className={`${LOCKED_CARD} transition-colors duration-150 hover:bg-hover`}>
          {contents}
        </UpgradeLink>
      ) : (
        <Link
          to="/board/$boardId"
          params={{ boardId: board.id }}
          draggable={false}
          className={`${OPEN_CARD} transition-shadow duration-150 hover:shadow-hover`}
        >
          {contents}
        </Link>
      )}
      <BoardMenu board={board} moves={moves} />
      {dropSide && <DropLine side={dropSide} />}
    </li>
  )
}

const DropLine = ({ side }: { side: Side }) => (
  <span
    aria-hidden
    className={`absolute inset-y-0 w-0.5 rounded-full bg-accent max-sm:inset-x-0 max-sm:h-0.5 max-sm:w-auto ${side === 'before' ? '-left-2 max-sm:-top-2 max-sm:bottom-auto' : '-right-2 max-sm:top-auto max-sm:-bottom-2'}`}
  />
)

const NARROW = '(max-width: 39.99rem)'

function useDraggableBoard(card: RefObject<HTMLLIElement | null>, boardId: number): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(() => {
    const element = card.current
    if (!element) return
    return withDragAndDrop(({ combine, draggable, dropTargetForElements }) =>
      combine(
        draggable({
          element,
          getInitialData: () => boardData(boardId),
          onDragStart: () => setDragging(true),
          onDrop: () => setDragging(false),
        }),
        dropTargetForElements({
          element,
          canDrop: isBoard,
          getData: ({ input }) => ({ boardId, side: sideOf(element.getBoundingClientRect(), input) }),
        }),
      ),
    )
  }, [card, boardId])
  return dragging
}

/** In one column a card lands above or below another, else to its left or right. */
function sideOf({ left, top, width, height }: DOMRect, { clientX, clientY }: { clientX: number; clientY: number }): Side {
  const isBefore = matchMedia(NARROW).matches ? clientY < top + height / 2 : clientX < left + width / 2
  return isBefore ? 'before' : 'after'
}

type BoardMoves = { pin(): void; up: (() => void) | undefined; down: (() => void) | undefined }

type BoardMenuProps = { board: BoardListItem; moves: BoardMoves }

function BoardMenu({ board, moves }: BoardMenuProps) {
  const viewer = useViewer()
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Menu for ${board.name}`}
          className="absolute top-2.5 right-2 pointer-coarse:top-1 pointer-coarse:right-0.5 grid size-icon place-items-center rounded-card text-transparent pointed:text-quiet data-[state=open]:text-quiet pointer-coarse:text-quiet hover:bg-hover hover:text-text"
        >
          <Ellipsis className="size-4" aria-hidden />
        </button>
      }
    >
      <MenuItem onSelect={moves.pin}>{board.pinned ? 'Unpin' : 'Pin'}</MenuItem>
      <MenuLine />
      <MenuItem disabled={!moves.up} onSelect={moves.up}>
        Move up
      </MenuItem>
      <MenuItem disabled={!moves.down} onSelect={moves.down}>
        Move down
      </MenuItem>
      {mayExportBoard(viewer, board) && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => exportBoard(board.id)}>Export board</MenuItem>
        </>
      )}
    </Menu>
  )
}

type Side = 'before' | 'after'
type Over = { id: number; side: Side }

const boardData = (boardId: number) => ({ kind: 'board', boardId })
const isBoard = ({ source }: { source: { data: Record<string, unknown> } }) => source.data.kind === 'board'

type DropTarget = { data: Record<string | symbol, unknown> } | undefined

function dropTargetOf(target: DropTarget): Over | undefined {
  const { boardId, side } = target?.data ?? {}
  return typeof boardId === 'number' && (side === 'before' || side === 'after') ? { id: boardId, side } : undefined
}

/** The board under the dragged one, and the side on which the dragged one would land. */
function useBoardDrops(put: (id: number, beside: { id: number; after: boolean }) => void): Over | undefined {
  const [over, setOver] = useState<Over>()
  const onDrop = useEffectEvent((id: number, to: Over | undefined) => {
    if (to && to.id !== id) put(id, { id: to.id, after: to.side === 'after' })
  })
  useEffect(
    () =>
      withDragAndDrop(({ monitorForElements }) =>
        monitorForElements({
          canMonitor: isBoard,
          onDrag: ({ location }) => {
            const now = dropTargetOf(location.current.dropTargets[0])
            setOver((before) => (before?.id === now?.id && before?.side === now?.side ? before : now))
          },
          onDrop: ({ source, location }) => {
            setOver(undefined)
            onDrop(Number(source.data.boardId), dropTargetOf(location.current.dropTargets[0]))
          },
        }),
      ),
    [],
  )
  return over
}

type Placed = Pick<BoardListItem, 'id' | 'pinned'>

function applyArrangement(boards: BoardListItem[], { pinned, others }: Arrangement): BoardListItem[] {
  const places = new Map([...pinned, ...others].map((id, place) => [id, place]))
  return boards.map((board) => ({ ...board, pinned: pinned.includes(board.id), place: places.get(board.id) ?? board.place }))
}

const orderOf = (boards: Placed[]): Arrangement => ({
  pinned: boards.filter(({ pinned }) => pinned).map(({ id }) => id),
  others: boards.filter(({ pinned }) => !pinned).map(({ id }) => id),
})

/** Pinned as the last of the pinned boards, or unpinned as the first of the others. */
function withBoardPinned(boards: Placed[], id: number, pinned: boolean): Arrangement {
  const { pinned: first, others } = orderOf(boards.filter((board) => board.id !== id))
  return pinned ? { pinned: [...first, id], others } : { pinned: first, others: [id, ...others] }
}

/** Beside another board, which also decides whether it is pinned. */
function withBoardMoved(boards: Placed[], id: number, beside: { id: number; after: boolean }): Arrangement {
  const rest = boards.filter((board) => board.id !== id)
  const anchor = rest.findIndex((board) => board.id === beside.id)
  if (anchor < 0) return orderOf(boards)
  return orderOf(rest.toSpliced(anchor + Number(beside.after), 0, { id, pinned: rest[anchor]?.pinned ?? false }))
}

/** Among the pinned or the other boards; undefined at their end. */
function neighbour(boards: Placed[], id: number, step: 1 | -1): Placed | undefined {
  const at = boards.findIndex((board) => board.id === id)
  const next = boards[at + step]
  return next?.pinned === boards[at]?.pinned ? next : undefined
}

const useArrangeBoards = () =>
  useMutation({
    mutationFn: (order: Arrangement) => client.boards.arrange.mutate(order),
    mutationKey: ARRANGING,
    scope: { id: 'arrange boards' },
    onMutate: (order) => changeList((boards) => applyArrangement(boards, order)),
    onError: (_error, _order, former) => former?.putBack(),
    onSettled() {
      // The last of several: this one still counts.
      if (queryClient.isMutating({ mutationKey: ARRANGING }) === 1) void queryClient.invalidateQueries(boardsQuery())
    },
    meta: { failure: { title: 'Order Not Saved', description: 'Could not save the order of your boards. Please try again.' } },
  })
