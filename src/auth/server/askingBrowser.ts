import type { Context } from '../../server/context'
import { hashToken, newToken } from '../../server/tokens'

const COOKIE = 'asked'
const COOKIE_SECONDS = 86_400

const cookieOf = ({ cookie }: Context) => /^[\w-]{43}$/.exec(cookie(COOKIE) ?? '')?.[0]

/** Gives the browser that asks for a link a cookie, if it has none; returns by what the link knows it again. */
export function noteAsking(ctx: Context): string {
  const own = cookieOf(ctx) ?? newToken()
  const secure = ctx.services.origin().startsWith('https:')
  const cookie = new Bun.Cookie(COOKIE, own, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: COOKIE_SECONDS })
  ctx.headers.append('Set-Cookie', cookie.serialize())
  return hashToken(own)
}

export function hasAsked(ctx: Context, { askedBy }: { askedBy: string | null }): boolean {
  const own = cookieOf(ctx)
  return own !== undefined && askedBy === hashToken(own)
}
