import { and, eq } from 'drizzle-orm'
import { mayDeleteTask, mayRestoreTask } from '../../access'
import { assertUnlocked } from '../../boards/server/grants'
import { type BoardRow, findBoardAsMember, lockBoard } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { atOnce } from '../../db/statements'
import { deletedRows } from '../../db/tables'
import { forbidden, notFound } from '../../server/errors'
import type { Granted, SignedIn } from '../../server/signedIn'
import type { Task } from '../schema'
import { boardOfAnyTask, type DeletedTaskRow, deletedJustNow, findTaskAsMember, lockBoardOfTask, lockDeletedTask } from './lookup'

type TaskAccess = { viewer: SignedIn; board: BoardRow; task: Task }

export type TaskGrant<Right extends TaskRight> = Granted<
  TaskAccess,
  `task:${Right}` | 'task:read' | 'board:read' | (Right extends 'read' ? never : 'board:change' | 'announce')
>
export type RestoreGrant = Granted<{ viewer: SignedIn; board: BoardRow; deleted: DeletedTaskRow }, 'task:restore' | 'announce'>

const rules = {
  change: { may: () => true, refusal: '' },
  delete: { may: mayDeleteTask, refusal: "You don't have permission to delete this task." },
} satisfies Record<string, { may(viewer: SignedIn, board: BoardRow, task: Task): boolean; refusal: string }>
export type TaskRight = keyof typeof rules | 'read'

const MISSING = 'Task not found'

export const grantTaskReading = async (db: Db, viewer: SignedIn, taskId: number) =>
  (await requireMemberOfTask(db, viewer, taskId)) as TaskGrant<'read'>

export async function grantTask<R extends keyof typeof rules>(db: Db, viewer: SignedIn, taskId: number, right: R) {
  const access = await lockTask(db, viewer, taskId)
  assertUnlocked(viewer, access.board)
  const { may, refusal } = rules[right]
  if (!may(viewer, access.board, access.task)) throw forbidden(refusal)
  return access as TaskGrant<R | 'change'>
}

export async function grantRestoring(db: Db, viewer: SignedIn, taskId: number): Promise<RestoreGrant> {
  const boardId = await lockBoardOfTask(db, taskId)
  const board = boardId === undefined ? undefined : await findBoardAsMember(db, viewer.id, boardId)
  const deleted = board && (await lockDeletedTask(db, board.id, taskId))
  if (!board || !deleted || !mayRestoreTask(viewer, board, deleted)) throw notFound('This task can no longer be restored.')
  assertUnlocked(viewer, board)
  return { viewer, board, deleted } as RestoreGrant
}

/** Locks its board and reads under the lock, in one round trip. Throws NOT_FOUND with the message `missing`. */
export async function lockTask(db: Db, viewer: SignedIn, taskId: number, missing = MISSING): Promise<TaskAccess> {
  const boardId = await boardOfAnyTask(db, taskId)
  if (boardId === undefined) throw notFound(missing)
  const [, access] = await atOnce([lockBoard(db, boardId), requireMemberOfTask(db, viewer, taskId, missing)])
  return access
}

export async function requireMemberOfTask(db: Db, viewer: SignedIn, taskId: number, missing = MISSING): Promise<TaskAccess> {
  const found = await findTaskAsMember(db, viewer.id, taskId)
  if (!found) throw notFound(missing)
  return { viewer, ...found }
}

export type RowKind = (typeof deletedRows.kind)['enumValues'][number]
export type RowGrant<Kind extends RowKind> = TaskGrant<'change'> & Granted<{ kind: Kind; rowId: number }, 'row:restore'>

const NAMES: Record<RowKind, string> = { comment: 'comment', attachment: 'file', entry: 'time entry' }

export const cannotRestore = (kind: RowKind) => notFound(`This ${NAMES[kind]} can no longer be restored.`)

/** Users may bring back only what they deleted themselves. Throws NOT_FOUND, FORBIDDEN. */
export async function grantRow<Kind extends RowKind>(db: Db, viewer: SignedIn, kind: Kind, rowId: number) {
  const own = and(eq(deletedRows.kind, kind), eq(deletedRows.rowId, rowId), eq(deletedRows.userId, viewer.id))
  const find = () =>
    db
      .select({ taskId: deletedRows.taskId })
      .from(deletedRows)
      .where(and(own, deletedJustNow(deletedRows.deletedAt)))
  const [found] = await find()
  if (!found) throw cannotRestore(kind)
  const access = await grantTask(db, viewer, found.taskId, 'change')
  // Again under the board's lock, and locked against purging.
  if ((await find().for('update')).length === 0) throw cannotRestore(kind)
  return { ...access, kind, rowId } as RowGrant<Kind>
}
