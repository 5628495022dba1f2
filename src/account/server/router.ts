import { CHANGE_SENT } from '../../auth/basics'
import { findAccount, lockPassword } from '../../auth/server/lookup'
import { changeAskedMail, changeMail, farewellMail, heldMail, passwordMail } from '../../auth/server/mails'
import { assertUncommon, hashPassword, isPassword } from '../../auth/server/passwords'
import { createChangeLink, endChanges, endLinks } from '../../auth/server/store'
import { assertDomain, assertOwnSignIn } from '../../auth/server/ways'
import { noteDeletedCustomer } from '../../billing/server/deletedCustomers/store'
import { forgetDeletedCustomers } from '../../billing/server/reconciliation'
import { announce } from '../../boards/server/announce'
import { deleteBoard } from '../../boards/server/deleted/deleteBoard'
import { bumpVersions } from '../../boards/server/store'
import type { Db } from '../../db/database'
import { done } from '../../schema'
import type { Context } from '../../server/context'
import { badRequest, conflict, forbidden, notFound } from '../../server/errors'
import { earlierOr } from '../../server/idempotency/once'
import { countMail, limitAttempts } from '../../server/rateLimits'
import type { Session, SignedIn } from '../../server/signedIn'
import { inTransaction, once, type TransactionContext } from '../../server/transaction'
import { mutation, protectedProcedure, reading, router } from '../../server/trpc'
import { ONLY_OPERATOR } from '../../users/basics'
import { isAlone, isOnlyOperator, lockOperators } from '../../users/server/lookup'
import {
  deletion,
  type EmailChange,
  emailChange,
  FRESH_SIGN_IN_MS,
  type HandOver,
  type PasswordChange,
  passwordChange,
  type Security,
  sessionEnd,
} from '../schema'
import { grantDeletingAccount } from './grants'
import { handedOverMail } from './mails'
import {
  consumeReset,
  createdBoards,
  deleteAccount,
  endOtherSessions,
  endOwnSession,
  handOverBoards,
  listSessions,
  passwordOf,
  setPassword,
} from './store'

export const accountRouter = router({
  security: reading.query(async ({ ctx: { db, viewer, session } }): Promise<Security> => {
    const hasPassword = (await passwordOf(db, viewer)) !== null
    const sessions = await listSessions(db, viewer)
    return {
      hasPassword,
      needsCurrentPassword: !mayReset(session),
      mayDelete: hasPassword || isFresh(session),
      sessions: sessions.map(({ createdAt, lastSeenAt, ...rest }) => ({
        ...rest,
        current: rest.id === session.key,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
      })),
      boards: await createdBoards(db, viewer),
    }
  }),

  setPassword: protectedProcedure
    .input(passwordChange)
    .mutation(({ ctx, input }) => earlierOr(ctx, () => changePassword(ctx, input))),

  changeEmail: protectedProcedure.input(emailChange).mutation(({ ctx, input }) => earlierOr(ctx, () => askForChange(ctx, input))),

  endSession: mutation
    .input(sessionEnd)
    .meta({ deletes: true })
    .mutation(async ({ ctx, input: { sessionId } }) => {
      await endChanges(ctx.db, ctx.viewer.id)
      if (!(await endOwnSession(ctx.db, ctx.viewer, sessionId))) throw notFound('There is no such session.')
      ctx.outbox.push({ do: 'closeSession', sessionKey: sessionId })
      return done
    }),

  endOtherSessions: mutation.meta({ deletes: true }).mutation(async ({ ctx }) => {
    // What somebody else asked for goes with them.
    await endChanges(ctx.db, ctx.viewer.id)
    const ended = await endOtherSessions(ctx.db, ctx.viewer, ctx.session)
    for (const sessionKey of ended) ctx.outbox.push({ do: 'closeSession', sessionKey })
    return done
  }),

  delete: protectedProcedure.input(deletion).mutation(async ({ ctx, input: { password, handOver } }) => {
    const old = await assertOwner(ctx, password)
    ctx.services.room.assertChange('deletes')
    await ctx.services.limits.consume('accountChanges', `user ${ctx.viewer.id}`)
    await inTransaction(ctx, (transaction) => deleteWithBoards({ ...ctx, ...transaction }, old, handOver), 'deletes')
    void forgetDeletedCustomers(ctx.services)
    ctx.headers.append('Set-Cookie', ctx.services.sessions.clearCookie())
    return done
  }),
})

type Protected = Context & { session: Session; viewer: SignedIn }

const mayReset = ({ mayResetUntil }: Session) => mayResetUntil !== null && mayResetUntil > new Date()
const isFresh = ({ createdAt }: Session) => createdAt > new Date(Date.now() - FRESH_SIGN_IN_MS)

const passwordChanged = () => conflict('The password was just changed.')

