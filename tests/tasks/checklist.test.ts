import { expect, test } from 'bun:test'
import { checkboxesIn, checklistIn, withCheckbox } from '../../src/checklist'

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
  expect(withCheckbox(`First\n${SHOPPING}`, milk)).toContain('- [x] milk')
  expect(withCheckbox('- [ ] milk\n\n\n\n- [ ] milk', { ...milk, line: 3 })).toBe('- [ ] milk\n\n\n\n- [x] milk')
  expect(withCheckbox(SHOPPING.replace('milk', 'oat milk'), { ...milk, line: 2 })).toBe(
    SHOPPING.replace('- [ ] milk', '- [ ] oat milk'),
  )
  expect(withCheckbox('- [ ] oat milk', milk)).toBeUndefined()
})

test('ends soon, however hostile', () => {
  for (const part of ['- ', '- [ ] ', '> ', '`', '```', '``` `', '1. ', '[ ]', '- [ ]\t', '\r'])
    expect(checkboxesIn(`${part.repeat(20_000)}[ ]`).length).toBeLessThan(2)
})
