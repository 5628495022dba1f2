import { mayDeleteAttachment } from '../../access'
import { assertUnlocked } from '../../boards/server/grants'
import { type BoardRow, memberIds } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { forbidden, notFound } from '../../server/errors'
import type { Granted, SignedIn } from '../../server/signedIn'
import type { Task } from '../../tasks/schema'
import { lockTask, requireMemberOfTask } from '../../tasks/server/grants'
import type { Attachment } from '../schema'
import { findAttachment } from './lookup'

export type AttachmentGrant<Right extends 'read' | 'delete'> = Granted<
  { viewer: SignedIn; board: BoardRow; task: Task; attachment: Attachment },
  `attachment:${Right}` | (Right extends 'read' ? never : 'board:change' | 'announce')
>

const MISSING_FILE = 'File not found'

/** Throws NOT_FOUND to non-members. */
export async function grantFile(db: Db, viewer: SignedIn, filename: string) {
  const attachment = await findAttachment(db, { filename })
  if (!attachment) throw notFound(MISSING_FILE)
  const access = await requireMemberOfTask(db, viewer, attachment.taskId, MISSING_FILE)
  return { ...access, attachment } as AttachmentGrant<'read'>
}

const MISSING = 'Attachment not found'
const ONLY_UPLOADER = 'Only the person who uploaded a file can remove it.'

export async function grantDeletingAttachment(db: Db, viewer: SignedIn, attachmentId: number) {
  const found = await findAttachment(db, { id: attachmentId })
  if (!found) throw notFound(MISSING)
  const access = await lockTask(db, viewer, found.taskId, MISSING)
  // Again under the lock: it may have been deleted meanwhile.
  const attachment = await findAttachment(db, { id: attachmentId })
  if (!attachment) throw notFound(MISSING)
  assertUnlocked(viewer, access.board)
  const isByMember = (await memberIds(db, access.board.id)).includes(attachment.userId)
  if (!mayDeleteAttachment(viewer, access.board, attachment, isByMember)) throw forbidden(ONLY_UPLOADER)
  return { ...access, attachment } as AttachmentGrant<'delete'>
}
