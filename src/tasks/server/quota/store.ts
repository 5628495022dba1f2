import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database'
import { tasks } from '../../../db/schema'
import { conflict } from '../../../server/errors'
import { BOARD_QUOTA, DESCRIPTION_PREVIEW, TOO_MANY_TASKS, TOO_MUCH_TEXT } from '../../schema'

/** Needs the board's lock. Each task made a version, so boards of fewer versions are not counted. Throws CONFLICT. */
export async function assertTaskQuota(db: Db, { id, version }: { id: number; version: number }) {
  if (version < BOARD_QUOTA.tasks) return
  const count = await db.$count(tasks, and(eq(tasks.boardId, id), isNull(tasks.deletedAt)))
  if (count >= BOARD_QUOTA.tasks) throw conflict(TOO_MANY_TASKS)
}

const bytesOf = (text: string | null | undefined) => Buffer.byteLength(text ?? '')

/** Needs the board's lock. Short descriptions are not counted, as the number of tasks bounds them. Throws CONFLICT. */
export async function assertDescriptionQuota(
  db: Db,
  boardId: number,
  text: string | null | undefined,
  before: string | null = null,
) {
  const more = bytesOf(text) - bytesOf(before)
  if (!text || text.length <= DESCRIPTION_PREVIEW || more <= 0) return
  const [used] = await db
    .select({ bytes: sql<number>`coalesce(sum(octet_length(${tasks.description})), 0)::float8` })
    .from(tasks)
    .where(and(eq(tasks.boardId, boardId), isNull(tasks.deletedAt)))
  if ((used?.bytes ?? 0) + more > BOARD_QUOTA.descriptionBytes) throw conflict(TOO_MUCH_TEXT)
}
