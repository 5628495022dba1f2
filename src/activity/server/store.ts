import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { activityEvent } from '../../boards/activity'
import type { BoardGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { activities, users } from '../../db/tables'
import type { TaskGrant } from '../../tasks/server/grants'
import { summaryOf } from '../../users/schema'
import { type Activity, FEED_PAGE_SIZE, type Feed } from '../schema'

export const boardActivity = (db: Db, { board }: BoardGrant<'read'>, cursor?: number) =>
  readFeed(db, eq(activities.boardId, board.id), cursor)

export const taskActivity = (db: Db, { task }: TaskGrant<'read'>, cursor?: number) =>
  readFeed(db, eq(activities.taskId, task.id), cursor)

const whom = alias(users, 'whom')
const columns = {
  id: activities.id,
  boardId: activities.boardId,
  taskId: activities.taskId,
  taskTitle: activities.taskTitle,
  kind: activities.kind,
  detail: activities.detail,
  createdAt: activities.createdAt,
  user: summaryOf(users),
  whom: summaryOf(whom),
}

/** Newest first. A board's lock makes ids follow its commits, so nothing appears below a cursor already given out. */
async function readFeed(db: Db, where: SQL, cursor?: number): Promise<Feed> {
  const rows = await db
    .select(columns)
    .from(activities)
    .innerJoin(users, eq(users.id, activities.userId))
    .leftJoin(whom, eq(whom.id, sql`(${activities.detail} ->> 'userId')::int`))
    .where(and(where, cursor === undefined ? undefined : lt(activities.id, cursor)))
    .orderBy(desc(activities.id))
    .limit(FEED_PAGE_SIZE + 1)
  const listed = rows.slice(0, FEED_PAGE_SIZE).map(toActivity)
  return { activities: listed, nextCursor: rows.length > FEED_PAGE_SIZE ? (listed.at(-1)?.id ?? null) : null }
}

type Row = Omit<Activity, 'kind' | 'detail' | 'createdAt'> & { kind: string; detail: unknown; createdAt: Date }

const toActivity = ({ kind, detail, createdAt, ...rest }: Row): Activity => ({
  ...rest,
  ...activityEvent.parse({ kind, detail }),
  createdAt: createdAt.toISOString(),
})
