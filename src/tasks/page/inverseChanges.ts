import { STATUS_LABELS } from '../basics'
import type { BoardTask, Task, TaskChanges } from '../schema'
import { type Place, placeAt } from './taskPlace'

type Known = { title?: string; description?: string | null }

/** The changes that make a task again what it is; undefined where its whole description is not known. */
export function inverseChanges(tasks: Task[], task: BoardTask, changes: TaskChanges, known: Known = {}): TaskChanges | undefined {
  const { before, after, status = task.status, ...fields } = changes
  if ('description' in fields && known.description === undefined && task.cut) return undefined
  const moves = before !== undefined || after !== undefined || status !== task.status
  const former = Object.fromEntries(Object.keys(fields).map((field) => [field, { ...task, ...known }[field as keyof Task]]))
  return { ...former, ...(moves && placeOf(tasks, task)) }
}

function placeOf(tasks: Task[], { id, status }: Task): Place {
  const index = tasks.filter((task) => task.status === status).findIndex((task) => task.id === id)
  return placeAt(tasks, id, status, index)
}

const NAMES = { title: 'Title', description: 'Description', dueDate: 'Due date', tags: 'Tags' } as const

export function changeText({ before, after, status, ...fields }: TaskChanges): string {
  const [only, ...others] = Object.keys(fields) as (keyof typeof NAMES)[]
  if (!only) return status ? `Moved to ${STATUS_LABELS[status]}` : 'Moved'
  return others.length > 0 || status ? 'Task changed' : `${NAMES[only]} changed`
}
