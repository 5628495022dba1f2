import type { Config } from '../../config'
import { forbidden } from '../../server/errors'
import { domainOf, domainRefusal, providerOnly } from '../basics'

/** Throws FORBIDDEN where only the issuer signs people in. */
export function assertOwnSignIn({ onlyOidc, oidc }: Config): void {
  if (onlyOidc) throw forbidden(providerOnly(oidc?.name ?? ''))
}

/** Throws FORBIDDEN for an address of another domain than those that may register. */
export function assertDomain({ signUpDomains }: Config, email: string): void {
  if (signUpDomains && !signUpDomains.includes(domainOf(email))) throw forbidden(domainRefusal(signUpDomains))
}
