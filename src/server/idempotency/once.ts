import type { Db } from '../../db/database'
import { Refusal } from '../errors'
import type { KeyedContext } from './key'
import { findAnswer, type KeptAnswer, keepAnswer, lockKey } from './store'

/** As `work`, unless the change was answered before; for what takes long, or counts, before its transaction. */
export async function earlierOr<T>(ctx: KeyedContext & { services: { db: Db } }, work: () => Promise<T>): Promise<T> {
  const { idempotency, viewer, services } = ctx
  if (!idempotency) return work()
  const find = () => findAnswer(services.db, viewer, idempotency)
  const earlier = await find()
  if (earlier) return repeat(ctx, earlier)
  try {
    return await work()
  } catch (error) {
    // What the same call did at the same moment may be why this one was refused.
    const meanwhile = error instanceof Refusal && (await find())
    if (meanwhile) return repeat(ctx, meanwhile)
    throw error
  }
}

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
