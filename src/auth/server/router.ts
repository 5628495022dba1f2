import type { Config } from '../../config'
import { done } from '../../schema'
import { conflict, notFound, unauthorized } from '../../server/errors'
import { guarded } from '../../server/rateLimits'
import { anyone, type Context, commit, router, signedIn } from '../../server/trpc'
import {
  credentials,
  forgotten,
  LINK_MINUTES,
  LINK_SENT,
  type LinkPurpose,
  linkRequest,
  RESET_SENT,
  registration,
  verification,
} from '../schema'
import { linkMail } from './mails'
import { hashPassword, isPassword } from './passwords'
import { signIn } from './sessions'
import { createLink, createUser, developer, findAccount, holdPassword, takeLink } from './store'

export const authRouter = router({
  /** The signed-in user, or null. */
  session: anyone.query(({ ctx }) => ctx.session?.user ?? null),

  /** What the public pages need to know of this server. */
  options: anyone.query(({ ctx: { parts } }) => ({
    devLogin: !parts.config.production,
    simulatedPayment: !parts.config.production && !parts.config.stripe,
    supportEmail: parts.config.supportEmail,
    providers: providersOf(parts.config),
  })),

  me: signedIn.query(({ ctx }) => ctx.viewer),

  register: anyone.input(registration).mutation(async ({ ctx, input: { remember, password, ...given } }) => {
    await ctx.parts.limits.spend('registrations', ctx.address)
    const hash = await hashPassword(password)
    return commit(ctx.parts, async (within) => {
      const user = await createUser(within.db, { ...given, password: hash })
      if ('taken' in user) throw conflict(user.taken === 'email' ? 'Email already in use' : 'Username already taken')
      await signIn(ctx, user.id, { remember }, within)
      return user
    })
  }),

  login: anyone.input(credentials).mutation(async ({ ctx, input }) => {
    const account = await findAccount(ctx.db, input.username)
    if (account) await ctx.parts.limits.spend('logins', `account ${account.user.id}`)
    const right = await guarded(ctx, account?.user.id ?? input.username, () => isPassword(input.password, account?.password))
    if (!account?.password || !right) throw badCredentials()
    const { user, password } = account
    return commit(ctx.parts, async (within) => {
      // A change of the password ends the sessions that are there: none may come after it by the old one.
      if (!(await holdPassword(within.db, user.id, password))) throw badCredentials()
      await signIn(ctx, user.id, input, within)
      return user
    })
  }),

  /** Mails a link that signs in and lets one set a new password. */
  forgotPassword: anyone.input(forgotten).mutation(async ({ ctx, input: { email } }) => {
    await sendLink(ctx, email, 'reset', false)
    return { ...done, message: RESET_SENT }
  }),

  /** Mails a link that signs in. */
  magicLink: anyone.input(linkRequest).mutation(async ({ ctx, input: { email, remember } }) => {
    await sendLink(ctx, email, 'sign-in', remember)
    return { ...done, message: LINK_SENT }
  }),

  /** Signs in whoever holds a link, once. */
  verify: anyone.input(verification).mutation(({ ctx, input: { token, remember } }) =>
    commit(ctx.parts, async (within) => {
      const link = await takeLink(within.db, token)
      const account = link && (await findAccount(within.db, link.email))
      if (!account) throw unauthorized('This link is invalid or has expired.')
      await signIn(ctx, account.user.id, { remember, mayResetUntil: link.purpose === 'reset' ? soon() : undefined }, within)
      return { user: account.user, purpose: link.purpose }
    }),
  ),

  logout: anyone.mutation(async ({ ctx }) => {
    const { session, parts } = ctx
    if (!session) return done
    await commit(parts, async ({ db, outbox }) => {
      await parts.sessions.endKey(session.key, db)
      outbox.push({ do: 'close', sessionKey: session.key })
    })
    ctx.headers.append('Set-Cookie', parts.sessions.cleared())
    return done
  }),

  /** Signs in as the developer's account, which is made at its first use. Not found in production. */
  devLogin: anyone.mutation(async ({ ctx }) => {
    if (ctx.parts.config.production) throw notFound()
    const user = await developer(ctx.db)
    await commit(ctx.parts, (within) => signIn(ctx, user.id, { remember: true }, within))
    return { success: true, user }
  }),
})

const badCredentials = () => unauthorized('Invalid username or password')

const soon = () => new Date(Date.now() + LINK_MINUTES * 60_000)

/** Does the same for addresses that nobody has, down to the mail, so that both take the same time. */
async function sendLink({ parts, address }: Context, email: string, purpose: LinkPurpose, remember: boolean) {
  await parts.limits.spend('mails', address, email)
  await commit(parts, async ({ db, mail }) => {
    const account = await findAccount(db, email)
    const token = await createLink(db, email, purpose)
    const link = `${parts.origin()}/auth/verify?token=${token}${remember ? '&remember=1' : ''}`
    await mail(linkMail(email, purpose, link), account ? 'send' : 'drop')
  })
}

const providersOf = ({ google, github, oidc }: Config) => [
  ...(google ? [{ id: 'google' as const, name: 'Google' }] : []),
  ...(github ? [{ id: 'github' as const, name: 'GitHub' }] : []),
  ...(oidc ? [{ id: 'oidc' as const, name: oidc.name }] : []),
]
