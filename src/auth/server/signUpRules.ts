import type { Config } from '../../config'
import { forbidden } from '../../server/errors'
import { isForDevelopers } from '../../server/origin'
import { domainOf, domainRefusal, providerOnly } from '../limits'

/** Whether the first account becomes the operator, instead of one by setup link or OPERATOR_EMAIL. */
export const isFirstOperator = (config: Config): boolean => !config.operatorEmail && isForDevelopers(config)

export function assertOwnSignIn({ onlyOidc, oidc }: Config): void {
  if (onlyOidc) throw forbidden(providerOnly(oidc?.name ?? ''))
}

/** Throws FORBIDDEN for an address that cannot register, so that no invitation is mailed in vain. */
export function assertInvitable({ signUp, signUpDomains }: Config, email: string): void {
  if (signUp === 'closed') throw forbidden(NOBODY_NEW)
  if (signUpDomains && !signUpDomains.includes(domainOf(email))) throw forbidden(`${domainRefusal(signUpDomains)} ${NOT_SENT}`)
}

const NOT_SENT = 'No invitation was sent.'
/** Also for accounts that hide the address. */
const NOBODY_NEW = `We could not find an account with this email address, and sign-up is closed here. ${NOT_SENT} You can add people by their username.`

export function assertDomain({ signUpDomains }: Config, email: string): void {
  if (signUpDomains && !signUpDomains.includes(domainOf(email))) throw forbidden(domainRefusal(signUpDomains))
}

export const providersOf = ({ google, github, oidc, onlyOidc }: Config) => [
  ...(google && !onlyOidc ? [{ id: 'google' as const, name: 'Google' }] : []),
  ...(github && !onlyOidc ? [{ id: 'github' as const, name: 'GitHub' }] : []),
  ...(oidc ? [{ id: 'oidc' as const, name: oidc.name }] : []),
]
