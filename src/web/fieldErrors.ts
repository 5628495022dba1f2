import type { z } from 'zod'

/**
 * What a schema has against each field of what was typed. That something is missing is told once it was `tried` to
 * send; that something is too long, at once.
 */
export function fieldErrors<Field extends string>(
  schema: z.ZodType,
  given: Partial<Record<Field, unknown>>,
  tried: boolean,
): Partial<Record<Field, string>> {
  const issues = schema.safeParse(given).error?.issues ?? []
  const told = issues.filter(({ code }) => tried || code === 'too_big')
  // Of several issues of a field the first is the one to tell.
  return Object.fromEntries(
    told.reverse().map(({ code, message, path }) => {
      const field = String(path[0]) as Field
      const text: unknown = given[field]
      return [field, code === 'too_big' && typeof text === 'string' ? `${message} ${youHave(text)}` : message]
    }),
  ) as Partial<Record<Field, string>>
}

export const youHave = (text: string): string => `(you have ${text.trim().length.toLocaleString('en')})`
