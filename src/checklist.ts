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

/** A text with this box as done as it says; undefined where no line with these words has one. */
export function withCheckbox(text: string, { line, words, done }: Checkbox): string | undefined {
  const parts = text.split(LINE_END)
  // Between any two lines stands what ends the first.
  const same = [...parts.keys()].filter((at) => at % 2 === 0 && BOX.exec(parts[at] ?? '')?.[4]?.trimEnd() === words)
  const [nearest] = same.toSorted((a, b) => Math.abs(a - line * 2) - Math.abs(b - line * 2))
  if (nearest === undefined) return undefined
  const [, before, mark, ...after] = BOX.exec(parts[nearest] ?? '') ?? []
  if ((mark !== ' ') === done) return text
  return parts.with(nearest, [before, done ? 'x' : ' ', ...after].join('')).join('')
}
