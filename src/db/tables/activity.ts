import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { boards } from './boards'
import { id, jsonb, moment, now, oneOf, owned } from './columns'
import { comments, tasks } from './tasks'
import { timeEntries } from './time'
import { users } from './users'

/** People are stored by id and named when read, so no name or title outlives its account. */
export const activities = pgTable(
  'activities',
  {
    id: id(),
    boardId: owned(() => boards.id),
    /** No foreign key: a deletion is shown after the task's row is gone. */
    taskId: integer(),
    taskTitle: text(),
    userId: owned(() => users.id),
    kind: text().notNull(),
    detail: jsonb().notNull(),
    /** clock_timestamp(), so that moments follow the ids. */
    createdAt: moment().notNull().default(sql`clock_timestamp()`),
  },
  (t) => [index().on(t.boardId, t.id), index().on(t.taskId, t.id), index().on(t.userId)],
)

const NOTIFICATIONS = [
  'assigned',
  'mentioned',
  'commented',
  'added',
  'renamed',
  'described',
  'logged',
  'started',
  'corrected',
  'invited',
  'joined',
  'declined',
  'name_declined',
  'account_deleted',
] as const

export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    userId: owned(() => users.id),
    /** Null if the actor is not named. */
    actorId: integer().references(() => users.id, { onDelete: 'cascade' }),
    boardId: owned(() => boards.id),
    taskId: integer().references(() => tasks.id, { onDelete: 'cascade' }),
    commentId: integer().references(() => comments.id, { onDelete: 'cascade' }),
    timeEntryId: integer().references(() => timeEntries.id, { onDelete: 'cascade' }),
    kind: text({ enum: NOTIFICATIONS }).notNull(),
    detail: text(),
    createdAt: now(),
    readAt: moment(),
    waits: boolean().notNull().default(false),
  },
  (t) => [
    index().on(t.userId, t.id),
    index().on(t.actorId),
    index().on(t.boardId),
    index().on(t.taskId),
    index().on(t.commentId),
    index().on(t.timeEntryId),
    index('notifications_unread').on(t.userId).where(sql`${t.readAt} is null`),
    index('notifications_waiting').on(t.userId).where(sql`${t.waits}`),
    oneOf('notifications_kind', t.kind, NOTIFICATIONS),
  ],
)
