import type { Config } from '../../config'
import type { Db } from '../../db/database'
import { admitByInvitation } from '../../invitations/server/store'
import { forbidden, notFound } from '../../server/errors'
import type { OwnUser } from '../../users/schema'
import { hasOperator } from '../../users/server/lookup'
import { BY_INVITATION, SETUP_OVER, SIGN_UP_CLOSED } from '../basics'
import { findAccount, isClaimed, isSetupToken, lockLink } from './lookup'
import { claimInstallation, createFromAddress } from './store'
import { assertDomain, isFirstOperator } from './ways'

type Newcomer = { email: string; invitation?: string | undefined; setup?: string | undefined; isVouched?: boolean }

/** In the transaction that makes the account: whether it is the operator's at once, as the first one. Throws FORBIDDEN, NOT_FOUND. */
export async function admit(
  db: Db,
  config: Config,
  { email, invitation, setup, isVouched }: Newcomer,
): Promise<{ operator: boolean }> {
  assertDomain(config, email)
  if (setup !== undefined) {
    if (!(await isSetupToken(db, setup))) throw notFound(SETUP_OVER)
    return { operator: false }
  }
  const isProven = !config.signUpDomains || isVouched
  if (isProven && (await claimInstallation(db, config))) return { operator: true }
  const isAwaited = isFirstOperator(config) ? !(await isClaimed(db)) : isVouched && (await isAwaitedByEmail(db, config, email))
  if (isAwaited) return { operator: false }
  if (config.signUp === 'closed') throw forbidden(SIGN_UP_CLOSED)
  if (config.signUp === 'invited' && !(await admitByInvitation(db, { token: invitation, ...(isVouched && { email }) })))
    throw forbidden(BY_INVITATION)
  return { operator: false }
}

/** Where not everybody may make an account: the one with OPERATOR_EMAIL, while nobody operates, is made once it is proven. */
export const isAwaitedByEmail = async (db: Db, config: Config, email: string): Promise<boolean> =>
  config.signUp !== 'open' && email === config.operatorEmail && !(await hasOperator(db))

/** Of a link mailed to an awaited address that nobody has: makes the account, which whoever reads the mail is to have. */
export async function admitByLink(db: Db, config: Config, token: string): Promise<OwnUser | undefined> {
  const link = await lockLink(db, token)
  if (!link?.mailed || link.userId !== null || !(await isAwaitedByEmail(db, config, link.email))) return undefined
  if (await findAccount(db, link.email)) return undefined
  return createFromAddress(db, { email: link.email })
}
