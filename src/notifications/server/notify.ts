import type { Services } from '../../server/context'
import { toUsers } from '../../server/live/hub'
import { inTransaction, type TransactionContext } from '../../server/transaction'
import { type Kind, SWITCH_OF } from '../schema'
import { notificationMail } from './mails'
import { addNotifications, type Cause, correctNotifications, type Detail, takeWaiting } from './store'

export type Notifying = TransactionContext & { services: Services; grant: Cause }

/** Of a longer text, so many characters are kept. */
const DETAIL_MAX = 1_000

/**
 * Notifies people of what the viewer did, in its transaction: in their inboxes, live, and by mail where they want that. A mail
 * goes at once, or, MAIL_GATHER_SECONDS after the last one, together with what else came meanwhile. Leaves out the viewer,
 * whoever is no member, and what is over the limit of one person to another.
 */
export async function notify(ctx: Notifying, kind: Kind, to: number[], detail: Detail | null = null): Promise<void> {
  const { db, outbox, services, grant } = ctx
  const others = [...new Set(to)].filter((userId) => userId !== grant.viewer.id)
  const within = await Promise.all(
    others.map((userId) =>
      services.limits.tryConsume('notifications', `${SWITCH_OF[kind]} from ${grant.viewer.id} to ${userId}`),
    ),
  )
  const allowed = others.filter((_, index) => within[index])
  if (allowed.length === 0) return
  const added = await addNotifications(db, grant, kind, allowed, detail && { ...detail, detail: shortened(detail.detail) })
  for (const { userId, ...notification } of added)
    outbox.push(toUsers([userId], { type: 'notification_added', to: 'user', payload: { notification } }))
  await mailWaiting(
    ctx,
    added.map(({ userId }) => userId),
  )
}

/** Of a comment that was edited, inboxes and mails that wait say what it says now. */
export const notifyEdited = ({ db }: Pick<TransactionContext, 'db'>, comment: { id: number; content: string }) =>
  correctNotifications(db, comment.id, shortened(comment.content))

function shortened(text: string): string {
  const characters = [...text]
  return characters.length > DETAIL_MAX ? `${characters.slice(0, DETAIL_MAX).join('').trimEnd()}…` : text
}

/** Mails what waits long enough, to whomever it is. */
export const mailGathered = (services: Services): Promise<void> =>
  inTransaction(services, (transaction) => mailWaiting({ ...transaction, services }))

async function mailWaiting({ db, mail, services }: Pick<Notifying, 'db' | 'mail' | 'services'>, of?: number[]) {
  for (const reader of await takeWaiting(db, services.config.mailGatherSeconds, of))
    await mail(notificationMail(services.origin(), reader))
}
