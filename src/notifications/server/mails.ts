import type { Mail } from '../../server/mail/store'
import { renderMail } from '../../server/mail/template'
import type { Switch } from '../../users/schema'
import { type Notification, SWITCH_OF } from '../schema'
import { quoteOf, sentence } from '../sentences'
import type { Digest } from './store'

const MAIL_MAX_NOTIFICATIONS = 30
const QUOTE_MAX = 200

const REASONS: Record<Switch, string> = {
  emailNotifications: 'You’re getting this because of your notification settings.',
  notifyTaskAssigned: 'You’re getting this because you were assigned to a task.',
  notifyTaskCommented: 'You’re getting this because someone commented on your task or mentioned you.',
  notifyBoardUpdated: 'You’re getting this because of changes to your boards.',
  notifyTimeEntries: 'You’re getting this because time was logged on your boards.',
}

export function notificationMail(origin: string, { email, unsubscribeToken, notifications }: Digest): Mail {
  const switches = new Set(notifications.map(({ kind }) => SWITCH_OF[kind]))
  const [only] = switches
  const from = switches.size === 1 && only ? only : 'emailNotifications'
  const unsubscribe = unsubscribeLink(origin, unsubscribeToken, from)
  const [one, ...others] = notifications
  const content = one && others.length === 0 ? single(origin, one) : several(origin, notifications)
  return { to: email, unsubscribe, ...renderMail({ ...content, footnote: REASONS[from], unsubscribe }) }
}

export const unsubscribeLink = (origin: string, token: string, from: Switch): string =>
  `${origin}/unsubscribe?token=${token}&from=${from}`

function single(origin: string, notification: Notification) {
  const { kind, board, task } = notification
  const quoted = quoteOf(notification)
    .split('\n')
    .filter((line) => line.trim())
  const boardLine = quoted.length > 0 ? `On the board “${board.name}”:` : `Board: ${board.name}`
  return {
    subject: sentence(notification),
    paragraphs: [task ? boardLine : `${sentence(notification)}.`, ...quoted],
    action: { label: labelOf(kind, task), link: linkTo(origin, notification) },
  }
}

function labelOf(kind: Notification['kind'], task: Notification['task']): string {
  if (kind === 'invited') return 'See the invitation'
  return task ? 'Open the task' : 'Open the board'
}

function several(origin: string, notifications: Notification[]) {
  const more = notifications.length - MAIL_MAX_NOTIFICATIONS
  return {
    subject: `${notifications.length} updates from your boards`,
    paragraphs: [
      ...notifications.slice(0, MAIL_MAX_NOTIFICATIONS).map((one) => ({ text: summaryLine(one), link: linkTo(origin, one) })),
      ...(more > 0 ? [`And ${more} more, under Notifications in wrk.`] : []),
    ],
    action: { label: 'Open wrk', link: `${origin}/` },
  }
}

function summaryLine(notification: Notification): string {
  const line = sentence(notification)
  const characters = [...quoteOf(notification).replaceAll(/\s+/g, ' ')]
  if (characters.length === 0) return `${line}.`
  return `${line}: ${characters.length > QUOTE_MAX ? `${characters.slice(0, QUOTE_MAX).join('')}…` : characters.join('')}`
}

function linkTo(origin: string, { kind, board, task, commentId }: Notification): string {
  if (kind === 'invited') return `${origin}/invite?board=${board.id}`
  const ofTask = task ? `?task=${task.id}&openTaskDetail=true` : ''
  return `${origin}/board/${board.id}${ofTask}${task && commentId !== null ? `&comment=${commentId}` : ''}`
}
