import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { attachments, tasks } from '../../db/schema'
import { conflict } from '../../server/errors'
import { claimFile } from '../../server/files/store'
import type { TaskGrant } from '../../tasks/server/grants'
import { type Attachment, BOARD_FULL, BOARD_QUOTA, TASK_FULL, TASK_QUOTA } from '../schema'
import type { AttachmentGrant } from './grants'
import { findAttachment, readAttachments, toAttachment } from './lookup'

/** The attachments of a task, oldest first. */
export async function listAttachments(db: Db, { task }: TaskGrant<'read'>): Promise<Attachment[]> {
  const rows = await readAttachments(db).where(eq(attachments.taskId, task.id)).orderBy(asc(attachments.id))
  return rows.map(toAttachment)
}

type NewFile = { filename: string; originalFilename: string; fileSize: number; mimeType: string }

/** Throws CONFLICT where the board's or the task's quota does not allow a further file. */
export async function assertQuota(db: Db, { board, task }: TaskGrant<'change'>, fileSize: number): Promise<void> {
  const [held] = await db
    .select({
      bytes: sql<number>`coalesce(sum(${attachments.fileSize}), 0)::float8`,
      ofTask: sql<number>`count(*) filter (where ${attachments.taskId} = ${task.id})::int`,
    })
    .from(attachments)
    .innerJoin(tasks, eq(tasks.id, attachments.taskId))
    .where(eq(tasks.boardId, board.id))
  if (!held || held.ofTask >= TASK_QUOTA) throw conflict(TASK_FULL)
  if (held.bytes + fileSize > BOARD_QUOTA) throw conflict(BOARD_FULL)
}

/** Attaches a file that is in the store, and was expected there. Throws CONFLICT. */
export async function createAttachment(db: Db, grant: TaskGrant<'change'>, file: NewFile): Promise<Attachment> {
  const { task, viewer } = grant
  await assertQuota(db, grant, file.fileSize)
  await claimFile(db, file.filename)
  const [row] = await db
    .insert(attachments)
    .values({ ...file, taskId: task.id, userId: viewer.id, fileUrl: `/uploads/${file.filename}` })
    .returning({ id: attachments.id })
  const created = row && (await findAttachment(db, row))
  if (!created) throw new Error('the new attachment was not returned')
  return created
}

/** Deletes an attachment; a trigger notes that its file is to go. */
export async function deleteAttachment(db: Db, { attachment }: AttachmentGrant<'delete'>): Promise<void> {
  await db.delete(attachments).where(eq(attachments.id, attachment.id))
}
