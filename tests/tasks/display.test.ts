import { expect, test } from 'bun:test'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { dayAt, shortDay } from '../../src/days'
import { plainWords } from '../../src/markdown'
import { CardContents } from '../../src/tasks/page/CardContents'
import { dropGapAt } from '../../src/tasks/page/cardDrag'
import { cutTitle, dayState } from '../../src/tasks/page/display'
import type { Task } from '../../src/tasks/schema'
import { dayText } from '../../src/time/limits'
import { preview, previewLine } from '../../src/web/plainText'
import { sameProps } from '../../src/web/sameProps'
import { aTask } from '../support/shapes'

const previews: [string, string][] = [
  ['Call Lin at 5', 'Call Lin at 5'],
  ['# Order\n\nCall **Lin**, see [the list](https://example.com/a_b)', 'Order\n\nCall Lin, see the list'],
  ['- [x] paper\n- [ ] ink\n* glue\n1. first', 'paper\nink\nglue\nfirst'],
  ['> quoted `code` and ~~gone~~', 'quoted code and gone'],
  ['_so_ *it* goes, but snake_case_name and 2 * 3 * 4 stay', 'so it goes, but snake_case_name and 2 * 3 * 4 stay'],
  ['![pixel](https://example.com/p.png) beside', 'pixel beside'],
  ['| a | b |\n|---|---|', 'a   b'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a   b\n\n1   2'],
  ['a'.repeat(400), 'a'.repeat(300)],
  ['', ''],
]
for (const [markdown, shown] of previews)
  test(`the preview of ${JSON.stringify(markdown.slice(0, 40))}`, () => expect(preview(markdown)).toBe(shown))

const lines: [string, string][] = [
  ['What it says:\n- who we are\n- what we make', 'What it says: who we are · what we make'],
  ['# Order\n\n- [x] paper\n- [ ] ink\n  * glue\n1. first', 'Order · paper · ink · glue · first'],
  ['- one\n- two', 'one · two'],
  ['over\nlines - and dashes', 'over\nlines - and dashes'],
  ['above\n\n* * *\n\nbelow', 'above\n\n\nbelow'],
]
for (const [markdown, shown] of lines)
  test(`the preview in a line of ${JSON.stringify(markdown.slice(0, 40))}`, () => expect(previewLine(markdown)).toBe(shown))

const titles: [string, string, string][] = [
  ['Twenty-eight letters it has.', 'Twenty-eight letters it has.', ''],
  ['Prepare the quarterly report for the board', 'Prepare the quarterly report', ' for the board'],
  ['Prepare the quarterly reports for the board', 'Prepare the quarterly', ' reports for the board'],
  ['x'.repeat(40), 'x'.repeat(28), 'x'.repeat(12)],
  ['👩‍👩‍👧‍👦'.repeat(30), '👩‍👩‍👧‍👦'.repeat(28), '👩‍👩‍👧‍👦'.repeat(2)],
]
for (const [title, shown, rest] of titles)
  test(`a card cuts ${JSON.stringify(title.slice(0, 44))} at a word's end`, () =>
    expect(cutTitle(title)).toEqual({ shown, rest }))

const SAME = [
  ...[
    '```js\nlet a\n```\nend',
    '~~~\nlet a\n~~~',
    'Title\n===\ntext',
    'a\\*b\\_c',
    'one\\\ntwo',
    '> - [ ] quoted',
    '- - 1) in lists',
  ],
  ...['[text][ref]\n\n[ref]: https://a.example', '<https://a.example/_a_>', '***both*** **a *b* c**', '**over\nlines**'],
  ...['[![logo](a.png)](https://a.example)', 'Ends with a |', '5 > 3, 2 - 1, a_b'],
]
test('a preview says what the text says where it is read whole', () => {
  expect(SAME.map(preview)).toEqual(SAME.map(plainWords))
})

test('a preview of hostile text takes no time to speak of', () => {
  for (const text of [
    '*'.repeat(20_000),
    '['.repeat(20_000),
    '_a '.repeat(7_000),
    '`'.repeat(20_000),
    ' \t|'.repeat(7_000),
    '> '.repeat(9_000),
    '- '.repeat(9_000),
    '_\n'.repeat(9_000),
  ])
    for (const shown of [preview(text), previewLine(text), previewLine(text.replaceAll(' ', '\n'))])
      expect(shown.length).toBeLessThanOrEqual(600)
})

test('a day is past, today or ahead where the viewer is', () => {
  const today = dayAt(new Date(2026, 10, 21, 23, 59))
  expect(['2026-11-20', '2026-11-21', '2026-11-22'].map((day) => dayState(day, today))).toEqual(['past', 'today', 'ahead'])
})

const TASK = aTask()

/** As a screen reader says it: texts and the names of pictures. */
const cardName = (task: Task) =>
  renderToStaticMarkup(createElement(CardContents, { task, timers: [] }))
    .replace(/<span aria-hidden="true">…<\/span>/g, '')
    .replace(/<[^>]*aria-label="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

test('a card is called by its whole title and all that it shows of its facts', () => {
  const ada = { id: 1, username: 'ada', name: 'Ada King', avatar: '/a.png' }
  const title = 'Thank-you card for the photographers'
  const full: Task = {
    ...TASK,
    title,
    tags: ['print', 'web'],
    assignees: [ada],
    dueDate: '2020-03-07',
    commentCount: 1,
    fileCount: 2,
    minutes: 65,
  }
  expect(cardName({ ...TASK, tags: ['a', 'b', 'c', 'd', 'e'] })).toBe('Order paper a b c +2')
  expect(cardName(TASK)).toBe('Order paper')
  expect(cardName(full)).toBe(`${title} print web Ada King Overdue: Mar 7 1 comment 2 files 1h 5m logged`)
  expect(cardName({ ...full, status: 'done', commentCount: 2 })).toContain('Due: Mar 7 2 comments')
})

test('days are written as en-CA and en-US write them, without asking Intl', () => {
  const [short, medium] = [
    new Intl.DateTimeFormat('en-CA', { month: 'short', day: 'numeric', timeZone: 'UTC' }),
    new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }),
  ]
  for (let nth = 0; nth < 366; nth++) {
    const moment = new Date(Date.UTC(2024, 0, 1 + nth))
    const day = moment.toISOString().slice(0, 10)
    expect([shortDay(day), dayText(day)]).toEqual([short.format(moment), medium.format(moment)])
  }
})

