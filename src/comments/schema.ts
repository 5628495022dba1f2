import { z } from 'zod'
import type { Relayed, ToOpenBoard } from '../protocol'
import { cursorAt, LISTED_AT_ONCE } from '../protocol'
import { id, requiredText } from '../schema'
import { type UserSummary, userSummary } from '../users/schema'

export const COMMENT_MAX = 10_000

export const DUPLICATE_WINDOW = 30_000
export const DUPLICATE_COMMENT = 'This exact comment was already submitted recently.'

/** A part of a list ends when its texts reach this: ten unbounded reads in one batch took 300 MB and two seconds. */
export const LIST_MAX_BYTES = 2 ** 19

export const newComment = z.object({ content: requiredText(COMMENT_MAX, 'A comment cannot be blank') })

export const comment = z.object({
  id,
  taskId: id,
  userId: id,
  content: z.string(),
  createdAt: z.string(),
  revision: z.number(),
  user: userSummary,
})
export type Comment = z.infer<typeof comment>

export const mayHaveMore = (part: Pick<Comment, 'content'>[]) =>
  part.length >= LISTED_AT_ONCE || new TextEncoder().encode(part.map(({ content }) => content).join('')).length >= LIST_MAX_BYTES

export const commentsCursor = ({ createdAt, id }: Pick<Comment, 'createdAt' | 'id'>) => cursorAt(createdAt, id)

export type CommentMessage =
  | ToOpenBoard<'new_comment', { taskId: number; comment: Comment; commentCount: number; updatedAt: string }>
  | ToOpenBoard<'comment_updated', { taskId: number; comment: Comment; updatedAt: string }>
  | ToOpenBoard<'comment_deleted', { taskId: number; commentId: number; commentCount: number; updatedAt: string }>

type TypingMessage =
  | Relayed<'typing_started', { taskId: number; user: UserSummary; element: string }>
  | Relayed<'typing_stopped', { taskId: number }>

declare module '../protocol' {
  interface Messages {
    comments: CommentMessage | TypingMessage
  }
  interface ClientMessages {
    comments: { type: 'typing_started' | 'typing_stopped'; payload: { taskId: number; boardId?: number; element?: string } }
  }
}
