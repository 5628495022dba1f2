import { z } from 'zod'
import type { ToMembers } from '../protocol'
import { id } from '../schema'
import { userSummary } from '../users/schema'

export const INVITATION_DAYS = 7
export const EXPIRED_RETENTION_DAYS = 30
export const OPEN_INVITATIONS_MAX = 100

/** The same for used, revoked, expired and invented links, so that a refusal tells nothing about them. */
export const INVALID_INVITATION = 'This invitation is invalid or has expired.'
/** Only whoever has the link learns it, and they could have declined by it. */
export const DECLINED_INVITATION = 'This invitation was declined.'
export const BOARD_GONE = 'The board you were invited to does not exist or has been deleted.'

const invitationStatus = z.enum(['pending', 'accepted', 'declined', 'revoked'])

export const invitation = z.object({ id, email: z.string(), status: invitationStatus, expiresAt: z.string() })

export const openInvitation = invitation.extend({ invitedBy: id })
export type OpenInvitation = z.infer<typeof openInvitation>

export const invitationLink = z.object({ token: z.string() })

const invitedBoard = z.object({ id, name: z.string() })
export type InvitedBoard = z.infer<typeof invitedBoard>

export const invitationPreview = z.object({ board: invitedBoard, email: z.string(), inviter: userSummary, expiresAt: z.string() })
export const legacyInvitationPreview = invitedBoard
export const joinResult = z.object({ success: z.literal(true), board: invitedBoard })

export type InvitationMessage = ToMembers<'invitation_changed', { invitation: OpenInvitation }>

declare module '../protocol' {
  interface Messages {
    invitations: InvitationMessage
  }
}
