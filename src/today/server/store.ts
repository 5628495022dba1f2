import { and, asc, eq, gte, lte, ne, or, sql } from 'drizzle-orm'
import { inOwnOrder } from '../../boards/limits'
import { notDeleted as boardNotDeleted } from '../../boards/server/lookup'
import { listBoards } from '../../boards/server/store'
import { weekOf } from '../../days'
import type { Db } from '../../db/database'
import { atOnce } from '../../db/statements'
import { boardMembers, boards, taskAssignees, tasks, timeEntries } from '../../db/tables'
import type { SignedIn } from '../../server/signedIn'
import { notDeleted, taskColumns } from '../../tasks/server/lookup'
import { joinsTask } from '../../time/server/lookup'
import type { UserSummary } from '../../users/schema'
import { summaryJson } from '../../users/server/lookup'
import { type ActiveBoard, FACES, TASKS_SHOWN_MAX, type Today, type Workday } from '../schema'

/** `first` is the weekday on which weeks start. */
export async function readToday(db: Db, viewer: SignedIn, { day, since }: Day, first: number): Promise<Today> {
  const userId = viewer.id
  const days = weekOf(day, first)
  // First: what is read before a board's version may be older than it.
  const facts = await selectFacts(db, { userId, day })
  const [listed, own, entries] = await atOnce([
    listBoards(db, viewer),
    selectOwnTasks(db, { userId, since }),
    selectEntries(db, { userId, from: days[0] ?? day, to: days.at(-1) ?? day }),
  ])
  const known = new Map(facts.map(({ id, ...board }) => [id, board]))
  return {
    day,
    tasks: own.slice(0, TASKS_SHOWN_MAX).map(({ doneAt, ...task }) => ({ ...task, doneAt: doneAt?.toISOString() ?? null })),
    more: own.length > TASKS_SHOWN_MAX,
    week: days.map((day) => workdayOf(day, entries)),
    boards: inOwnOrder(listed).flatMap((board): ActiveBoard[] => {
      const more = known.get(board.id)
      return more ? [{ ...board, ...more, lastActivity: momentOf(more.lastActivity) }] : []
    }),
  }
}

type Last = Omit<NonNullable<ActiveBoard['lastActivity']>, 'createdAt'> & { at: number }

const momentOf = (last: Last | null) =>
  last && { user: last.user, kind: last.kind, did: last.did, createdAt: new Date(last.at).toISOString() }

const counted = (status: string) => sql`count(*) filter (where tasks.status = ${sql.raw(`'${status}'`)})`

const selectFacts = (db: Db, { userId, day }: { userId: number; day: string }) =>
  db
    .select({
      id: boards.id,
      version: boards.version,
      faces: sql<UserSummary[]>`(
        select coalesce(json_agg(face.summary order by face.id), '[]') from (
          select member.id, ${summaryJson} as summary from board_members member join users on users.id = member.user_id
          where member.board_id = ${boards.id} order by member.id limit ${sql.raw(String(FACES))}) face)`,
      tasks: sql<ActiveBoard['tasks']>`(
        select json_build_object('todo', ${counted('todo')}, 'inprogress', ${counted('inprogress')}, 'done', ${counted('done')})
        from tasks where tasks.board_id = ${boards.id} and tasks.deleted_at is null)`,
      overdue: sql<number>`(
        select count(*)::int from tasks where tasks.board_id = ${boards.id} and tasks.deleted_at is null
          and tasks.status <> 'done' and tasks.due_date is not null and tasks.due_date < ${day}::date)`,
      lastActivity: sql<Last | null>`(
        select json_build_object('user', ${summaryJson}, 'kind', activities.kind, 'did', activities.detail->>'did',
          'at', floor(extract(epoch from activities.created_at) * 1000))
        from activities join users on users.id = activities.user_id
        where activities.board_id = ${boards.id} order by activities.id desc limit 1)`,
    })
    .from(boardMembers)
    .innerJoin(boards, and(eq(boards.id, boardMembers.boardId), boardNotDeleted))
    .where(eq(boardMembers.userId, userId))

const next = sql<number | null>`(
  select next.id from tasks next
  where next.board_id = ${tasks.boardId} and next.status = ${tasks.status} and next.position > ${tasks.position}
    and next.deleted_at is null
  order by next.position limit 1)`

const selectOwnTasks = (db: Db, { userId, since }: { userId: number; since: Date }) =>
  db
    .select({
      id: tasks.id,
      boardId: tasks.boardId,
      title: tasks.title,
      status: tasks.status,
      dueDate: tasks.dueDate,
      doneAt: tasks.doneAt,
      assignees: taskColumns.assignees,
      revision: tasks.revision,
      next,
    })
    .from(boardMembers)
    .innerJoin(boards, and(eq(boards.id, boardMembers.boardId), boardNotDeleted))
    .innerJoin(taskAssignees, and(eq(taskAssignees.boardId, boards.id), eq(taskAssignees.userId, userId)))
    .innerJoin(tasks, and(eq(tasks.id, taskAssignees.taskId), notDeleted))
    .where(and(eq(boardMembers.userId, userId), or(ne(tasks.status, 'done'), gte(tasks.doneAt, since))))
    .orderBy(sql`${tasks.status} = 'done'`, sql`${tasks.dueDate} asc nulls last`, asc(tasks.id))
    .limit(TASKS_SHOWN_MAX + 1)

type Worked = { id: number; day: string; minutes: number }

const selectEntries = (db: Db, { userId, from, to }: { userId: number; from: string; to: string }) =>
  db
    .select({ id: timeEntries.id, day: timeEntries.day, minutes: timeEntries.duration })
    .from(boardMembers)
    .innerJoin(boards, and(eq(boards.id, boardMembers.boardId), boardNotDeleted))
    .innerJoin(timeEntries, and(eq(timeEntries.userId, userId), eq(timeEntries.boardId, boards.id)))
    .innerJoin(tasks, joinsTask)
    .where(
      and(
        eq(boardMembers.userId, userId),
        gte(timeEntries.day, from),
        lte(timeEntries.day, to),
        ne(timeEntries.status, 'ACTIVE'),
      ),
    )
    .orderBy(asc(timeEntries.id))

function workdayOf(day: string, all: Worked[]): Workday {
  const entries = all.filter((entry) => entry.day === day).map(({ id, minutes }) => ({ id, minutes }))
  return { day, entries, minutes: entries.reduce((sum, { minutes }) => sum + minutes, 0) }
}

/** A calendar day, and the moment at which it began. */
type Day = { day: string; since: Date }

/** No day is longer, even when clocks change. */
const LONGEST_MS = 26 * 60 * 60_000

/** The day in a time zone. Searches for midnight, which may be missing or come twice when clocks change. */
export function dayAround(now: Date, timeZone: string): Day {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const day = format.format(now)
  let [before, within] = [now.getTime() - LONGEST_MS, now.getTime()]
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (format.format(middle) === day) within = middle
    else before = middle
  }
  return { day, since: new Date(within) }
}
