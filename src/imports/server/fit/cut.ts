import type { LossKind } from '../lossKinds'

/** Notes that something is left out, or is not as it was, with what it was. */
export type Note = (what: LossKind, example: string) => void

/** For what the preview has noted already. */
export const ignored: Note = () => {}

/** Without half of a character at its end. */
export const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : text
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()
