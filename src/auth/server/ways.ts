import type { Config } from '../../config'
import { isForDevelopers } from '../../server/developer'
import { forbidden } from '../../server/errors'
import { domainOf, domainRefusal, providerOnly } from '../basics'

/** Whether the first account is the operator's; elsewhere it is whose the setup link, or OPERATOR_EMAIL, makes it. */
export const isFirstOperator = (config: Config): boolean => !config.operatorEmail && isForDevelopers(config)

/** Throws FORBIDDEN where only the issuer signs people in. */
export function assertOwnSignIn({ onlyOidc, oidc }: Config): void {
  if (onlyOidc) throw forbidden(providerOnly(oidc?.name ?? ''))
}

/** Throws FORBIDDEN for an address with which nobody could make an account, so that no invitation is mailed to no purpose. */
export function assertInvitable({ signUp, signUpDomains }: Config, email: string): void {
  if (signUp === 'closed') throw forbidden(NOBODY_NEW)
  if (signUpDomains && !signUpDomains.includes(domainOf(email))) throw forbidden(`${domainRefusal(signUpDomains)} ${NOT_SENT}`)
}

const NOT_SENT = 'No invitation was sent.'
/** The same for an account that hides the address. */
const NOBODY_NEW = `No account shows this email, and nobody can make one here. ${NOT_SENT} You can add people by their username.`

/** Throws FORBIDDEN for an address of another domain than those that may register. */
export function assertDomain({ signUpDomains }: Config, email: string): void {
  if (signUpDomains && !signUpDomains.includes(domainOf(email))) throw forbidden(domainRefusal(signUpDomains))
}
