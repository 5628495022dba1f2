import { displayName } from '../users/schema'
import { type Notification, SWITCH_OF } from './schema'

/** The whole sentence, for an email's subject. */
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
      return `Your invitation to ${detail} to join the board ${what} was declined`
    case 'name_declined':
      return `${who} said that the imported work by ${detail} on the board ${what} is not theirs`
    case 'account_deleted':
      return `A member of the board ${what} deleted their account${detail ? `; the ${detail} they logged stays in the time logs` : ''}`
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

/** In the inbox, after the actor's name and below that of the task or board. */
export function didText({ kind, detail }: Pick<Notification, 'kind' | 'detail'>): string {
  switch (kind) {
    case 'assigned':
      return 'assigned you'
    case 'mentioned':
      return 'mentioned you'
    case 'commented':
      return 'commented'
    case 'added':
      return 'added you to the board'
    case 'invited':
      return 'invited you back to the board, which you left'
    case 'joined':
      return 'accepted your invitation'
    case 'declined':
      return `Your invitation to ${detail} was declined`
    case 'name_declined':
      return `said that the imported work by ${detail} is not theirs`
    case 'account_deleted':
      return `A member deleted their account.${detail ? ` The ${detail} they logged stays in the time logs.` : ''}`
    case 'renamed':
      return 'renamed the board'
    case 'described':
      return 'changed the description'
    case 'logged':
      return `logged ${amountOf(detail) || 'time'}`
    case 'started':
      return 'started a timer'
    case 'corrected':
      return `changed a time entry${amountOf(detail) && ` to ${amountOf(detail)}`}`
  }
}

const amountOf = (detail: string | null) => detail?.split('\n')[0] ?? ''

/** The quoted text. The first line of `detail` is the amount of time; other kinds use it for declined names or hours. */
export function quoteOf({ kind, detail }: Pick<Notification, 'kind' | 'detail'>): string {
  if (!detail || kind === 'declined' || kind === 'name_declined' || kind === 'account_deleted') return ''
  const isTime = SWITCH_OF[kind] === 'notifyTimeEntries'
  return isTime ? detail.split('\n').slice(1).join('\n') : detail
}
