import { and, asc, eq, gt, inArray, like, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { attachments, unwantedFiles, users } from '../../db/schema'
import { conflict } from '../errors'

/** Announces a file before it is written: unless claimed within an hour, it is deleted. */
export async function expectFile(db: Db, name: string): Promise<void> {
  await db.insert(unwantedFiles).values({ name, dueAt: sql`now() + interval '1 hour'` })
}

/** Keeps an expected file. Throws CONFLICT if its hour is over. */
export async function claimFile(db: Db, name: string): Promise<void> {
  const expected = await db
    .delete(unwantedFiles)
    .where(and(eq(unwantedFiles.name, name), gt(unwantedFiles.dueAt, sql`now()`)))
    .returning()
  if (expected.length === 0) throw conflict('The upload took too long. Please try again.')
}

/** Keeps the file of a row that was just deleted for as long as the row may come back. */
export async function postponeFile(db: Db, name: string, seconds: number): Promise<void> {
  const later = sql`now() + ${seconds} * interval '1 second'`
  await db.update(unwantedFiles).set({ dueAt: later }).where(eq(unwantedFiles.name, name))
}

export async function dropFile(db: Db, name: string): Promise<void> {
  await db.update(unwantedFiles).set({ dueAt: sql`now()` }).where(eq(unwantedFiles.name, name))
}

/** As much as a picture of 256×256 takes at most; its real size is not stored. */
const AVATAR_BYTES = 64 * 1024

export async function storedBytes(db: Db): Promise<number> {
  const [files] = await db.select({ bytes: sql<number>`coalesce(sum(${attachments.fileSize}), 0)::float8` }).from(attachments)
  const avatars = await db.$count(users, like(users.avatar, '/uploads/%'))
  return (files?.bytes ?? 0) + avatars * AVATAR_BYTES
}

const BATCH_SIZE = 20

export async function unwantedNames(db: Db): Promise<string[]> {
  const rows = await db
    .select({ name: unwantedFiles.name })
    .from(unwantedFiles)
    // Rounded as the column is, so that a file dropped just now is due.
    .where(lte(unwantedFiles.dueAt, sql`now()::timestamptz(3)`))
    .orderBy(asc(unwantedFiles.dueAt))
    .limit(BATCH_SIZE)
  return rows.map(({ name }) => name)
}

export async function forgetFiles(db: Db, names: string[]): Promise<void> {
  await db.delete(unwantedFiles).where(inArray(unwantedFiles.name, names))
}

export async function postponeFiles(db: Db, names: string[]): Promise<void> {
  const later = sql`now() + interval '5 minutes'`
  await db.update(unwantedFiles).set({ dueAt: later }).where(inArray(unwantedFiles.name, names))
}
