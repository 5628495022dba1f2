import type { Db } from '../../db/database'
import { unauthorized } from '../../server/errors'
import type { Granted } from '../../server/granted'
import type { OwnUser } from '../../users/schema'
import type { Claims } from './identityProviders'
import { findAccount, lockLink, type MailedLink, type ProviderId } from './lookup'

/** Somebody has shown that the account's address is theirs. */
export type AddressGrant = Granted<{ user: Pick<OwnUser, 'id' | 'email'> }, 'address:prove'>

export type LinkGrant = Granted<{ user: OwnUser; hasPassword: boolean; link: MailedLink }, 'address:prove' | 'link:use'>
export type ProviderGrant = Granted<{ user: OwnUser; provider: ProviderId; subject: string }, 'address:prove' | 'account:link'>

/** Until the transaction ends, nobody else can use a link to the same address. Throws UNAUTHORIZED. */
export async function grantByLink(db: Db, token: string): Promise<LinkGrant> {
  const link = await lockLink(db, token)
  const account = link && (await findAccount(db, link.email))
  if (!account) throw unauthorized('This link is invalid or has expired.')
  return { user: account.user, hasPassword: account.password !== null, link } as LinkGrant
}

/** Undefined where nobody has an account with the address for which the provider vouches. */
export async function grantByProvider(db: Db, provider: ProviderId, { email, subject }: Claims) {
  const account = await findAccount(db, email)
  return account && ({ user: account.user, provider, subject } as ProviderGrant)
}
