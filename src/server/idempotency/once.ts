import type { Db } from '../../db/database'
import { Refusal } from '../errors'
import type { KeyedContext } from './key'
import { findAnswer, type KeptAnswer, keepAnswer, lockKey } from './store'

/** With a connection beside the transaction of the change. */
type KeyedOutside = KeyedContext & { services: { db: Db } }

/** As `work`, unless the change was answered before; for what takes long, or counts, before its transaction. */
export async function earlierOr<T>(ctx: KeyedOutside, work: () => Promise<T>): Promise<T> {
  const earlier = await earlierAnswer(ctx)
  return earlier ? repeat(ctx, earlier) : orEarlier(ctx, work)
}

/** As `work`, unless it is refused and was answered before: what the same call did may be why. */
export async function orEarlier<T>(ctx: KeyedOutside, work: () => Promise<T>): Promise<T> {
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

/** Within the transaction of the change: whoever sends the same key meanwhile waits, holding nothing else. */
export async function answerOnce<T>(ctx: KeyedContext, db: Db, work: () => Promise<T>): Promise<T> {
  const { idempotency, viewer } = ctx
  if (!idempotency) return work()
  // One after the other: only a statement that begins with the lock held sees what its last holder wrote.
  await lockKey(db, viewer, idempotency)
  const earlier = await findAnswer(db, viewer, idempotency)
  if (earlier) return repeat(ctx, earlier)
  const answer = await work()
  await keepAnswer(db, ctx, answer)
  return answer
}

function repeat<T>({ headers }: KeyedContext, answer: KeptAnswer): T {
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, value)
  // What was kept for this request is what its work returned.
  return JSON.parse(answer.body) as T
}
