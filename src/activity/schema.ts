import { z } from 'zod'
import { activityEvent } from '../boards/activity'
import { id, wholeNumber } from '../schema'
import { userSummary } from '../users/schema'

export const FEED_PAGE_SIZE = 30

const activity = z.intersection(
  z.object({
    id,
    boardId: id,
    taskId: id.nullable(),
    taskTitle: z.string().nullable(),
    user: userSummary,
    /** The affected user, if the account still exists. */
    whom: userSummary.nullable(),
    createdAt: z.string(),
  }),
  activityEvent,
)
export type Activity = z.infer<typeof activity>

export const feed = z.object({ activities: z.array(activity), nextCursor: id.nullable() })
export type Feed = z.infer<typeof feed>

export const feedPage = z.object({ cursor: wholeNumber.pipe(id).optional() })
