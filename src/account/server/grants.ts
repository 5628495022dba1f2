import { mayHandOver } from '../../access'
import { type DeletionGrant, grantOwnBoards, type HandOverGrant, type OwnBoardGrant } from '../../boards/server/grants'
import { areMembers } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { badRequest, conflict } from '../../server/errors'
import type { Granted } from '../../server/granted'
import type { SignedIn } from '../../server/signedIn'
import type { HandOver } from '../schema'

/** `boards` are those that the deletion leaves something on, locked; of them it `deletes` some, and ends the membership of others. */
export type AccountDeletionGrant = Granted<
  { viewer: SignedIn; boards: OwnBoardGrant[]; deletes: DeletionGrant[]; leaves: OwnBoardGrant[]; handOver: HandOverGrant[] },
  'account:delete'
>

/** Throws UNAUTHORIZED, BAD_REQUEST, CONFLICT. */
export async function grantDeletingAccount(db: Db, viewer: SignedIn, handOver: HandOver[]): Promise<AccountDeletionGrant> {
  if (handOver.some(({ userId }) => userId === viewer.id)) throw badRequest(NOT_TO_ONESELF)
  const boards = await grantOwnBoards(db, viewer)
  const present = boards.filter(({ isMember, isDeleted }) => isMember && !isDeleted)
  for (const { boardId, userId } of handOver) {
    const own = present.find(({ board }) => board.id === boardId)
    if (!own || !mayHandOver(viewer, own.board, userId)) throw conflict(NOT_YOURS)
  }
  if (!(await areMembers(db, handOver))) throw conflict(NO_MEMBER)
  const kept = new Set(handOver.map(({ boardId }) => boardId))
  const isDeleted = ({ board }: OwnBoardGrant) => board.createdBy === viewer.id && !kept.has(board.id)
  const leaves = present.filter((one) => !isDeleted(one))
  const deletes = present.filter(isDeleted).map(({ board }) => ({ viewer, board: { id: board.id } }) as DeletionGrant)
  const handed = handOver.map(({ boardId, userId }) => ({ board: { id: boardId }, userId }) as HandOverGrant)
  return { viewer, boards, deletes, leaves, handOver: handed } as AccountDeletionGrant
}

const NOT_TO_ONESELF = 'A board can only be handed over to somebody else.'
const NOT_YOURS = 'You can only hand over boards that you created. Please look at them again.'
const NO_MEMBER = 'Somebody whom you chose is no longer on the board. Please choose again.'
