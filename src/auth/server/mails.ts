import type { Mail } from '../../server/mail/store'
import { type MailContent, renderMail } from '../../server/mail/template'
import { CONFIRM_HOURS, LINK_MINUTES, type LinkPurpose } from '../schema'

const IF_NOT_REQUESTED = 'If you did not ask for this, you can ignore this mail: nobody gets in without the link.'

const MINUTES = `${LINK_MINUTES} minutes`

const LINKS: Record<
  Exclude<LinkPurpose, 'change'>,
  { subject: string; text: string; within: string; label: string; footnote: string }
> = {
  'sign-in': {
    subject: 'Sign in to wrk',
    text: 'Here is the link to sign in to wrk.',
    within: MINUTES,
    label: 'Sign in',
    footnote: IF_NOT_REQUESTED,
  },
  reset: {
    subject: 'Reset your wrk password',
    text: 'Here is the link to sign in to wrk and choose a new password.',
    within: MINUTES,
    label: 'Choose a new password',
    footnote: IF_NOT_REQUESTED,
  },
  confirm: {
    subject: 'Confirm your email for wrk',
    text: 'Somebody has made an account on wrk with this email. If that was you, here is the link that shows that the email is yours.',
    within: `${CONFIRM_HOURS} hours`,
    label: 'Confirm my email',
    footnote:
      'If you have not registered on wrk, you can ignore this mail: without the link the account does not count as that of this email.',
  },
}

export const changeMail = (to: string, username: string, link: string): Mail =>
  mailTo(to, {
    subject: 'Your new email for wrk',
    paragraphs: [
      `The wrk account ${username} is to have this email. If that is yours, here is the link that changes it: open it where you are signed in. It works once, within ${CONFIRM_HOURS} hours, and only the newest one does.`,
    ],
    action: { label: 'Use this email', link },
    footnote: 'If you did not ask for this, you can ignore this mail: the link does nothing for anybody else.',
  })

/** To an address that somebody has registered without proving it. */
export const addressInUseMail = (to: string, username: string, holder: string, origin: string): Mail =>
  mailTo(to, {
    subject: 'Your new email for wrk is in use',
    paragraphs: [
      `The wrk account ${username} is to have this email. But somebody has registered another one with it, ${holder}, and has never shown that it is theirs.`,
      `If this email is yours, choose "Forgot password?" on the login page: the link that we mail you opens ${holder}. Give that another email there, or delete it, and then ask for the change once more.`,
    ],
    action: { label: 'Go to the login page', link: `${origin}/login` },
    footnote: 'If you did not ask for this, you can ignore this mail: nothing has changed.',
  })

export const changeAskedMail = (to: string, newEmail: string, origin: string): Mail =>
  mailTo(to, {
    subject: 'Your wrk email is to be changed',
    paragraphs: [
      `Somebody who is signed in to your wrk account asked for it to have the email ${newEmail}. That happens once the link is opened that was mailed there; then this one no longer signs in.`,
      'If that was not you, ask for a new password at once: it locks out whoever did it, and ends that link.',
    ],
    action: { label: 'Go to the login page', link: `${origin}/login` },
  })

export const changedMail = (to: string, newEmail: string, supportEmail: string, origin: string): Mail =>
  mailTo(to, {
    subject: 'Your wrk email was changed',
    paragraphs: [
      `Your wrk account has the email ${newEmail} from now on. This one no longer signs in.`,
      `If that was not you, write to ${supportEmail}.`,
    ],
    action: { label: 'Go to the login page', link: `${origin}/login` },
  })

export function linkMail(to: string, purpose: Exclude<LinkPurpose, 'change'>, link: string): Mail {
  const { subject, text, within, label, footnote } = LINKS[purpose]
  const paragraphs = [`${text} It works once, within ${within}, and only the newest one does.`]
  return mailTo(to, { subject, paragraphs, action: { label, link }, footnote })
}

export const passwordMail = (to: string, origin: string): Mail =>
  mailTo(to, {
    subject: 'Your wrk password was changed',
    paragraphs: [
      'The password of your wrk account was just changed, and every other browser was signed out.',
      'If that was not you, ask for a new password at once: it locks out whoever did it.',
    ],
    action: { label: 'Go to the login page', link: `${origin}/login` },
  })

export const joinedMail = (to: string, origin: string): Mail =>
  mailTo(to, {
    subject: 'Your wrk account was joined',
    paragraphs: [
      'You signed in to wrk in a new way, and there was an account with your email already. It is yours.',
      'As nobody had ever shown that this email is theirs, its password no longer works, and every other browser was signed out. To have a password again, choose "Forgot password?" on the login page.',
    ],
    action: { label: 'Go to the login page', link: `${origin}/login` },
  })

export const farewellMail = (to: string): Mail =>
  mailTo(to, {
    subject: 'Your wrk account was deleted',
    paragraphs: [
      'Your wrk account is gone, with the boards that you created and did not hand over. On boards that stay, your hours, tasks and history stay under “Former member”, and so do your comments and files, unless you chose to delete these.',
      'Thank you for working with us.',
    ],
  })

const mailTo = (to: string, content: MailContent): Mail => ({ to, ...renderMail(content) })
