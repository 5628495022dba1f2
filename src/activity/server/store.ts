import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Board } from '../../boards/schema'
import type { Db } from '../../db/client'
import { activities, users } from '../../db/schema'
import type { BoardGrant, TaskGrant } from '../../server/grants'
import { SETTABLE, type Task } from '../../tasks/schema'
import { summaryOf } from '../../users/schema'
import { type Activity, FEED_PART, type Feed, type Happening, happening } from '../schema'

/** What is written of one change. */
export type NewActivity = Happening & { taskId: number | null; taskTitle: string | null }

/** What was done to a task, or, without one, to the board. */
export const did = (task: Pick<Task, 'id' | 'title'> | null, ...happenings: Happening[]): NewActivity[] =>
  happenings.map((happening) => ({ ...happening, taskId: task?.id ?? null, taskTitle: task?.title ?? null }))

type Telling = (before: Task, after: Task) => Happening | null

/** For each field that people set, what its change is told as. */
const tellings: Record<(typeof SETTABLE)[number], Telling> = {
  title: (before, after) => ({ kind: 'renamed', detail: { from: before.title, to: after.title } }),
  description: () => ({ kind: 'described', detail: {} }),
  status: (before, after) => ({ kind: 'moved', detail: { from: before.status, to: after.status } }),
  dueDate: (before, after) => ({ kind: 'due', detail: { from: before.dueDate, to: after.dueDate } }),
  tags(before, after) {
    const added = after.tags.filter((tag) => !before.tags.includes(tag))
    const removed = before.tags.filter((tag) => !after.tags.includes(tag))
    return added.length + removed.length > 0 ? { kind: 'tagged', detail: { added, removed } } : null
  },
}

/** What an update did to a task; another place in the same column is nothing. */
export const changesOf = (before: Task, after: Task): Happening[] =>
  SETTABLE.flatMap((field) => (Bun.deepEquals(before[field], after[field]) ? [] : (tellings[field](before, after) ?? [])))

type BoardText = Pick<Board, 'name' | 'description'>

/** What an update did to a board itself. */
export function boardChangesOf(before: BoardText, after: BoardText): Happening[] {
  const changes: Happening[] = []
  if (after.name !== before.name) changes.push({ kind: 'board_renamed', detail: { from: before.name, to: after.name } })
  if (after.description !== before.description) changes.push({ kind: 'board_described', detail: {} })
  return changes
}

/** Called where changes are announced, and nowhere else. */
export async function writeActivities(db: Db, boardId: number, userId: number, given: NewActivity[]): Promise<void> {
  if (given.length > 0) await db.insert(activities).values(given.map((one) => ({ ...one, boardId, userId })))
}

/** What was done on a board, newest first. */
export const boardActivity = (db: Db, { board }: BoardGrant<'read'>, cursor?: number) =>
  readFeed(db, eq(activities.boardId, board.id), cursor)

/** What was done to a task, newest first. */
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

/** Ids of one board follow its commits, which come one after the other: nothing comes in below a cursor that was given out. */
async function readFeed(db: Db, where: SQL, cursor?: number): Promise<Feed> {
  const rows = await db
    .select(columns)
    .from(activities)
    .innerJoin(users, eq(users.id, activities.userId))
    .leftJoin(whom, eq(whom.id, sql`(${activities.detail} ->> 'userId')::int`))
    .where(and(where, cursor === undefined ? undefined : lt(activities.id, cursor)))
    .orderBy(desc(activities.id))
    .limit(FEED_PART + 1)
  const listed = rows.slice(0, FEED_PART).map(toActivity)
  return { activities: listed, nextCursor: rows.length > FEED_PART ? (listed.at(-1)?.id ?? null) : null }
}

type Row = Omit<Activity, 'kind' | 'detail' | 'createdAt'> & { kind: string; detail: unknown; createdAt: Date }

const toActivity = ({ kind, detail, createdAt, ...rest }: Row): Activity => ({
  ...rest,
  ...happening.parse({ kind, detail }),
  createdAt: createdAt.toISOString(),
})
