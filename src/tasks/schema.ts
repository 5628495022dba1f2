import { z } from 'zod'
import { board } from '../boards/schema'
import type { ToOpenBoard } from '../protocol'
import { id, optionalText, requiredName } from '../schema'
import { type UserSummary, userSummary } from '../users/schema'
import { ASSIGNED_AT_ONCE, STATUSES, TAG_MAX, TAGS_MAX, TASK_TITLE_MAX, TITLE_MISSING } from './basics'

export * from './basics'

export const TASK_DESCRIPTION_MAX = 20_000
const status = z.enum(STATUSES, 'Status must be one of todo, inprogress, done')

/** A field that users set stands here, in `task`, as a column, and in `eventOf` of server/router.ts. */
const settable = z.object({
  title: requiredName(TASK_TITLE_MAX, TITLE_MISSING),
  description: optionalText(TASK_DESCRIPTION_MAX),
  status,
  dueDate: z.iso
    .date('Must be a day, YYYY-MM-DD')
    .refine((day) => day >= '0001', 'The calendar has no year 0')
    .nullish(),
  tags: z
    .array(requiredName(TAG_MAX, 'A tag cannot be blank'))
    .max(TAGS_MAX, `A task can have at most ${TAGS_MAX} tags`)
    .transform((given) => [...new Set(given)]),
})
export const SETTABLE = settable.keyof().options

/** An unknown status creates a todo. */
export const newTask = settable.extend({
  status: status.default('todo').catch('todo'),
  tags: settable.shape.tags.default([]),
  assigneeIds: z
    .array(id)
    .max(ASSIGNED_AT_ONCE, `A task can begin with at most ${ASSIGNED_AT_ONCE} people`)
    .transform((given) => [...new Set(given)])
    .default([]),
})
export type NewTask = z.output<typeof newTask>

export const taskChanges = settable
  .partial()
  .extend({ before: id.optional(), after: id.optional() })
  .refine((given) => given.before === undefined || given.after === undefined, 'Give before or after, not both')
export type TaskChanges = z.output<typeof taskChanges>

export const taskInput = z.object({ taskId: id })

export const task = z.object({
  id,
  title: z.string(),
  description: z.string().nullable(),
  status,
  position: z.string(),
  dueDate: z.string().nullable(),
  tags: z.array(z.string()),
  boardId: id,
  createdBy: id.nullable(),
  createdAt: z.string(),
  updatedAt: z.string().nullable(),
  /** Null also in old rows. */
  doneAt: z.string().nullable(),
  assignees: z.array(userSummary),
  commentCount: z.number(),
  fileCount: z.number(),
  minutes: z.number(),
  revision: z.number(),
  /** Counts the whole description; absent without boxes. */
  checklist: z.object({ done: z.number(), all: z.number() }).optional(),
})
export type Task = z.infer<typeof task>

/** `cut` if the description is longer than DESCRIPTION_PREVIEW. */
const boardTask = task.extend({ cut: z.literal(true).optional() })
export type BoardTask = z.infer<typeof boardTask>

/** `deletedBy` is null if their account is gone; the counts are of what comes back with it. */
export const deletedTask = task
  .pick({ id: true, title: true, status: true, commentCount: true, fileCount: true, minutes: true })
  .extend({ deletedAt: z.string(), until: z.string(), deletedBy: userSummary.nullable() })
export type DeletedTask = z.infer<typeof deletedTask>

/** Milliseconds `counted` up to the timer's last start; a user has one running timer. */
const runningTimer = z.object({ entryId: id, taskId: id, userId: id, runningSince: z.string(), counted: z.number() })
export type RunningTimer = z.infer<typeof runningTimer>

export const snapshot = z.object({ board, timers: z.array(runningTimer), tasks: z.array(boardTask) })
export type Snapshot = z.infer<typeof snapshot>

export type TaskMessage =
  | ToOpenBoard<'new_task', { task: Task }>
  | ToOpenBoard<'task_updated', { task: Task }>
  | ToOpenBoard<'task_deleted', { taskId: number }>
  | ToOpenBoard<'task_assignee_added', { taskId: number; user: UserSummary }>
  | ToOpenBoard<'task_assignee_removed', { taskId: number; userId: number }>

declare module '../protocol' {
  interface Messages {
    tasks: TaskMessage
  }
}
