import { z } from 'zod'
import { board } from '../boards/schema'
import type { ToOpenBoard } from '../protocol'
import { day, id, optionalText, requiredName, storableText } from '../schema'
import { type UserSummary, userSummary } from '../users/schema'
import {
  ASSIGNED_AT_ONCE,
  eachField,
  NO_COUNTS,
  STATUSES,
  TAG_MAX,
  TAGS_MAX,
  TASK_DESCRIPTION_MAX,
  TASK_TITLE_MAX,
  type TaskCount,
  type TaskField,
  TITLE_MISSING,
} from './limits'

export * from './limits'

const status = z.enum(STATUSES, 'Status must be one of todo, inprogress, done')

/** What each field takes from users, what a task holds, and what an archive holds: a new field needs a default there. */
const fields = {
  title: { given: requiredName(TASK_TITLE_MAX, TITLE_MISSING), held: z.string(), archived: storableText() },
  description: {
    given: optionalText(TASK_DESCRIPTION_MAX),
    held: z.string().nullable(),
    archived: storableText().nullable(),
  },
  status: { given: status, held: status, archived: z.enum(STATUSES) },
  dueDate: { given: day.nullish(), held: z.string().nullable(), archived: day.nullable() },
  tags: {
    given: z
      .array(requiredName(TAG_MAX, 'A tag cannot be blank'))
      .max(TAGS_MAX, `A task can have at most ${TAGS_MAX} tags`)
      .transform((given) => [...new Set(given)]),
    held: z.array(z.string()),
    archived: z.array(storableText()),
  },
} satisfies Record<TaskField, Record<'given' | 'held' | 'archived', z.ZodType>>

type Shape<Part extends 'given' | 'held' | 'archived'> = { [Field in TaskField]: (typeof fields)[Field][Part] }

const settable = z.object(eachField<Shape<'given'>>((field) => fields[field].given))
export const archivedFields = eachField<Shape<'archived'>>((field) => fields[field].archived)

/** An unknown status creates a todo. */
export const newTask = settable.extend({
  status: status.default('todo').catch('todo'),
  tags: settable.shape.tags.default([]),
  assigneeIds: z
    .array(id)
    .max(ASSIGNED_AT_ONCE, `A new task can have at most ${ASSIGNED_AT_ONCE} assignees`)
    .transform((given) => [...new Set(given)])
    .default([]),
})
export type NewTask = z.output<typeof newTask>

export const taskChanges = settable
  .partial()
  .extend({ before: id.optional(), after: id.optional() })
  .refine((given) => given.before === undefined || given.after === undefined, 'Send before or after, not both')
export type TaskChanges = z.output<typeof taskChanges>

export const taskInput = z.object({ taskId: id })

const counts = Object.fromEntries(Object.keys(NO_COUNTS).map((count) => [count, z.number()])) as Record<TaskCount, z.ZodNumber>

export const task = z.object({
  id,
  ...eachField<Shape<'held'>>((field) => fields[field].held),
  position: z.string(),
  boardId: id,
  createdBy: id.nullable(),
  createdAt: z.string(),
  updatedAt: z.string().nullable().describe('Null until the first change; comments and files change it, too'),
  doneAt: z.string().nullable().describe('When it became done; null otherwise, and in old rows'),
  assignees: z.array(userSummary),
  ...counts,
  revision: z.number(),
  checklist: z
    .object({ done: z.number(), all: z.number() })
    .optional()
    .describe('The [ ] and [x] items of the description, if any'),
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
