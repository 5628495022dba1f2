import { mayHandOver } from '../../access'
import { type DeletionGrant, grantOwnBoards, type HandOverGrant, type OwnBoardGrant } from '../../boards/server/grants'
import { areMembers, lockBoards } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { badRequest, conflict } from '../../server/errors'
import type { Granted, SignedIn } from '../../server/signedIn'
import type { HandOver } from '../schema'
import { findLeftBoard, lockLeaving } from './lookup'

/** A board that stays, where the account's work goes to a former member. */
export type StayingGrant = Granted<
  { board: { id: number; createdBy: number }; memberId: number },
  'board:removeMember' | 'announce'
>

/** A board that a deleted account leaves; its comments and files stay if it `keepsContent`. */
export type LeavingGrant = Granted<
  { board: { id: number }; memberId: number; keepsContent: boolean },
  'board:removeMember' | 'announce'
>
export type RemovalGrant = Granted<{ userId: number }, 'account:delete'>

/** `boards` are all those with something of the account, locked. Its work `stays` on those it does not delete. */
export type AccountDeletionGrant = Granted<
  {
    viewer: SignedIn
    boards: OwnBoardGrant[]
    deletes: DeletionGrant[]
    leaves: OwnBoardGrant[]
    stays: StayingGrant[]
    handOver: HandOverGrant[]
  },
  'account:delete'
>

export async function grantDeletingAccount(db: Db, viewer: SignedIn, handOver: HandOver[]): Promise<AccountDeletionGrant> {
  if (handOver.some(({ userId }) => userId === viewer.id)) throw badRequest(NOT_TO_ONESELF)
  const boards = await grantOwnBoards(db, viewer)
  const present = boards.filter(({ isMember, isDeleted }) => isMember && !isDeleted)
  for (const { boardId, userId } of handOver) {
    const own = present.find(({ board }) => board.id === boardId)
    if (!own || !mayHandOver(viewer, own.board, userId)) throw conflict(NOT_YOURS)
  }
  if (!(await areMembers(db, handOver))) throw conflict(NO_MEMBER)
  const creators = new Map(handOver.map(({ boardId, userId }) => [boardId, userId]))
  const isOwn = ({ board }: OwnBoardGrant) => board.createdBy === viewer.id && !creators.has(board.id)
  const leaves = present.filter((one) => !isOwn(one))
  const stays = boards
    .filter((one) => !isOwn(one))
    .map(({ board }) => {
      const createdBy = creators.get(board.id) ?? board.createdBy
      return { board: { id: board.id, createdBy }, memberId: viewer.id } as StayingGrant
    })
  const deletes = present.filter(isOwn).map(({ board }) => ({ viewer, board: { id: board.id } }) as DeletionGrant)
  const handed = handOver.map(({ boardId, userId }) => ({ board: { id: boardId }, userId }) as HandOverGrant)
  return { viewer, boards, deletes, leaves, stays, handOver: handed } as AccountDeletionGrant
}

export const grantLeavingBoards = ({ stays }: AccountDeletionGrant, keepsContent: boolean) =>
  stays.map(({ board, memberId }) => ({ board: { id: board.id }, memberId, keepsContent }) as LeavingGrant)

export const grantRemoval = ({ viewer }: AccountDeletionGrant) => ({ userId: viewer.id }) as RemovalGrant

/** For a board that the deleted account has not left yet, else for what remains of it; `changed` if another process did it. */
export async function grantLeaving(db: Db, userId: number): Promise<LeavingGrant | RemovalGrant | 'gone' | 'changed'> {
  const next = await findLeftBoard(db, userId)
  if (next) await lockBoards(db, [next.id])
  if (!(await lockLeaving(db, userId))) return 'gone'
  const board = await findLeftBoard(db, userId)
  if (board && board.id !== next?.id) return 'changed'
  return (board ? { board: { id: board.id }, memberId: userId, keepsContent: board.keepsContent } : { userId }) as
    | LeavingGrant
    | RemovalGrant
}

const NOT_TO_ONESELF = 'You can only hand a board over to someone else.'
const NOT_YOURS = 'You can only hand over boards that you created. Reload the page and choose again.'
const NO_MEMBER = 'Someone you chose is no longer on the board. Please choose again.'
