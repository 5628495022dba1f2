import { z } from 'zod'
import { numberText } from '../../../basics'
import { badRequest } from '../../../server/errors'

/** What Postgres cannot store goes. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

export const words = z.string().transform(storable)
/** Absent, null and blank are the same. */
export const someWords = words.nullish().transform((text) => text ?? '')
/** Of what many rows name, each of which would have all of it. */
export const CELL_NAME_MAX = 16_384
export const LONGER = `longer than ${numberText(CELL_NAME_MAX)} characters`
export const name = words.refine((text) => text.length <= CELL_NAME_MAX, `is ${LONGER}`)
export const someName = someWords.refine((text) => text.length <= CELL_NAME_MAX, `is ${LONGER}`)
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

export const someMoment = z
  .string()
  .refine((text) => text === '' || isMoment(text), 'is no date')
  .nullish()
  .transform((text) => (text ? new Date(text).toISOString() : null))

/** Looks at no item before it knows that they are not too many. */
export const list = <Shape extends z.ZodType>(shape: Shape, max = 2_000) =>
  z
    .array(z.unknown())
    .max(max, `more than ${max} are too many`)
    .nullish()
    .transform((items) => items ?? [])
    .pipe(z.array(shape))

export function parsed<Shape extends z.ZodType>(shape: Shape, value: unknown, where: string): z.output<Shape> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.map(String).join('.')
  throw badRequest(`This file is damaged: ${where}${field ? `, ${field}` : ''}: ${issue?.message ?? 'it does not fit'}.`)
}

/** `parsed`, for each row of a list. */
export const taking =
  <Shape extends z.ZodType>(shape: Shape) =>
  (value: unknown, where: string): z.output<Shape> =>
    parsed(shape, value, where)
