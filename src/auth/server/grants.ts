import type { Db } from '../../db/database'
import { forbidden, notFound, unauthorized } from '../../server/errors'
import type { Granted, SignedIn } from '../../server/signedIn'
import type { OwnUser } from '../../users/schema'
import { lockOperators } from '../../users/server/lookup'
import { SETUP_OVER } from '../limits'
import type { Claims } from './identityProviders'
import { findAccount, findAccountOf, isMadeFor, isSetupToken, lockLink, type MailedLink, type ProviderId } from './lookup'

export type AddressGrant = Granted<{ user: Pick<OwnUser, 'id' | 'email'> }, 'address:prove'>

export type LinkGrant = Granted<{ user: OwnUser; hasPassword: boolean; link: MailedLink }, 'address:prove' | 'link:use'>
export type ProviderGrant = Granted<{ user: OwnUser; provider: ProviderId; subject: string }, 'address:prove' | 'account:link'>

/** The signed-in user opened the link sent to their new address. */
export type EmailChangeGrant = Granted<{ user: OwnUser; newEmail: string; link: MailedLink }, 'address:change' | 'link:use'>

/** The signed-in user has the setup link, and there is no operator yet. */
export type SetupGrant = Granted<{ user: { id: number } }, 'operator:first'>

export async function grantSetup(db: Db, { id }: SignedIn, token: string): Promise<SetupGrant> {
  await lockOperators(db)
  if (!(await isSetupToken(db, token))) throw notFound(SETUP_OVER)
  return { user: { id } } as SetupGrant
}

/** Locks the links to the address. Throws UNAUTHORIZED, FORBIDDEN. */
export async function grantByLink(
  db: Db,
  token: string,
  viewer: { id: number } | undefined,
): Promise<LinkGrant | EmailChangeGrant> {
  const link = await lockLink(db, token)
  const account = link && (await findAccountOf(db, link))
  if (!account) throw unauthorized(INVALID_LINK)
  if (link.userId !== null) {
    // A mistyped address would let a stranger in.
    if (link.userId !== viewer?.id) throw forbidden(SIGN_IN_FIRST)
    return { user: account.user, newEmail: link.email, link } as EmailChangeGrant
  }
  if (!link.mailed && !(await isMadeFor(db, link, account.user.id))) throw unauthorized(INVALID_LINK)
  return { user: account.user, hasPassword: account.password !== null, link } as LinkGrant
}

/** Undefined if no account has the address that the provider vouches for. */
export async function grantByProvider(db: Db, provider: ProviderId, { email, subject }: Claims) {
  const account = await findAccount(db, email)
  return account && ({ user: account.user, provider, subject } as ProviderGrant)
}

const INVALID_LINK = 'This link is invalid or has expired.'
const SIGN_IN_FIRST = 'Please log in to the account this link belongs to, then open the link again.'
