import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { boards } from './boards'
import { id, moment, now, oneOf, owned } from './columns'
import { tasks } from './tasks'
import { users } from './users'

const ENTRY_STATUSES = ['completed', 'ACTIVE', 'PAUSED'] as const

export const timeEntries = pgTable(
  'time_entries',
  {
    id: id(),
    taskId: owned(() => tasks.id),
    userId: owned(() => users.id),
    /** Copied from the task, which never changes boards: reports read one covering index instead of sorting a join. */
    boardId: integer().notNull(),
    startTime: moment().notNull(),
    /** Of a paused timer, when it was paused. */
    endTime: moment(),
    /** In the owner's time zone when the work began; all reports use it. */
    day: date({ mode: 'string' }).notNull(),
    timeZone: text().notNull().default('UTC'),
    /** Minutes; for a timer, whole minutes up to its last stop. */
    duration: integer('duration_minutes').notNull(),
    note: text(),
    status: text({ enum: ENTRY_STATUSES }).notNull().default('completed'),
    runningSince: moment(),
    /** Milliseconds up to the timer's last start. */
    counted: bigint({ mode: 'number' }).notNull().default(0),
    confirmed: bigint({ mode: 'number' }).notNull().default(0),
    askedAt: moment(),
    billable: boolean().notNull().default(true),
    createdAt: now(),
    revision: integer().notNull().default(1),
  },
  (t) => [
    // Covering indexes: lists, reports and sums read them without the table.
    index('time_entries_of_task').on(t.taskId, t.startTime, t.id, t.duration, t.status),
    index('time_entries_of_board').on(t.boardId, t.day, t.startTime, t.id, t.userId, t.taskId, t.duration, t.status, t.billable),
    index('time_entries_of_person').on(t.userId, t.boardId, t.day, t.startTime, t.id),
    index('time_entries_days_of_task').on(t.taskId, t.day, t.startTime, t.id),
    index('time_entries_timers').on(t.userId).where(sql`${t.status} <> 'completed'`),
    uniqueIndex('time_entries_one_active').on(t.userId).where(sql`${t.status} = 'ACTIVE'`),
    oneOf('time_entries_status', t.status, ENTRY_STATUSES),
    check('time_entries_running', sql`(${t.status} = 'ACTIVE') = (${t.runningSince} is not null)`),
    check('time_entries_duration', sql`${t.duration} between 0 and 44640 and (${t.status} <> 'completed' or ${t.duration} >= 1)`),
  ],
)

/** Earlier work keeps its rate, so nothing invoiced changes. Rates outlast the membership, as time entries do. */
export const rates = pgTable(
  'rates',
  {
    id: id(),
    boardId: owned(() => boards.id),
    userId: owned(() => users.id),
    from: date('from_day', { mode: 'string' }).notNull(),
    cents: integer().notNull(),
  },
  (t) => [
    unique().on(t.boardId, t.userId, t.from),
    index().on(t.userId),
    check('rates_cents', sql`${t.cents} between 0 and 1000000`),
  ],
)
