import { isPassword } from '../../auth/server/passwords'
import type { Db } from '../../db/database'
import type { Context } from '../../server/context'
import { badRequest, forbidden } from '../../server/errors'
import { limitOwnAttempts } from '../../server/rateLimits'
import type { Session, SignedIn } from '../../server/signedIn'
import { FRESH_SIGN_IN_MS, WRONG_PASSWORD } from '../schema'
import { passwordOf } from './store'

export type Protected = Context & { session: Session; viewer: SignedIn }

export const isFresh = ({ createdAt }: Session, within = FRESH_SIGN_IN_MS) => createdAt > new Date(Date.now() - within)

/** Null if only the identity provider signs users in: they may have forgotten it. */
export const ownPassword = async ({ services, viewer }: Protected, db: Db = services.db): Promise<string | null> =>
  services.config.onlyOidc ? null : passwordOf(db, viewer)

/** Returns the hash it compared with. Slow: only outside transactions. */
export async function assertPassword(ctx: Protected, given: string | undefined): Promise<string> {
  const hash = await ownPassword(ctx)
  if (hash === null) throw forbidden('This account has no password yet. Request a reset link to set one.')
  if (given === undefined) throw badRequest('Please enter your current password, or request a new reset link.')
  if (!(await limitOwnAttempts(ctx.services, ctx.viewer, () => isPassword(given, hash)))) throw forbidden(WRONG_PASSWORD)
  return hash
}

/** Null for accounts without a password, which need a sign-in within `within` milliseconds. */
export async function assertOwner(
  ctx: Protected,
  password: string | undefined,
  within = FRESH_SIGN_IN_MS,
): Promise<string | null> {
  if ((await ownPassword(ctx)) !== null) {
    if (password === undefined) throw badRequest('Please enter your password.')
    return assertPassword(ctx, password)
  }
  if (!isFresh(ctx.session, within))
    throw forbidden(`To confirm it’s you, please log in again and do this within ${within / 60_000} minutes.`)
  return null
}