test('the gap under a dragged card is between those that it does not belong to', () => {
  const column = [1, 2, 3].map((id) => ({ ...TASK, id }))
  const spans = [0, 108, 216].map((start, index) => ({ index, start, end: start + 100 }))
  const at = (y: number, dragged = 9) => dropGapAt(column, spans, y, dragged)
  expect([-40, 49, 51, 157, 159, 500].map((y) => at(y).place)).toEqual([
    ...[{ before: 1 }, { before: 1 }, { after: 1 }],
    ...[{ before: 2 }, { after: 2 }, { after: 3 }],
  ])
  expect([at(0).line, at(100).line, at(500).line]).toEqual([-5, 103, 319])
  expect(at(120, 2).place).toEqual({ after: 1 })
  expect(at(300, 3).place).toEqual({ after: 2 })
  expect(dropGapAt([], [], 40, 9)).toEqual({ place: {}, line: 0 })
  expect(dropGapAt(column.slice(0, 1), spans, 40, 1).place).toEqual({})
})

test('props are the same where their lists hold the same', () => {
  const [one, two] = [{ id: 1 }, { id: 2 }]
  expect(sameProps({ list: [one, two], locked: false }, { list: [one, two], locked: false })).toBe(true)
  expect(sameProps({ list: [one, two] }, { list: [two, one] })).toBe(false)
  expect(sameProps({ list: [one] }, { list: [one, two] })).toBe(false)
  expect(sameProps({ list: [one] }, { list: [{ ...one }] })).toBe(false)
  expect(sameProps<{ a?: number; b?: number }>({ a: 1 }, { a: 1, b: undefined })).toBe(false)
})
