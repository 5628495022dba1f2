import { generateKeyBetween } from 'fractional-indexing'
import type { BoardMessage } from '../../boards/schema'
import type { BoardChange } from '../../protocol'
import { updateUser } from '../../users/page/reducers'
import type { UserMessage, UserSummary } from '../../users/schema'
import type { Reducers } from '../../web/live/reducers'
import { byPlace } from '../limits'
import type { BoardTask, Snapshot, Status, Task, TaskMessage } from '../schema'

export const taskReducers: Reducers<Snapshot, TaskMessage | BoardMessage | UserMessage> = {
  new_task: (snapshot, { task }) => place(snapshot, task),
  task_updated: (snapshot, { task }) => place(snapshot, task),
  task_deleted: (snapshot, { taskId }) => ({ ...snapshot, tasks: snapshot.tasks.filter(({ id }) => id !== taskId) }),
  task_assignee_added: (snapshot, { taskId, user }) =>
    changeTask(snapshot, taskId, ({ assignees }) => ({ assignees: [...without(assignees, user.id), user] })),
  task_assignee_removed: (snapshot, { taskId, userId }) =>
    changeTask(snapshot, taskId, ({ assignees }) => ({ assignees: without(assignees, userId) })),
  // A membership ends with its assignments.
  board_member_removed: (snapshot, { userId }) => ({
    ...snapshot,
    tasks: snapshot.tasks.map((task) =>
      task.assignees.some(({ id }) => id === userId) ? { ...task, assignees: without(task.assignees, userId) } : task,
    ),
  }),
  user_profile_updated: (snapshot, { user }) => ({
    ...snapshot,
    tasks: snapshot.tasks.map((task) => ({ ...task, assignees: updateUser(task.assignees, user) })),
  }),
}

export const changeTask = (snapshot: Snapshot, taskId: number, change: (task: BoardTask) => Partial<Task>): Snapshot => ({
  ...snapshot,
  tasks: snapshot.tasks.map((task) => (task.id === taskId ? { ...task, ...change(task) } : task)),
})

function place(snapshot: Snapshot, task: BoardTask): Snapshot {
  const others = snapshot.tasks.filter(({ id }) => id !== task.id)
  let [from, to] = [0, others.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const other = others[middle]
    if (other && byPlace(task, other) < 0) to = middle
    else from = middle + 1
  }
  return { ...snapshot, tasks: others.toSpliced(from, 0, task) }
}

const without = (users: UserSummary[], userId: number) => users.filter(({ id }) => id !== userId)

/** Undefined for messages about no task. */
export function isAboutTask({ payload }: BoardChange, taskId: number): boolean | undefined {
  if ('taskId' in payload) return payload.taskId === taskId
  return 'task' in payload ? payload.task.id === taskId : undefined
}

/** In a column before or after another task, else at its end. */
export type Place = { status: Status; before?: number; after?: number }

/** The task with the position that the server would give it there. */
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

export function placeAt(tasks: Task[], taskId: number, status: Status, index: number): Place {
  const others = tasks.filter((other) => other.status === status && other.id !== taskId)
  const next = others[index]
  if (next) return { status, before: next.id }
  const last = others.at(-1)
  return last ? { status, after: last.id } : { status }
}
