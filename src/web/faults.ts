import type { z } from 'zod'

export type Fault = { message: string; isTooLong: boolean }

/** The first issue of each field; that a text is too long is said with its length. */
export function faultsIn(issues: z.core.$ZodIssue[], given: Record<string, unknown>): Record<string, Fault> {
  return Object.fromEntries(
    issues.toReversed().map(({ code, message, path: [name] }) => {
      const field = String(name)
      const text = given[field]
      const isTooLong = code === 'too_big'
      return [field, { isTooLong, message: isTooLong && typeof text === 'string' ? `${message} ${youHave(text)}` : message }]
    }),
  )
}

export const youHave = (text: string): string => `(you have ${text.trim().length.toLocaleString('en')})`
