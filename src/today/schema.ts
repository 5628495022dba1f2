import { z } from 'zod'
import { boardListItem } from '../boards/schema'
import { id } from '../schema'
import { task } from '../tasks/schema'
import { timeZone } from '../time/schema'
import { userSummary } from '../users/schema'

export * from './groups'

export const whose = z.object({ timeZone: timeZone.default('UTC') })

const ownTask = task
  .pick({ id: true, boardId: true, title: true, status: true, dueDate: true, doneAt: true, assignees: true, revision: true })
  .extend({ next: id.nullable().describe('The task below it in its column') })
export type OwnTask = z.infer<typeof ownTask>

const workday = z.object({ day: z.string(), minutes: z.number(), entries: z.array(z.object({ id, minutes: z.number() })) })
export type Workday = z.infer<typeof workday>

const activeBoard = boardListItem.extend({
  version: z.number(),
  faces: z.array(userSummary).describe('Up to five members'),
  tasks: z.object({ todo: z.number(), inprogress: z.number(), done: z.number() }),
  overdue: z.number(),
  lastActivity: z.object({ user: userSummary, kind: z.string(), did: z.string().nullable(), createdAt: z.string() }).nullable(),
})
export type ActiveBoard = z.infer<typeof activeBoard>

export const today = z.object({
  day: z.string(),
  tasks: z.array(ownTask).describe('Up to 1,000: open ones by due date, undated last, then those done today'),
  more: z.boolean(),
  week: z.array(workday).describe('Without running timers'),
  boards: z.array(activeBoard),
})
export type Today = z.infer<typeof today>
