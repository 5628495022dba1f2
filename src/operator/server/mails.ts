import { ONE_BOARD_ON_FREE } from '../../billing/limits'
import type { Mail } from '../../server/mail/store'
import { renderMail } from '../../server/mail/template'

const whoDid = (by: string | null) => (by === null ? 'Someone with access to the server' : `An operator of this server, ${by},`)

const SEEN = 'Your profile shows this for 30 days, under “Sign-in & security”, where you can also log out other browsers.'

const TOLD = {
  made_link: {
    subject: 'A password reset link was created for your wrk account',
    did: (account: string) =>
      `created a password reset link for your wrk account ${account}. It can be used once, within 15 minutes, to sign in and set a new password`,
    next: SEEN,
  },
  changed_email: {
    subject: 'Your wrk account’s email was changed',
    did: (account: string) => `changed the email of your wrk account ${account} and logged you out everywhere`,
    next: `You can no longer sign in with this email address. If you have a password, you can still sign in with your username. ${SEEN}`,
  },
  proved_email: {
    subject: 'Your email for wrk was confirmed',
    did: (account: string) => `confirmed that this email address belongs to the wrk account ${account}`,
    next: 'People can now find the account by this address, and its notifications are sent here.',
  },
  deleted: {
    subject: 'Your wrk account was deleted',
    did: (account: string) => `deleted your wrk account ${account}, along with the boards you created`,
    next: 'On other people’s boards, your tasks, time entries and activity stay under “Former member”. Your comments and files also stay, unless they were deleted too.',
  },
  made_operator: {
    subject: 'You are now an operator of wrk',
    did: (account: string) => `made your wrk account ${account} an operator`,
    next: 'You can now manage this server: choose Operator in the sidebar.',
  },
  unmade_operator: {
    subject: 'You are no longer an operator of wrk',
    did: (account: string) => `removed the operator role from your wrk account ${account}`,
    next: 'You still have your account and your boards.',
  },
}
export type Told = keyof typeof TOLD

const ifNotYou = (contact: string | null) =>
  `If you did not expect this, contact an operator${contact === null ? '' : ` or write to ${contact}`}.`

/** No link and no news about the account: the mailbox may belong to a stranger by now. */
export function actedMail(
  { email, username }: { email: string; username: string },
  by: string | null,
  kind: Told,
  contact: string | null,
): Mail {
  const { subject, did, next } = TOLD[kind]
  return { to: email, ...renderMail({ subject, paragraphs: [`${whoDid(by)} ${did(username)}.`, next, ifNotYou(contact)] }) }
}

export const takenBoardMail = (to: string, name: string, by: string | null, contact: string | null): Mail => ({
  to,
  ...renderMail({
    subject: `The board “${name}” has a new creator`,
    paragraphs: [
      `${whoDid(by)} handed your board “${name}” over to another member, who is now its creator. You are still a member.`,
      ifNotYou(contact),
    ],
  }),
})

export const givenBoardMail = (
  to: string,
  { id, name }: { id: number; name: string },
  by: string | null,
  onFree: boolean,
  origin: string,
): Mail => ({
  to,
  ...renderMail({
    subject: `The board “${name}” is now yours`,
    paragraphs: [
      `${whoDid(by)} made you the creator of the board “${name}”.`,
      'You can now rename or delete it and remove members.',
      ...(onFree ? [ONE_BOARD_ON_FREE] : []),
    ],
    action: { label: 'Open the board', link: `${origin}/board/${id}` },
  }),
})
