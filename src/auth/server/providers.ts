import type { Config } from '../../config'

/** Who else one can sign in with. */
export const providersOf = ({ google, github, oidc }: Config) => [
  ...(google ? [{ id: 'google' as const, name: 'Google' }] : []),
  ...(github ? [{ id: 'github' as const, name: 'GitHub' }] : []),
  ...(oidc ? [{ id: 'oidc' as const, name: oidc.name }] : []),
]
