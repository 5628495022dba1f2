import type { AttachmentMessage } from '../attachments/schema'
import type { BoardMessage, EditingMessage } from '../boards/schema'
import type { CommentMessage, TypingMessage } from '../comments/schema'
import type { InvitationMessage } from '../invitations/schema'
import type { NotificationMessage } from '../notifications/schema'
import type { Announced, ChannelMessage, Received } from '../protocol'
import type { TaskMessage } from '../tasks/schema'
import type { TimeEntryMessage } from '../time/entries/schema'
import type { RateMessage } from '../time/rates/schema'
import type { UserMessage } from '../users/schema'

type Stored =
  | BoardMessage
  | TaskMessage
  | CommentMessage
  | AttachmentMessage
  | InvitationMessage
  | TimeEntryMessage
  | Extract<UserMessage, { to: 'members' }>
type Passing = EditingMessage | TypingMessage
type Personal = NotificationMessage | RateMessage | Extract<UserMessage, { to: 'user' }>

export type BoardChange = Received<Stored>
export type AnnouncedChange = Announced<Stored>
export type ServerMessage = AnnouncedChange | Received<Passing | Personal> | ChannelMessage
