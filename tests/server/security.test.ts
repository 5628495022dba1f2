import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'

/** The levels of each chapter's requirements, section by section in their order; - is a section that has none of level 1 or 2. */
const LEVELS: Record<number, string> = {
  1: '22 111112222 11222222222 222 12',
  2: '122 112 1222 2',
  3: '- 11 1222 112222 11122 - 22',
  4: '122 2 22 1222',
  5: '2 112 11 222',
  6: '122 111111112222 1122 1122 22222 222 - 2222',
  7: '222 1111 22 11222 22 22',
  8: '12 112 1 2',
  9: '111 1222',
  10: '22 22 2222 11111222222 22222 22 222',
  11: '22 222 112 1222 2 2',
  12: '122 11 2222',
  13: '2 22222 22 12222',
  14: '22 1222 122',
  15: '122 122 1222222',
  16: '2 22222 2222 222 222',
  17: '2 2222 22',
}
const levels = new Map<string, number>(
  Object.entries(LEVELS).flatMap(([chapter, sections]) =>
    sections
      .split(' ')
      .flatMap((each, section) =>
        [...each.replace('-', '')].map((level, i) => [`V${chapter}.${section + 1}.${i + 1}`, Number(level)] as const),
      ),
  ),
)
const all = [...levels.keys()]

const ROOT = join(import.meta.dir, '../..')
const page = await Bun.file(join(ROOT, 'docs/security.md')).text()
const shape = z.array(
  z.object({
    id: z.string(),
    requirement: z.string(),
    met: z.enum(['Yes', 'Partly', 'No', '–']),
    how: z.string(),
    tests: z.string(),
  }),
)
const lines: unknown = parse(await Bun.file(join(ROOT, 'docs/asvs.csv')).text(), { columns: true })
const rows = shape.parse(lines).map(({ id: name, met, tests }) => {
  const [first = '', last = first] = name.split('–')
  return { name, ids: all.slice(all.indexOf(first), all.indexOf(last) + 1), met, tests }
})

test('every requirement is there once, in its order', () => {
  expect(rows.flatMap(({ ids }) => ids)).toEqual(all)
})

test('the summary counts them', () => {
  const sums = (of: number[]) => {
    const found = shape.element.shape.met.options.map(
      (met) =>
        rows.filter((row) => row.met === met).flatMap(({ ids }) => ids.filter((id) => of.includes(levels.get(id) ?? 0))).length,
    )
    return [...found, found.reduce((sum, one) => sum + one, 0)].map(String)
  }
  const said = (levels: string) =>
    (page.split('\n').find((line) => line.startsWith(`| ${levels} `)) ?? '')
      .split('|')
      .slice(2, -1)
      .map((cell) => cell.trim())
  expect([said('level 1'), said('level 2'), said('both')]).toEqual([sums([1]), sums([2]), sums([1, 2])])
  expect(sums([1, 2]).at(-1)).toBe(String(all.length))
})

test('the tests that it names are there', async () => {
  const missing: string[] = []
  for (const { name, met, tests } of rows) {
    if (tests === (met === '–' ? '' : 'by reading')) continue
    const named = [...tests.matchAll(/`([\w/-]+\.test\.ts)` "([^"]+)"(?:; |$)/g)]
    expect([name, named.map(([whole]) => whole).join('')]).toEqual([name, tests])
    for (const [, path = '', part = ''] of named) {
      const file = Bun.file(join(ROOT, 'tests', path))
      const text = (await file.exists()) ? await file.text() : ''
      if (!text.includes(part)) missing.push(`${name}: ${path} "${part}"`)
    }
  }
  expect(missing).toEqual([])
})

test('the files of the code that it names are there', async () => {
  const named = [...page.matchAll(/`([\w/]+\.tsx?)`/g)].map(([, path = '']) => path)
  for (const path of named.filter((path) => path.includes('/') && !path.startsWith('tests/')))
    expect([path, await Bun.file(join(ROOT, 'src', path)).exists()]).toEqual([path, true])
})
