import { and, eq } from 'drizzle-orm'
import { ACCOUNT_DISABLED } from '../../auth/limits'
import { type BoardGrant, grantBoardReading } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { users } from '../../db/tables'
import { forbidden, notFound } from '../../server/errors'
import { type Granted, onBehalfOf, type SignedIn } from '../../server/signedIn'
import { hasAccount, ownColumns } from '../../users/server/lookup'
import { findImport, type ImportRow, lockImport } from './lookup'

export type ImportGrant<Right extends 'read' | 'change'> = Granted<{ viewer: SignedIn; row: ImportRow }, `import:${Right}`>

/** Throws NOT_FOUND unless it is the viewer's. */
export async function grantImport(db: Db, viewer: SignedIn, importId: number): Promise<ImportGrant<'read'>> {
  return granted<'read'>(viewer, await findImport(db, viewer.id, importId))
}

export async function grantChangingImport(db: Db, viewer: SignedIn, importId: number): Promise<ImportGrant<'change'>> {
  return granted<'change'>(viewer, await lockImport(db, viewer.id, importId))
}

function granted<Right extends 'read' | 'change'>(viewer: SignedIn, row: ImportRow | undefined) {
  if (!row) throw notFound('Import not found')
  return { viewer, row } as ImportGrant<Right>
}

/** The owner of a running import, without a session. Throws NOT_FOUND, FORBIDDEN if they are disabled. */
export async function readImporter(db: Db, userId: number): Promise<SignedIn> {
  const [user] = await db
    .select({ own: ownColumns, disabledAt: users.disabledAt })
    .from(users)
    .where(and(eq(users.id, userId), hasAccount))
  if (!user) throw notFound('User not found')
  if (user.disabledAt) throw forbidden(ACCOUNT_DISABLED)
  return onBehalfOf(user.own)
}

/** Only for a board that this transaction has made visible and locks. Throws NOT_FOUND. */
export async function grantFilled(db: Db, viewer: SignedIn, boardId: number): Promise<BoardGrant<'change'>> {
  const { board } = await grantBoardReading(db, viewer, boardId)
  return { viewer, board } as BoardGrant<'change'>
}
