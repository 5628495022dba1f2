import { and, asc, eq } from 'drizzle-orm'
import { extensionOf } from '../../../../archive/server/written'
import { isMemberOf } from '../../../../boards/server/lookup'
import type { Db } from '../../../../db/database'
import { attachments, tasks } from '../../../../db/schema'
import type { SignedIn } from '../../../../server/signedIn'
import { notDeleted } from '../../../../tasks/server/lookup'
import { AVATARS, storedName } from '../../../../users/server/avatarDownload'

type OwnFile = { table: 'user' | 'attachments'; id: number; file: string; stored: string }

/** One's picture, and what one attached on boards that one is still on. */
export async function ownFiles(db: Db, { id: userId }: SignedIn, { avatar }: { avatar: string }): Promise<OwnFile[]> {
  const attached = await db
    .select({ id: attachments.id, filename: attachments.filename, name: attachments.originalFilename })
    .from(attachments)
    .innerJoin(tasks, and(eq(tasks.id, attachments.taskId), notDeleted))
    .where(and(eq(attachments.userId, userId), isMemberOf(tasks.boardId, userId)))
    .orderBy(asc(attachments.id))
  const picture = avatar.startsWith(`${AVATARS}/`) ? avatar.slice(AVATARS.length + 1) : undefined
  return [
    ...(picture ? [{ table: 'user' as const, id: userId, file: 'avatar.webp', stored: storedName(picture) }] : []),
    ...attached.map(({ id, filename, name }) => ({
      ...{ table: 'attachments' as const, id, stored: filename },
      file: `${id}${extensionOf(name)}`,
    })),
  ]
}
