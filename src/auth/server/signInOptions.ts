import type { Services } from '../../server/context'
import type { SignInOptions, SignUp } from '../basics'
import { isClaimed } from './lookup'
import { providersOf } from './providers'

/** Whoever makes the first account needs no invitation. */
async function signUpOf({ config, db }: Services): Promise<SignUp> {
  if (config.signUp === 'open' || config.onlyOidc) return config.signUp
  // Where that cannot be read, the page is shown all the same.
  return (await isClaimed(db).catch(() => true)) ? config.signUp : 'open'
}

export const signInOptions = async (services: Services, devLogin: boolean): Promise<SignInOptions> => ({
  host: new URL(services.origin()).host,
  devLogin,
  supportEmail: services.config.supportEmail,
  providers: providersOf(services.config),
  signUp: await signUpOf(services),
  domains: services.config.signUpDomains ?? null,
  passwords: !services.config.onlyOidc,
})
