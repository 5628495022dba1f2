/** A box of a list in Markdown, `- [ ] words`, on a line of the text. */
export type Checkbox = { line: number; words: string; done: boolean }

export type Checklist = { done: number; all: number }

/** Only marks of lists and quotes stand before it. */
const BOX = /^([\s>*+.)\d-]*\[)([ xX])(\][ \t]+)(\S.*)$/s
const LINE_END = /(\r\n?|\n)/

const MARK = /^\s*(?:(?:[-*+•]|\d{1,6}[.)])(?:\s+|$))?(?:\[([ xX]?)\](?:\s+|$))?/

/** How long the mark is with which a line of a pasted list begins, and whether it ticks a box. */
export function listMarkOf(line: string): { length: number; done: boolean } {
  const [mark = '', box] = MARK.exec(line) ?? []
  return { length: mark.length, done: box?.toLowerCase() === 'x' }
}

/** A text with the box of that line as done as it says; undefined where the line has no box with these words. */
export function withCheckbox(text: string, { line, words, done }: Checkbox): string | undefined {
  const parts = text.split(LINE_END)
  // Between any two lines stands what ends the first.
  const at = line * 2
  const [, before, mark, ...after] = BOX.exec(parts[at] ?? '') ?? []
  if (after.at(-1)?.trimEnd() !== words) return undefined
  if ((mark !== ' ') === done) return text
  return parts.with(at, [before, done ? 'x' : ' ', ...after].join('')).join('')
}
