import { z } from 'zod'
import type { ToUser } from '../protocol'
import { id, wholeNumber } from '../schema'
import { type Switch, switchName, userSummary } from '../users/schema'

export const SWITCH_OF = {
  assigned: 'notifyTaskAssigned',
  mentioned: 'notifyTaskCommented',
  commented: 'notifyTaskCommented',
  added: 'notifyBoardUpdated',
  invited: 'notifyBoardUpdated',
  joined: 'notifyBoardUpdated',
  declined: 'notifyBoardUpdated',
  name_declined: 'notifyBoardUpdated',
  account_deleted: 'notifyBoardUpdated',
  renamed: 'notifyBoardUpdated',
  described: 'notifyBoardUpdated',
  logged: 'notifyTimeEntries',
  started: 'notifyTimeEntries',
  corrected: 'notifyTimeEntries',
} as const satisfies Record<string, Switch>
export type NotificationKind = keyof typeof SWITCH_OF

export const INBOX_PAGE_SIZE = 20

const notification = z.object({
  id,
  // Object.keys widens its keys to string, and z.enum wants at least one.
  kind: z.enum(Object.keys(SWITCH_OF) as [NotificationKind, ...NotificationKind[]]),
  /** Null if the actor is not named. */
  actor: userSummary.nullable(),
  board: z.object({ id, name: z.string() }),
  task: z.object({ id, title: z.string() }).nullable(),
  commentId: id.nullable(),
  detail: z.string().nullable(),
  createdAt: z.string(),
  readAt: z.string().nullable(),
})
export type Notification = z.infer<typeof notification>

export const inbox = z.object({ notifications: z.array(notification), unread: z.number(), more: z.boolean() })
export type Inbox = z.infer<typeof inbox>

export const inboxPage = z.object({ cursor: wholeNumber.pipe(id).optional() })

/** `upTo` is the newest one that the reader has seen: later ones stay unread. */
export const readInput = z.object({ ids: z.array(id).max(1_000).optional(), taskId: id.optional(), upTo: id.optional() })
export type ReadInput = z.output<typeof readInput>

export const unsubscription = z.object({ token: z.uuid(), from: switchName })

type NotificationMessage =
  | ToUser<'notification_added', { notification: Notification }>
  | ToUser<'notifications_read', { ids: number[]; unread: number }>

declare module '../protocol' {
  interface Messages {
    notifications: NotificationMessage
  }
}
