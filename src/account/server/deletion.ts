import { setImmediate } from 'node:timers/promises'
import { endChanges, endLinks } from '../../auth/server/store'
import { noteDeletedCustomer } from '../../billing/server/store'
import { type AnnounceContext, announce, announceFromOutside } from '../../boards/server/announce'
import { deleteBoard } from '../../boards/server/changes'
import { purgeDeletedBoards } from '../../boards/server/deleted.store'
import { assertHandedOverFits, bumpVersions } from '../../boards/server/store'
import type { Db } from '../../db/database'
import { durationText } from '../../format'
import { log } from '../../log'
import { notify } from '../../notifications/server/notify'
import type { Services } from '../../server/context'
import { conflict } from '../../server/errors'
import type { Mail } from '../../server/mail/store'
import type { SignedIn } from '../../server/signedIn'
import { runTransaction, type TransactionContext } from '../../server/transaction'
import { grantTimersOfMember } from '../../time/server/grants'
import { databaseNow } from '../../time/server/lookup'
import { endTimers } from '../../time/server/timers.store'
import { ONLY_OPERATOR } from '../../users/limits'
import { isAlone, isOnlyOperator, lockOperators } from '../../users/server/lookup'
import type { DeletionChoices } from '../schema'
import { endAccount, handOverBoards, leaveWork, minutesOn, removeRest } from './deletion.store'
import { grantDeletingAccount, grantLeaving, grantLeavingBoards, grantRemoval, type StayingGrant } from './grants'
import { findLeaving } from './lookup'
import { handedOverMail } from './mails'
import { listSessions } from './store'

/** Rows of a deleted account per transaction: the embedded database answers nobody else meanwhile. */
const ROWS_AT_ONCE = 500

type Deleting = TransactionContext & AnnounceContext & { services: Services }

/**
 * Ends an account with its boards that nobody takes over; its work on others goes to a former member. Call `waitForDeletion` after the
 * commit. `assertAsked` runs once everything is locked, before anything changes. Throws CONFLICT, BAD_REQUEST.
 */
export async function deleteWithBoards(
  ctx: Deleting,
  viewer: SignedIn,
  { handOver, deleteContent }: DeletionChoices,
  farewell: Mail,
  assertAsked?: (db: Db) => Promise<void>,
): Promise<void> {
  const { db, outbox } = ctx
  // They may have become an operator since they asked.
  await assertNotNeeded(db, viewer)
  await endLinks(db, viewer.email)
  await endChanges(db, viewer.id)
  const grant = await grantDeletingAccount(db, viewer, handOver)
  await assertAsked?.(db)
  // No message carries all the changes: pages that miss this version reread their board.
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
    await leaveBoard(ctx, one)
  }
  for (const { id } of await listSessions(db, viewer)) outbox.push({ do: 'closeSession', sessionKey: id })
  await noteDeletedCustomer(db, grant)
  await endAccount(db, grant, !deleteContent)
  // A small account at once, so that open pages of its boards reread them once.
  let left = ROWS_AT_ONCE
  for (const one of grantLeavingBoards(grant, !deleteContent)) if (left > 0) left -= (await leaveWork(db, one, left)).rows
  if (left > 0) await removeRest(db, grantRemoval(grant), left)
  for (const one of received) {
    await assertHandedOverFits(ctx, one.user, one.boards)
    if (one.isProven)
      await ctx.mail(handedOverMail(viewer, one, ctx.services.config.hasPlans && !one.isPro, ctx.services.origin()))
  }
  ctx.sweep()
  await ctx.mail(farewell)
}

async function assertNotNeeded(db: Db, { id }: SignedIn) {
  await lockOperators(db)
  if ((await isOnlyOperator(db, id)) && !(await isAlone(db, id))) throw conflict(ONLY_OPERATOR)
}

async function leaveBoard(ctx: Deleting, one: StayingGrant) {
  const { db } = ctx
  await endTimers(db, await grantTimersOfMember(db, one), await databaseNow(db))
  const minutes = await minutesOn(db, one)
  const detail = minutes > 0 ? { detail: durationText(minutes) } : null
  await notify({ ...ctx, grant: one }, 'account_deleted', [one.board.createdBy], detail)
}

/** Removes what is left of deleted accounts, even if a process was killed while doing so. */
export async function finishDeletions(services: Services): Promise<void> {
  for (const userId of await findLeaving(services.db)) await finishDeletion(services, userId).catch(tellUnfinished)
}

async function finishDeletion(services: Services, userId: number): Promise<void> {
  while (!(await runTransaction(services, (transaction) => removeSome(transaction, userId), 'deletes'))) await setImmediate()
  services.sweeper.sweepSoon()
}

/** Makes an answer wait until all is gone. The account has ended in any case: a job retries what fails here. */
export async function waitForDeletion({ services, extendTimeout }: Waiting, userId: number): Promise<void> {
  extendTimeout?.()
  await finishDeletion(services, userId)
    .then(() => purgeDeletedBoards(services.db))
    // Their files, too.
    .then(() => services.sweeper.sweepSoon())
    .catch(tellUnfinished)
}

const tellUnfinished = (error: unknown) => log.error('a deleted account has not been completely removed yet', {}, error)

type Waiting = { services: Services; extendTimeout?: () => void }

async function removeSome(ctx: TransactionContext, userId: number): Promise<boolean> {
  const { db } = ctx
  const grant = await grantLeaving(db, userId)
  if (grant === 'gone' || grant === 'changed') return grant === 'gone'
  if (!('board' in grant)) return removeRest(db, grant, ROWS_AT_ONCE)
  await bumpVersions(db, [grant])
  const { former } = await leaveWork(db, grant, ROWS_AT_ONCE)
  // Pages that miss the versions before read the board again.
  if (former) await announceFromOutside(ctx, grant, { type: 'user_profile_updated', to: 'members', payload: { user: former } })
  return false
}
