import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../db/database'
import { attachments, users } from '../../db/tables'
import { summaryOf } from '../../users/schema'
import type { Attachment } from '../schema'

export const thumbnailOf = (filename: string): string => `${filename}-thumbnail`

export const thumbnailUrl = sql<
  string | null
>`case when ${attachments.thumbnailSize} is not null then ${attachments.fileUrl} || '-thumbnail' end`.as('thumbnail_url')

const { thumbnailSize: _, ...stored } = getTableColumns(attachments)
const columns = { ...stored, thumbnailUrl, user: summaryOf(users) }

export const selectAttachments = (db: Db) =>
  db.select(columns).from(attachments).innerJoin(users, eq(users.id, attachments.userId)).$dynamic()

type Row = Awaited<ReturnType<typeof selectAttachments>>[number]

export const toAttachment = (row: Row): Attachment => ({ ...row, createdAt: row.createdAt.toISOString() })

export async function findAttachment(db: Db, key: { id: number } | { filename: string }): Promise<Attachment | undefined> {
  const where = 'id' in key ? eq(attachments.id, key.id) : eq(attachments.filename, key.filename)
  const [row] = await selectAttachments(db).where(where)
  return row && toAttachment(row)
}
