import { type Command, WrongUsage } from './command'

type Help = { usage: string; help: string; options: Record<string, string> }[]

/** Help for the commands whose names start like this. Throws WrongUsage. */
export function helpOn(table: Record<string, Command>, name: string): Help {
  const found = Object.entries(table).filter(([one]) => name === '' || `${one} `.startsWith(`${name} `))
  if (found.length === 0) throw new WrongUsage(`there is no command "${name}"`)
  return found.map(([one, { arguments: named, options, help }]) => ({
    usage: ['wrk', one, ...named.map(spelled)].join(' '),
    help,
    options: Object.fromEntries(
      Object.entries(options).map(([option, { type, value = 'TEXT', help }]) => [
        type === 'string' ? `${option} ${value}` : option,
        help,
      ]),
    ),
  }))
}

const spelled = (argument: string) =>
  argument.endsWith('?') ? `[${argument.slice(0, -1).toUpperCase()}]` : argument.toUpperCase()

const EVERYWHERE = 'WHO is a username, an email or an id. Every command takes --help, and --json to print one JSON document.'

export function showHelp(help: Help): string {
  const lines = inColumns(
    help.flatMap(({ usage, help, options }) => [
      [usage, help],
      ...Object.entries(options).map(([option, text]) => [`    --${option}`, text]),
    ]),
  )
  return [...lines, '', EVERYWHERE].join('\n')
}

/** Lines with each column as wide as its longest text. */
function inColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((text, n) => text.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Users' text could contain terminal escape codes. */
export const printable = (text: string) => text.replaceAll(/\p{C}+/gu, ' ')

export const yes = (is: boolean) => (is ? 'yes' : '')

export function columns(rows: Record<string, string>[]): string {
  const [first] = rows
  return first ? inColumns([Object.keys(first), ...rows.map((row) => Object.values(row))]).join('\n') : 'none found'
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
