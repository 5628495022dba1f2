import type { Mail } from '../../server/mail/store'
import { renderMail } from '../../server/mail/template'
import { displayName, type OwnUser } from '../../users/schema'
import { INVITATION_DAYS, type InvitedBoard } from '../schema'

type Inviter = Pick<OwnUser, 'name' | 'username' | 'email' | 'emailVerified' | 'showEmail'>

export function invitationMail(email: string, board: InvitedBoard, inviter: Inviter, link: string): Mail {
  const name = displayName(inviter)
  return {
    to: email,
    ...renderMail({
      subject: `${name} invited you to “${board.name}”`,
      paragraphs: [
        `${name}${inviter.emailVerified && inviter.showEmail ? ` (${inviter.email})` : ''} would like to work with you on the board “${board.name}” in wrk, a live task board.`,
        `The link works once and expires ${INVITATION_DAYS} days after this email. A newer invitation replaces it.`,
      ],
      action: { label: 'See the invitation', link },
      footnote: `We sent this email to ${email}. If you do not know ${name}, ignore this email or decline the invitation. You join only if you accept.`,
    }),
  }
}
