import { userTopic } from '../../server/live/hub'
import { commit, type Parts, type Within } from '../../server/trpc'
import { type Kind, SWITCH_OF } from '../schema'
import { notificationMail } from './mails'
import { addNotifications, type Cause, correctNotifications, type Said, takeWaiting } from './store'

type Telling = Within & { parts: Parts; grant: Cause }

/** Of a longer text, so many characters are kept. */
const DETAIL_MAX = 1_000

/**
 * Tells people of what the viewer did, in its transaction: in their inboxes, live, and by mail where they want that. A
 * mail goes at once, or, where one went a moment ago, together with what else comes meanwhile (contract.md, section 8,
 * MAIL_GATHER_SECONDS). Nobody is told of their own doing, nobody who is no member, and nobody without end by one person.
 */
export async function notify(telling: Telling, kind: Kind, to: number[], said: Said | null = null): Promise<void> {
  const { db, outbox, parts, grant } = telling
  const others = [...new Set(to)].filter((userId) => userId !== grant.viewer.id)
  const within = await Promise.all(
    others.map((userId) => parts.limits.allows('notices', `${SWITCH_OF[kind]} from ${grant.viewer.id} to ${userId}`)),
  )
  const allowed = others.filter((_, index) => within[index])
  if (allowed.length === 0) return
  const told = await addNotifications(db, grant, kind, allowed, said && { ...said, detail: shortened(said.detail) })
  for (const { userId, ...notification } of told)
    outbox.push({
      do: 'publish',
      topics: [userTopic(userId)],
      message: { type: 'notification_added', payload: { notification } },
    })
  await mailWaiting(
    telling,
    told.map(({ userId }) => userId),
  )
}

/** Of a comment that was edited, inboxes and mails that wait say what it says now. */
export const notifyEdited = ({ db }: Pick<Telling, 'db'>, comment: { id: number; content: string }) =>
  correctNotifications(db, comment.id, shortened(comment.content))

function shortened(text: string): string {
  const characters = [...text]
  return characters.length > DETAIL_MAX ? `${characters.slice(0, DETAIL_MAX).join('').trimEnd()}…` : text
}

/** Mails what waits long enough, to whomever it is. */
export const mailGathered = (parts: Parts): Promise<void> => commit(parts, (within) => mailWaiting({ ...within, parts }))

async function mailWaiting({ db, mail, parts }: Pick<Telling, 'db' | 'mail' | 'parts'>, of?: number[]) {
  for (const reader of await takeWaiting(db, parts.config.mailGatherSeconds, of))
    await mail(notificationMail(parts.origin(), reader))
}
