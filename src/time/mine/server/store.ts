import { and, asc, between, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Days } from '../../../basics'
import { notDeleted } from '../../../boards/server/lookup'
import type { Db } from '../../../db/database'
import { boardMembers, boards, tasks, timeEntries, users } from '../../../db/schema'
import type { SignedIn } from '../../../server/signedIn'
import { entryColumns, joinsTask, toEntry } from '../../entries/server/lookup'
import { ENTRIES_MAX, type SheetTask } from '../schema'

/** Found board by board through the memberships, so that one index leads to the days of each. */
export async function listMine(db: Db, viewer: SignedIn, { from, to }: Days) {
  const own = and(eq(timeEntries.boardId, boards.id), eq(timeEntries.userId, viewer.id), between(timeEntries.day, from, to))
  const rows = await db
    .select({ ...entryColumns, board: boards.name })
    .from(boardMembers)
    .innerJoin(boards, and(eq(boards.id, boardMembers.boardId), notDeleted))
    .innerJoin(timeEntries, own)
    .innerJoin(tasks, joinsTask)
    .innerJoin(users, eq(users.id, timeEntries.userId))
    .where(eq(boardMembers.userId, viewer.id))
    .orderBy(desc(timeEntries.day), desc(timeEntries.startTime), desc(timeEntries.id))
    .limit(ENTRIES_MAX + 1)
  const entries = rows.slice(0, ENTRIES_MAX).map(({ board, ...row }) => ({ ...toEntry(row), board }))
  return { entries, more: rows.length > ENTRIES_MAX }
}

const RECENT_DAYS = 28
const TASKS_MAX = 500

/** To which one is assigned, or on which one worked lately; what is done comes last. */
export function tasksOfMine(db: Db, viewer: SignedIn, { from, to }: Days): Promise<SheetTask[]> {
  const own = sql`select a.task_id from board_members m
      join task_assignees a on a.board_id = m.board_id and a.user_id = m.user_id where m.user_id = ${viewer.id}
    union select e.task_id from board_members m
      join time_entries e on e.board_id = m.board_id and e.user_id = m.user_id and e.day between ${from}::date - ${RECENT_DAYS}::int and ${to}::date
      where m.user_id = ${viewer.id}`
  return db
    .select({ id: tasks.id, boardId: tasks.boardId, title: tasks.title, status: tasks.status, board: boards.name })
    .from(tasks)
    .innerJoin(boards, and(eq(boards.id, tasks.boardId), notDeleted))
    .where(and(sql`${tasks.id} = any(array(${own}))`, isNull(tasks.deletedAt)))
    .orderBy(asc(sql`${tasks.status} = 'done'`), desc(tasks.id))
    .limit(TASKS_MAX)
}
