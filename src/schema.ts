import { z } from 'zod'

/** A row's id: a positive integer that fits the database's column. */
export const id = z
  .number('Must be a whole number')
  .int('Must be a whole number')
  .positive('Must be a positive number')
  .max(2_147_483_647, 'No such number')

const storable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** In an address numbers are text. */
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

/** Trimmed text of at most `max` UTF-16 units; what Postgres could not store (NUL, lone surrogates) is refused. */
export const text = (max: number, tooLong = `Must be at most ${max} characters`) =>
  z.string('Must be text').refine(storable, 'Contains characters that cannot be stored').trim().max(max, tooLong)

/** As `text`, but not blank. */
export const requiredText = (max: number, missing: string) => text(max).min(1, missing)

/** As `text`, where blank and null both mean none; absent stays absent. */
export const optionalText = (max: number) =>
  text(max)
    .transform((value) => value || null)
    .nullish()

/** So many rows are listed at once, at most. */
export const LISTED_AT_ONCE = 1_000

export const limit = wholeNumber.pipe(z.number().int().min(1).max(LISTED_AT_ONCE)).default(LISTED_AT_ONCE)

/** Where a list that goes by moments goes on: after a row, whether that is still there or not. */
export const cursorAt = (moment: string, id: number) => `${Date.parse(moment)}-${id}`

export const NO_CURSOR = 'Must be what X-Next-Cursor said'

const cursor = z
  .string()
  .regex(/^\d{1,14}-\d{1,10}$/, NO_CURSOR)
  .transform((given) => given.split('-').map(Number))
  .pipe(z.tuple([z.number(), id]))
  .transform(([moment, id]) => ({ moment: new Date(moment), id }))

/** Which part of a list. */
export const listPage = z.object({ limit, cursor: cursor.optional() })
export type ListPage = z.output<typeof listPage>

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * A calendar day (YYYY-MM-DD) as "MMM d", as en-CA has it. Written out: asking Intl for the first time costs a page more
 * than a board's cards.
 */
export const shortDay = (day: string): string => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}`

/** What is made when it is first asked for: each format of Intl, for one, would cost every start of the page milliseconds. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

export const success = z.object({ success: z.literal(true) })
export const done = { success: true } as const

/** The body of every refusal. */
export type RefusalBody = {
  message: string
  code: string
  issues?: { path: string; message: string }[]
  requiresUpgrade?: true
  retryAfter?: number
  requestId?: string
}
