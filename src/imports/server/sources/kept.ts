import { badRequest } from '../../../server/errors'

const TOO_MUCH = 'This file holds more than this server can read at once. Please export it in smaller parts.'

export type Kept = ReturnType<typeof createKept>

/** Counts what a conversion keeps in memory, in bytes. `add` throws BAD_REQUEST where that becomes more than `most`. */
export function createKept(most: number) {
  let bytes = 0
  return {
    add(value: unknown, more = 0) {
      bytes += bytesOf(value) + more
      if (bytes > most) throw badRequest(TOO_MUCH)
    },
  }
}

const [TEXT, LIST, OBJECT, SLOT] = [40, 64, 56, 8]

/** Whether its characters take one byte each. */
export const isNarrow = (text: string): boolean => !/[^\0-\xff]/.test(text)

/** Measured. Short texts are shared. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length < 2 ? 0 : TEXT + value.length * (isNarrow(value) ? 1 : 2)
  if (value instanceof Uint8Array) return OBJECT + value.length
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + SLOT + bytesOf(one), LIST)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, one) => sum + SLOT + bytesOf(one), OBJECT)
}
