import { z } from 'zod'
import type { ToUser } from '../protocol'
import { id, wholeNumber } from '../schema'
import { displayName, type Switch, switchName, userSummary } from '../users/schema'

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
  /** Null if nobody says who it was. */
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

export const readInput = z.object({ ids: z.array(id).max(1_000).optional(), taskId: id.optional() })
export type ReadInput = z.output<typeof readInput>

export const unsubscription = z.object({ token: z.uuid(), from: switchName })

export function sentence({
  kind,
  actor,
  board,
  task,
  detail,
}: Omit<Notification, 'id' | 'commentId' | 'createdAt' | 'readAt'>): string {
  const who = actor ? displayName(actor) : 'Someone'
  const what = task ? `“${task.title}”` : `“${board.name}”`
  switch (kind) {
    case 'assigned':
      return `${who} assigned you to ${what}`
    case 'mentioned':
      return `${who} mentioned you on ${what}`
    case 'commented':
      return `${who} commented on ${what}`
    case 'added':
      return `${who} added you to the board ${what}`
    case 'invited':
      return `${who} invited you back to the board ${what}`
    case 'joined':
      return `${who} accepted your invitation to the board ${what}`
    case 'declined':
      return `${detail} declined your invitation to the board ${what}`
    case 'name_declined':
      return `${who} said that the imported work by ${detail} on the board ${what} is not theirs`
    case 'account_deleted':
      return `A member of the board ${what} deleted their account${detail ? `; their ${detail} stay in the time logs` : ''}`
    case 'renamed':
      return `${who} renamed a board to ${what}`
    case 'described':
      return `${who} changed the description of the board ${what}`
    case 'logged':
      return `${who} logged ${amountOf(detail) || 'time'} on ${what}`
    case 'started':
      return `${who} started a timer on ${what}`
    case 'corrected':
      return `${who} changed a time entry on ${what}${amountOf(detail) && ` to ${amountOf(detail)}`}`
  }
}

export const amountOf = (detail: string | null) => detail?.split('\n')[0] ?? ''

/** The quoted text. The first line of `detail` is the amount of time; other kinds use it for declined names or hours. */
export function quoteOf({ kind, detail }: Pick<Notification, 'kind' | 'detail'>): string {
  if (!detail || kind === 'declined' || kind === 'name_declined' || kind === 'account_deleted') return ''
  const isTime = SWITCH_OF[kind] === 'notifyTimeEntries'
  return isTime ? detail.split('\n').slice(1).join('\n') : detail
}

/** `ids` null means all. */
type NotificationMessage =
  | ToUser<'notification_added', { notification: Notification }>
  | ToUser<'notifications_read', { ids: number[] | null; unread: number }>

declare module '../protocol' {
  interface Messages {
    notifications: NotificationMessage
  }
}
