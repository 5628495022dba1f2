import type { Db } from '../../db/database'
import type { AnnounceGrant, Granted, SignedIn } from '../../server/signedIn'
import { findByUnsubscribeToken } from './lookup'

/** `boards` show the account, and are locked. */
export type ProfileGrant = Granted<{ viewer: SignedIn; boards: AnnounceGrant[] }, 'profile:change'>

export type UnsubscribeGrant = Granted<{ id: number }, 'mails:end'>

export async function grantUnsubscribing(db: Db, token: string): Promise<UnsubscribeGrant | null> {
  const userId = await findByUnsubscribeToken(db, token)
  return userId === undefined ? null : ({ id: userId } as UnsubscribeGrant)
}
