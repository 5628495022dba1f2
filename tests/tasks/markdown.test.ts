import { describe, expect, test } from 'bun:test'
import { withCheckbox } from '../../src/checklist'
import { checkboxesIn, spokenIn } from '../../src/markdown'
import { mentionsIn } from '../../src/users/mentions'
import { htmlOf } from '../../src/web/markdownHtml'
import { random } from '../support/random'

/** As long as a description may be. */
const MAX = 20_000
const fill = (part: string, before = '') => (before + part.repeat(MAX)).slice(0, MAX)

const LISTS = [
  '- [ ] a\n- [x] b\n* [X] c\n+ [ ] d',
  '1. [ ] a\n2) [x] b',
  'Buy\n\n- [ ] a\n  - [x] within\n\n    1. [ ] deeper\n- [ ] b',
  '> - [ ] quoted\n>   - [x] within',
  '- - [ ] a list in a list',
  '- [ ] **bold** and [a link](https://a.example)\n- [ ] `code`',
  '\r\n- [ ] a\r\n\r\n- [x] b\r\rno list\r\r- [ ] c',
  '```\n- [ ] in code\n```\n- [ ] a',
  '- a\n  ~~~~ txt\n  - [ ] in code\n  ~~~\n  ~~~~\n- [ ] a',
  '``` not code ```\n\n- [ ] a',
  '- [ ]\n- [ ] \n- []\n- [ ]a\n- [y] b\n[ ] c\n-[ ] d\n- \\[ ] e\n- [x](https://a.example)',
  'text [x] in between, and a [ ] b',
  '    - [ ] in code\n\n- [ ] a\n\n      - [ ] in code within\n- [ ] b',
  '- a\n  ```\n  - [ ] in code\n- [ ] b',
  '> ```\n> - [ ] in code\n\n- [ ] a',
  '- [ ] # a\n- # [ ] a heading\n- > [ ] quoted\n- [x]: a',
  '[x]: https://a.example\n\n- [x] no link\n- [ ] a | b\n  -|-\n- [ ] a\n  ===',
  'text\n- [ ] a\nlazy\n2. [ ] b',
]
const PARTS = [
  '- ',
  '* ',
  '1. ',
  '12) ',
  '> ',
  '  ',
  '    ',
  '\t',
  '[ ] ',
  '[x] ',
  '[X]\t',
  '[ ]',
  'a',
  '`',
  '```',
  '~~~',
  '#',
  '|',
  '---',
  '===',
]
const ENDS = ['\n', '\n', '\n\n', '\r\n', '\r']

