import { mayOfferNames } from '../../../access'
import type { BoardGrant } from '../../../boards/server/grants'
import { areMembers, lockBoard } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import { badRequest, conflict, forbidden, notFound } from '../../../server/errors'
import { type Granted, onBehalfOf, type SignedIn } from '../../../server/signedIn'
import type { OwnUser } from '../../../users/schema'
import { findOwn } from '../../../users/server/lookup'
import { OFFERED_NAMES_MAX, type Offer } from '../../schema'
import { type Accepted, findAccepted, findAnswers, findAsked, isNameOf } from './lookup'

type OnName = { board: { id: number }; nameId: number }
export type OfferGrant = Granted<OnName & { userId: number | null }, 'name:offer'>
export type AnswerGrant = Granted<{ board: { id: number }; nameIds: number[]; viewer: SignedIn }, 'name:answer'>
type OwnName = { board: { id: number; createdBy: number }; nameId: number; viewer: SignedIn & OwnUser }
export type MoveGrant = Granted<OwnName, 'name:move' | 'announce'>

export async function grantOffer(
  db: Db,
  { viewer, board }: BoardGrant<'change'>,
  { nameId, userId }: Offer,
): Promise<OfferGrant> {
  if (!mayOfferNames(viewer, board)) throw forbidden('Only the board creator can link imported names to people.')
  if (!(await isNameOf(db, board.id, nameId))) throw notFound(NO_NAME)
  const answers = await findAnswers(db, nameId)
  if (answers.some(({ answer }) => answer === 'yes')) throw conflict('Someone has just claimed this name.')
  const isMember = userId === null || (await areMembers(db, [{ boardId: board.id, userId }]))
  if (!isMember) throw badRequest('Only members of the board can be asked.')
  if (answers.some((one) => one.userId === userId && one.answer === 'no')) throw conflict(SAID_NO)
  if (userId !== null) await assertFewOffered(db, board.id, { nameId, userId })
  return { board: { id: board.id }, nameId, userId } as OfferGrant
}

async function assertFewOffered(db: Db, boardId: number, { nameId, userId }: { nameId: number; userId: number }) {
  const asked = await findAsked(db, boardId, { userId })
  const others = asked.filter((one) => one.offered && one.answer === null && one.nameId !== nameId)
  if (others.length >= OFFERED_NAMES_MAX) throw conflict(TOO_MANY)
}

const SAID_NO = 'This person said that this name is not theirs, so they cannot be asked again.'
const TOO_MANY = `This person has already been asked about ${OFFERED_NAMES_MAX} names on this board. Wait for their answers first.`

/** For the names the viewer is asked about. Throws NOT_FOUND if there is none, CONFLICT after a yes. */
export async function grantAnswer(db: Db, { viewer, board }: BoardGrant<'change'>, names: number[]): Promise<AnswerGrant> {
  const asked = await findAsked(db, board.id, { nameIds: names, userId: viewer.id })
  if (asked.length === 0) throw notFound(NO_NAME)
  const nameIds = asked.flatMap(({ nameId, answer }) => (answer === 'yes' ? [] : nameId))
  if (nameIds.length === 0) throw conflict('You have already claimed this name.')
  return { viewer, board: { id: board.id }, nameIds } as AnswerGrant
}

const NO_NAME = 'This name no longer exists, or you are no longer being asked about it.'

/** Locks the board. Null if nothing is left or the board was deleted. */
export async function grantMove(db: Db, { boardId, nameId }: Pick<Accepted, 'boardId' | 'nameId'>): Promise<MoveGrant | null> {
  await lockBoard(db, boardId)
  const [accepted] = await findAccepted(db, nameId)
  const user = accepted && (await findOwn(db, accepted.userId))
  return user ? ({ viewer: onBehalfOf(user), board: { id: boardId, createdBy: accepted.createdBy }, nameId } as MoveGrant) : null
}
