export const LISTED_AT_ONCE = 1_000

/** A row's moment and id: the list goes on after it even when the row is gone. */
export const cursorAt = (moment: string, id: number) => `${Date.parse(moment)}-${id}`

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "MMM d" as in en-CA. By hand, since the first use of Intl costs a page more than a board's cards. */
export const shortDay = (day: string): string => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}`

/** Created on first use: Intl's formats, for one, would cost every start of the page milliseconds. */
export function lazy<T>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

export const done = { success: true } as const

export type RefusalBody = {
  message: string
  code: string
  issues?: { path: string; message: string }[]
  requiresUpgrade?: true
  needsConfirmation?: true
  username?: string
  hasPassword?: true
  retryAfter?: number
  current?: object
  requestId?: string
}
