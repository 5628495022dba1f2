import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { tasks } from '../../../db/schema'
import { conflict } from '../../../server/errors'
import { BOARD_QUOTA, DESCRIPTION_SHOWN, TOO_MUCH_TEXT } from '../../schema'

const bytesOf = (text: string | null | undefined) => Buffer.byteLength(text ?? '')

/**
 * Whether a board has room for a longer description, asked under its lock. Short ones need no look, for the number of
 * tasks bounds them; Postgres knows the bytes of a text without reading it. Throws CONFLICT.
 */
export async function assertDescriptionQuota(
  db: Db,
  boardId: number,
  text: string | null | undefined,
  before: string | null = null,
) {
  const more = bytesOf(text) - bytesOf(before)
  if (!text || text.length <= DESCRIPTION_SHOWN || more <= 0) return
  const [held] = await db
    .select({ bytes: sql<number>`coalesce(sum(octet_length(${tasks.description})), 0)::float8` })
    .from(tasks)
    .where(and(eq(tasks.boardId, boardId), isNull(tasks.deletedAt)))
  if ((held?.bytes ?? 0) + more > BOARD_QUOTA.descriptions) throw conflict(TOO_MUCH_TEXT)
}
