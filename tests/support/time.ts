import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../src/db/database'
import { timeEntries } from '../../src/db/tables'
import type { Person } from './people'

/** Logs half an hour of somebody's, or what is given instead. */
export const log = (
  { api }: Person,
  { id }: { id: number },
  given: { duration?: number; note?: string; startTime?: string; timeZone?: string } = {},
) => api.time.create.mutate({ taskId: id, duration: 30, ...given })

/** Lets the timers of a task run for so much longer than they did. */
export const passTime = (db: Db, { id }: { id: number }, milliseconds: number) =>
  db
    .update(timeEntries)
    .set({ runningSince: sql`running_since - ${milliseconds} * interval '1 millisecond'` })
    .where(and(eq(timeEntries.taskId, id), eq(timeEntries.status, 'ACTIVE')))
