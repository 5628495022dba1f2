import {
  isLocked,
  mayDeleteBoard,
  mayEditBoard,
  mayExportBoard,
  mayRemoveMember,
  mayRestoreBoard,
  maySetRates,
} from '../../access'
import type { Db } from '../../db/database'
import { atOnce } from '../../db/statements'
import { conflict, forbidden, notFound, unauthorized } from '../../server/errors'
import type { AnnounceGrant, Granted, SignedIn } from '../../server/signedIn'
import type { ProfileGrant } from '../../users/server/grants'
import { lockAccount } from '../../users/server/lookup'
import { BOARD_LOST, CREATOR_STAYS, FREE_LIMIT } from '../schema'
import {
  type BoardRow,
  boardsTouchedBy,
  type CreatedBoardId,
  type DeletedRow,
  findBoardAsMember,
  findDeletedBoard,
  lockBoard,
  lockBoardShared,
  lockBoards,
  mayHaveAnotherBoard,
  othersWorkedOn,
} from './lookup'

type BoardAccess = { viewer: SignedIn; board: BoardRow }

export type BoardGrant<Right extends BoardRight> = Granted<
  BoardAccess,
  `board:${Right}` | 'board:read' | (Right extends 'read' ? never : 'announce')
>
export type DeletionGrant = Granted<{ viewer: SignedIn; board: { id: number } }, 'board:delete' | 'announce'>
export type BoardRestoreGrant = Granted<{ viewer: SignedIn; board: DeletedRow }, 'board:restore' | 'announce'>
export type BoardErasureGrant = Granted<{ board: DeletedRow }, 'board:erase'>
export type BoardExportGrant = Granted<{ board: { id: number } }, 'board:export'>
export type OwnHoursGrant = Granted<{ viewer: SignedIn; board: DeletedRow; ownOnly: true }, 'hours:read'>
export type HandOverGrant = Granted<{ board: { id: number }; userId: number }, 'board:handOver'>
export type MemberGrant = Granted<BoardAccess & { memberId: number }, 'board:removeMember' | 'announce'>

const rules = {
  change: { may: () => true, refusal: '' },
  edit: { may: mayEditBoard, refusal: 'Only the board creator can edit this board.' },
  delete: { may: mayDeleteBoard, refusal: 'Only the board creator can delete this board.' },
  rate: { may: maySetRates, refusal: 'Only the board creator can set hourly rates.' },
} satisfies Record<string, { may(viewer: SignedIn, board: BoardRow): boolean; refusal: string }>
export type BoardRight = keyof typeof rules | 'read'

export async function grantBoardReading(db: Db, viewer: SignedIn, boardId: number): Promise<BoardGrant<'read'>> {
  return (await requireMember(db, viewer, boardId)) as BoardGrant<'read'>
}

/** Read-only boards too. Throws NOT_FOUND, FORBIDDEN. */
export async function grantExportingBoard(db: Db, viewer: SignedIn, boardId: number) {
  const { board } = await requireMember(db, viewer, boardId)
  if (!mayExportBoard(viewer, board)) throw forbidden(ONLY_CREATOR_EXPORTS)
  return { board } as BoardExportGrant & { board: BoardRow }
}

const ONLY_CREATOR_EXPORTS = 'Only the board creator can export this board.'

/** Locks the board and this membership against changes. */
export async function grantJoiningChannel(db: Db, viewer: SignedIn, boardId: number) {
  const [, grant] = await atOnce([lockBoardShared(db, boardId), grantBoardReading(db, viewer, boardId)])
  return grant
}

export async function grantBoard<R extends keyof typeof rules>(db: Db, viewer: SignedIn, boardId: number, right: R) {
  // Two statements in one round trip: a single one that waited for the lock would see the old membership.
  const [, access] = await atOnce([lockBoard(db, boardId), requireMember(db, viewer, boardId)])
  // A creator with more boards than their plan may still give them up.
  if (right !== 'delete') assertUnlocked(viewer, access.board)
  const { may, refusal } = rules[right]
  if (!may(viewer, access.board)) throw forbidden(refusal)
  return access as BoardGrant<R | 'change'>
}

