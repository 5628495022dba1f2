import { expect, test } from 'bun:test'
import { type Filter, filtered } from '../../src/tasks/page/useFilter'
import type { Task } from '../../src/tasks/schema'

const person = (id: number) => ({ id, username: `user${id}`, name: null, avatar: '/x.png' })
const task = (title: string, rest: Partial<Task> = {}): Task => ({
  id: 1,
  title,
  description: null,
  status: 'todo',
  position: 'a0',
  dueDate: null,
  tags: [],
  boardId: 1,
  createdBy: 1,
  createdAt: '',
  updatedAt: null,
  assignees: [],
  commentCount: 0,
  minutes: 0,
  ...rest,
})

const tasks = [
  task('Order PAPER', { description: 'Heavy, for the cover', tags: ['print'], dueDate: '2026-11-20', assignees: [person(1)] }),
  task('Éclair recipe', { tags: ['copy', 'print run'], dueDate: '2026-11-21', assignees: [person(1), person(2)] }),
  task('Call the printer', { dueDate: '2026-11-28' }),
  task('Archive', { status: 'done', dueDate: '2026-11-01', assignees: [person(11)] }),
  task('Plan', { dueDate: '2026-11-29' }),
  task('Someday', { description: `${'far '.repeat(75)}horizon` }),
]
const NOW = new Date(2026, 10, 21, 23, 30)
const shown = (filter: Partial<Filter>) =>
  filtered(tasks, { text: '', assignee: '', tag: '', due: '', ...filter }, NOW).map(({ title }) => title)

const cases: [Partial<Filter>, string[]][] = [
  [{}, tasks.map(({ title }) => title)],
  [{ text: 'paper' }, ['Order PAPER']],
  [{ text: ' cover  order ' }, ['Order PAPER']],
  [{ text: 'éclair' }, ['Éclair recipe']],
  [{ text: 'print' }, ['Order PAPER', 'Éclair recipe', 'Call the printer']],
  [{ text: 'nothing of it' }, []],
  [{ text: 'far' }, ['Someday']],
  // Beyond what every page has of it.
  [{ text: 'horizon' }, []],
  [{ assignee: '1' }, ['Order PAPER', 'Éclair recipe']],
  [{ assignee: 'none' }, ['Call the printer', 'Plan', 'Someday']],
  [{ tag: 'print' }, ['Order PAPER']],
  [{ due: 'overdue' }, ['Order PAPER']],
  [{ due: 'today' }, ['Éclair recipe']],
  [{ due: 'week' }, ['Éclair recipe', 'Call the printer']],
  [{ due: 'none' }, ['Someday']],
  [{ text: 'r', assignee: '1', tag: 'copy', due: 'today' }, ['Éclair recipe']],
]
for (const [filter, titles] of cases)
  test(`the filter ${JSON.stringify(filter)} lets through what it should`, () => expect(shown(filter)).toEqual(titles))
