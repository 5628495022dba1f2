import type { AddressGrant } from '../../auth/server/grants'
import type { BoardExportGrant, HandOverGrant } from '../../boards/server/grants'
import { areMembers, lockBoard } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import type { OpenInvitation } from '../../invitations/schema'
import { toOpenInvitation } from '../../invitations/server/lookup'
import { conflict, notFound } from '../../server/errors'
import type { Granted, SignedIn } from '../../server/signedIn'
import { lockOperators } from '../../users/server/lookup'
import { type AccountRow, findAccountById, findBoard, findPendingInvitation, isOperator } from './lookup'

/** `viewer` is null for commands on the server. */
export type OperatorReadGrant = Granted<{ viewer: SignedIn | null }, 'operator:read'>
export type OperatorGrant = Granted<{ viewer: SignedIn | null }, 'operator:read' | 'operator:change'>
export type AccountGrant = Granted<{ viewer: SignedIn | null; account: AccountRow }, 'operator:account'>
export type OperatedBoardGrant = Granted<
  { board: { id: number; name: string; createdBy: number | null } },
  'operator:board' | 'announce'
>
export type OperatedInvitationGrant = Granted<
  { board: { id: number }; invitation: OpenInvitation },
  'operator:invitation' | 'announce'
>

export async function grantOperatorReading(db: Db, viewer: SignedIn): Promise<OperatorReadGrant> {
  if (!(await isOperator(db, viewer.id))) throw notFound()
  return { viewer } as OperatorReadGrant
}

export async function grantOperator(db: Db, viewer: SignedIn): Promise<OperatorGrant> {
  await lockOperators(db)
  await grantOperatorReading(db, viewer)
  return { viewer } as OperatorGrant
}

export async function grantCommand(db: Db): Promise<OperatorGrant> {
  await lockOperators(db)
  return { viewer: null } as OperatorGrant
}

export const grantCommandReading = () => ({ viewer: null }) as OperatorReadGrant

export async function grantExportByCommand(db: Db, boardId: number): Promise<BoardExportGrant> {
  const board = await findBoard(db, boardId)
  if (!board) throw notFound('Board not found')
  return { board: { id: board.id } } as BoardExportGrant
}

export async function grantAccount(db: Db, { viewer }: OperatorGrant, userId: number): Promise<AccountGrant> {
  const account = await findAccountById(db, userId)
  if (!account) throw notFound('User not found')
  return { viewer, account } as AccountGrant
}

export const grantProof = ({ account: { id, email } }: AccountGrant) => ({ user: { id, email } }) as AddressGrant

export async function grantOperatedBoard(db: Db, _: OperatorGrant, boardId: number): Promise<OperatedBoardGrant> {
  await lockBoard(db, boardId)
  const board = await findBoard(db, boardId)
  if (!board) throw notFound('Board not found')
  return { board } as OperatedBoardGrant
}

export async function grantHandOver(db: Db, { board }: OperatedBoardGrant, { account }: AccountGrant): Promise<HandOverGrant> {
  if (board.createdBy === account.id) throw conflict('This person is already the board creator.')
  if (!(await areMembers(db, [{ boardId: board.id, userId: account.id }])))
    throw conflict('Only a member with an enabled account can take over the board.')
  return { board: { id: board.id }, userId: account.id } as HandOverGrant
}

export async function grantOperatedInvitation(db: Db, _: OperatorGrant, invitationId: number): Promise<OperatedInvitationGrant> {
  const found = await findPendingInvitation(db, invitationId)
  if (found) await lockBoard(db, found.boardId)
  const { boardId, ...invitation } = (found && (await findPendingInvitation(db, invitationId))) ?? gone()
  return { board: { id: boardId }, invitation: toOpenInvitation(invitation) } as OperatedInvitationGrant
}

function gone(): never {
  throw notFound('Invitation not found')
}
