import { and, asc, eq, getTableColumns, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { attachments, tasks, unwantedFiles, users } from '../../db/schema'
import { conflict } from '../../server/errors'
import type { AttachmentGrant, TaskGrant } from '../../server/grants'
import { summaryOf } from '../../users/schema'
import { type Attachment, BOARD_FULL, BOARD_HOLDS, TASK_FULL, TASK_HOLDS } from '../schema'

const columns = {
  ...getTableColumns(attachments),
  user: summaryOf(users),
}
const read = (db: Db) => db.select(columns).from(attachments).innerJoin(users, eq(users.id, attachments.userId)).$dynamic()
type Row = Awaited<ReturnType<typeof read>>[number]

const toAttachment = (row: Row): Attachment => ({ ...row, createdAt: row.createdAt.toISOString() })

/** By its id, or by the name of its file, whoever asks: for grants. */
export async function findAttachment(db: Db, key: { id: number } | { filename: string }): Promise<Attachment | undefined> {
  const [row] = await read(db).where('id' in key ? eq(attachments.id, key.id) : eq(attachments.filename, key.filename))
  return row && toAttachment(row)
}

/** The attachments of a task, oldest first. */
export async function listAttachments(db: Db, { task }: TaskGrant<'read'>): Promise<Attachment[]> {
  const rows = await read(db).where(eq(attachments.taskId, task.id)).orderBy(asc(attachments.id))
  return rows.map(toAttachment)
}

type NewFile = { filename: string; originalFilename: string; fileSize: number; mimeType: string }

/** Whether a file has room on the board and at the task. Throws CONFLICT. */
export async function assertRoom(db: Db, { board, task }: TaskGrant<'change'>, fileSize: number): Promise<void> {
  const [held] = await db
    .select({
      bytes: sql<number>`coalesce(sum(${attachments.fileSize}), 0)::float8`,
      ofTask: sql<number>`count(*) filter (where ${attachments.taskId} = ${task.id})::int`,
    })
    .from(attachments)
    .innerJoin(tasks, eq(tasks.id, attachments.taskId))
    .where(eq(tasks.boardId, board.id))
  if (!held || held.ofTask >= TASK_HOLDS) throw conflict(TASK_FULL)
  if (held.bytes + fileSize > BOARD_HOLDS) throw conflict(BOARD_FULL)
}

/** Attaches a file that is in the store, and was expected there. Throws CONFLICT. */
export async function createAttachment(db: Db, grant: TaskGrant<'change'>, file: NewFile): Promise<Attachment> {
  const { task, viewer } = grant
  await assertRoom(db, grant, file.fileSize)
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

/** A file that is about to be written: if its attachment does not follow within an hour, it goes. */
export async function expectFile(db: Db, name: string): Promise<void> {
  await db.insert(unwantedFiles).values({ name, dueAt: sql`now() + interval '1 hour'` })
}

/** The expected file is wanted from now on. Throws CONFLICT where its hour is over. */
export async function claimFile(db: Db, name: string): Promise<void> {
  const expected = await db
    .delete(unwantedFiles)
    .where(and(eq(unwantedFiles.name, name), gt(unwantedFiles.dueAt, sql`now()`)))
    .returning()
  if (expected.length === 0) throw conflict('The upload took too long. Please try again.')
}

/** The expected file will not get its attachment. */
export async function dropFile(db: Db, name: string): Promise<void> {
  await db.update(unwantedFiles).set({ dueAt: sql`now()` }).where(eq(unwantedFiles.name, name))
}

const AT_ONCE = 20

/** Some of the files that are to be deleted, those first that wait longest. */
export async function unwantedNames(db: Db): Promise<string[]> {
  const rows = await db
    .select({ name: unwantedFiles.name })
    .from(unwantedFiles)
    // As precise as the column, which rounds: what was just dropped is due.
    .where(lte(unwantedFiles.dueAt, sql`now()::timestamptz(3)`))
    .orderBy(asc(unwantedFiles.dueAt))
    .limit(AT_ONCE)
  return rows.map(({ name }) => name)
}

/** These are deleted. */
export async function forgetFiles(db: Db, names: string[]): Promise<void> {
  await db.delete(unwantedFiles).where(inArray(unwantedFiles.name, names))
}

/** These could not be deleted: they are tried again in a while, after others. */
export async function keepFilesForLater(db: Db, names: string[]): Promise<void> {
  const later = sql`now() + interval '5 minutes'`
  await db.update(unwantedFiles).set({ dueAt: later }).where(inArray(unwantedFiles.name, names))
}
