import { type ReactNode, useState } from 'react'
import type { Arrangement, BoardListItem } from '../schema'
import { neighbour, withMove, withPin } from './arranging'
import { BoardCard } from './BoardCard'
import { GRID } from './DashboardSkeleton'
import { useArrangeBoards } from './useArrangeBoards'
import { useBoardDrops } from './useBoardDrops'

/** `more` is what a card tells of its board below its description. */
export function BoardGrid({ boards, more }: { boards: BoardListItem[]; more(board: BoardListItem): ReactNode }) {
  const arrange = useArrangeBoards()
  const [said, setSaid] = useState('')
  const put = (board: BoardListItem, order: Arrangement) => {
    arrange.mutate(order)
    const place = [...order.pinned, ...order.others].indexOf(board.id) + 1
    setSaid(`${board.name} is ${place} of ${boards.length} now`)
  }
  const drop = useBoardDrops((id, beside) => {
    const board = boards.find((one) => one.id === id)
    if (board) put(board, withMove(boards, id, beside))
  })
  const moveBy = (board: BoardListItem, step: 1 | -1) => {
    const other = neighbour(boards, board.id, step)
    return other && (() => put(board, withMove(boards, board.id, { id: other.id, after: step > 0 })))
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
              pin: () => put(board, withPin(boards, board.id, !board.pinned)),
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
