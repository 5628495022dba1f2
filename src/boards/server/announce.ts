import { atOnce } from '../../db/statements'
import { type AnnouncedChange, type Announcement, VERSION_HEADER } from '../../protocol'
import type { Context } from '../../server/context'
import { boardTopic, userTopic } from '../../server/live/openSockets'
import type { AnnounceGrant, Granted } from '../../server/signedIn'
import type { TransactionContext } from '../../server/transaction'
import type { UserSummary } from '../../users/schema'
import type { NewActivity } from '../activity'
import { memberIds } from './lookup'
import { bumpVersion, bumpVersions, logActivities } from './store'

export type AnnounceContext = Pick<TransactionContext, 'db' | 'outbox'> & Pick<Context, 'headers' | 'idempotency'>

/** Raises the version, queues the message, logs the activities. Members in `alsoTo` hear it without the board open. */
export async function announce(
  { db, outbox, headers, idempotency }: AnnounceContext,
  grant: AnnounceGrant,
  { type, to, payload }: Announcement,
  activities: NewActivity[],
  alsoTo: number[] = [],
): Promise<number> {
  const { board, viewer } = grant
  const others = alsoTo.filter((userId) => userId !== viewer.id)
  const [{ version, members }] = await atOnce([bumpVersion(db, grant, others), logActivities(db, grant, activities)])
  headers.set(VERSION_HEADER, String(version))
  const topic = boardTopic(board.id)
  const topics = to === 'openBoard' ? [topic] : (await memberIds(db, board.id)).map(userTopic)
  // TypeScript cannot follow the spread through the union.
  const message = {
    type,
    payload: { ...payload, boardId: board.id, version, by: viewer.id, ...keyOf(idempotency) },
  } as AnnouncedChange
  const heardBy = [...new Set(alsoTo)].filter((userId) => userId === viewer.id || members.includes(userId))
  outbox.push({ do: 'publish', topics, message, ...(heardBy.length > 0 && { alsoTo: heardBy }) })
  return version
}

/** For changes by operators and commands: `by` is 0. */
export async function announceFromOutside(
  { db, outbox }: Pick<AnnounceContext, 'db' | 'outbox'>,
  grant: Granted<{ board: { id: number } }, 'announce'>,
  { type, payload }: Extract<Announcement, { to: 'members' }>,
): Promise<void> {
  for (const { id: boardId, version, members } of await bumpVersions(db, [grant])) {
    const message = { type, payload: { ...payload, boardId, version, by: 0 } } as AnnouncedChange
    outbox.push({ do: 'publish', topics: members.map(userTopic), message })
  }
}

/** Announces a changed profile to the members of all boards that show it. Needs the boards' locks. */
export async function announcePerson(
  { db, outbox, idempotency }: Omit<AnnounceContext, 'headers'>,
  grants: AnnounceGrant[],
  user: UserSummary,
): Promise<void> {
  for (const { id: boardId, version, members } of await bumpVersions(db, grants)) {
    const payload = { user, boardId, version, by: user.id, ...keyOf(idempotency) }
    outbox.push({ do: 'publish', topics: members.map(userTopic), message: { type: 'user_profile_updated', payload } })
  }
}

const keyOf = (idempotency: Context['idempotency']) => (idempotency ? { key: idempotency.key } : {})
