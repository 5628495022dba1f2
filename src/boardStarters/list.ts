import { listMarkOf } from '../checklist'
import { isVisible, numberText, withoutDirection } from '../format'
import { type Status, TASK_TITLE_MAX } from '../tasks/limits'

export const LIST_TASKS_MAX = 1_000
export const LIST_MAX = 400_000

export type ListedTask = { row: number; title: string; status: Status }

/** One task a line, without list marks; done if its box is ticked. Titles follow their rule: invisible ones are blank lines. */
export const tasksIn = (list: string): ListedTask[] =>
  withoutDirection(list)
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => {
      const { length, done } = listMarkOf(line)
      const title = line.slice(length).trim()
      return !isVisible(title) ? [] : [{ row: index + 1, title, status: done ? 'done' : 'todo' }]
    })

export const isTooLong = ({ title }: ListedTask): boolean => title.length > TASK_TITLE_MAX

export function listProblem(tasks: ListedTask[]): string | undefined {
  if (tasks.length === 0) return 'Paste a list with one task per line.'
  if (tasks.length > LIST_TASKS_MAX)
    return `A list can have at most ${numberText(LIST_TASKS_MAX)} tasks; this one has ${numberText(tasks.length)}.`
  const long = tasks.find(isTooLong)
  return long && `Line ${long.row} has ${long.title.length} characters; a title can have at most ${TASK_TITLE_MAX}.`
}