async function changePassword(ctx: Protected, input: PasswordChange) {
  assertOwnSignIn(ctx.services.config)
  await assertUncommon(input.newPassword, 'newPassword')
  const old = mayReset(ctx.session) ? null : await assertPassword(ctx, input.currentPassword)
  ctx.services.room.assertChange()
  await ctx.services.limits.consume('accountChanges', `user ${ctx.viewer.id}`)
  const hash = await hashPassword(input.newPassword)
  return once(ctx, async ({ db, outbox, mail }) => {
    // Lock order everywhere: links, boards by id, account; otherwise two deletions can deadlock.
    // Until the address is proven, whoever reads its mail outranks whoever knows the password.
    if (ctx.viewer.emailVerified) await endLinks(db, ctx.viewer.email)
    await endChanges(db, ctx.viewer.id)
    if (old !== null && !(await lockPassword(db, ctx.viewer.id, old))) throw passwordChanged()
    await setPassword(db, ctx.viewer, hash)
    // A reset sets one password: of two at once the second is refused.
    if (old === null && !(await consumeReset(db, ctx.session))) throw passwordChanged()
    for (const sessionKey of await endOtherSessions(db, ctx.viewer, ctx.session)) outbox.push({ do: 'closeSession', sessionKey })
    await mail(passwordMail(ctx.viewer.email, ctx.services.origin()))
    return done
  })
}

/** Answers the same for an address that somebody has, up to a mail to nobody. */
async function askForChange(ctx: Protected, { email, password }: EmailChange) {
  const { services, viewer } = ctx
  assertOwnSignIn(services.config)
  assertDomain(services.config, email)
  if (email === viewer.email) throw badRequest('This is your email already.')
  const old = await assertOwner(ctx, password)
  services.room.assertChange()
  await services.limits.consume('accountChanges', `user ${viewer.id}`)
  await countMail(services, ctx.address(), email)
  return once(ctx, async ({ db, mail }) => {
    const token = await createChangeLink(db, viewer.id, email)
    if (old !== null && !(await lockPassword(db, viewer.id, old))) throw passwordChanged()
    const holder = (await findAccount(db, email))?.user
    const link = `${services.origin()}/auth/verify?token=${token}`
    if (holder && !holder.emailVerified) await mail(heldMail(email, viewer.username, holder.username, services.origin()))
    else await mail(changeMail(email, viewer.username, link), holder ? 'drop' : 'send')
    // One that is not proven may be a stranger's.
    if (viewer.emailVerified) await mail(changeAskedMail(viewer.email, email, services.origin()))
    return { ...done, message: CHANGE_SENT }
  })
}

/** Returns the hash that the password was compared with. */
async function assertPassword(ctx: Protected, given: string | undefined): Promise<string> {
  const hash = await passwordOf(ctx.services.db, ctx.viewer)
  if (hash === null) throw forbidden('This account has no password yet. Ask for a reset link to set one.')
  if (given === undefined) throw badRequest('Please enter your current password, or ask for a new reset link.')
  if (!(await limitAttempts(ctx, { own: ctx.viewer.id }, () => isPassword(given, hash))))
    throw forbidden('The current password is not right.')
  return hash
}

/** Null for an account without a password, which takes a recent sign-in. */
async function assertOwner(ctx: Protected, password: string | undefined): Promise<string | null> {
  if ((await passwordOf(ctx.services.db, ctx.viewer)) !== null) return assertPassword(ctx, password)
  if (!isFresh(ctx.session)) throw forbidden('Please sign in again first.')
  return null
}

async function assertNotNeeded(db: Db, { id }: SignedIn) {
  await lockOperators(db)
  if ((await isOnlyOperator(db, id)) && !(await isAlone(db, id))) throw conflict(ONLY_OPERATOR)
}

async function deleteWithBoards(ctx: Protected & TransactionContext, old: string | null, handOver: HandOver[]) {
  const { db, outbox, viewer } = ctx
  // Also of who was none when they asked: they may have become one since.
  await assertNotNeeded(db, viewer)
  await endLinks(db, viewer.email)
  await endChanges(db, viewer.id)
  const grant = await grantDeletingAccount(db, viewer, handOver)
  // A password change ends other sessions: what they asked for must not come after it.
  if (old !== (await passwordOf(db, viewer))) throw passwordChanged()
  // Messages tell less than what goes with an account: a page that misses this version reads its board again.
  await bumpVersions(db, grant.boards)
  for (const own of grant.deletes) await deleteBoard(ctx, own)
  for (const received of await handOverBoards(db, grant)) await ctx.mail(handedOverMail(viewer, received, ctx.services.origin()))
  for (const left of grant.leaves)
    await announce(ctx, left, { type: 'board_member_removed', to: 'members', payload: { userId: viewer.id } }, [])
  for (const { id } of await listSessions(db, viewer)) outbox.push({ do: 'closeSession', sessionKey: id })
  await noteDeletedCustomer(db, grant)
  await deleteAccount(db, grant)
  ctx.sweep()
  await ctx.mail(farewellMail(viewer.email))
}
