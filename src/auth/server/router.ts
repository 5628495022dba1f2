import { done } from '../../schema'
import type { Context } from '../../server/context'
import { conflict, forbidden, unauthorized } from '../../server/errors'
import { earlierOr } from '../../server/idempotency/once'
import { countMail, limitAttempts } from '../../server/rateLimits'
import { inTransaction, once, type TransactionContext } from '../../server/transaction'
import { protectedProcedure, publicProcedure, router } from '../../server/trpc'
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
  UNCONFIRMED,
  verification,
} from '../schema'
import { admit } from './admission'
import { findAccount, lockPassword } from './lookup'
import { mailLink } from './mailLink'
import { assertUncommon, hashPassword, isPassword } from './passwords'
import { signIn } from './sessions'
import { signInDeveloper, verifyLink } from './signInByLink'
import { signInOptions } from './signInOptions'
import { createUser } from './store'
import { assertOwnSignIn } from './ways'

export const authRouter = router({
  session: publicProcedure.query(({ ctx }) => ctx.session?.user ?? null),

  options: publicProcedure.query(async ({ ctx: { services, isDeveloper } }) => ({
    ...(await signInOptions(services, isDeveloper)),
    simulatedPayment: isDeveloper && !services.config.stripe,
  })),

  me: protectedProcedure.query(({ ctx }) => ctx.viewer),

  register: publicProcedure.input(registration).mutation(async ({ ctx, input: { remember, password, invitation, ...given } }) => {
    const { config, room } = ctx.services
    assertOwnSignIn(config)
    room.assertChange()
    await ctx.services.limits.consume('registrations', ctx.address())
    await assertUncommon(password, 'password')
    const hash = await hashPassword(password)
    return inTransaction(ctx, async (transaction) => {
      const admission = await admit(transaction.db, config, { email: given.email, invitation })
      const user = await createUser(transaction.db, { ...given, ...admission, password: hash })
      if ('taken' in user) throw conflict(user.taken === 'email' ? 'Email already in use' : 'Username already taken')
      if (!config.signUpDomains) await signIn(ctx, user.id, { remember }, transaction)
      await mailLink(ctx, transaction, { email: user.email, purpose: 'confirm', remember, delivery: 'send' })
      return user
    })
  }),

  confirmEmail: protectedProcedure.mutation(({ ctx }) =>
    earlierOr(ctx, () => {
      const { email, emailVerified } = ctx.viewer
      if (emailVerified) throw conflict(ALREADY_CONFIRMED)
      return sendLink(ctx, { email, purpose: 'confirm', remember: false }, CONFIRM_SENT, (send) => once(ctx, send))
    }),
  ),

  login: publicProcedure.input(credentials).mutation(async ({ ctx, input }) => {
    const { config } = ctx.services
    assertOwnSignIn(config)
    const account = await findAccount(ctx.db, input.username)
    const isRight = await limitAttempts(ctx, account?.user.id ?? input.username, () =>
      isPassword(input.password, account?.password),
    )
    if (!account?.password || !isRight) throw badCredentials()
    const { user, password } = account
    if (config.signUpDomains && !user.emailVerified) throw forbidden(UNCONFIRMED)
    return inTransaction(ctx, async (transaction) => {
      // A password change ends all sessions: none may start with the old one after it.
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
    if (!session) return done
    const end = async ({ db, outbox }: TransactionContext) => {
      await services.sessions.end(session.key, db)
      outbox.push({ do: 'closeSession', sessionKey: session.key })
    }
    await inTransaction(ctx, end, 'deletes')
    ctx.headers.append('Set-Cookie', services.sessions.clearCookie())
    return done
  }),

  devLogin: publicProcedure.mutation(async ({ ctx }) => ({ ...done, user: await signInDeveloper(ctx) })),
})

const badCredentials = () => unauthorized('Invalid username or password')

/** Unknown addresses take the same steps, up to a mail to nobody, so timing does not reveal accounts. */
async function sendLink(
  ctx: Context,
  { email, purpose, remember }: { email: string; purpose: Exclude<LinkPurpose, 'change'>; remember: boolean },
  message: string,
  within = (send: Send) => inTransaction(ctx, send),
): Promise<Sent> {
  const { services } = ctx
  assertOwnSignIn(services.config)
  // A full disk must not use up what somebody may ask for once there is room.
  services.room.assertChange()
  await countMail(services, ctx.address(), email)
  return within(async (transaction) => {
    const account = await findAccount(transaction.db, email)
    await mailLink(ctx, transaction, { email, purpose, remember, delivery: account ? 'send' : 'drop' })
    return { ...done, message }
  })
}

type Sent = typeof done & { message: string }
type Send = (transaction: TransactionContext) => Promise<Sent>
