import { expect, test } from 'bun:test'
import { parseQuickAdd, splitLines } from '../../src/tasks/page/parseQuickAdd'
import { aPerson } from '../support/shapes'

const [ada, bob, bea] = [
  { ...aPerson(1), username: 'ada', name: 'Ada King' },
  { ...aPerson(2), username: 'bob', name: 'Bob' },
  { ...aPerson(3), username: 'bea', name: 'Beatrice Webb' },
]
// A Sunday.
const today = '2026-11-22'
const read = (line: string, plain: string[] = []) => {
  const { title, assignees, tags, due } = parseQuickAdd(line, { members: [ada, bob, bea], viewer: ada, today, plain })
  return [title, assignees.map(({ username }) => username).join(), tags.join(), due]
}

const cases: [string, ReturnType<typeof read>][] = [
  ['Order paper', ['Order paper', '', '', null]],
  ['Order paper @bob #print fri', ['Order paper', 'bob', 'print', '2026-11-27']],
  ['#print @me Order #web paper @bob tmrw', ['Order paper', 'ada,bob', 'print,web', '2026-11-23']],
  ['Order paper today @webb', ['Order paper', 'bea', '', '2026-11-22']],
  ['Order paper 3 Dec', ['Order paper', '', '', '2026-12-03']],
  ['Order paper Jan 3 2027', ['Order paper', '', '', '2027-01-03']],
  ['Order paper 2026-12-24', ['Order paper', '', '', '2026-12-24']],
  ['Order paper next monday', ['Order paper', '', '', '2026-11-23']],
  ['Order paper in 2 weeks', ['Order paper', '', '', '2026-12-06']],
  // Two whom it fits, nobody, an address, a number, and what is no day in a title.
  ['Ask @b about @zoe', ['Ask @b about @zoe', '', '', null]],
  ['Call the printer tomorrow #print @jonas', ['Call the printer tomorrow @jonas', '', 'print', null]],
  ['Write to bob@example.com about #12', ['Write to bob@example.com about #12', '', '', null]],
  ['Call Tom', ['Call Tom', '', '', null]],
  ['Upgrade to 1.2', ['Upgrade to 1.2', '', '', null]],
  ['Fri is casual', ['Fri is casual', '', '', null]],
  ['Pay 40 euros', ['Pay 40 euros', '', '', null]],
  ['today', ['today', '', '', null]],
  ['@bob', ['@bob', '', '', null]],
]
for (const [line, task] of cases) test(`“${line}” is understood`, () => expect(read(line)).toEqual(task))

test('what was taken back is text', () => {
  expect(read('Order paper next fri', ['next fri'])).toEqual(['Order paper next fri', '', '', null])
  expect(read('Order #print @bob fri', ['#print', '@bob'])).toEqual(['Order #print @bob', '', '', '2026-11-27'])
  expect(read('Deploy #fri fri', ['#fri'])).toEqual(['Deploy #fri', '', '', '2026-11-27'])
})

test('of several lines the marks of lists go, of one they stay', () => {
  const linesIn = (text: string) => splitLines(text).map(({ line }) => line)
  expect(linesIn('- Dig')).toEqual(['- Dig'])
  expect(linesIn('- [ ] Dig\n\n* Sow\n3. Reap\n  • Rest\nand so on\n')).toEqual(['Dig', 'Sow', 'Reap', 'Rest', 'and so on'])
  const { chips } = parseQuickAdd('Sow @bob', { members: [bob], viewer: ada, today, plain: [] }, 6)
  expect(chips).toEqual([{ text: '@bob', label: '@Bob', from: 10, to: 14 }])
})
