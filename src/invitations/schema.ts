import { z } from 'zod'
import type { ToMembers } from '../protocol'
import { id } from '../schema'

/** An invitation's link works so long (contract.md, section 3). */
export const INVITATION_DAYS = 7
/** Those that came to nothing are kept so many days longer. */
export const KEPT_DAYS = 30
/** So many of a board may be open at once. */
export const OPEN_MAX = 100

/** What is said of a link that does not work (product.md, section 8): used, revoked, expired or never made, all alike. */
export const INVALID = 'This invitation is invalid or has expired.'
export const BOARD_GONE = 'The board you were invited to does not exist or has been deleted.'

const invitationStatus = z.enum(['pending', 'accepted', 'revoked'])

/** What is answered to whoever invites. */
export const invitation = z.object({ id, email: z.string(), status: invitationStatus, expiresAt: z.string() })

/** An invitation as the board's members see it; it never holds the link. */
export const openInvitation = invitation.extend({ invitedBy: id })
export type OpenInvitation = z.infer<typeof openInvitation>

/** Hashed before anything else is done with it, so anything may be asked for. */
export const invitationLink = z.object({ token: z.string() })

const invitedBoard = z.object({ id, name: z.string() })
export type InvitedBoard = z.infer<typeof invitedBoard>

/** What a link tells whoever holds it. */
export const invited = z.object({ board: invitedBoard, email: z.string(), expiresAt: z.string() })
/** What a link that only names a board tells. */
export const legacyInvited = invitedBoard
export const joined = z.object({ success: z.literal(true), board: invitedBoard })

/** What the live channel tells of invitations. */
export type InvitationMessage = ToMembers<'invitation_changed', { invitation: OpenInvitation }>

declare module '../protocol' {
  interface Messages {
    invitations: InvitationMessage
  }
}
