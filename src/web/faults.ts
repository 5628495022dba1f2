import type { z } from 'zod'

export type Fault = { message: string; isTooLong: boolean }

/** What a schema has against each field, the first issue of each; texts that are too long are told with their length. */
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
