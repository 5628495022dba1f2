import type { CommentGrant } from '../../comments/server/grants'
import type { Db } from '../../db/database'
import { plainWords } from '../../markdown'
import type { Services } from '../../server/context'
import { toUsers } from '../../server/live/hub'
import type { Mail } from '../../server/mail/store'
import { renderMail } from '../../server/mail/template'
import { runTransaction, type TransactionContext } from '../../server/transaction'
import type { Switch } from '../../users/schema'
import { type Notification, type NotificationKind, SWITCH_OF } from '../schema'
import { quoteOf, sentence } from '../sentences'
import { addNotifications, claimDigests, type Detail, type Digest, type NotifyGrant, updateCommentText } from './store'

export type NotifyContext = TransactionContext & { services: Services; grant: NotifyGrant }

const DETAIL_MAX = 1_000

/** These have their own limits, and users must always know which boards they are on. */
const ALWAYS: readonly NotificationKind[] = ['added', 'invited']

/**
 * Notifies users of the viewer's change: in their inboxes, live, and by mail if they want it, gathered by `sendGatheredMails`, or at
 * once if MAIL_GATHER_SECONDS is 0. Skips the viewer, non-members, and what exceeds the limit between two users. Without a viewer there
 * is no limit: that happens once per invitation.
 */
export async function notify(
  ctx: NotifyContext,
  kind: NotificationKind,
  to: number[],
  detail: Detail | null = null,
): Promise<void> {
  const { db, outbox, services, grant } = ctx
  const by = grant.viewer?.id ?? 0
  const others = [...new Set(to)].filter((userId) => userId !== by)
  const isAllowed = await Promise.all(
    others.map(
      (userId) =>
        !by || ALWAYS.includes(kind) || services.limits.tryConsume('notifications', `${SWITCH_OF[kind]} from ${by} to ${userId}`),
    ),
  )
  const allowed = others.filter((_userId, index) => isAllowed[index])
  if (allowed.length === 0) return
  const added = await addNotifications(db, grant, kind, allowed, detail && { ...detail, detail: shortened(detail.detail) })
  for (const { userId, ...notification } of added)
    outbox.push(toUsers([userId], { type: 'notification_added', to: 'user', payload: { notification } }))
  if (services.config.mailGatherSeconds > 0) return
  const looking = new Set(lookingAt(services, grant))
  await mailDigests(
    ctx,
    added.map(({ userId }) => userId).filter((userId) => !looking.has(userId)),
  )
}

/** Users with the task open get no mail now, but by `sendGatheredMails` if they do not read it. */
const lookingAt = ({ presence }: Services, { board, task }: NotifyGrant) =>
  presence.peopleOn(board.id).flatMap(({ userId, taskId }) => (task && taskId === task.id ? [userId] : []))

export const updateNotifiedComment = (db: Db, grant: CommentGrant, content: string) =>
  updateCommentText(db, grant, shortened(plainWords(content)))

function shortened(text: string): string {
  const characters = [...text]
  return characters.length > DETAIL_MAX ? `${characters.slice(0, DETAIL_MAX).join('').trimEnd()}…` : text
}

export const sendGatheredMails = (services: Services): Promise<void> =>
  runTransaction(services, (transaction) => mailDigests({ ...transaction, services }))

async function mailDigests({ db, mail, services }: Pick<NotifyContext, 'db' | 'mail' | 'services'>, of?: number[]) {
  for (const reader of await claimDigests(db, services.config.mailGatherSeconds, of))
    await mail(notificationMail(services.origin(), reader))
}

const MAIL_MAX_NOTIFICATIONS = 30
const QUOTE_MAX = 200

const REASONS: Record<Switch, string> = {
  emailNotifications: 'You’re getting this because of your notification settings.',
  notifyTaskAssigned: 'You’re getting this because you were assigned to a task.',
  notifyTaskCommented: 'You’re getting this because someone commented on your task or mentioned you.',
  notifyBoardUpdated: 'You’re getting this because of changes to your boards.',
  notifyTimeEntries: 'You’re getting this because time was logged on your boards.',
}

function notificationMail(origin: string, { email, unsubscribeToken, notifications }: Digest): Mail {
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
  return {
    subject: sentence(notification),
    paragraphs: [task ? `On the board “${board.name}”${quoted.length > 0 ? ':' : '.'}` : `${sentence(notification)}.`, ...quoted],
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
