import { z } from 'zod'
import { id, wholeNumber } from '../schema'
import { task } from '../tasks/schema'
import { userSummary } from '../users/schema'

/** So many are listed at once. */
export const FEED_PART = 30

const kind = <K extends string, D extends z.ZodRawShape>(kind: K, detail: D) =>
  z.object({ kind: z.literal(kind), detail: z.object(detail) })

const ofText = { from: z.string(), to: z.string() }
const ofDay = { from: z.string().nullable(), to: z.string().nullable() }
const ofPerson = { userId: id }

/** What is done on a board, and what is kept of it: of comments and descriptions no text, of people no name. */
export const activityEvent = z.discriminatedUnion('kind', [
  kind('created', {}),
  kind('moved', { from: task.shape.status, to: task.shape.status }),
  kind('renamed', ofText),
  kind('described', {}),
  kind('due', ofDay),
  kind('tagged', { added: z.array(z.string()), removed: z.array(z.string()) }),
  kind('assigned', ofPerson),
  kind('unassigned', ofPerson),
  kind('commented', {}),
  kind('file', { did: z.enum(['added', 'removed']), name: z.string() }),
  kind('time', { did: z.enum(['logged', 'changed', 'removed']), minutes: z.number() }),
  kind('deleted', {}),
  kind('restored', {}),
  kind('board_created', {}),
  kind('board_renamed', ofText),
  kind('board_described', {}),
  kind('member_added', ofPerson),
  kind('member_joined', {}),
  kind('member_removed', ofPerson),
  kind('member_left', {}),
])
export type ActivityEvent = z.infer<typeof activityEvent>

/** What is logged of one change. */
export type NewActivity = ActivityEvent & { taskId: number | null; taskTitle: string | null }

const activity = z.intersection(
  z.object({
    id,
    boardId: id,
    taskId: id.nullable(),
    /** As it was then. */
    taskTitle: z.string().nullable(),
    /** Who did it. */
    user: userSummary,
    /** Whom it was done to; null as well where their account is gone. */
    whom: userSummary.nullable(),
    createdAt: z.string(),
  }),
  activityEvent,
)
export type Activity = z.infer<typeof activity>

/** A part of a list, newest first; it goes on below `nextCursor`. */
export const feed = z.object({ activities: z.array(activity), nextCursor: id.nullable() })
export type Feed = z.infer<typeof feed>

export const feedPart = z.object({ cursor: wholeNumber.pipe(id).optional() })