describe('a description as HTML', () => {
  // Each of these keeps some Markdown parser busy for minutes, or deeper in its stack than there is room: a test's time is the bound.
  test.each([
    ['quotes in quotes', fill('>')],
    ['lists in lists', fill('1. ')],
    ['lists, each deeper', Array.from({ length: 199 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')],
    ['stars around a letter', `${'*'.repeat(MAX / 2 - 1)}a${'*'.repeat(MAX / 2)}`],
    ['emphasis that never ends', fill('_a')],
    ['links in links', fill('[')],
    ['links without an end', fill('[a](')],
    ['pictures in pictures', fill('![')],
    ['an address of entities', fill('&amp;', 'http://a.')],
    ['addresses in a row', fill('http://a.')],
    ['mail addresses in a row', fill('a@')],
    ['code fences in a row', fill('`a``')],
    ['references', fill('[a]: b\n')],
    ['a table of many columns and short rows', fill('|a\n', `|${'a|'.repeat(1600)}\n|${'-|'.repeat(1600)}\n`)],
  ])('ends soon, however hostile: %s', (_what, text) => {
    const html = htmlOf(text)
    if (html !== null) expect(html.length).toBeLessThanOrEqual(300_000)
  })

  test('knows lists with boxes, tables, struck text and addresses', () => {
    expect(htmlOf('- [x] paper\n- [ ] ink')).toContain(
      '<li class="task"><input type="checkbox" class="checkbox" aria-label="paper" data-line="0" checked disabled>paper</li>',
    )
    expect(htmlOf('1. [ ] **ink**, _black_', { tickable: true })).toContain('aria-label="ink, black" data-line="0"><strong>')
    expect(htmlOf('|a|\n|-|\n|1|')).toContain('<td>1</td>')
    expect(htmlOf('~~gone~~')).toContain('<s>gone</s>')
    expect(htmlOf('see https://example.com/a')).toContain('<a href="https://example.com/a" target="_blank"')
    expect(htmlOf('report.pdf')).toBe('<p>report.pdf</p>\n')
  })

  test('has the boxes that are counted, and no others', () => {
    const lines = (html: string | null) => [...(html ?? '').matchAll(/data-line="(\d+)"/g)].map(([, line]) => Number(line))
    const { below, oneOf } = random('texts with boxes')
    const line = () => Array.from({ length: below(6) }, () => oneOf(PARTS)).join('') + oneOf(['', '- [ ] a', '[x] b'])
    const drawn = Array.from({ length: 2_000 }, () => Array.from({ length: 1 + below(8) }, () => line() + oneOf(ENDS)).join(''))
    let counted = 0
    for (const text of [...LISTS, ...drawn]) {
      const boxes = checkboxesIn(text)
      counted += boxes.length
      expect([text, ...lines(htmlOf(text))]).toEqual([text, ...boxes.map(({ line }) => line)])
      for (const box of boxes) {
        const ticked = withCheckbox(text, { ...box, done: !box.done }) ?? ''
        expect([text, ...checkboxesIn(ticked)]).toEqual([
          text,
          ...boxes.map((one) => (one === box ? { ...one, done: !one.done } : one)),
        ])
      }
    }
    expect(counted).toBeGreaterThan(500)
  })

  test('names whom a text mentions, but not within links, code or addresses', () => {
    const mentions = (text: string) => mentionsIn(text, (name) => ['bob', 'b_b_'].includes(name))
    const html = (text: string) => htmlOf(text, { mentions, reader: 'bob' })
    const own = '<a href="/bob" data-mention="bob" data-own>@bob</a>'
    expect(html('Ask @bob, **@bob**')).toBe(`<p>Ask ${own}, <strong>${own}</strong></p>\n`)
    expect(html('@b_b_!')).toBe('<p><a href="/b_b_" data-mention="b_b_">@b_b_</a>!</p>\n')
    for (const text of ['`@bob`', '[@bob](https://a.example)', 'a@bob.example', 'https://a.example/@bob', '@bobby', '    @bob']) {
      expect(html(text)).not.toContain('data-mention')
      expect(spokenIn(text).flatMap(mentions)).toEqual([])
    }
    expect(spokenIn('Ask @bob, **@bob** or `@bob`').flatMap(mentions)).toHaveLength(2)
  })

  test('breaks lines where they are broken', () => {
    expect(htmlOf('Doc ID: 3143\nOwner: Ann')).toBe('<p>Doc ID: 3143<br>\nOwner: Ann</p>\n')
  })

  test('keeps the alignment of a table, without inline styles', () => {
    const html = htmlOf('| a | b | c |\n| - | :-: | -: |\n| 1 | 2 | 3 |')
    expect(html).toContain('<th>a</th>\n<th align="center">b</th>\n<th align="right">c</th>')
    expect(html).toContain('<td>1</td>\n<td align="center">2</td>\n<td align="right">3</td>')
    expect(html).not.toContain('style')
  })

  test('takes HTML for text, and makes no link of a script', () => {
    expect(htmlOf('<img src=x onerror=alert(1)>')).toBe('<p>&lt;img src=x onerror=alert(1)&gt;</p>\n')
    for (const address of [
      'javascript:alert(1)',
      'JAVASCRIPT:x',
      '&#106;avascript:x',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc',
    ])
      for (const text of [`[a](${address})`, `![a](${address})`, `<${address}>`]) expect(htmlOf(text)).not.toContain('href')
  })
})
