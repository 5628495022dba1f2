import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '../db/database'
import { idempotencyKeys } from '../db/tables'
import { badRequest, Refusal } from './errors'
import type { SignedIn } from './signedIn'

export type Idempotency = { key: string; request: string }

export type KeyedContext = { viewer: SignedIn; idempotency: Idempotency | null; headers: Headers }

const PRINTABLE = /^[ -~]{1,255}$/

export function idempotencyOf(request: Request, body: string): Idempotency | null {
  const key = request.headers.get('idempotency-key')
  if (key === null) return null
  if (!PRINTABLE.test(key)) throw badRequest('Idempotency-Key must be 1 to 255 printable ASCII characters')
  const { pathname, search } = new URL(request.url)
  return { key, request: `${request.method} ${pathname}${search}\n${body}` }
}

/** A form's boundary differs each time, so the file in it is hashed instead. */
export const withContent = <Ctx extends Pick<KeyedContext, 'idempotency'>>(ctx: Ctx, bytes: Uint8Array, name = ''): Ctx =>
  withHash(ctx, hashed(bytes), name)

/** Like `withContent`, for bodies too large for memory. */
export function withHash<Ctx extends Pick<KeyedContext, 'idempotency'>>(ctx: Ctx, sha256: string, name = ''): Ctx {
  const { idempotency } = ctx
  return idempotency ? { ...ctx, idempotency: { ...idempotency, request: `${idempotency.request}${name}\n${sha256}` } } : ctx
}

/** Stored as hashes only: a request may hold a password, which cannot be guessed without the key. */
const hashesOf = ({ key, request }: Idempotency) => ({ key: hashed(key), request: hashed(request, key) })

const hashed = (text: string | Uint8Array, secret?: string) => new Bun.CryptoHasher('sha256', secret).update(text).digest('hex')

type KeyedOutside = KeyedContext & { services: { db: Db } }

/** Repeats an earlier answer, or runs `work`. For calls that do something slow, or are counted, before their transaction. */
export async function repeatOrRun<T>(ctx: KeyedOutside, work: () => Promise<T>): Promise<T> {
  const earlier = await earlierAnswer(ctx)
  return earlier ? repeat(ctx, earlier) : runOrRepeatIfRefused(ctx, work)
}

/** Runs `work`; if it is refused, repeats an earlier answer: the same call's success may be why. */
export async function runOrRepeatIfRefused<T>(ctx: KeyedOutside, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const earlier = error instanceof Refusal && (await earlierAnswer(ctx))
    if (earlier) return repeat(ctx, earlier)
    throw error
  }
}

const earlierAnswer = async ({ idempotency, viewer, services }: KeyedOutside) =>
  idempotency ? findAnswer(services.db, viewer, idempotency) : undefined

/** Within the transaction of the change: a concurrent call with the same key waits, holding no other lock. */
export async function onceInTransaction<T>(ctx: KeyedContext, db: Db, work: () => Promise<T>): Promise<T> {
  const { idempotency, viewer } = ctx
  if (!idempotency) return work()
  // In two steps: only a statement that begins under the lock sees what its last holder wrote.
  await lockKey(db, viewer, idempotency)
  const earlier = await findAnswer(db, viewer, idempotency)
  if (earlier) return repeat(ctx, earlier)
  const answer = await work()
  await storeAnswer(db, ctx, answer)
  return answer
}

function repeat<T>({ headers }: KeyedContext, answer: KeptAnswer): T {
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, value)
  return JSON.parse(answer.body) as T
}

type KeptAnswer = { body: string; headers: Record<string, string> }

const { userId, key, body, createdAt } = idempotencyKeys
const aDayAgo = sql`now() - interval '24 hours'`

/** Taken before all other locks, against deadlocks. */
async function lockKey(db: Db, viewer: SignedIn, idempotency: Idempotency): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${idempotency.key}, ${viewer.id}::bigint))`)
}

const rowsOf = (db: Db, viewer: SignedIn, idempotency: Idempotency) =>
  db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(userId, viewer.id), eq(key, hashesOf(idempotency).key), gt(createdAt, aDayAgo)))

export const isAnswered = async (db: Db, { viewer, idempotency }: KeyedContext): Promise<boolean> =>
  idempotency !== null && (await rowsOf(db, viewer, idempotency)).length > 0

async function findAnswer(db: Db, viewer: SignedIn, idempotency: Idempotency): Promise<KeptAnswer | undefined> {
  const [row] = await rowsOf(db, viewer, idempotency)
  if (row && row.request !== hashesOf(idempotency).request)
    throw new Refusal('UNPROCESSABLE_CONTENT', 'This Idempotency-Key was used for another request')
  return row
}

/** Per user; beyond this the oldest answers are deleted early. */
const KEPT_BYTES_MAX = 16 * 2 ** 20
/** A row without its answer, with index entries. */
const ROW_BYTES = 400
const LOOK_EVERY_BYTES = 2 ** 20

/** Last in a transaction, because it locks the account, after boards. */
export async function storeAnswer(db: Db, { idempotency, viewer, headers }: KeyedContext, answer: unknown): Promise<void> {
  if (!idempotency) return
  const answered = JSON.stringify(answer)
  const { key: hash, request } = hashesOf(idempotency)
  const kept = { request, headers: Object.fromEntries([...headers].filter(([name]) => name !== 'set-cookie')), body: answered }
  await db
    .insert(idempotencyKeys)
    .values({ userId: viewer.id, key: hash, ...kept })
    .onConflictDoUpdate({ target: [userId, key], set: { ...kept, createdAt: sql`now()` } })
  // At random, on average once per LOOK_EVERY_BYTES, so that nothing needs to be counted.
  if (Math.random() * LOOK_EVERY_BYTES < ROW_BYTES + Buffer.byteLength(answered))
    await deleteBeyond(db, viewer.id, KEPT_BYTES_MAX)
}

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
