import type { Kind } from '../sources/kinds'

/** Notes that something is left out, or is not as it was, with what it was. */
export type Note = (what: Kind, example: string) => void

/** Without half of a character at its end. */
export const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : text
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()
