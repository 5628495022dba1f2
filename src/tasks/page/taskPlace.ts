import { generateKeyBetween } from 'fractional-indexing'
import type { BoardTask, Status, Task } from '../schema'

/** A column, before or after another task, else at its end. */
export type Place = { status: Status; before?: number; after?: number }

/** The task at a place, with the position that the server would give it. */
export function movedTo(tasks: Task[], task: BoardTask, { status, before, after }: Place): BoardTask {
  const others = tasks.filter((other) => other.status === status && other.id !== task.id)
  const anchor = others.findIndex(({ id }) => id === (before ?? after))
  const at = anchor < 0 ? others.length : before === undefined ? anchor + 1 : anchor
  const low = others[at - 1]?.position ?? null
  const high = others[at]?.position ?? null
  // In flight, two tasks may have the same position; the server's answer corrects it.
  const position = generateKeyBetween(low, low !== null && high !== null && low >= high ? null : high)
  return { ...task, status, position }
}

/** The place at an index of a column, as a move sends it. */
export function placeAt(tasks: Task[], taskId: number, status: Status, index: number): Place {
  const others = tasks.filter((other) => other.status === status && other.id !== taskId)
  const next = others[index]
  if (next) return { status, before: next.id }
  const last = others.at(-1)
  return last ? { status, after: last.id } : { status }
}
