/** A box of a list in Markdown, `- [ ] words`, on a line of the text. */
export type Checkbox = { line: number; words: string; done: boolean }

export type Checklist = { done: number; all: number }

const BOX = /^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+\[)([ xX])(\][ \t]+)(\S.*)$/s
const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/s
/** Most lines have neither, which is soon seen. */
const MARKED = /\[|`{3}|~{3}/
const LINE_END = /(\r\n?|\n)/

const MARK = /^\s*(?:(?:[-*+•]|\d{1,6}[.)])(?:\s+|$))?(?:\[([ xX]?)\](?:\s+|$))?/

/** How long the mark is with which a line of a pasted list begins, and whether it ticks a box. */
export function listMarkOf(line: string): { length: number; done: boolean } {
  const [mark = '', box] = MARK.exec(line) ?? []
  return { length: mark.length, done: box?.toLowerCase() === 'x' }
}

/** Without those in blocks of code. */
export function checkboxesIn(text: string): Checkbox[] {
  if (!/\[[ xX]\]/.test(text)) return []
  let fence = ''
  return text.split(/\r\n?|\n/).flatMap((written, line) => {
    if (!MARKED.test(written)) return []
    const [, marks = '', rest = ''] = FENCE.exec(written) ?? []
    if (fence) fence = marks.startsWith(fence) && rest.trim() === '' ? '' : fence
    else if (marks && !(marks.startsWith('`') && rest.includes('`'))) fence = marks
    const [, , mark, , words = ''] = (!fence && !marks && BOX.exec(written)) || []
    return mark ? [{ line, words: words.trimEnd(), done: mark !== ' ' }] : []
  })
}

export function checklistIn(text: string | null): Checklist | undefined {
  const boxes = checkboxesIn(text ?? '')
  return boxes.length > 0 ? { done: boxes.filter(({ done }) => done).length, all: boxes.length } : undefined
}

/** A text with this box as done as it says; undefined where no line with these words has one. */
export function withCheckbox(text: string, { line, words, done }: Checkbox): string | undefined {
  const same = checkboxesIn(text).filter((box) => box.words === words)
  const [nearest] = same.toSorted((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line))
  if (!nearest || nearest.done === done) return nearest && text
  const parts = text.split(LINE_END)
  // Between any two lines stands what ends the first.
  const at = nearest.line * 2
  return parts.with(at, (parts[at] ?? '').replace(BOX, `$1${done ? 'x' : ' '}$3$4`)).join('')
}
