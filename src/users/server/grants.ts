import type { Db } from '../../db/client'
import type { AnnounceGrant, Granted } from '../../server/granted'
import type { SignedIn } from '../../server/session'
import { findByUnsubscribeToken } from './lookup'

/** To change what boards show of one's own account: `boards` are those boards, locked. */
export type ProfileGrant = Granted<{ viewer: SignedIn; boards: AnnounceGrant[] }, 'profile:change'>

/** To end mails by the link that stands in each of them. */
export type UnsubscribeGrant = Granted<{ id: number }, 'mails:end'>

/** Null for a link that nobody has. */
export async function grantUnsubscribing(db: Db, token: string): Promise<UnsubscribeGrant | null> {
  const userId = await findByUnsubscribeToken(db, token)
  return userId === undefined ? null : ({ id: userId } as UnsubscribeGrant)
}
