/** A checkbox in a Markdown list, `- [ ] words`, on one line of the text. */
export type Checkbox = { line: number; words: string; done: boolean }

export type Checklist = { done: number; all: number }

/** Only list and quote marks come before it. */
const BOX = /^([\s>*+.)\d-]*\[)([ xX])(\][ \t]+)(\S.*)$/s
const LINE_END = /(\r\n?|\n)/

const MARK = /^\s*(?:(?:[-*+•]|\d{1,6}[.)])(?:\s+|$))?(?:\[([ xX]?)\](?:\s+|$))?/

/** The length of the list mark at the start of a pasted line, and whether it is a ticked box. */
export function listMarkOf(line: string): { length: number; done: boolean } {
  const [mark = '', box] = MARK.exec(line) ?? []
  return { length: mark.length, done: box?.toLowerCase() === 'x' }
}

/** The text with that line's box ticked or not, as `done` says; undefined if the line has no box with these words. */
export function withCheckbox(text: string, { line, words, done }: Checkbox): string | undefined {
  const parts = text.split(LINE_END)
  const at = line * 2
  const [, before, mark, ...after] = BOX.exec(parts[at] ?? '') ?? []
  if (after.at(-1)?.trimEnd() !== words) return undefined
  if ((mark !== ' ') === done) return text
  return parts.with(at, [before, done ? 'x' : ' ', ...after].join('')).join('')
}
