import type { Config } from '../../config'
import type { Db } from '../../db/database'
import { admitByInvitation } from '../../invitations/server/store'
import { forbidden } from '../../server/errors'
import { BY_INVITATION, SIGN_UP_CLOSED } from '../basics'
import { isClaimed } from './lookup'
import { claimInstallation } from './store'
import { assertDomain } from './ways'

type Newcomer = { email: string; invitation?: string | undefined; isVouched?: boolean }

/** In the transaction that makes the account: whether it is the first one, and so the operator's. Throws FORBIDDEN. */
export async function admit(db: Db, config: Config, { email, invitation, isVouched }: Newcomer): Promise<{ operator: boolean }> {
  assertDomain(config, email)
  const isProven = !config.signUpDomains || isVouched
  if (isProven && (await claimInstallation(db))) return { operator: true }
  // Whoever proves an address first has the installation, so until then anybody may try.
  if (!isProven && !(await isClaimed(db))) return { operator: false }
  if (config.signUp === 'closed') throw forbidden(SIGN_UP_CLOSED)
  if (config.signUp === 'invited' && !(await admitByInvitation(db, { token: invitation, ...(isVouched && { email }) })))
    throw forbidden(BY_INVITATION)
  return { operator: false }
}
