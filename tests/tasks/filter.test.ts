import { expect, test } from 'bun:test'
import type { Filter } from '../../src/tasks/page/taskUrl'
import { filterTasks } from '../../src/tasks/page/useFilter'
import type { Task } from '../../src/tasks/schema'
import { aPerson, aTask } from '../support/shapes'

const task = (title: string, rest: Partial<Task> = {}) => aTask({ title, ...rest })

const tasks = [
  task('Order PAPER', { description: 'Heavy, for the cover', tags: ['print'], dueDate: '2026-11-20', assignees: [aPerson(1)] }),
  task('Éclair recipe', { tags: ['copy', 'print run'], dueDate: '2026-11-21', assignees: [aPerson(1), aPerson(2)] }),
  task('Call the printer', { dueDate: '2026-11-28' }),
  task('Archive', { status: 'done', dueDate: '2026-11-01', assignees: [aPerson(11)] }),
  task('Plan', { dueDate: '2026-11-29' }),
  task('Someday', { description: `${'far '.repeat(75)}horizon` }),
]
const TODAY = '2026-11-21'
const shown = (filter: Partial<Filter>) =>
  filterTasks(tasks, { text: '', assignee: '', tag: '', due: '', ...filter }, 2, TODAY).map(({ title }) => title)

const cases: [Partial<Filter>, string[]][] = [
  [{}, tasks.map(({ title }) => title)],
  [{ text: 'paper' }, ['Order PAPER']],
  [{ text: ' cover  order ' }, ['Order PAPER']],
  [{ text: 'éclair' }, ['Éclair recipe']],
  // In parts, as macOS writes file names.
  [{ text: 'e\u0301clair' }, ['Éclair recipe']],
  [{ text: 'print' }, ['Order PAPER', 'Éclair recipe', 'Call the printer']],
  [{ text: 'nothing of it' }, []],
  [{ text: 'far' }, ['Someday']],
  // Beyond what every page has of it.
  [{ text: 'horizon' }, []],
  [{ assignee: '1' }, ['Order PAPER', 'Éclair recipe']],
  [{ assignee: 'me' }, ['Éclair recipe']],
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
