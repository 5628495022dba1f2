import { join } from 'node:path'

const PAGE = join(import.meta.dir, '../../docs/performance.md')

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export function shown(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value >= 100) return Math.round(value).toLocaleString('en-CA')
  return value.toFixed(value >= 10 ? 1 : 2)
}

/** A table of Markdown whose columns stand below each other. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (row: string[]) => `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`
  const [head = [], ...others] = rows
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others.map(line)].join('\n')
}

/** Prints what was measured; with --write it also replaces what docs/performance.md has under that name. */
export async function publish(name: string, text: string): Promise<void> {
  console.log(`\n${text}\n`)
  if (!process.argv.includes('--write')) return
  const { page, from, to } = await writtenAs(name)
  await Bun.write(PAGE, `${page.slice(0, from)}\n\n${text}\n\n${page.slice(to)}`)
}

async function writtenAs(name: string) {
  const page = await Bun.file(PAGE).text()
  const begin = `<!-- ${name} -->`
  const from = page.indexOf(begin) + begin.length
  const to = page.indexOf(`<!-- end of ${name} -->`)
  if (!page.includes(begin) || to < from) throw new Error(`docs/performance.md has no place for ${name}`)
  return { page, from, to }
}

/** The rows of that table in docs/performance.md, with these in the place of those that are called the same. */
export async function amongWritten(name: string, rows: string[][]): Promise<string[][]> {
  const { page, from, to } = await writtenAs(name)
  const lines = page.slice(from, to).split('\n')
  const written = lines.filter((line) => /^\| (?!--)/.test(line)).map(cellsOf)
  const added = rows.filter(([name]) => !written.some(([other]) => other === name))
  return [...written.map((row) => rows.find(([name]) => name === row[0]) ?? row), ...added]
}

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

/** When and where: the figures belong to it. */
export async function conditions(): Promise<string> {
  const [, model = 'processors'] = /model name\s*: (.+)/.exec(await Bun.file('/proc/cpuinfo').text()) ?? []
  return `${new Date().toISOString().slice(0, 10)}, ${navigator.hardwareConcurrency} cores, ${model}`
}