export async function grantRestoringBoard(db: Db, viewer: SignedIn, boardId: number): Promise<BoardRestoreGrant> {
  await lockBoard(db, boardId)
  const board = await findDeletedBoard(db, viewer.id, boardId)
  if (!board || !mayRestoreBoard(viewer, board)) throw notFound(BOARD_LOST)
  if (!(await mayHaveAnotherBoard(db, viewer))) throw forbidden(FREE_LIMIT, { requiresUpgrade: true })
  return { viewer, board } as BoardRestoreGrant
}

/** Throws NOT_FOUND, or CONFLICT while others may still download their hours. */
export async function grantErasingBoard(db: Db, viewer: SignedIn, boardId: number): Promise<BoardErasureGrant> {
  await lockBoard(db, boardId)
  const board = await findDeletedBoard(db, viewer.id, boardId)
  if (!board || !mayRestoreBoard(viewer, board)) throw notFound('Board not found')
  if (await othersWorkedOn(db, viewer.id, boardId))
    throw conflict(
      'You cannot permanently delete this board yet: others logged time on it and have 30 days to download their hours.',
    )
  return { board } as BoardErasureGrant
}

/** Throws NOT_FOUND if the viewer logged no time there. */
export async function grantOwnHours(db: Db, viewer: SignedIn, boardId: number): Promise<OwnHoursGrant> {
  const board = await findDeletedBoard(db, viewer.id, boardId)
  if (!board || board.minutes === 0) throw notFound('Board not found')
  return { viewer, board, ownOnly: true } as OwnHoursGrant
}

/** For a board that this transaction inserted, which nobody else can lock yet. */
export const grantCreated = async (db: Db, viewer: SignedIn, boardId: CreatedBoardId) =>
  (await requireMember(db, viewer, boardId)) as BoardGrant<'change'>

export function grantRemoval({ viewer, board }: BoardGrant<'change'>, memberId: number): MemberGrant {
  if (!mayRemoveMember(viewer, board, memberId)) throw forbidden(memberId === board.createdBy ? CREATOR_STAYS : ONLY_CREATOR)
  return { viewer, board, memberId } as MemberGrant
}

const ONLY_CREATOR = 'Only the board creator can remove members.'

export async function grantProfile(db: Db, viewer: SignedIn): Promise<ProfileGrant> {
  const boards: AnnounceGrant[] = (await grantOwnBoards(db, viewer)).filter(({ isDeleted }) => !isDeleted)
  return { viewer, boards } as ProfileGrant
}

export type OwnBoardGrant = Granted<
  { viewer: SignedIn; board: { id: number; createdBy: number }; isMember: boolean; isDeleted: boolean },
  'announce'
>

/** Lock order: boards by id, then the account. Throws UNAUTHORIZED, CONFLICT. */
export async function grantOwnBoards(db: Db, viewer: SignedIn): Promise<OwnBoardGrant[]> {
  const before = new Map((await boardsTouchedBy(db, viewer.id)).map((board) => [board.id, board.createdBy]))
  if (before.size > 0) await lockBoards(db, [...before.keys()])
  if (!(await lockAccount(db, viewer.id))) throw unauthorized()
  const boards = await boardsTouchedBy(db, viewer.id)
  if (!boards.every(({ id, createdBy }) => before.get(id) === createdBy))
    throw conflict('Your boards have just changed. Please try again.')
  return boards.map(({ isMember, isDeleted, ...board }) => ({ viewer, board, isMember, isDeleted }) as OwnBoardGrant)
}

async function requireMember(db: Db, viewer: SignedIn, boardId: number): Promise<BoardAccess> {
  const board = await findBoardAsMember(db, viewer.id, boardId)
  if (!board) throw notFound('Board not found')
  return { viewer, board }
}

export function assertUnlocked(viewer: SignedIn, board: BoardRow): void {
  if (isLocked(viewer, board)) throw forbidden(FREE_LIMIT, { requiresUpgrade: true })
}
