import { useMutation } from '@tanstack/react-query'
import { client } from '../../web/client'
import { queryClient } from '../../web/queryClient'
import type { Arrangement, BoardListItem } from '../schema'
import { boardsQuery } from './cache'

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
export function withBoardPinned(boards: Placed[], id: number, pinned: boolean): Arrangement {
  const { pinned: first, others } = orderOf(boards.filter((board) => board.id !== id))
  return pinned ? { pinned: [...first, id], others } : { pinned: first, others: [id, ...others] }
}

/** Beside another board, which also decides whether it is pinned. */
export function withBoardMoved(boards: Placed[], id: number, beside: { id: number; after: boolean }): Arrangement {
  const rest = boards.filter((board) => board.id !== id)
  const anchor = rest.findIndex((board) => board.id === beside.id)
  if (anchor < 0) return orderOf(boards)
  return orderOf(rest.toSpliced(anchor + Number(beside.after), 0, { id, pinned: rest[anchor]?.pinned ?? false }))
}

/** Among the pinned or the other boards; undefined at their end. */
export function neighbour(boards: Placed[], id: number, step: 1 | -1): Placed | undefined {
  const at = boards.findIndex((board) => board.id === id)
  const next = boards[at + step]
  return next?.pinned === boards[at]?.pinned ? next : undefined
}

export const useArrangeBoards = () =>
  useMutation({
    mutationFn: (order: Arrangement) => client.boards.arrange.mutate(order),
    scope: { id: 'arrange boards' },
    onMutate: async (order) => {
      await queryClient.cancelQueries(boardsQuery())
      queryClient.setQueryData(boardsQuery().queryKey, (boards) => boards && applyArrangement(boards, order))
    },
    onError: () => void queryClient.invalidateQueries(boardsQuery()),
    meta: { failure: { title: 'Not Moved', description: 'Could not keep the order of your boards. Please try again.' } },
  })
