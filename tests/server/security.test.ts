import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'

/** The levels of a section's requirements, in their order: of V1.5, the first is of level 1, the second of level 2. */
const LEVELS: Record<string, string> = {
  '1.1': '22',
  '1.2': '111112222',
  '1.3': '11222222222',
  '1.4': '222',
  '1.5': '12',
  '2.1': '122',
  '2.2': '112',
  '2.3': '1222',
  '2.4': '2',
  '3.2': '11',
  '3.3': '1222',
  '3.4': '112222',
  '3.5': '11122',
  '3.7': '22',
  '4.1': '122',
  '4.2': '2',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112',
  '5.3': '11',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '1122',
  '6.4': '1122',
  '6.5': '22222',
  '6.6': '222',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '22',
  '7.6': '22',
  '8.1': '12',
  '8.2': '112',
  '8.3': '1',
  '8.4': '2',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '22',
  '10.3': '2222',
  '10.4': '11111222222',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '22',
  '11.2': '222',
  '11.3': '112',
  '11.4': '1222',
  '11.5': '2',
  '11.6': '2',
  '12.1': '122',
  '12.2': '11',
  '12.3': '2222',
  '13.1': '2',
  '13.2': '22222',
  '13.3': '22',
  '13.4': '12222',
  '14.1': '22',
  '14.2': '1222',
  '14.3': '122',
  '15.1': '122',
  '15.2': '122',
  '15.3': '1222222',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '222',
  '17.1': '2',
  '17.2': '2222',
  '17.3': '22',
}
const levels = new Map<string, number>(
  Object.entries(LEVELS).flatMap(([section, each]) =>
    [...each].map((level, i) => [`V${section}.${i + 1}`, Number(level)] as const),
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
