import { WrongUsage } from './command'
import { inColumns } from './help'

export const yes = (is: boolean) => (is ? 'yes' : '')

/** A table with a head, or that there is nothing. */
export function columns(rows: Record<string, string>[]): string {
  const [first] = rows
  return first ? inColumns([Object.keys(first), ...rows.map((row) => Object.values(row))]).join('\n') : 'there is none'
}

type Part<Row> = { rows: Row[]; nextCursor: number | null }

export async function everyPart<Row>(read: (cursor?: number) => Promise<Part<Row>>): Promise<Row[]> {
  const rows: Row[] = []
  for (let part = await read(); ; part = await read(part.nextCursor)) {
    rows.push(...part.rows)
    if (part.nextCursor === null) return rows
  }
}

/** Throws WrongUsage. */
export function numberIn(given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new WrongUsage(`"${given}" is not a number`)
  return Number(given)
}
