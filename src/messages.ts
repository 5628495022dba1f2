import { z } from 'zod'
import type { AttachmentMessage } from './attachments/schema'
import type { EditingMessage, BoardMessage as OfBoard } from './boards/schema'
import type { CommentMessage, TypingMessage } from './comments/schema'
import type { InvitationMessage } from './invitations/schema'
import type { NotificationMessage } from './notifications/schema'
import type { Announced, ChannelMessage, Received } from './protocol'
import { id, requiredText, text } from './schema'
import type { TaskMessage } from './tasks/schema'
import type { TimeEntryMessage } from './time/entries/schema'
import type { RateMessage } from './time/rates/schema'
import type { UserMessage } from './users/schema'

type Stored =
  | OfBoard
  | TaskMessage
  | CommentMessage
  | AttachmentMessage
  | InvitationMessage
  | TimeEntryMessage
  | Extract<UserMessage, { to: 'members' }>
type Personal = NotificationMessage | RateMessage | Extract<UserMessage, { to: 'user' }>

export type BoardChange = Received<Stored>
export type BoardMessage = Announced<Stored>
export type PassingMessage = Received<EditingMessage | TypingMessage>
export type ServerMessage = BoardMessage | PassingMessage | Received<Personal> | ChannelMessage

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
