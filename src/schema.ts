import { z } from 'zod'
import { isVisible, withoutDirection } from './format'
import { LISTED_AT_ONCE } from './protocol'

// On the page, whose security policy forbids the eval that zod tries when schemas are made.
if ('document' in globalThis) z.config({ jitless: true })

/** A positive integer that fits the database's column. */
export const id = z
  .number('Must be a whole number')
  .int('Must be a whole number')
  .positive('Must be a positive number')
  .max(2_147_483_647, 'Must be a smaller number')

export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

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

const tooLongFor = (max: number) => `Must be at most ${max} characters`
export const storableText = () => z.string('Must be text').refine(isStorable, 'Contains characters that cannot be stored')

/** Trimmed, at most `max` UTF-16 units; refuses what Postgres cannot store (NUL, lone surrogates). */
export const text = (max: number, tooLong = tooLongFor(max)) => storableText().trim().max(max, tooLong)

/** As above, untrimmed. */
export const untrimmedText = (max: number) => storableText().max(max, tooLongFor(max))

export const requiredText = (max: number, missing: string) =>
  text(max).min(1, { error: missing, abort: true }).refine(isVisible, missing)

/** Blank and null both mean none; absent stays absent. */
export const optionalText = (max: number) =>
  text(max)
    .transform((value) => value || null)
    .nullish()

const nameText = () => storableText().transform(withoutDirection)

export const requiredName = (max: number, missing: string) =>
  nameText().pipe(requiredText(max, missing)).meta({ minLength: 1, maxLength: max })

export const optionalName = (max: number) =>
  nameText()
    .pipe(text(max).refine((name) => name === '' || isVisible(name), 'Must contain a visible character'))
    .transform((name) => name || null)
    .meta({ maxLength: max })
    .nullish()

const pageLength = wholeNumber.pipe(z.number().int().min(1).max(LISTED_AT_ONCE))
export const limit = pageLength.default(LISTED_AT_ONCE).describe(`At most ${LISTED_AT_ONCE}, which is the default`)

export const NO_CURSOR = 'Must be a value from X-Next-Cursor'

/** A day of the calendar, YYYY-MM-DD. */
export const day = z.iso.date('Must be a day, YYYY-MM-DD').refine((given) => given >= '0001', 'Must be in year 1 or later')

const cursor = z
  .string()
  .regex(/^\d{1,14}-\d{1,10}$/, NO_CURSOR)
  .transform((given) => given.split('-').map(Number))
  .pipe(z.tuple([z.number(), id]))
  .transform(([moment, id]) => ({ moment: new Date(moment), id }))

export const listPage = z.object({ limit, cursor: cursor.optional() })
export type ListPage = z.output<typeof listPage>

export const success = z.object({ success: z.literal(true) })

/** Kept as mail servers write it: `bücher.example` is `xn--bcher-kva.example`. */
export function withAsciiDomain(address: string): string {
  const [local, domain = ''] = address.split(/@(?=[^@]*$)/)
  const origin = `https://${domain}`
  // A URL would take what follows for a port or a path.
  const isDomain = /[^ -~]/.test(domain) && !/[/:?#\\]/.test(domain)
  return isDomain && URL.canParse(origin) ? `${local}@${new URL(origin).hostname}` : address
}
