import type { Config } from '../../config'
import type { Db } from '../../db/database'
import { admitByInvitation } from '../../invitations/server/store'
import type { Services } from '../../server/context'
import { conflict, forbidden, notFound } from '../../server/errors'
import type { OwnUser } from '../../users/schema'
import { hasOperator } from '../../users/server/lookup'
import { BY_INVITATION, SETUP, SETUP_OVER, SIGN_UP_CLOSED, type SignInOptions, type SignUp } from '../limits'
import { becomesOperator, findAccount, isClaimed, isSetupToken, lockLink } from './lookup'
import { assertDomain, isFirstOperator, providersOf } from './signUpRules'
import { appointProven, claimInstallation, createFromAddress, createSetupToken, endSetup } from './store'

type Newcomer = { email: string; invitation?: string | undefined; setup?: string | undefined; isVouched?: boolean }

/** Decides, in the transaction that makes the account, whether it may be made and is the operator. Throws FORBIDDEN, NOT_FOUND. */
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

/** Even if sign-up is restricted, OPERATOR_EMAIL may create its account by proving the address, while there is no operator. */
export const isAwaitedByEmail = async (db: Db, config: Config, email: string): Promise<boolean> =>
  config.signUp !== 'open' && (await becomesOperator(db, config, email))

/** Makes the account of an awaited address from the link mailed there. */
export async function admitByLink(db: Db, config: Config, token: string): Promise<OwnUser | undefined> {
  const link = await lockLink(db, token)
  if (!link?.mailed || link.userId !== null || !(await isAwaitedByEmail(db, config, link.email))) return undefined
  if (await findAccount(db, link.email)) return undefined
  return createFromAddress(db, { email: link.email })
}

const BY_EMAIL = 'the user who confirms OPERATOR_EMAIL becomes the operator'

/** Returns the line about the missing operator that each start logs, with the setup link. */
export async function beginSetup(services: Services): Promise<string | undefined> {
  const { db, config } = services
  await endSetup(db)
  const proven = config.operatorEmail && (await appointProven(db, config.operatorEmail))
  if (proven) return `operator ${proven.username} (${proven.id}): became the operator through OPERATOR_EMAIL`
  if (isFirstOperator(config) || (await hasOperator(db))) return undefined
  const how = config.operatorEmail
    ? BY_EMAIL
    : `the user who opens this link becomes the operator: ${await createSetupLink(services)}`
  return `this server has no operator yet: ${how}`
}

/** Works once, until a newer one is made. Throws CONFLICT if there is an operator or OPERATOR_EMAIL. */
export async function createSetupLink({ db, config, origin }: Services): Promise<string> {
  if (await hasOperator(db)) throw conflict('There is already an operator. To add another, run “wrk user operator NAME”.')
  if (config.operatorEmail) throw conflict(`OPERATOR_EMAIL is set: ${BY_EMAIL}.`)
  return `${origin()}${SETUP}?token=${await createSetupToken(db)}`
}

/** On a developer's own machine the first account needs no invitation. */
async function signUpOf(services: Services): Promise<SignUp> {
  const { config } = services
  if (config.signUp === 'open' || config.onlyOidc) return config.signUp
  // A failure here must not keep the page from loading.
  return (await awaitsOperator(services).catch(() => false)) ? 'open' : config.signUp
}

const awaitsOperator = async ({ config, db }: Services): Promise<boolean> => isFirstOperator(config) && !(await isClaimed(db))

export const supportOf = ({ hasPlans, supportEmail }: Config): string | null => (hasPlans ? supportEmail : null)

export const signInOptions = async (services: Services, devLogin: boolean): Promise<Omit<SignInOptions, 'isSignedOut'>> => ({
  host: new URL(services.origin()).host,
  devLogin,
  supportEmail: supportOf(services.config),
  providers: providersOf(services.config),
  signUp: await signUpOf(services),
  domains: services.config.signUpDomains ?? null,
  passwords: !services.config.onlyOidc,
  setup: false,
})
