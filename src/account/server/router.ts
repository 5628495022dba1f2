import { CHANGE_SENT } from '../../auth/limits'
import { setDeviceCookie } from '../../auth/server/browserCookies'
import { findAccount, lockPassword } from '../../auth/server/lookup'
import { addressInUseMail, changeAskedMail, changeMail, farewellMail, passwordMail } from '../../auth/server/mails'
import { assertUncommon, hashPassword } from '../../auth/server/passwords'
import { clearBrowser } from '../../auth/server/sessions'
import { assertDomain, assertOwnSignIn } from '../../auth/server/signUpRules'
import { createChangeLink, endChanges, endLinks } from '../../auth/server/store'
import { forgetDeletedCustomers } from '../../billing/server/updateSubscription'
import type { Db } from '../../db/database'
import { done } from '../../protocol'
import { success } from '../../schema'
import { badRequest, conflict, notFound } from '../../server/errors'
import { repeatOrRun } from '../../server/idempotency.store'
import { countMail } from '../../server/rateLimits'
import { restCalls } from '../../server/rest'
import type { Session } from '../../server/signedIn'
import { inTransaction, once, type TransactionContext } from '../../server/transaction'
import { mutation, protectedProcedure, reading, router } from '../../server/trpc'
import {
  deletion,
  type EmailChange,
  emailChange,
  type PasswordChange,
  passwordChange,
  type Security,
  security,
  sentAnswer,
  sessionEnd,
} from '../schema'
import { deleteWithBoards, waitForDeletion } from './deletion'
import { assertOwner, assertPassword, isFresh, ownPassword, type Protected } from './proveOwner'
import { accountRoutes } from './routes'
import {
  consumeReset,
  createdBoards,
  endOtherSessions,
  endOwnSession,
  listOperatorActs,
  listSessions,
  setPassword,
} from './store'

const accountRouter = router({
  security: reading.query(async ({ ctx }): Promise<Security> => {
    const { db, viewer, session } = ctx
    const hasPassword = (await ownPassword(ctx)) !== null
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
      operatorActs: (await listOperatorActs(db, viewer)).map(({ createdAt, ...rest }) => ({
        ...rest,
        createdAt: createdAt.toISOString(),
      })),
      boards: await createdBoards(db, viewer),
    }
  }),

  setPassword: protectedProcedure
    .input(passwordChange)
    .mutation(({ ctx, input }) => repeatOrRun(ctx, () => changePassword(ctx, input))),

  changeEmail: protectedProcedure
    .input(emailChange)
    .mutation(({ ctx, input }) => repeatOrRun(ctx, () => askForChange(ctx, input))),

  endSession: mutation
    .input(sessionEnd)
    .meta({ kind: 'deletes' })
    .mutation(async ({ ctx, input: { sessionId } }) => {
      await endChanges(ctx.db, ctx.viewer.id)
      if (!(await endOwnSession(ctx.db, ctx.viewer, sessionId))) throw notFound('That browser is already logged out.')
      ctx.outbox.push({ do: 'closeSession', sessionKey: sessionId })
      await setDeviceCookie(ctx, ctx.db, ctx.viewer.id, ctx.session.key)
      return done
    }),

  endOtherSessions: mutation.meta({ kind: 'deletes' }).mutation(async ({ ctx }) => {
    // Requests made in other sessions end with them.
    await endChanges(ctx.db, ctx.viewer.id)
    const ended = await endOtherSessions(ctx.db, ctx.viewer, ctx.session)
    for (const sessionKey of ended) ctx.outbox.push({ do: 'closeSession', sessionKey })
    await setDeviceCookie(ctx, ctx.db, ctx.viewer.id, ctx.session.key)
    return done
  }),

  delete: protectedProcedure.input(deletion).mutation(async ({ ctx, input: { password, ...choices } }) => {
    const old = await assertOwner(ctx, password)
    ctx.services.diskGuard.assertChange('deletes')
    await ctx.services.limits.consume('accountChanges', `user ${ctx.viewer.id}`)
    const { viewer } = ctx
    const isStillAsked = async (db: Db) => {
      // A password change ends other sessions, and what they asked for.
      if (old !== (await ownPassword(ctx, db))) throw passwordChanged()
    }
    const leave = (transaction: TransactionContext) =>
      deleteWithBoards({ ...ctx, ...transaction }, viewer, choices, farewellMail(viewer.email), isStillAsked)
    await inTransaction(ctx, leave, 'deletes')
    await waitForDeletion(ctx, viewer.id)
    void forgetDeletedCustomers(ctx.services)
    clearBrowser(ctx)
    return done
  }),
})

