import { mayChangeComment } from '../../access'
import { assertUnlocked } from '../../boards/server/grants'
import { type BoardRow, lockBoard } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { forbidden, notFound } from '../../server/errors'
import type { Granted, SignedIn } from '../../server/signedIn'
import type { Task } from '../../tasks/schema'
import { requireMemberOfTask } from '../../tasks/server/grants'
import type { Comment } from '../schema'
import { boardOfComment, findComment } from './lookup'

export type CommentGrant = Granted<
  { viewer: SignedIn; board: BoardRow; task: Task; comment: Comment },
  'comment:change' | 'board:change' | 'announce'
>

const MISSING = 'Comment not found'

export async function grantComment(db: Db, viewer: SignedIn, commentId: number): Promise<CommentGrant> {
  const boardId = await boardOfComment(db, commentId)
  if (boardId === undefined) throw notFound(MISSING)
  await lockBoard(db, boardId)
  const comment = await findComment(db, commentId)
  if (!comment) throw notFound(MISSING)
  const access = await requireMemberOfTask(db, viewer, comment.taskId, MISSING)
  assertUnlocked(viewer, access.board)
  if (!mayChangeComment(viewer, comment)) throw forbidden('Only the author can change a comment.')
  return { ...access, comment } as CommentGrant
}
