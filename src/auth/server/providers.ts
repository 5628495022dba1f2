import type { Config } from '../../config'

/** Who else one can sign in with. */
export const providersOf = ({ google, github, oidc, onlyOidc }: Config) => [
  ...(google && !onlyOidc ? [{ id: 'google' as const, name: 'Google' }] : []),
  ...(github && !onlyOidc ? [{ id: 'github' as const, name: 'GitHub' }] : []),
  ...(oidc ? [{ id: 'oidc' as const, name: oidc.name }] : []),
]
