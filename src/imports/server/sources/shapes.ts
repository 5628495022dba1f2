import { z } from 'zod'
import { numberText } from '../../../format'
import { badRequest } from '../../../server/errors'

export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

export const words = z.string().transform(storable)
export const someWords = words.nullish().transform((text) => text ?? '')
/** Limits names that many rows repeat. */
export const CELL_NAME_MAX = 16_384
export const LONGER = `longer than ${numberText(CELL_NAME_MAX)} characters`
export const name = words.refine((text) => text.length <= CELL_NAME_MAX, LONGER)
export const someName = someWords.refine((text) => text.length <= CELL_NAME_MAX, LONGER)
export const id = z.string().min(1).max(200)
export const someId = z
  .string()
  .max(200)
  .nullish()
  .transform((given) => given || null)
export const flag = z
  .boolean()
  .nullish()
  .transform((given) => given ?? false)
export const position = z
  .number()
  .nullish()
  .transform((given) => given ?? 0)

const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T00:00:00Z')

const isMoment = (text: string) => /^\d{4}-\d\d-\d\d/.test(text) && Date.parse(text) >= EARLIEST && Date.parse(text) < LATEST

const HAS_NO_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/

/** UTC if it has no offset. */
export const someMoment = z
  .string()
  .transform((text) => (HAS_NO_OFFSET.test(text) ? `${text}Z` : text))
  .refine((text) => text === '' || isMoment(text), 'not a date')
  .nullish()
  .transform((text) => (text ? new Date(text).toISOString() : null))

/** Checks the length before any item. */
export const list = <Shape extends z.ZodType>(shape: Shape, max = 2_000) =>
  z
    .array(z.unknown())
    .max(max, `more than ${max} items`)
    .nullish()
    .transform((items) => items ?? [])
    .pipe(z.array(shape))

export function parseShape<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  where: string,
  damaged = 'This file is damaged',
): z.output<Shape> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.map(String).join('.')
  throw badRequest(`${damaged}: ${where}${field ? `, ${field}` : ''}: ${issue?.message ?? 'invalid'}.`)
}

export const parserOf =
  <Shape extends z.ZodType>(shape: Shape) =>
  (value: unknown, where: string): z.output<Shape> =>
    parseShape(shape, value, where)
