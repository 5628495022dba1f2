import { grantOwnBoards, type OwnBoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import type { Granted } from '../../server/granted'
import type { SignedIn } from '../../server/signedIn'

/** `boards` are those that the deletion leaves something on, locked. */
export type AccountDeletionGrant = Granted<{ viewer: SignedIn; boards: OwnBoardGrant[] }, 'account:delete'>

/** Throws UNAUTHORIZED, CONFLICT. */
export const grantDeletingAccount = async (db: Db, viewer: SignedIn) =>
  ({ viewer, boards: await grantOwnBoards(db, viewer) }) as AccountDeletionGrant
