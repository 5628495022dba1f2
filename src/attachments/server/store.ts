import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { attachments, tasks } from '../../db/tables'
import { conflict } from '../../server/errors'
import { bytesWithThumbnail, claimFiles, postponeFiles } from '../../server/files/store'
import { RESTORABLE_SECONDS } from '../../tasks/schema'
import { type Part, trashRows, untrashRows } from '../../tasks/server/deletedRows.store'
import { cannotRestore, type RowGrant, type TaskGrant } from '../../tasks/server/grants'
import { type Attachment, BOARD_FILES_MAX_BYTES, BOARD_FULL, TASK_FILES_MAX, TASK_FULL } from '../schema'
import type { AttachmentGrant } from './grants'
import { findAttachment, selectAttachments, thumbnailOf, toAttachment } from './lookup'

export async function listAttachments(db: Db, { task }: TaskGrant<'read'>): Promise<Attachment[]> {
  const rows = await selectAttachments(db).where(eq(attachments.taskId, task.id)).orderBy(asc(attachments.id))
  return rows.map(toAttachment)
}

type NewFile = Pick<Attachment, 'filename' | 'originalFilename' | 'fileSize' | 'mimeType'> & { thumbnailSize: number | null }

/** Throws CONFLICT if another file of that many bytes exceeds the board's or the task's quota. */
export async function assertQuota(db: Db, grant: TaskGrant<'change'>, further: number): Promise<void> {
  const { bytes, taskFiles } = await stored(db, grant)
  assertWithin({ bytes: bytes + further, taskFiles: taskFiles + 1 })
}

function assertWithin({ bytes, taskFiles }: { bytes: number; taskFiles: number }) {
  if (taskFiles > TASK_FILES_MAX) throw conflict(TASK_FULL)
  if (bytes > BOARD_FILES_MAX_BYTES) throw conflict(BOARD_FULL)
}

async function stored(db: Db, { board, task }: TaskGrant<'change'>) {
  // Task by task: a join could read the files of all boards.
  const ofTask = db
    .select({
      bytes: sql<number>`sum(${bytesWithThumbnail})`.as('bytes'),
      files: sql<number>`count(*)`.as('files'),
    })
    .from(attachments)
    .where(eq(attachments.taskId, tasks.id))
    .as('of_task')
  const [used] = await db
    .select({
      bytes: sql<number>`coalesce(sum(${ofTask.bytes}), 0)::float8`,
      taskFiles: sql<number>`coalesce(sum(${ofTask.files}) filter (where ${tasks.id} = ${task.id}), 0)::int`,
    })
    .from(tasks)
    .crossJoinLateral(ofTask)
    .where(eq(tasks.boardId, board.id))
  if (!used) throw new Error('the file totals were not returned')
  return used
}

const namesOf = (filename: string, hasThumbnail: boolean) => (hasThumbnail ? [filename, thumbnailOf(filename)] : [filename])

/** Only for files announced with `expectFiles`. Throws CONFLICT. */
export async function createAttachment(db: Db, grant: TaskGrant<'change'>, file: NewFile): Promise<Attachment> {
  const { task, viewer } = grant
  await assertQuota(db, grant, file.fileSize + (file.thumbnailSize ?? 0))
  await claimFiles(db, namesOf(file.filename, file.thumbnailSize !== null))
  const [row] = await db
    .insert(attachments)
    .values({ ...file, taskId: task.id, userId: viewer.id, fileUrl: `/uploads/${file.filename}` })
    .returning({ id: attachments.id })
  const created = row && (await findAttachment(db, row))
  if (!created) throw new Error('the new attachment was not returned')
  return created
}

const partsOf = (attachmentId: number): Part[] => [{ table: attachments, where: eq(attachments.id, attachmentId) }]

const FILES_KEPT_SECONDS = 2 * RESTORABLE_SECONDS

/** A trigger queues its files for deletion. */
export async function deleteAttachment(db: Db, { viewer, attachment }: AttachmentGrant<'delete'>): Promise<void> {
  const { id: rowId, taskId, filename, thumbnailUrl } = attachment
  await trashRows(db, { kind: 'attachment', rowId, taskId, userId: viewer.id }, partsOf(rowId))
  await postponeFiles(db, namesOf(filename, thumbnailUrl !== null), FILES_KEPT_SECONDS)
}

/** Throws CONFLICT if its space is taken by now. */
export async function restoreAttachment(db: Db, grant: RowGrant<'attachment'>): Promise<Attachment> {
  await untrashRows(db, grant, partsOf(grant.rowId))
  const attachment = await findAttachment(db, { id: grant.rowId })
  // Its uploader's account is gone.
  if (!attachment) throw cannotRestore('attachment')
  assertWithin(await stored(db, grant))
  await claimFiles(db, namesOf(attachment.filename, attachment.thumbnailUrl !== null))
  return attachment
}
