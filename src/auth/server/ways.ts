import type { Config } from '../../config'
import { forbidden } from '../../server/errors'
import { domainOf, domainRefusal, providerOnly } from '../basics'

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
const NOBODY_NEW = `Nobody has an account with this email, and nobody can make one here. ${NOT_SENT}`

/** Throws FORBIDDEN for an address of another domain than those that may register. */
export function assertDomain({ signUpDomains }: Config, email: string): void {
  if (signUpDomains && !signUpDomains.includes(domainOf(email))) throw forbidden(domainRefusal(signUpDomains))
}
