import { mayDeleteAttachment } from '../../access'
import { assertUnlocked } from '../../boards/server/grants'
import type { BoardRow } from '../../boards/server/lookup'
import type { Db } from '../../db/client'
import { forbidden, notFound } from '../../server/errors'
import type { Granted } from '../../server/granted'
import type { SignedIn } from '../../server/session'
import type { Task } from '../../tasks/schema'
import { asMemberOfTask } from '../../tasks/server/grants'
import { boardOfTask, lockBoardOfTask } from '../../tasks/server/lookup'
import type { Attachment } from '../schema'
import { findAttachment } from './lookup'

export type AttachmentGrant<Right extends 'read' | 'delete'> = Granted<
  { viewer: SignedIn; board: BoardRow; task: Task; attachment: Attachment },
  `attachment:${Right}` | (Right extends 'read' ? never : 'board:change' | 'announce')
>

/** To see an attached file. Throws NOT_FOUND to anyone who is no member of its board. */
export async function grantFile(db: Db, viewer: SignedIn, filename: string) {
  const attachment = await findAttachment(db, { filename })
  const boardId = attachment && (await boardOfTask(db, attachment.taskId))
  const facts = await asMemberOfTask(db, viewer, attachment?.taskId ?? 0, boardId, 'File not found')
  return { ...facts, attachment } as AttachmentGrant<'read'>
}

const MISSING = 'Attachment not found'

/** To delete an attachment, within a transaction. Throws NOT_FOUND, FORBIDDEN. */
export async function grantDeletingAttachment(db: Db, viewer: SignedIn, attachmentId: number) {
  const { taskId = 0 } = (await findAttachment(db, { id: attachmentId })) ?? {}
  const facts = await asMemberOfTask(db, viewer, taskId, await lockBoardOfTask(db, taskId), MISSING)
  // Looked up again under the lock: it may have been deleted meanwhile.
  const attachment = await findAttachment(db, { id: attachmentId })
  if (!attachment) throw notFound(MISSING)
  assertUnlocked(viewer, facts.board)
  if (!mayDeleteAttachment(viewer, attachment)) throw forbidden('Only who uploaded a file can delete it.')
  return { ...facts, attachment } as AttachmentGrant<'delete'>
}
