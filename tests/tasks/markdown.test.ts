import { describe, expect, test } from 'bun:test'
import { htmlOf } from '../../src/web/markdown'

/** As long as a description may be. */
const MAX = 20_000
const fill = (part: string, before = '') => (before + part.repeat(MAX)).slice(0, MAX)

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
    expect(htmlOf('- [x] paper\n- [ ] ink')).toContain('<li class="task"><span role="img" aria-label="Done:">☑ </span>paper</li>')
    expect(htmlOf('|a|\n|-|\n|1|')).toContain('<td>1</td>')
    expect(htmlOf('~~gone~~')).toContain('<s>gone</s>')
    expect(htmlOf('see https://example.com/a')).toContain('<a href="https://example.com/a" target="_blank"')
    expect(htmlOf('report.pdf')).toBe('<p>report.pdf</p>\n')
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
