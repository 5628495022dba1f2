import { expect, test } from 'bun:test'
import { cutTitle, dayOf, preview } from '../../src/tasks/display'

const previews: [string, string][] = [
  ['Call Lin at 5', 'Call Lin at 5'],
  ['# Order\n\nCall **Lin**, see [the list](https://example.com/a_b)', 'Order\n\nCall Lin, see the list'],
  ['- [x] paper\n- [ ] ink\n* glue\n1. first', 'paper\nink\nglue\nfirst'],
  ['> quoted `code` and ~~gone~~', 'quoted code and gone'],
  ['_so_ *it* goes, but snake_case_name and 2 * 3 * 4 stay', 'so it goes, but snake_case_name and 2 * 3 * 4 stay'],
  ['![pixel](https://example.com/p.png) beside', 'pixel beside'],
  ['| a | b |\n|---|---|', '| a | b |'],
  ['a'.repeat(400), 'a'.repeat(300)],
  ['', ''],
]
for (const [markdown, shown] of previews)
  test(`the preview of ${JSON.stringify(markdown.slice(0, 40))}`, () => expect(preview(markdown)).toBe(shown))

test('a preview of hostile text takes no time to speak of', () => {
  for (const text of ['*'.repeat(20_000), '['.repeat(20_000), '_a '.repeat(7_000), '`'.repeat(20_000), ' \t|'.repeat(7_000)])
    expect(preview(text).length).toBeLessThanOrEqual(300)
})

const titles: [string, string][] = [
  ['Short', 'Short'],
  ['Exactly twenty-eight letters', 'Exactly twenty-eight letters'],
  ['Proofread the German edition twice', 'Proofread the German edition…'],
  ['Thank-you card for the photographers', 'Thank-you card for the…'],
  ['Donaudampfschifffahrtsgesellschaft', 'Donaudampfschifffahrtsgesell…'],
  ['👩‍👩‍👧'.repeat(3), '👩‍👩‍👧'.repeat(3)],
]
for (const [title, cut] of titles)
  test(`the title ${JSON.stringify(title)} is cut at a word`, () => expect(cutTitle(title)).toBe(cut))

test('a day is past, today or ahead where the viewer is', () => {
  const late = new Date(2026, 10, 21, 23, 59)
  expect(['2026-11-20', '2026-11-21', '2026-11-22'].map((day) => dayOf(day, late))).toEqual(['past', 'today', 'ahead'])
})