const mayReset = ({ mayResetUntil }: Session) => mayResetUntil !== null && mayResetUntil > new Date()

const passwordChanged = () => conflict('Your password was just changed.')

async function changePassword(ctx: Protected, input: PasswordChange) {
  assertOwnSignIn(ctx.services.config)
  await assertUncommon(input.newPassword, 'newPassword')
  const old = mayReset(ctx.session) ? null : await assertPassword(ctx, input.currentPassword)
  ctx.services.diskGuard.assertChange()
  await ctx.services.limits.consume('accountChanges', `user ${ctx.viewer.id}`)
  const hash = await hashPassword(input.newPassword)
  return once(
    ctx,
    async ({ db, outbox, mail }) => {
      // Lock order everywhere: links, boards by id, account; otherwise two deletions can deadlock.
      // Until the address is proven, access to its mailbox outranks the password.
      if (ctx.viewer.emailVerified) await endLinks(db, ctx.viewer.email)
      await endChanges(db, ctx.viewer.id)
      if (old !== null && !(await lockPassword(db, ctx.viewer.id, old))) throw passwordChanged()
      await setPassword(db, ctx.viewer, hash)
      // The second of two simultaneous resets is refused.
      if (old === null && !(await consumeReset(db, ctx.session))) throw passwordChanged()
      for (const sessionKey of await endOtherSessions(db, ctx.viewer, ctx.session))
        outbox.push({ do: 'closeSession', sessionKey })
      await setDeviceCookie(ctx, db, ctx.viewer.id, ctx.session.key)
      await mail(passwordMail(ctx.viewer.email, ctx.services.origin()))
      return done
    },
    'unmetered',
  )
}

/** Gives the same answer for a taken address, whose mail is dropped. */
async function askForChange(ctx: Protected, { email, password }: EmailChange) {
  const { services, viewer } = ctx
  assertOwnSignIn(services.config)
  assertDomain(services.config, email)
  if (email === viewer.email) throw badRequest('This is already your email.')
  const old = await assertOwner(ctx, password)
  services.diskGuard.assertChange()
  await services.limits.consume('accountChanges', `user ${viewer.id}`)
  await countMail(services, ctx.address, email)
  return once(
    ctx,
    async ({ db, mail }) => {
      const token = await createChangeLink(db, viewer.id, email)
      if (old !== null && !(await lockPassword(db, viewer.id, old))) throw passwordChanged()
      const holder = (await findAccount(db, email))?.user
      const link = `${services.origin()}/auth/verify?token=${token}`
      if (holder && !holder.emailVerified)
        await mail(addressInUseMail(email, viewer.username, holder.username, services.origin()))
      else await mail(changeMail(email, viewer.username, link), holder ? 'drop' : 'send')
      // An unproven address may be a stranger's.
      if (viewer.emailVerified) await mail(changeAskedMail(viewer.email, email, services.origin()))
      return { ...done, message: CHANGE_SENT }
    },
    'unmetered',
  )
}

const { get, post, remove } = restCalls('account', accountRouter)

const accountRest = [
  post('/api/auth/password', 'setPassword', 'Set a new password; needs the current one, except after a reset link', success),
  post('/api/account/email', 'changeEmail', 'Email a link to a new address; opening it changes your email', sentAnswer),
  remove('/api/auth/sessions', 'endOtherSessions', 'End all other sessions', success),
  remove('/api/auth/sessions/:sessionId', 'endSession', 'End a session', success),
  get('/api/account', 'security', 'Your sessions, and what deleting your account would delete', security),
  remove(
    '/api/account',
    'delete',
    'Delete your account and the boards you created; your work on other boards stays under “Former member”',
    success,
  ),
]

export const accountDomain = { router: accountRouter, rest: accountRest, routes: accountRoutes, shapes: { Security: security } }
