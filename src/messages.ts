import { z } from 'zod'
import type { Attachment } from './attachments/schema'
import type { Comment } from './comments/schema'
import type { OpenInvitation } from './invitations/schema'
import type { Notification } from './notifications/schema'
import { id, requiredText, text } from './schema'
import type { Task } from './tasks/schema'
import type { TimeEntry } from './time/entries/schema'
import type { OwnUser, UserSummary } from './users/schema'

/** The live channel's envelope, both ways: `{ type, payload }` (board-page.md, section 4). */

/** One stored change of a board, without its stamp. */
export type BoardChange =
  | { type: 'new_task'; payload: { task: Task } }
  | { type: 'task_updated'; payload: { task: Task } }
  | { type: 'task_deleted'; payload: { taskId: number } }
  | { type: 'task_assignee_added'; payload: { taskId: number; user: UserSummary } }
  | { type: 'task_assignee_removed'; payload: { taskId: number; userId: number } }
  | { type: 'new_comment'; payload: { taskId: number; comment: Comment; commentCount: number } }
  | { type: 'comment_updated'; payload: { taskId: number; comment: Comment } }
  | { type: 'comment_deleted'; payload: { taskId: number; commentId: number; commentCount: number } }
  | { type: 'attachment_added'; payload: { taskId: number; attachment: Attachment } }
  | { type: 'attachment_deleted'; payload: { taskId: number; attachmentId: number } }
  | { type: 'board_member_added'; payload: { user: UserSummary; invitationIds?: number[] } }
  | { type: 'invitation_changed'; payload: { invitation: OpenInvitation } }
  | { type: 'time_entry_added'; payload: { taskId: number; entry: TimeEntry; minutes: number } }
  | { type: 'time_entry_updated'; payload: { taskId: number; entry: TimeEntry; minutes: number } }
  | { type: 'time_entry_deleted'; payload: { taskId: number; entryId: number; minutes: number } }
  | { type: 'board_member_removed'; payload: { userId: number } }
  | { type: 'user_profile_updated'; payload: { user: UserSummary } }
  | { type: 'BOARD_UPDATED'; payload: { updates: { name: string; description: string | null } } }
  | { type: 'board_deleted'; payload: object }

type Stamp = { boardId: number; version: number }
type Stamped<C> = C extends { type: infer T; payload: infer P } ? { type: T; payload: P & Stamp & { by: number } } : never

/** A stored change as it is announced: with its board, the version that it made, and who made it. */
export type BoardMessage = Stamped<BoardChange>

type FromMember = Stamp & { userId: number }

/** What passes between members and is not stored. */
export type PassingMessage =
  | { type: 'typing_started'; payload: FromMember & { taskId: number; user: UserSummary; element: string } }
  | { type: 'typing_stopped'; payload: FromMember & { taskId: number } }
  | { type: 'editing_status'; payload: FromMember & { element: string; status: 'started' | 'ended'; user: UserSummary } }

export type ServerMessage =
  | BoardMessage
  | PassingMessage
  | { type: 'joined_board'; payload: Stamp }
  | { type: 'current_user_updated'; payload: { user: OwnUser } }
  | { type: 'notification_added'; payload: { notification: Notification } }
  /** To those who may see it; how much it is, they ask. */
  | { type: 'rate_changed'; payload: { boardId: number } }
  | { type: 'notifications_read'; payload: { ids: number[] | null; unread: number } }
  | { type: 'error'; payload: { message: string; code: string; boardId?: number } }

const message = <T extends string, P extends z.ZodType>(type: T, payload: P) => z.object({ type: z.literal(type), payload })
const ofBoard = z.object({ boardId: id })
const ofTask = z.object({ taskId: id, boardId: id.optional() })

/**
 * What a client may send. The change messages that the specification names are known and checked, and then
 * dropped: others hear of a change from the server, when it is stored (contract.md, section 5).
 */
export const clientMessage = z.discriminatedUnion('type', [
  message('join_board', ofBoard),
  message('leave_board', ofBoard),
  message(
    'editing_status',
    ofBoard.extend({ element: z.enum(['board_name', 'board_description']), status: z.enum(['started', 'ended']) }),
  ),
  message('typing_started', ofTask.extend({ element: text(40).optional() })),
  message('typing_stopped', ofTask),
  message('board_update', ofBoard),
  message('task_update', ofTask),
  message('task_updated', z.object({ task: z.object({ id }), boardId: id.optional() })),
  message('task_deleted', ofTask),
  message('task_assignee_added', ofTask),
  message('task_assignee_removed', ofTask),
  message('new_comment', ofTask.extend({ comment: z.object({ content: requiredText(10_000, 'A comment cannot be blank') }) })),
  message('comment_updated', ofTask),
  message('comment_deleted', ofTask),
])
export type ClientMessage = z.output<typeof clientMessage>
