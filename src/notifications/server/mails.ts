import type { Mail } from '../../server/mail/store'
import { renderMail } from '../../server/mail/template'
import type { Switch } from '../../users/schema'
import { type Notification, quoteOf, SWITCH_OF, sentence } from '../schema'
import type { Reader } from './store'

/** A mail has so many notifications at most; the others are in the inbox. */
const LISTED = 30
/** Of what somebody wrote, so much stands among others. */
const QUOTED = 200

const REASONS: Record<Switch, string> = {
  emailNotifications: 'You get this mail because of your notification settings.',
  notifyTaskAssigned: 'You get this mail because wrk tells you when you are assigned to a task.',
  notifyTaskCommented: 'You get this mail because wrk tells you when someone comments on your tasks, or mentions you.',
  notifyBoardUpdated: 'You get this mail because wrk tells you when boards of which you are a member are updated.',
  notifyTimeEntries: 'You get this mail because wrk tells you when time is logged on tasks in your boards.',
}

/** Tells somebody of one thing, or of what was gathered meanwhile. */
export function notificationMail(origin: string, { email, unsubscribeToken, notifications }: Reader): Mail {
  const switches = new Set(notifications.map(({ kind }) => SWITCH_OF[kind]))
  const [only] = switches
  const from = switches.size === 1 && only ? only : 'emailNotifications'
  const unsubscribe = unsubscribeLink(origin, unsubscribeToken, from)
  const [one, ...others] = notifications
  const said = one && others.length === 0 ? single(origin, one) : several(origin, notifications)
  return { to: email, unsubscribe, ...renderMail({ ...said, footnote: REASONS[from], unsubscribe }) }
}

/** Where somebody ends the mails of one switch with one press (contract.md, section 6). */
export const unsubscribeLink = (origin: string, token: string, from: Switch): string =>
  `${origin}/unsubscribe?token=${token}&from=${from}`

function single(origin: string, notification: Notification) {
  const { board, task } = notification
  const quoted = quoteOf(notification)
    .split('\n')
    .filter((line) => line.trim())
  return {
    subject: sentence(notification),
    paragraphs: [task ? `On the board “${board.name}”${quoted.length > 0 ? ':' : '.'}` : 'Have a look.', ...quoted],
    action: { label: task ? 'Open the task' : 'Open the board', link: linkTo(origin, notification) },
  }
}

function several(origin: string, notifications: Notification[]) {
  const more = notifications.length - LISTED
  return {
    subject: `${notifications.length} things happened on your boards`,
    paragraphs: [
      ...notifications.slice(0, LISTED).map(inShort),
      ...(more > 0 ? [`And ${more} more, which are in your inbox.`] : []),
    ],
    action: { label: 'Open wrk', link: `${origin}/` },
  }
}

function inShort(notification: Notification): string {
  const said = sentence(notification)
  const characters = [...quoteOf(notification).replaceAll(/\s+/g, ' ')]
  if (characters.length === 0) return `${said}.`
  return `${said}: ${characters.length > QUOTED ? `${characters.slice(0, QUOTED).join('')}…` : characters.join('')}`
}

const linkTo = (origin: string, { board, task }: Notification) =>
  `${origin}/board/${board.id}${task ? `?task=${task.id}&openTaskDetail=true` : ''}`
