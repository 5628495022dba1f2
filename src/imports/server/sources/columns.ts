import { plainText } from '../statuses'
import type { Table } from './csv'
import type { createLosses } from './losses'

/** What columns of a kind of table may hold, each with the names that programs give it, the best first. */
export type Spellings<Field extends string> = Record<Field, string[]>

/** No column that is known has a longer name. */
export const NAME_MAX = 100

/** A column's name as it is compared. */
export const plainName = (name: string): string =>
  plainText(name.slice(0, NAME_MAX))
    .replace(/[\s_-]+/g, ' ')
    .replace(/[?:*]+$/, '')
    .trim()

/** What each column holds by its name; null where no name says. */
export function guessFields<Field extends string>(header: string[], spellings: Spellings<Field>): (Field | null)[] {
  const byName = new Map(entriesOf(spellings).flatMap(([field, names]) => names.map((name) => [name, field] as const)))
  return header.map((name) => byName.get(plainName(name)) ?? null)
}

// Object.entries forgets the names of a record's fields.
const entriesOf = <Field extends string>(spellings: Spellings<Field>) => Object.entries(spellings) as [Field, string[]][]

/** The columns of a table by what they hold; of several that hold the same, those with the better names come first. */
export function columnsOf<Field extends string>(
  { header }: Pick<Table, 'header'>,
  fields: readonly (string | null)[],
  spellings: Spellings<Field>,
) {
  const names = header.map(plainName)
  const rankOf = (field: Field, at: number) => {
    const rank = spellings[field].indexOf(names[at] ?? '')
    return rank < 0 ? spellings[field].length : rank
  }
  const columns = new Map(
    entriesOf(spellings).map(([field]) => {
      const own = [...header.keys()].filter((at) => fields[at] === field)
      return [field, own.toSorted((a, b) => rankOf(field, a) - rankOf(field, b))]
    }),
  )
  const cellsOf = (row: string[], field: Field) =>
    (columns.get(field) ?? [])
      .map((at) => ({ name: header[at] || `Column ${at + 1}`, value: row[at]?.trim() ?? '' }))
      .filter(({ value }) => value !== '')
  return {
    has: (field: Field) => (columns.get(field) ?? []).length > 0,
    /** What stands in them, without blank ones. */
    cells: cellsOf,
    all: (row: string[], field: Field) => cellsOf(row, field).map(({ value }) => value),
    first(row: string[], field: Field) {
      for (const at of columns.get(field) ?? []) {
        const value = row[at]?.trim()
        if (value) return value
      }
      return ''
    },
    nameOf: (field: Field) => header[columns.get(field)?.[0] ?? -1] ?? '',
    /** Of a field that takes one value: those of its other columns that say something else. */
    spare(row: string[], field: Field) {
      const [taken, ...others] = cellsOf(row, field)
      return others.filter(({ value }) => value !== taken?.value)
    },
  }
}

/** Finds the columns that are left out though they have something in a row; `tell` says which. */
export function createUnread(
  { losses }: { losses: ReturnType<typeof createLosses> },
  { header }: Table,
  fields: readonly unknown[],
) {
  const left = new Set([...header.keys()].filter((at) => fields[at] === 'leave'))
  const unread: number[] = []
  return {
    look(row: string[]) {
      for (const at of left) if (row[at]?.trim() && left.delete(at)) unread.push(at)
    },
    tell() {
      for (const at of unread.toSorted((a, b) => a - b)) losses.add('columns that are not read', header[at] || `Column ${at + 1}`)
    },
  }
}
