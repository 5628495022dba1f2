import type { Context } from '../../server/context'
import { ownCookie } from '../../server/cookies'
import { hashToken, newToken } from '../../server/tokens'

const COOKIE = 'asked'
const COOKIE_SECONDS = 86_400

/** What a link, or a count, knows the browser by; undefined for one that has asked for nothing yet. */
export function askingBrowser(ctx: Context): string | undefined {
  const own = cookieOf(ctx)
  return own && hashToken(own)
}

const cookieOf = ({ cookie }: Context) => /^[\w-]{43}$/.exec(cookie(COOKIE) ?? '')?.[0]

/** Gives the browser that asks for a link a cookie, if it has none; returns by what the link knows it again. */
export function noteAsking(ctx: Context): string {
  const own = cookieOf(ctx) ?? newToken()
  ctx.headers.append('Set-Cookie', ownCookie(COOKIE, own, ctx.services.origin().startsWith('https:'), COOKIE_SECONDS))
  return hashToken(own)
}

export const hasAsked = (ctx: Context, { askedBy }: { askedBy: string | null }): boolean => askedBy === askingBrowser(ctx)
