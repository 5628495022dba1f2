import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { UpgradeLink } from '../../billing/page/UpgradeLink'
import { withDragAndDrop } from '../../web/withDragAndDrop'
import type { BoardListItem } from '../schema'

import { BoardMenu, type BoardMoves } from './BoardMenu'
import { CardText, FOOT, LOCKED, OPEN } from './DashboardSkeleton'
import { boardData, isBoard, type Side } from './useBoardDrops'

type Props = { board: BoardListItem; moves: BoardMoves; dropSide: Side | undefined; children: ReactNode }

export function BoardCard({ board, moves, dropSide, children }: Props) {
  const card = useRef<HTMLLIElement>(null)
  const dragging = useDraggableBoard(card, board.id)
  const contents = (
    <>
      <CardText board={board} />
      <span className={FOOT}>{children}</span>
    </>
  )
  return (
    <li ref={card} className={`item relative ${dragging ? 'opacity-40' : ''}`}>
      {board.locked ? (
        <UpgradeLink draggable={false} className={`${LOCKED} transition-colors duration-150 hover:bg-hover`}>
          {contents}
        </UpgradeLink>
      ) : (
        <Link
          to="/board/$boardId"
          params={{ boardId: board.id }}
          draggable={false}
          className={`${OPEN} transition-shadow duration-150 hover:shadow-hover`}
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

/** In one column a card lands above or below, else on the left or right. */
function sideOf({ left, top, width, height }: DOMRect, { clientX, clientY }: { clientX: number; clientY: number }): Side {
  const isBefore = matchMedia(NARROW).matches ? clientY < top + height / 2 : clientX < left + width / 2
  return isBefore ? 'before' : 'after'
}
