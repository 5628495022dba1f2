import type { CommentGrant } from '../../comments/server/grants'
import type { Db } from '../../db/database'
import { plainWords } from '../../markdown'
import type { Services } from '../../server/context'
import { toUsers } from '../../server/live/openSockets'
import { runTransaction, type TransactionContext } from '../../server/transaction'
import type { EntryGrant } from '../../time/server/grants'
import { type NotificationKind, SWITCH_OF } from '../schema'
import { notificationMail } from './mails'
import { addNotifications, claimDigests, type Detail, type NotifyGrant, updateCommentText, updateEntryNote } from './store'

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

/** Users with the task open get no email now, but one from `sendGatheredMails` if they do not read it. */
const lookingAt = ({ presence }: Services, { board, task }: NotifyGrant) =>
  presence.peopleOn(board.id).flatMap(({ userId, taskId }) => (task && taskId === task.id ? [userId] : []))

export const updateNotifiedComment = (db: Db, grant: CommentGrant, content: string) =>
  updateCommentText(db, grant, shortened(plainWords(content)))

export const updateNotifiedNote = (db: Db, grant: EntryGrant, note: string | null) =>
  updateEntryNote(db, grant, note && shortened(note))

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
