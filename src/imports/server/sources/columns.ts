import type { Table } from './csv'

/** The columns of a table by what they hold: each has the first of its names that the header has, and all columns of that name. */
export function columnsOf<Name extends string>({ header }: Table, names: Record<Name, string[]>) {
  const byName = Map.groupBy(header.keys(), (at) => plain(header[at] ?? ''))
  const entries = Object.entries<string[]>(names).map(([name, spellings]) => {
    const found = spellings.find((spelling) => byName.has(spelling))
    return [name as Name, found === undefined ? [] : (byName.get(found) ?? [])] as const
  })
  const at = new Map(entries)
  const used = new Set(entries.flatMap(([, columns]) => columns))
  return {
    has: (name: Name) => (at.get(name) ?? []).length > 0,
    /** What stands in them, without blank ones. */
    all: (row: string[], name: Name) =>
      (at.get(name) ?? []).map((column) => row[column]?.trim() ?? '').filter((cell) => cell !== ''),
    first: (row: string[], name: Name) => row[at.get(name)?.[0] ?? -1]?.trim() ?? '',
    nameOf: (name: Name) => header[at.get(name)?.[0] ?? -1] ?? '',
    /** Those that nothing is read of. */
    others: [...header.keys()].filter((column) => !used.has(column)),
  }
}

const plain = (name: string) =>
  name
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()

export const isYes = (cell: string): boolean =>
  /^(yes|true|y|x|1|✓|✔|checked|done|complete[d]?|ja|oui|s[ií]|sim)$/i.test(cell.trim())

/** Of a cell with commas, semicolons, bars or lines between them. */
export const partsOf = (cell: string): string[] =>
  cell
    .split(/[,;|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
