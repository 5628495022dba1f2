import { z } from 'zod'
import { grantInvitedAddress } from '../../invitations/server/grants'
import { done } from '../../protocol'
import { success } from '../../schema'
import type { Context } from '../../server/context'
import { conflict, forbidden, Refusal, unauthorized } from '../../server/errors'
import { repeatOrRun } from '../../server/idempotency.store'
import { countLink, limitAttempts } from '../../server/rateLimits'
import { restCalls } from '../../server/rest'
import { inTransaction, once, type TransactionContext } from '../../server/transaction'
import { mutation, protectedProcedure, publicProcedure, router } from '../../server/trpc'
import { ownUser } from '../../users/schema'
import { announceAccount } from '../../users/server/changes'
import { hasOperator } from '../../users/server/lookup'
import {
  ALREADY_CONFIRMED,
  CONFIRM_SENT,
  credentials,
  LINK_SENT,
  type LinkPurpose,
  linkRequest,
  RESET_SENT,
  registration,
  resetRequest,
  setupToken,
  UNCONFIRMED,
  verification,
} from '../schema'
import { callerOf, setAskedCookie } from './browserCookies'
import { grantSetup } from './grants'
import { findAccount, lockPassword } from './lookup'
import { mailLink, proveAddress, signInDeveloper, verifyLink } from './mailedLinks'
import { assertUncommon, hashPassword, isPassword } from './passwords'
import { authRoutes } from './routes'
import { clearBrowser, offlineUntil, signIn } from './sessions'
import { admit, isAwaitedByEmail, signInOptions } from './signUp'
import { assertOwnSignIn } from './signUpRules'
import { becomeOperator, createUser } from './store'

const authRouter = router({
  session: publicProcedure.query(({ ctx: { session } }) => {
    if (!session) return null
    return { ...session.user, remembered: session.remembered, offlineUntil: offlineUntil(session) }
  }),

  options: publicProcedure.query(async ({ ctx: { services, isDeveloper } }) => ({
    ...(await signInOptions(services, isDeveloper)),
    simulatedPayment: isDeveloper && !services.config.stripe,
    missingOperator: await missingOperator(services),
  })),

  me: protectedProcedure.query(({ ctx }) => ctx.viewer),

  register: publicProcedure
    .input(registration)
    .mutation(async ({ ctx, input: { remember, password, invitation, setup, ...given } }) => {
      const { config, diskGuard } = ctx.services
      assertOwnSignIn(config)
      diskGuard.assertChange()
      await ctx.services.limits.consumeFrom('registrations', ctx.address)
      await assertUncommon(password, 'password')
      const hash = await hashPassword(password)
      return inTransaction(ctx, async (transaction) => {
        const admission = await admit(transaction.db, config, { email: given.email, invitation, setup })
        const user = await createUser(transaction.db, { ...given, ...admission, password: hash })
        if ('taken' in user) throw conflict(user.taken === 'email' ? 'Email already in use' : 'Username already taken')
        const address = invitation === undefined ? null : await grantInvitedAddress(transaction.db, user, invitation)
        if (address) await proveAddress({ ...transaction, services: ctx.services }, address)
        // The setup link needs no proof of the address.
        if (!config.signUpDomains || setup !== undefined || address) await signIn(ctx, user.id, { remember }, transaction)
        if (!address) await mailLink(ctx, transaction, { email: user.email, purpose: 'confirm', remember, delivery: 'send' })
        return { ...user, emailVerified: user.emailVerified || address !== null }
      }).catch(async (error: unknown) => {
        if (error instanceof Refusal && error.code === 'FORBIDDEN') await mailAwaited(ctx, given.email)
        throw error
      })
    }),

  confirmEmail: protectedProcedure.mutation(({ ctx }) =>
    repeatOrRun(ctx, () => {
      const { email, emailVerified } = ctx.viewer
      if (emailVerified) throw conflict(ALREADY_CONFIRMED)
      return sendLink(ctx, { email, purpose: 'confirm', remember: false }, CONFIRM_SENT, (send) => once(ctx, send, 'unmetered'))
    }),
  ),

  login: publicProcedure.input(credentials).mutation(async ({ ctx, input }) => {
    const { config } = ctx.services
    assertOwnSignIn(config)
    const account = await findAccount(ctx.db, input.username)
    const caller = await callerOf(ctx, account)
    // A hidden email is counted apart from its account, or the limit would reveal whose it is.
    const isByHiddenEmail = input.username.includes('@') && account?.user.showEmail === false
    const counted = isByHiddenEmail ? input.username : (account?.user.id ?? input.username)
    const isRight = await limitAttempts(ctx.services, caller, counted, () => isPassword(input.password, account?.password))
    if (!account?.password || !isRight) {
      setAskedCookie(ctx)
      throw badCredentials()
    }
    const { user, password } = account
    // The operator by setup link gets in before proving the address.
    if (config.signUpDomains && !user.emailVerified && !user.operator) throw forbidden(UNCONFIRMED)
    return inTransaction(ctx, async (transaction) => {
      // No session may start with the old password after a change.
      if (!(await lockPassword(transaction.db, user.id, password))) throw badCredentials()
      await signIn(ctx, user.id, input, transaction)
      return user
    })
  }),

  forgotPassword: publicProcedure
    .input(resetRequest)
    .mutation(({ ctx, input: { email } }) => sendLink(ctx, { email, purpose: 'reset', remember: false }, RESET_SENT)),

  magicLink: publicProcedure
    .input(linkRequest)
    .mutation(({ ctx, input: { email, remember } }) => sendLink(ctx, { email, purpose: 'sign-in', remember }, LINK_SENT)),

  verify: publicProcedure.input(verification).mutation(({ ctx, input }) => verifyLink(ctx, input)),

  logout: publicProcedure.mutation(async ({ ctx }) => {
    const { session, services } = ctx
    if (session)
      await inTransaction(
        ctx,
        async ({ db, outbox }) => {
          await services.sessions.end(session.key, db)
          outbox.push({ do: 'closeSession', sessionKey: session.key })
        },
        'deletes',
      )
    clearBrowser(ctx)
    return done
  }),

  setUp: mutation.input(setupToken).mutation(async ({ ctx, input }) => {
    const user = await becomeOperator(ctx.db, await grantSetup(ctx.db, ctx.viewer, input.token))
    announceAccount(ctx.outbox, user)
    ctx.logOnCommit(`operator ${user.username} (${user.id}): became the operator through the setup link`)
    return user
  }),

  devLogin: publicProcedure.mutation(async ({ ctx }) => ({ ...done, user: await signInDeveloper(ctx) })),
})

