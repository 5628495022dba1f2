import { setImmediate } from 'node:timers/promises'
import type { NewActivity } from '../../../boards/activity'
import { type AnnounceContext, announce } from '../../../boards/server/announce'
import type { Services } from '../../../server/context'
import { toUsers } from '../../../server/live/openSockets'
import { runTransaction } from '../../../server/transaction'
import { summaryOf } from '../../../users/schema'
import { grantMove } from './grants'
import { type Accepted, findAccepted } from './lookup'
import { moveSome } from './store'

/** Moves some of an accepted name's work to its user; true once nothing is left. */
export async function moveName(
  ctx: AnnounceContext,
  accepted: Pick<Accepted, 'boardId' | 'nameId'>,
  activities: NewActivity[] = [],
): Promise<boolean> {
  const grant = await grantMove(ctx.db, accepted)
  if (!grant) return true
  const { viewer, board } = grant
  const isDone = await moveSome(ctx.db, grant)
  if (!isDone && activities.length === 0) return false
  const changed = { type: 'user_profile_updated', to: 'members', payload: { user: summaryOf(viewer) } } as const
  await announce(ctx, grant, changed, activities)
  ctx.outbox.push(toUsers([board.createdBy, viewer.id], { type: 'rate_changed', to: 'user', payload: { boardId: board.id } }))
  return isDone
}

/** Resumes interrupted moves. Throws the first failure after trying all. */
export async function moveAcceptedNames(services: Services): Promise<void> {
  if (!services.diskGuard.mayChange()) return
  const failures: unknown[] = []
  for (const accepted of await findAccepted(services.db))
    await moveRest(services, accepted).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

async function moveRest(services: Services, accepted: Accepted): Promise<void> {
  const ctx = { headers: new Headers(), idempotency: null }
  while (!(await runTransaction(services, (transaction) => moveName({ ...transaction, ...ctx }, accepted)))) await setImmediate()
}
