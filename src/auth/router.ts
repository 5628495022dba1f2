import { done } from '../inputs'
import { conflict, notFound, unauthorized } from '../server/errors'
import { guarded } from '../server/limits'
import { anyone, router, signedIn } from '../server/trpc'
import { credentials, registration } from './inputs'
import { createUser, developer, findAccount } from './store'

/**
 * A hash of nothing anyone knows, so that an unknown user takes as long to refuse as a wrong password. Made once,
 * with the settings of Bun.password: making it at each start took half of the start.
 */
const NOBODYS_HASH =
  '$argon2id$v=19$m=65536,t=2,p=1$oKiC1LJHGgGlz1/tiTtw/0r2FKdHVJC+wCChvfNUFFQ$M4cpjv20Y6SnrZAviplOBKJSaPu3rc62LEswuGAsIIk'

export const authRouter = router({
  /** The signed-in user, or null. */
  session: anyone.query(({ ctx }) => ctx.session?.user ?? null),

  /** What the public pages need to know of this server. */
  options: anyone.query(({ ctx: { parts } }) => ({
    devLogin: !parts.config.production,
    supportEmail: parts.config.supportEmail,
  })),

  me: signedIn.query(({ ctx }) => ctx.viewer),

  register: anyone.input(registration).mutation(async ({ ctx, input: { remember, password, ...given } }) => {
    await ctx.parts.limits.spend('registrations', ctx.address)
    const user = await createUser(ctx.db, { ...given, password: await Bun.password.hash(password) })
    if ('taken' in user) throw conflict(user.taken === 'email' ? 'Email already in use' : 'Username already taken')
    ctx.headers.append('Set-Cookie', await ctx.parts.sessions.start(user.id, remember))
    return user
  }),

  login: anyone.input(credentials).mutation(async ({ ctx, input }) => {
    const account = await findAccount(ctx.db, input.username)
    const right = await guarded(ctx, account?.user.id ?? input.username, async () => {
      const matches = await Bun.password.verify(input.password, account?.password ?? NOBODYS_HASH)
      return matches && !!account?.password
    })
    if (!account || !right) throw unauthorized('Invalid username or password')
    ctx.headers.append('Set-Cookie', await ctx.parts.sessions.start(account.user.id, input.remember))
    return account.user
  }),

  logout: anyone.mutation(async ({ ctx }) => {
    if (!ctx.session) return done
    ctx.headers.append('Set-Cookie', await ctx.parts.sessions.end(ctx.session))
    ctx.parts.hub.send([{ do: 'close', sessionKey: ctx.session.key }])
    return done
  }),

  /** Signs in as the developer's account, which is made at its first use. Not found in production. */
  devLogin: anyone.mutation(async ({ ctx }) => {
    if (ctx.parts.config.production) throw notFound()
    const user = await developer(ctx.db)
    ctx.headers.append('Set-Cookie', await ctx.parts.sessions.start(user.id, true))
    return { success: true, user }
  }),
})
