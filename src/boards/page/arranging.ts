import type { Arrangement, BoardListItem } from '../schema'

type Placed = Pick<BoardListItem, 'id' | 'pinned'>

/** The boards with the places that an order gives them. */
export function arranged(boards: BoardListItem[], { pinned, others }: Arrangement): BoardListItem[] {
  const places = new Map([...pinned, ...others].map((id, place) => [id, place]))
  return boards.map((board) => ({ ...board, pinned: pinned.includes(board.id), place: places.get(board.id) ?? board.place }))
}

const orderOf = (boards: Placed[]): Arrangement => ({
  pinned: boards.filter(({ pinned }) => pinned).map(({ id }) => id),
  others: boards.filter(({ pinned }) => !pinned).map(({ id }) => id),
})

/** Pinned, as the last of those that are, or not any more, as the first of the others. */
export function withPin(boards: Placed[], id: number, pinned: boolean): Arrangement {
  const { pinned: first, others } = orderOf(boards.filter((board) => board.id !== id))
  return pinned ? { pinned: [...first, id], others } : { pinned: first, others: [id, ...others] }
}

/** Beside another one, among the pinned ones where that is one of them. */
export function withMove(boards: Placed[], id: number, beside: { id: number; after: boolean }): Arrangement {
  const rest = boards.filter((board) => board.id !== id)
  const anchor = rest.findIndex((board) => board.id === beside.id)
  if (anchor < 0) return orderOf(boards)
  return orderOf(rest.toSpliced(anchor + Number(beside.after), 0, { id, pinned: rest[anchor]?.pinned ?? false }))
}

/** The neighbour before or after it among its own; undefined at the end. */
export function neighbour(boards: Placed[], id: number, step: 1 | -1): Placed | undefined {
  const at = boards.findIndex((board) => board.id === id)
  const next = boards[at + step]
  return next?.pinned === boards[at]?.pinned ? next : undefined
}
