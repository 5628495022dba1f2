import type { Mail } from '../../server/mail/store'
import { type MailContent, renderMail } from '../../server/mail/template'
import { CONFIRM_HOURS, LINK_MINUTES, type LinkPurpose } from '../schema'

const IF_NOT_REQUESTED = 'Not you? Ignore this email: nobody gets in without the link.'

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
    text: 'Someone created a wrk account with this email address. If it was you, confirm the address with this link.',
    within: `${CONFIRM_HOURS} hours`,
    label: 'Confirm my email',
    footnote: 'Not you? Ignore this email.',
  },
}

export const changeMail = (to: string, username: string, link: string): Mail =>
  mailTo(to, {
    subject: 'Confirm your new email for wrk',
    paragraphs: [
      `Someone asked to use this email address for the wrk account ${username}. If that account is yours, open this link in a browser where you are signed in. It works once and expires in ${CONFIRM_HOURS} hours; a newer link replaces it.`,
    ],
    action: { label: 'Use this address', link },
    footnote: 'Not you? Ignore this email: the link only works for someone signed in to that account.',
  })

/** To an address that someone registered without proving it. */
export const addressInUseMail = (to: string, username: string, holder: string, origin: string): Mail =>
  mailTo(to, {
    subject: 'Your new email belongs to another wrk account',
    paragraphs: [
      `Someone asked to use this email address for the wrk account ${username}. It is already registered to another account, ${holder}, which never confirmed it.`,
      `If this address is yours, choose “Forgot password?” on the login page: the link we email you signs you in to ${holder}. Change that account’s email or delete the account, then request this change again.`,
    ],
    action: { label: 'Go to the login page', link: `${origin}/login` },
    footnote: 'Not you? Ignore this email: nothing has changed.',
  })

export const changeAskedMail = (to: string, newEmail: string, origin: string): Mail =>
  mailTo(to, {
    subject: 'Your wrk email is about to change',
    paragraphs: [
      `Someone who is signed in to your wrk account asked to change its email to ${newEmail}. It changes once they open the link we sent to ${newEmail}. After that, you can no longer sign in with your current address.`,
      'Not you? Set a new password now to secure your account and cancel that link.',
    ],
    action: { label: 'Go to the login page', link: `${origin}/login` },
  })

export const changedMail = (to: string, newEmail: string, contactEmail: string | null, origin: string): Mail =>
  mailTo(to, {
    subject: 'Your wrk email was changed',
    paragraphs: [
      `Your wrk account now has the email ${newEmail}. You can no longer sign in with the address this message was sent to.`,
      `Not you? Write to ${contactEmail ?? 'this server’s operator'}.`,
    ],
    action: { label: 'Go to the login page', link: `${origin}/login` },
  })

export function linkMail(to: string, purpose: Exclude<LinkPurpose, 'change'>, link: string): Mail {
  const { subject, text, within, label, footnote } = LINKS[purpose]
  const paragraphs = [`${text} It works once and expires in ${within}; a newer link replaces it.`]
  return mailTo(to, { subject, paragraphs, action: { label, link }, footnote })
}

export const passwordMail = (to: string, origin: string): Mail =>
  mailTo(to, {
    subject: 'Your wrk password was changed',
    paragraphs: [
      'Your wrk password was just changed, and every other browser was logged out.',
      'Not you? Set a new password now to secure your account.',
    ],
    action: { label: 'Go to the login page', link: `${origin}/login` },
  })

export const joinedMail = (to: string, origin: string): Mail =>
  mailTo(to, {
    subject: 'Your sign-in was linked to an existing wrk account',
    paragraphs: [
      'You signed in to wrk with a sign-in provider. An account with your email already existed, so we linked the two.',
      'Nobody had confirmed this email address before, so we removed the account’s password, if it had one, and logged out every other browser. To set a password, choose “Forgot password?” on the login page.',
    ],
    action: { label: 'Go to the login page', link: `${origin}/login` },
  })

export const farewellMail = (to: string): Mail =>
  mailTo(to, {
    subject: 'Your wrk account was deleted',
    paragraphs: [
      'Your wrk account has been deleted, along with the boards you created, except those you handed over. On all other boards, your tasks, time entries and activity stay under “Former member”. Your comments and files stay too, unless you chose to delete them.',
      'Thank you for using wrk.',
    ],
  })

const mailTo = (to: string, content: MailContent): Mail => ({ to, ...renderMail(content) })
