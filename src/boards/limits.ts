export const FREE_BOARDS = 1

export const CREATOR_STAYS = 'The board creator cannot be removed from the board.'
export const FREE_LIMIT = 'Free users can only create 1 board'
export const BOARD_LOST = 'This board can no longer be restored.'

export const ARRANGED_MAX = 1_000

export const WATCHED_MAX = 100

export const RESTORABLE_DAYS = 30

export const BOARD_NAME_MAX = 120
export const BOARD_DESCRIPTION_MAX = 2_000

const LAST = 2 ** 31

type Arranged = { id: number; pinned: boolean; place: number | null }

/** Pinned ones first, then in the user's order; the rest by age. */
export const inOwnOrder = <Board extends Arranged>(boards: readonly Board[]): Board[] =>
  boards.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || (a.place ?? LAST) - (b.place ?? LAST) || a.id - b.id)

export const isImported = ({ importedAt }: { importedAt: string | null }, moment: string): boolean =>
  importedAt !== null && Date.parse(moment) < Date.parse(importedAt)

export const NO_ACCESS = 'You no longer have access to this board.'
