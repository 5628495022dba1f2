import { generateKeyBetween } from 'fractional-indexing'
import type { BoardTask, Status, Task } from '../schema'

/** Where a task is to go: into a column, before or after another task, else to its end. */
export type Place = { status: Status; before?: number; after?: number }

/** The task as it will be at a place, with the position that the server would give it. */
export function movedTo(tasks: Task[], task: BoardTask, { status, before, after }: Place): BoardTask {
  const others = tasks.filter((other) => other.status === status && other.id !== task.id)
  const anchor = others.findIndex(({ id }) => id === (before ?? after))
  const at = anchor < 0 ? others.length : before === undefined ? anchor + 1 : anchor
  const low = others[at - 1]?.position ?? null
  const high = others[at]?.position ?? null
  // What is in flight may have been given the same position as what is stored; the server's answer sets it right.
  const position = generateKeyBetween(low, low !== null && high !== null && low >= high ? null : high)
  return { ...task, status, position }
}

/** The place at an index of a column, in the terms in which a move is sent. */
export function placeAt(tasks: Task[], taskId: number, status: Status, index: number): Place {
  const others = tasks.filter((other) => other.status === status && other.id !== taskId)
  const next = others[index]
  if (next) return { status, before: next.id }
  const last = others.at(-1)
  return last ? { status, after: last.id } : { status }
}
