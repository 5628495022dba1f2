import { expect, test } from 'bun:test'
import { withCheckbox } from '../../src/checklist'
import { checkboxesIn, checklistIn, plainWords, withNearestCheckbox } from '../../src/markdown'

const SHOPPING = 'To buy:\r\n\r\n- [ ] milk \r\n- [x] bread\r\n\r\n```\r\n- [ ] code\r\n```\r\n1. [X] milk\r\n'

test('boxes are counted, but for those in code', () => {
  expect(checkboxesIn(SHOPPING)).toEqual([
    { line: 2, words: 'milk', done: false },
    { line: 3, words: 'bread', done: true },
    { line: 8, words: 'milk', done: true },
  ])
  expect(checklistIn(SHOPPING)).toEqual({ done: 2, all: 3 })
  // Only marks end a block of code.
  expect(checkboxesIn('```\n``` js\n- [ ] code\n```\n- [ ] milk')).toEqual([{ line: 4, words: 'milk', done: false }])
  expect([checklistIn(null), checklistIn(''), checklistIn('see [1] and [x]')]).toEqual([undefined, undefined, undefined])
})

test('a tick changes a letter, and nothing else', () => {
  const milk = { line: 2, words: 'milk', done: true }
  expect(withCheckbox(SHOPPING, milk)).toBe(SHOPPING.replace('- [ ] milk', '- [x] milk'))
  expect(withCheckbox(SHOPPING, { ...milk, done: false })).toBe(SHOPPING)
  expect(withCheckbox('> 1. [ ]\ta $& $1', { line: 0, words: 'a $& $1', done: true })).toBe('> 1. [x]\ta $& $1')
})

test('a box is found by its words where lines were put in or taken out: the nearest of several', () => {
  const milk = { line: 2, words: 'milk', done: true }
  expect(withNearestCheckbox(`First\n${SHOPPING}`, milk)).toContain('- [x] milk')
  expect(withNearestCheckbox('- [ ] milk\n\n\n\n- [ ] milk', { ...milk, line: 3 })).toBe('- [ ] milk\n\n\n\n- [x] milk')
  expect(withNearestCheckbox(SHOPPING.replace('milk', 'oat milk'), { ...milk, line: 2 })).toBe(
    SHOPPING.replace('- [ ] milk', '- [ ] oat milk'),
  )
  expect(withNearestCheckbox('- [ ] oat milk', milk)).toBeUndefined()
})

test('what is ticked is a box as it is counted: none in code, with the same words at the same line', () => {
  const fenced = '```\n\n- [ ] milk\n```\n\n\n- [ ] milk'
  expect(withNearestCheckbox(fenced, { line: 2, words: 'milk', done: true })).toBe(fenced.replace(/ \](?= milk$)/, 'x]'))
  expect(withNearestCheckbox('```\n- [ ] milk\n```', { line: 1, words: 'milk', done: true })).toBeUndefined()
  for (const box of checkboxesIn(SHOPPING)) expect(withCheckbox(SHOPPING, box)).toBe(SHOPPING)
})

test('of a text its words are left: no marks of lists, links, code and emphasis', () => {
  expect(
    plainWords(
      '# Tea\n\n- [x] **buy** _it_ at [the shop](https://a.example)\n1. `now`\n\n```js\nlet a\n```\n\n![cup](b.png) ~~c~~\nd',
    ),
  ).toBe('Tea\nbuy it at the shop\nnow\nlet a\ncup c\nd')
  expect([plainWords('2 * 3 < 7 & a_b_c'), plainWords('|a|b|\n|-|-|\n|1|2|'), plainWords('[a]: b')]).toEqual([
    '2 * 3 < 7 & a_b_c',
    'a\nb\n1\n2',
    '[a]: b',
  ])
})

test('ends soon, however hostile', () => {
  for (const part of ['- ', '- [ ] ', '> ', '`', '```', '``` `', '1. ', '[ ]', '- [ ]\t', '\r'])
    expect(checkboxesIn(`${part.repeat(20_000)}[ ]`).length).toBeLessThan(2)
})
