import type { Mail } from '../../server/mail/store'
import { renderMail } from '../../server/mail/template'

const whoDid = (by: string | null) =>
  by === null ? 'Somebody who has access to the server itself' : `An operator of this server, ${by},`

const SEEN = 'For 30 days your profile shows it, under “Sign-in & security”, where you can also end what is signed in.'

const TOLD = {
  made_link: {
    subject: 'An operator made a link into your wrk account',
    did: (account: string) =>
      `made a link that signs in to your wrk account ${account} once, within 15 minutes, and sets a new password for it`,
    next: SEEN,
  },
  changed_email: {
    subject: 'An operator changed the email of your wrk account',
    did: (account: string) => `changed the email of your wrk account ${account}, and signed it out everywhere`,
    next: `This email no longer signs in; your username does, with your password. ${SEEN}`,
  },
  proved_email: {
    subject: 'An operator confirmed your email for wrk',
    did: (account: string) => `confirmed that this email belongs to the wrk account ${account}`,
    next: 'From now on people can find the account by this email, and its mail comes here.',
  },
  deleted: {
    subject: 'Your wrk account was deleted',
    did: (account: string) => `deleted your wrk account ${account}, with the boards that you created`,
    next: 'On the boards of others, your hours, tasks and history stay under “Former member”, and so do your comments and files, unless the operator deleted these too.',
  },
  made_operator: {
    subject: 'You are an operator of wrk now',
    did: (account: string) => `made your wrk account ${account} an operator`,
    next: 'You have a page at /operator from now on.',
  },
  unmade_operator: {
    subject: 'You are no longer an operator of wrk',
    did: (account: string) => `removed your wrk account ${account} as an operator`,
    next: 'You still have your account, and your boards.',
  },
}
export type Told = keyof typeof TOLD

/** No link and nothing new about the account: the mailbox may be a stranger's by now. */
export function actedMail(
  { email, username }: { email: string; username: string },
  by: string | null,
  kind: Told,
  support: string,
): Mail {
  const { subject, did, next } = TOLD[kind]
  const ifNot = `If you did not ask for this, ask them why, or write to ${support}.`
  return { to: email, ...renderMail({ subject, paragraphs: [`${whoDid(by)} ${did(username)}.`, next, ifNot] }) }
}

export const takenBoardMail = (to: string, name: string, by: string | null, support: string): Mail => ({
  to,
  ...renderMail({
    subject: `The board “${name}” is somebody else’s now`,
    paragraphs: [
      `${whoDid(by)} handed your board “${name}” over to another of its members, who is its creator from now on. You are still on it.`,
      `If you did not ask for this, ask them why, or write to ${support}.`,
    ],
  }),
})

export const givenBoardMail = (to: string, { id, name }: { id: number; name: string }, origin: string): Mail => ({
  to,
  ...renderMail({
    subject: `The board “${name}” is yours now`,
    paragraphs: [
      `Whoever runs this server handed over to you the board “${name}”, of which you are a member.`,
      'You are the creator now: you can rename or delete it, and remove members. Nothing else of it has changed.',
    ],
    action: { label: 'Open the board', link: `${origin}/board/${id}` },
  }),
})
