import { amountOf, type Notification } from '../schema'

/** What happened to one task, or to a board itself; the newest first. */
export type Group = { key: string; newest: Notification; all: Notification[] }

export function groupsOf(notifications: Notification[]): Group[] {
  const groups = new Map<string, Group>()
  for (const one of notifications) {
    const key = one.task ? `task ${one.task.id}` : `board ${one.board.id}`
    const group = groups.get(key)
    if (group) group.all.push(one)
    else groups.set(key, { key, newest: one, all: [one] })
  }
  return [...groups.values()]
}

/** Without the task or board, which stands above it, and who it was, who stands before it. */
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
      return `Your invitation of ${detail} was declined`
    case 'name_declined':
      return `said that the imported work by ${detail} is not theirs`
    case 'account_deleted':
      return `A member deleted their account.${detail ? ` Their ${detail} stay in the time logs.` : ''}`
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
