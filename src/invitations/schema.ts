import { z } from 'zod'
import type { ToMembers } from '../protocol'
import { id } from '../schema'
import { displayName, type UserSummary, userSummary } from '../users/schema'

export const INVITATION_DAYS = 7
export const EXPIRED_RETENTION_DAYS = 30
export const OPEN_INVITATIONS_MAX = 100
export const OPEN_LINKS_MAX = 10

/** The same for used, revoked, expired and invented links, so that a refusal tells nothing about them. */
export const INVALID_INVITATION = 'This invitation is invalid or has expired.'
/** Only the holder of the link sees it. */
export const DECLINED_INVITATION = 'This invitation was declined.'
export const LINKS_OFF = 'The board creator turned off invite links.'
export const BOARD_GONE = 'The board you were invited to does not exist or has been deleted.'

const invitationStatus = z.enum(['pending', 'accepted', 'declined', 'revoked'])

/** For an email; with `email` null for the account `user`, or else for anyone with the link. */
const invitation = z.object({
  id,
  email: z.string().nullable(),
  user: userSummary.optional(),
  status: invitationStatus,
  expiresAt: z.string(),
})

/** With its link if it is not mailed. */
export const sentInvitation = invitation.extend({ link: z.string().optional() })
export type SentInvitation = z.infer<typeof sentInvitation>

export const openInvitation = invitation.extend({ invitedBy: id })
export type OpenInvitation = z.infer<typeof openInvitation>

export const invitationLink = z.object({ token: z.string() })

export const isLink = ({ email, user }: Pick<OpenInvitation, 'email'> & { user?: UserSummary | null | undefined }): boolean =>
  email === null && !user

export const invitedName = ({ email, user }: Pick<OpenInvitation, 'email' | 'user'>): string =>
  email ?? (user ? displayName(user) : 'Anyone with the link')

/** Shown once: the server keeps a hash. */
export const madeLink = z.object({ link: z.string(), invitation: openInvitation })

const invitedBoard = z.object({ id, name: z.string() })
export type InvitedBoard = z.infer<typeof invitedBoard>

/** `email` is empty for an invite link. */
export const invitationPreview = z.object({ board: invitedBoard, email: z.string(), inviter: userSummary, expiresAt: z.string() })
/** The inviter and the expiry only for the invited. */
export const legacyInvitationPreview = invitedBoard.extend({
  inviter: userSummary.optional(),
  expiresAt: z.string().optional(),
})
export const joinResult = z.object({ success: z.literal(true), board: invitedBoard })

export type InvitationMessage = ToMembers<'invitation_changed', { invitation: OpenInvitation }>

declare module '../protocol' {
  interface Messages {
    invitations: InvitationMessage
  }
}