/** A failure here must not fail the rest. */
async function missingOperator({ db, config }: Context['services']): Promise<'email' | 'link' | null> {
  if (await hasOperator(db).catch(() => true)) return null
  return config.operatorEmail ? 'email' : 'link'
}

/** Mails OPERATOR_EMAIL a sign-in link, which makes its account. */
async function mailAwaited(ctx: Context, email: string): Promise<void> {
  const { services } = ctx
  const { config, db } = services
  if (!config.operatorEmail || config.signUp === 'open' || (await hasOperator(db))) return
  await sendLink(ctx, { email, purpose: 'sign-in', remember: false, onlyAwaited: true }, '')
}

const badCredentials = () => unauthorized('Invalid username or password')

/** `onlyAwaited`: mails only OPERATOR_EMAIL, and only while there is no operator. */
type LinkToSend = { email: string; purpose: Exclude<LinkPurpose, 'change'>; remember: boolean; onlyAwaited?: boolean }

/** Unknown addresses take the same steps, up to a dropped mail, so that timing reveals no account. */
async function sendLink(
  ctx: Context,
  { email, purpose, remember, onlyAwaited = false }: LinkToSend,
  message: string,
  within = (send: Send) => inTransaction(ctx, send),
): Promise<Sent> {
  const { services } = ctx
  assertOwnSignIn(services.config)
  // Before the limits: a full disk must not use them up.
  services.diskGuard.assertChange()
  const known = await findAccount(services.db, email)
  // An unproven address may be a stranger's, so it gets no extra budget.
  await countLink(services, await callerOf(ctx, known?.user.emailVerified ? known : undefined), email)
  return within(async (transaction) => {
    const account = await findAccount(transaction.db, email)
    const isAwaited = await isAwaitedByEmail(transaction.db, services.config, email)
    const isKnown = isAwaited || (account !== undefined && !onlyAwaited)
    await mailLink(ctx, transaction, { email, purpose, remember, delivery: isKnown ? 'send' : 'drop' })
    return { ...done, message }
  })
}

type Sent = typeof done & { message: string }
type Send = (transaction: TransactionContext) => Promise<Sent>

const { get, post, create } = restCalls('auth', authRouter)

const sent = success.extend({ message: z.string() })

const authRest = [
  get('/api/auth/me', 'me', 'The signed-in user', ownUser),
  get('/api/user', 'me', 'The signed-in user; same as /api/auth/me', ownUser, { operationId: 'auth.user' }),
  post('/api/auth/setup', 'setUp', 'Become the operator of a new server, with the token of its setup link', ownUser),
  create('/api/auth/register', 'register', 'Create an account and sign in, unless the email must be confirmed first', ownUser, {
    refuses: [409],
  }),
  post('/api/auth/login', 'login', 'Sign in with a username or email and a password', ownUser, { refuses: [401] }),
  post('/api/auth/logout', 'logout', 'Sign out', success),
  post('/api/logout', 'logout', 'Sign out; same as /api/auth/logout', success, { operationId: 'auth.signOut' }),
  post(
    '/api/auth/dev-login-json',
    'devLogin',
    'Sign in as the developer, on a developer’s own machine',
    success.extend({ user: ownUser }),
    { refuses: [404] },
  ),
  post('/api/auth/forgot-password', 'forgotPassword', 'Email a link to set a new password', sent),
  post('/api/auth/magic-link', 'magicLink', 'Email a sign-in link', sent),
  post('/api/auth/confirm-email', 'confirmEmail', 'Send another link that confirms your email', sent),
]

export const authDomain = { router: authRouter, rest: authRest, routes: authRoutes }
