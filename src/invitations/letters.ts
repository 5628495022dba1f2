import { letter } from '../mail/letters'
import type { Mail } from '../mail/store'
import { displayName, type UserSummary } from '../users/inputs'
import type { InvitedBoard, OpenInvitation } from './inputs'

const DAY = new Intl.DateTimeFormat('en-CA', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

type Inviter = Pick<UserSummary, 'name' | 'username'> & { email: string }

/** Asks an address without an account to a board; the link is in this mail and nowhere else. */
export function invitationMail({ email, expiresAt }: OpenInvitation, board: InvitedBoard, inviter: Inviter, link: string): Mail {
  const name = displayName(inviter)
  return {
    to: email,
    ...letter({
      subject: `${name} invited you to “${board.name}”`,
      paragraphs: [
        `${name} (${inviter.email}) would like to work with you on the board “${board.name}” on wrk, a live task board.`,
        `The link works once, until ${DAY.format(new Date(expiresAt))}, and only the newest one does.`,
      ],
      action: { label: 'See the invitation', link },
      footnote: `This mail was sent to ${email}. If you do not know ${name}, you can ignore it: nobody joins without the link.`,
    }),
  }
}

/** Tells an inviter who came, for the link may have been handed on (contract.md, section 3). */
export function cameMail(to: string, origin: string, board: InvitedBoard, sentTo: string, comer: Inviter): Mail {
  const name = displayName(comer)
  const another = `The invitation was sent to ${sentTo}; whoever used it has an account with another address. If that is not who you meant, the board's creator can remove them.`
  return {
    to,
    ...letter({
      subject: `${name} joined “${board.name}”`,
      paragraphs: [
        `${name} (${comer.email}) accepted your invitation to the board “${board.name}”.`,
        ...(comer.email === sentTo ? [] : [another]),
      ],
      action: { label: 'Open the board', link: `${origin}/board/${board.id}` },
    }),
  }
}
