import type { Services } from '../../server/context'
import type { SignInOptions, SignUp } from '../basics'
import { isClaimed } from './lookup'
import { providersOf } from './providers'
import { isFirstOperator } from './ways'

/** On a developer's own machine whoever makes the first account needs no invitation. */
async function signUpOf(services: Services): Promise<SignUp> {
  const { config } = services
  if (config.signUp === 'open' || config.onlyOidc) return config.signUp
  // Where that cannot be read, the page is shown all the same.
  return (await awaitsOperator(services).catch(() => false)) ? 'open' : config.signUp
}

const awaitsOperator = async ({ config, db }: Services): Promise<boolean> => isFirstOperator(config) && !(await isClaimed(db))

export const signInOptions = async (services: Services, devLogin: boolean): Promise<Omit<SignInOptions, 'isSignedOut'>> => ({
  host: new URL(services.origin()).host,
  devLogin,
  supportEmail: services.config.supportEmail,
  providers: providersOf(services.config),
  signUp: await signUpOf(services),
  domains: services.config.signUpDomains ?? null,
  passwords: !services.config.onlyOidc,
  setup: false,
})
