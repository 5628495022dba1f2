export const FREE_BOARDS = 1

export const CREATOR_STAYS = 'The board creator cannot be removed from the board.'
export const FREE_LIMIT = 'Free users can only create 1 board'
export const BOARD_LOST = 'This board can no longer be brought back.'

export const RESTORABLE_DAYS = 30

export const BOARD_NAME_MAX = 120
export const BOARD_DESCRIPTION_MAX = 2_000
