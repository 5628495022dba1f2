import { countText } from '../../format'
import { displayName, type UserSummary } from '../../users/schema'
import { part, submitTogether } from '../../web/live/submitTogether'
import { toast } from '../../web/toast'
import { STATUS_LABELS, type Status, TAGS_MAX } from '../limits'
import type { Task } from '../schema'
import { assign, deleteTask, move, unassign, update } from './cache'
import { isAssigned } from './display'

/** More would reach the limit of changes a minute. */
export const TOGETHER_MAX = 100

const tasksText = (count: number) => countText(count, 'task')

/** Moves them to the end of the column, in their order. */
export function moveAll(boardId: number, tasks: Task[], status: Status): void {
  const moved = tasks.filter((task) => task.status !== status)
  submitTogether(
    boardId,
    moved.map(({ id }) => part(move, { taskId: id, place: { status } })),
    (count) => ({ title: `Moved to ${STATUS_LABELS[status]}`, description: tasksText(count) }),
  )
}

export function assignAll(boardId: number, tasks: Task[], user: UserSummary): void {
  const changed = tasks.filter((task) => !isAssigned(task, user))
  submitTogether(
    boardId,
    changed.map(({ id }) => part(assign, { taskId: id, user })),
    (count) => ({ title: 'User Assigned', description: `${displayName(user)} · ${tasksText(count)}` }),
  )
}

export function unassignAll(boardId: number, tasks: Task[], user: UserSummary): void {
  const changed = tasks.filter((task) => isAssigned(task, user))
  submitTogether(
    boardId,
    changed.map(({ id }) => part(unassign, { taskId: id, userId: user.id })),
    (count) => ({ title: 'Assignee Removed', description: `${displayName(user)} · ${tasksText(count)}` }),
  )
}

/** A task that would have too many stays as it is. */
export function changeTags(boardId: number, tasks: Task[], added: string[], removed: string[]): void {
  const wanted = tasks.map((task) => ({
    task,
    tags: [...new Set([...task.tags, ...added])].filter((tag) => !removed.includes(tag)),
  }))
  const full = wanted.filter(({ tags }) => tags.length > TAGS_MAX).length
  const isChanged = ({ task, tags }: (typeof wanted)[number]) => tags.join() !== task.tags.join() && tags.length <= TAGS_MAX
  const changed = wanted.filter(isChanged).map(({ task, tags }) => part(update, { taskId: task.id, changes: { tags } }))
  const isFull = full > 0 && `${countText(full, 'task already has', 'tasks already have')} ${TAGS_MAX} tags`
  if (changed.length === 0 && isFull) return void toast({ variant: 'destructive', title: 'Tags Not Added', description: isFull })
  submitTogether(boardId, changed, (count) => ({
    title: 'Tags Changed',
    description: [tasksText(count), isFull].filter(Boolean).join(' · '),
  }))
}

export function deleteAll(boardId: number, tasks: Task[]): void {
  submitTogether(
    boardId,
    tasks.map(({ id }) => part(deleteTask, { taskId: id })),
    (count) => ({ title: count === 1 ? 'Task Deleted' : 'Tasks Deleted', description: tasksText(count) }),
  )
}
