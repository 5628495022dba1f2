export const DUES = { overdue: 'Overdue', today: 'Due today', week: 'Due within 7 days', none: 'No due date' } as const
export type Due = keyof typeof DUES
const DUE_NAMES = Object.keys(DUES) as Due[]

export const dueNamed = (name: string | undefined): Due | '' => DUE_NAMES.find((known) => known === name) ?? ''

/** Empty texts filter nothing. `assignee` is a user's id, `me` or `none`. */
export type Filter = { text: string; assignee: string; tag: string; due: Due | '' }
export const NO_FILTER: Filter = { text: '', assignee: '', tag: '', due: '' }

/** The filter as it appears in an address, so that a link shows the same tasks. */
export type FilterSearch = { q?: string; assignee?: string | number; tag?: string; due?: string }

const SEARCH_NAMES = { text: 'q', assignee: 'assignee', tag: 'tag', due: 'due' } as const
const isText = (value: unknown) => (typeof value === 'string' && value !== '') || typeof value === 'number'

/** The router parses what looks like a number. */
export const filterSearchOf = (search: Record<string, unknown>): FilterSearch =>
  Object.fromEntries(
    Object.values(SEARCH_NAMES)
      .filter((name) => isText(search[name]))
      .map((name) => [name, name === 'assignee' ? search[name] : String(search[name])]),
  )

export function parseFilter({ q = '', assignee = '', tag = '', due }: FilterSearch): Filter {
  return { text: q, assignee: String(assignee), tag, due: dueNamed(due) }
}

export function formatFilter(filter: Filter): FilterSearch {
  const given = Object.entries(SEARCH_NAMES).map(([field, name]) => [name, filter[field as keyof Filter]] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== '').map(([name, value]) => [name, asWritten(name, value)]))
}

const asWritten = (name: string, value: string) => (name === 'assignee' && /^\d+$/.test(value) ? Number(value) : value)

/** Names the open task in a board's address, and the comment to show. */
export const taskHash = (taskId: number, commentId?: number | null): string =>
  commentId ? `task-${taskId}-comment-${commentId}` : `task-${taskId}`

const HASH = /^task-(-?\d+)(?:-comment-(\d+))?$/

/** NaN if there is none. */
export function parseTaskHash(hash: string): { taskId: number; commentId: number } {
  const [, taskId, commentId] = HASH.exec(hash) ?? []
  return { taskId: Number(taskId), commentId: Number(commentId) }
}
