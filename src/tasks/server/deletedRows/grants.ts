import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/database'
import { deletedRows } from '../../../db/schema'
import { notFound } from '../../../server/errors'
import type { Granted } from '../../../server/granted'
import type { SignedIn } from '../../../server/signedIn'
import { grantTask, type TaskGrant } from '../grants'
import { deletedJustNow } from '../lookup'

export type RowKind = (typeof deletedRows.kind)['enumValues'][number]
export type RowGrant<Kind extends RowKind> = TaskGrant<'change'> & Granted<{ kind: Kind; rowId: number }, 'row:restore'>

const NAMES: Record<RowKind, string> = { comment: 'comment', attachment: 'file', entry: 'time entry' }

export const gone = (kind: RowKind) => notFound(`This ${NAMES[kind]} can no longer be brought back.`)

/** To bring back what one has deleted oneself. Throws NOT_FOUND, FORBIDDEN. */
export async function grantRow<Kind extends RowKind>(db: Db, viewer: SignedIn, kind: Kind, rowId: number) {
  const own = and(eq(deletedRows.kind, kind), eq(deletedRows.rowId, rowId), eq(deletedRows.userId, viewer.id))
  const find = () =>
    db
      .select({ taskId: deletedRows.taskId })
      .from(deletedRows)
      .where(and(own, deletedJustNow(deletedRows.deletedAt)))
  const [found] = await find()
  if (!found) throw gone(kind)
  const access = await grantTask(db, viewer, found.taskId, 'change')
  // Again with the board locked, and so that it is not purged meanwhile.
  if ((await find().for('update')).length === 0) throw gone(kind)
  return { ...access, kind, rowId } as RowGrant<Kind>
}
