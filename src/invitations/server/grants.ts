import { mayRevokeInvitation } from '../../access'
import type { AddressGrant } from '../../auth/server/grants'
import type { BoardGrant } from '../../boards/server/grants'
import { findBoardAsMember, lockBoard } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { forbidden, notFound } from '../../server/errors'
import type { Granted, SignedIn } from '../../server/signedIn'
import { DECLINED_INVITATION, INVALID_INVITATION, type InvitedBoard, isLink, type OpenInvitation } from '../schema'
import {
  boardOfInvitation,
  findInvitation,
  findOpenInvitation,
  type InvitationKey,
  isDeclined,
  toOpenInvitation,
  type ValidInvitation,
} from './lookup'

export type RevocationGrant = Granted<{ invitation: OpenInvitation }, 'invitation:revoke'>
export type DeclineGrant = Granted<{ board: InvitedBoard; invitation: OpenInvitation }, 'invitation:decline' | 'announce'>
export type JoinGrant = Granted<{ viewer: SignedIn; board: InvitedBoard; invitation: ValidInvitation }, 'board:join' | 'announce'>

export async function grantRevocation(db: Db, { viewer, board }: BoardGrant<'change'>, invitationId: number) {
  const invitation = await findOpenInvitation(db, board.id, invitationId)
  if (!invitation) throw notFound('Invitation not found')
  if (!mayRevokeInvitation(viewer, board, invitation))
    throw forbidden('Only the board creator and the sender can revoke an invitation.')
  return { invitation } as RevocationGrant
}

/** Says of a closed invitation only that it was declined, if it was. */
export async function noInvitation(db: Db, by: InvitationKey) {
  return notFound('token' in by && (await isDeclined(db, by)) ? DECLINED_INVITATION : INVALID_INVITATION)
}

/** `invitation` is null if the viewer is a member already. Throws NOT_FOUND. */
export async function grantJoining(db: Db, viewer: SignedIn, by: InvitationKey) {
  const boardId = 'token' in by ? await boardOfInvitation(db, by.token) : by.boardId
  if (boardId === undefined) throw notFound(INVALID_INVITATION)
  await lockBoard(db, boardId)
  // Under the lock: someone may have used it meanwhile.
  const invitation = await findInvitation(db, by, viewer.id)
  const own = await findBoardAsMember(db, viewer.id, boardId)
  if (own && (invitation || 'boardId' in by)) {
    const address = 'token' in by && invitation ? grantAddress({ viewer, invitation }) : null
    return { board: own, invitation: null, address }
  }
  if (!invitation) throw await noInvitation(db, by)
  return { viewer, board: invitation.board, invitation } as JoinGrant
}

/** For the holder of the link or the invited account; an invite link belongs to others too. Throws NOT_FOUND. */
export async function grantDeclining(db: Db, by: InvitationKey): Promise<DeclineGrant> {
  // Checked before the lock too, so that a closed invitation does not hold up its board.
  const viewerId = 'invited' in by ? by.invited.id : 0
  const open = await findInvitation(db, by, viewerId)
  if (open) await lockBoard(db, open.board.id)
  const found = open && (await findInvitation(db, by, viewerId))
  if (!found || isLink(found)) throw await noInvitation(db, by)
  const { board, inviter: _inviter, shown: _shown, ...invitation } = found
  return { board, invitation: toOpenInvitation({ ...invitation, status: 'pending' }) } as DeclineGrant
}

type Invited = { viewer: Pick<SignedIn, 'id' | 'email'>; invitation: Pick<ValidInvitation, 'email' | 'shown'> }

/** Using a mailed link proves the mailbox. Null if another address was invited. */
export const grantAddress = ({ viewer, invitation }: Invited): AddressGrant | null =>
  viewer.email === invitation.email && !invitation.shown
    ? ({ user: { id: viewer.id, email: viewer.email } } as AddressGrant)
    : null

/** For an account just made through an invitation. */
export async function grantInvitedAddress(db: Db, user: Invited['viewer'], token: string): Promise<AddressGrant | null> {
  const invitation = await findInvitation(db, { token }, user.id)
  return invitation ? grantAddress({ viewer: user, invitation }) : null
}
