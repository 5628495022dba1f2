const READ_CHARACTERS = 300

/** One pattern per kind of mark: a whole Markdown parser would cost each card, and the first script, too much. */
const MARKS: [RegExp, string][] = [
  [/^[ \t>]*(?:```|~~~).*\n?/gm, ''],
  [/^\[[^\]\n]+\]:.*\n?/gm, ''],
  [/!\[([^\]]*)\]\([^)]*\)?/g, '$1'],
  [/\[([^\]]*)\](?:\([^)]*\)?|\[[^\]]*\])/g, '$1'],
  [/<(\w+:[^\s>]+)>/g, '$1'],
  [/^[ \t]*([-*_=])(?:[ \t]*\1)*[ \t]*(?:\n|$)/gm, ''],
  [/^[ \t]*\|[|: \t-]*$/gm, ''],
  [/^[ \t]*(?:(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*)+(?:\[[ x]\][ \t]+)?/gim, ''],
  [/(?<=^[ \t]*\|.*)\|/gm, ' '],
  [/^[ \t]*\|[ \t]*/gm, ''],
  [/[ \t]+$/gm, ''],
  [/(?<!\\)(\*\*|__|~~|`+)(?=\S)((?:.|\n(?!\n))*?\S)\1/g, '$2'],
  [/(?<![\\/\w])([*_])(?=\S)((?:.|\n(?!\n))*?\S)\1(?!\w)/g, '$2'],
  [/\\([!-/:-@[-`{-~]|$)/gm, '$1'],
]

/** A list item below a line; not a possible horizontal rule. */
const ITEM = /(\S)\s*\n[ \t]*(?!([-*+])(?:[ \t]*\2)+[ \t]*$)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ x]\][ \t]+)?/gim

/** Like `preview`, on one line, with list items kept apart. */
export const previewLine = (markdown: string): string =>
  preview(markdown.slice(0, READ_CHARACTERS).replace(ITEM, (_, before: string) => (before === ':' ? ': ' : `${before} · `)))

/** The start of a Markdown text without its marks, for a line or two. */
export const preview = (markdown: string): string =>
  MARKS.reduce((text, [mark, instead]) => text.replace(mark, instead), markdown.slice(0, READ_CHARACTERS)).trim()
