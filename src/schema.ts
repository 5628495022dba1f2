import { z } from 'zod'

/** A positive integer that fits the database's column. */
export const id = z
  .number('Must be a whole number')
  .int('Must be a whole number')
  .positive('Must be a positive number')
  .max(2_147_483_647, 'No such number')

const storable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** In a query string numbers are text. */
export const wholeNumber = z.union(
  [
    z.number(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ],
  'Must be a whole number',
)

/** Trimmed, at most `max` UTF-16 units; refuses what Postgres cannot store (NUL, lone surrogates). */
export const text = (max: number, tooLong = `Must be at most ${max} characters`) =>
  z.string('Must be text').refine(storable, 'Contains characters that cannot be stored').trim().max(max, tooLong)

export const requiredText = (max: number, missing: string) => text(max).min(1, missing)

/** Blank and null both mean none; absent stays absent. */
export const optionalText = (max: number) =>
  text(max)
    .transform((value) => value || null)
    .nullish()

export const LISTED_AT_ONCE = 1_000

export const limit = wholeNumber.pipe(z.number().int().min(1).max(LISTED_AT_ONCE)).default(LISTED_AT_ONCE)

/** A row's moment and id: the list goes on after it even when the row is gone. */
export const cursorAt = (moment: string, id: number) => `${Date.parse(moment)}-${id}`

export const NO_CURSOR = 'Must be what X-Next-Cursor said'

const cursor = z
  .string()
  .regex(/^\d{1,14}-\d{1,10}$/, NO_CURSOR)
  .transform((given) => given.split('-').map(Number))
  .pipe(z.tuple([z.number(), id]))
  .transform(([moment, id]) => ({ moment: new Date(moment), id }))

export const listPage = z.object({ limit, cursor: cursor.optional() })
export type ListPage = z.output<typeof listPage>

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

export const success = z.object({ success: z.literal(true) })
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
