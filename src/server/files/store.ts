import { and, asc, gt, inArray, like, lte, notExists, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { attachments, backups, imports, unwantedFiles, users } from '../../db/tables'
import { conflict } from '../errors'

/** Announces files before they are written: unless claimed within an hour, they are deleted. */
export async function expectFiles(db: Db, names: string[]): Promise<void> {
  const dueAt = sql`now() + interval '1 hour'`
  await db.insert(unwantedFiles).values(names.map((name) => ({ name, dueAt })))
}

/** Throws CONFLICT if their hour is over. */
export async function claimFiles(db: Db, names: string[]): Promise<void> {
  const expected = await db
    .delete(unwantedFiles)
    .where(and(inArray(unwantedFiles.name, names), gt(unwantedFiles.dueAt, sql`now()`)))
    .returning()
  if (expected.length < names.length) throw conflict('The upload took too long. Please try again.')
}

export const discardFiles = (db: Db, names: string[]) =>
  db
    .insert(unwantedFiles)
    .values(names.map((name) => ({ name })))
    .onConflictDoNothing()

export async function postponeFiles(db: Db, names: string[], seconds: number): Promise<void> {
  const later = sql`now() + ${seconds} * interval '1 second'`
  await db.update(unwantedFiles).set({ dueAt: later }).where(inArray(unwantedFiles.name, names))
}

export const dropFiles = (db: Db, names: string[]): Promise<void> => postponeFiles(db, names, 0)

export const bytesWithThumbnail = sql`${attachments.fileSize} + coalesce(${attachments.thumbnailSize}, 0)`

/** The most that 256×256 pixels take; real sizes are not stored. */
const AVATAR_BYTES = 64 * 1024

export async function bytesOfFiles(db: Db): Promise<number> {
  const [files] = await db.select({ bytes: sql<number>`coalesce(sum(${bytesWithThumbnail}), 0)::float8` }).from(attachments)
  const avatars = await db.$count(users, like(users.avatar, '/uploads/%'))
  const [archives] = await db.select({ bytes: sql<number>`coalesce(sum(${imports.bytes}), 0)::float8` }).from(imports)
  return (files?.bytes ?? 0) + (archives?.bytes ?? 0) + avatars * AVATAR_BYTES
}

/** Backups under way still need the files of their snapshot. */
const holding = (db: Db) => db.select({ id: backups.id }).from(backups).where(gt(backups.holdsUntil, sql`now()`))

const BATCH_SIZE = 20

export async function unwantedNames(db: Db): Promise<string[]> {
  const rows = await db
    .select({ name: unwantedFiles.name })
    .from(unwantedFiles)
    // Rounded as the column is, so that a file dropped just now is due.
    .where(and(lte(unwantedFiles.dueAt, sql`now()::timestamptz(3)`), notExists(holding(db))))
    .orderBy(asc(unwantedFiles.dueAt))
    .limit(BATCH_SIZE)
  return rows.map(({ name }) => name)
}

export async function forgetFiles(db: Db, names: string[]): Promise<void> {
  await db.delete(unwantedFiles).where(inArray(unwantedFiles.name, names))
}
