import { setImmediate } from 'node:timers/promises'
import { endChanges, endLinks } from '../../auth/server/store'
import { noteDeletedCustomer } from '../../billing/server/deletedCustomers/store'
import { type AnnounceContext, announce } from '../../boards/server/announce'
import { deleteBoard } from '../../boards/server/deleted/deleteBoard'
import { assertHandedOverFits, bumpVersions } from '../../boards/server/store'
import type { Db } from '../../db/database'
import { notify } from '../../notifications/server/notify'
import type { Services } from '../../server/context'
import { conflict } from '../../server/errors'
import type { Mail } from '../../server/mail/store'
import type { SignedIn } from '../../server/signedIn'
import type { TransactionContext } from '../../server/transaction'
import { durationText } from '../../time/entries/schema'
import { databaseNow } from '../../time/entries/server/lookup'
import { grantTimersOfMember } from '../../time/timers/server/grants'
import { endTimers } from '../../time/timers/server/store'
import { ONLY_OPERATOR } from '../../users/basics'
import { isAlone, isOnlyOperator, lockOperators } from '../../users/server/lookup'
import type { DeletionChoices } from '../schema'
import { grantDeletingAccount, type StayingGrant } from './grants'
import { handedOverMail } from './mails'
import { deleteAccount, handOverBoards, leaveWork, listSessions } from './store'

type Deleting = TransactionContext & AnnounceContext & { services: Services }

/**
 * Deletes an account with its boards that nobody gets; what it did on others becomes a former member's. `assertAsked` is called
 * with everything locked, before anything has changed. Throws CONFLICT, BAD_REQUEST.
 */
export async function deleteWithBoards(
  ctx: Deleting,
  viewer: SignedIn,
  { handOver, deleteContent }: DeletionChoices,
  farewell: Mail,
  assertAsked?: (db: Db) => Promise<void>,
): Promise<void> {
  const { db, outbox } = ctx
  // Also of who was none when they asked: they may have become one since.
  await assertNotNeeded(db, viewer)
  await endLinks(db, viewer.email)
  await endChanges(db, viewer.id)
  const grant = await grantDeletingAccount(db, viewer, handOver)
  await assertAsked?.(db)
  // Messages tell less than what changes with an account: a page that misses this version reads its board again.
  await bumpVersions(db, grant.boards)
  for (const own of grant.deletes) {
    await setImmediate()
    await deleteBoard(ctx, own)
  }
  const received = await handOverBoards(db, grant)
  for (const left of grant.leaves)
    await announce(ctx, left, { type: 'board_member_removed', to: 'members', payload: { userId: viewer.id } }, [])
  for (const one of grant.stays) {
    await setImmediate()
    await leaveBoard(ctx, one, deleteContent)
  }
  for (const { id } of await listSessions(db, viewer)) outbox.push({ do: 'closeSession', sessionKey: id })
  await noteDeletedCustomer(db, grant)
  await deleteAccount(db, grant)
  for (const one of received) {
    await assertHandedOverFits(ctx, one.user, one.boards)
    if (one.isProven) await ctx.mail(handedOverMail(viewer, one, ctx.services.origin()))
  }
  ctx.sweep()
  await ctx.mail(farewell)
}

async function assertNotNeeded(db: Db, { id }: SignedIn) {
  await lockOperators(db)
  if ((await isOnlyOperator(db, id)) && !(await isAlone(db, id))) throw conflict(ONLY_OPERATOR)
}

/** The board's creator is told, but not who it was. */
async function leaveBoard(ctx: Deleting, one: StayingGrant, deleteContent: boolean) {
  const { db } = ctx
  await endTimers(db, await grantTimersOfMember(db, one), await databaseNow(db))
  const minutes = await leaveWork(db, one, !deleteContent)
  const detail = minutes > 0 ? { detail: durationText(minutes) } : null
  await notify({ ...ctx, grant: one }, 'account_deleted', [one.board.createdBy], detail)
}
