import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { idempotencyKeys } from '../../db/schema'
import { Refusal } from '../errors'
import type { SignedIn } from '../signedIn'
import { hashesOf, type Idempotency, type KeyedContext } from './key'

export type KeptAnswer = { body: string; headers: Record<string, string> }

const { userId, key, createdAt } = idempotencyKeys
const aDayAgo = sql`now() - interval '24 hours'`

const isOf = (viewer: SignedIn, idempotency: Idempotency) =>
  and(eq(userId, viewer.id), eq(key, hashesOf(idempotency).key), gt(createdAt, aDayAgo))

/** Until the transaction ends. Taken before all other locks, so that no two transactions can deadlock. */
export async function lockKey(db: Db, viewer: SignedIn, idempotency: Idempotency): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${idempotency.key}, ${viewer.id}::bigint))`)
}

export const isAnswered = async (db: Db, { viewer, idempotency }: KeyedContext): Promise<boolean> =>
  idempotency !== null && (await db.$count(idempotencyKeys, isOf(viewer, idempotency))) > 0

/** Throws UNPROCESSABLE_CONTENT. */
export async function findAnswer(db: Db, viewer: SignedIn, idempotency: Idempotency): Promise<KeptAnswer | undefined> {
  const [row] = await db.select().from(idempotencyKeys).where(isOf(viewer, idempotency))
  if (row && row.request !== hashesOf(idempotency).request)
    throw new Refusal('UNPROCESSABLE_CONTENT', 'This Idempotency-Key was used for another request')
  return row
}

/** Last in a transaction: like all that refers to an account, after the locks of boards. */
export async function keepAnswer(db: Db, { idempotency, viewer, headers }: KeyedContext, answer: unknown): Promise<void> {
  if (!idempotency) return
  const row = {
    ...hashesOf(idempotency),
    status: idempotency.status,
    headers: Object.fromEntries([...headers].filter(([name]) => name !== 'set-cookie')),
    body: JSON.stringify(answer),
    createdAt: sql`now()`,
  }
  await db
    .insert(idempotencyKeys)
    .values({ userId: viewer.id, ...row })
    .onConflictDoUpdate({ target: [userId, key], set: row })
}

export const deleteExpiredKeys = (db: Db) => db.delete(idempotencyKeys).where(lte(createdAt, aDayAgo))
