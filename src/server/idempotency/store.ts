import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { idempotencyKeys } from '../../db/schema'
import { Refusal } from '../errors'
import type { SignedIn } from '../signedIn'
import { hashesOf, type Idempotency, type KeyedContext } from './key'

export type KeptAnswer = { body: string; headers: Record<string, string> }

const { userId, key, body, createdAt } = idempotencyKeys
const aDayAgo = sql`now() - interval '24 hours'`

/** Until the transaction ends. Taken before all other locks, so that no two transactions can deadlock. */
export async function lockKey(db: Db, viewer: SignedIn, idempotency: Idempotency): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${idempotency.key}, ${viewer.id}::bigint))`)
}

const rowsOf = (db: Db, viewer: SignedIn, idempotency: Idempotency) =>
  db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(userId, viewer.id), eq(key, hashesOf(idempotency).key), gt(createdAt, aDayAgo)))

export const isAnswered = async (db: Db, { viewer, idempotency }: KeyedContext): Promise<boolean> =>
  idempotency !== null && (await rowsOf(db, viewer, idempotency)).length > 0

/** Throws UNPROCESSABLE_CONTENT. */
export async function findAnswer(db: Db, viewer: SignedIn, idempotency: Idempotency): Promise<KeptAnswer | undefined> {
  const [row] = await rowsOf(db, viewer, idempotency)
  if (row && row.request !== hashesOf(idempotency).request)
    throw new Refusal('UNPROCESSABLE_CONTENT', 'This Idempotency-Key was used for another request')
  return row
}

/** Of one user; of more the oldest go before their time. */
const KEPT_BYTES_MAX = 16 * 2 ** 20
/** What a row takes beside its answer, in its indexes too. */
const ROW_BYTES = 400
const LOOK_EVERY_BYTES = 2 ** 20

/** Last in a transaction: like all that refers to an account, after the locks of boards. */
export async function keepAnswer(db: Db, { idempotency, viewer, headers }: KeyedContext, answer: unknown): Promise<void> {
  if (!idempotency) return
  const answered = JSON.stringify(answer)
  const { key: hash, request } = hashesOf(idempotency)
  const kept = { request, headers: Object.fromEntries([...headers].filter(([name]) => name !== 'set-cookie')), body: answered }
  await db
    .insert(idempotencyKeys)
    .values({ userId: viewer.id, key: hash, ...kept })
    .onConflictDoUpdate({ target: [userId, key], set: { ...kept, createdAt: sql`now()` } })
  // By chance, about once in so many bytes: nobody counts what each user has, and no process needs to know of another.
  if (Math.random() * LOOK_EVERY_BYTES < ROW_BYTES + Buffer.byteLength(answered))
    await deleteBeyond(db, viewer.id, KEPT_BYTES_MAX)
}

/** The oldest answers of a user beyond so many bytes. */
export async function deleteBeyond(db: Db, ofUser: number, bytes: number): Promise<void> {
  const own = eq(userId, ofUser)
  const size = sql`${ROW_BYTES} + octet_length(${body})`
  const kept = db
    .select({ createdAt, bytes: sql<number>`sum(${size}) over (order by ${createdAt} desc)`.as('bytes') })
    .from(idempotencyKeys)
    .where(own)
    .as('kept')
  const oldest = db
    .select({ createdAt: sql`max(${kept.createdAt})` })
    .from(kept)
    .where(gt(kept.bytes, bytes))
  await db.delete(idempotencyKeys).where(and(own, lte(createdAt, sql`(${oldest})`)))
}

export const deleteExpiredKeys = (db: Db) => db.delete(idempotencyKeys).where(lte(createdAt, aDayAgo))
