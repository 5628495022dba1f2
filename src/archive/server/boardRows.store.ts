import { type SQL, sql } from 'drizzle-orm'
import type { BoardExportGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { asking, partsOf } from '../../db/snapshot'
import { fieldColumns } from '../../tasks/server/lookup'
import { FIRST_DAY } from '../../time/schema'
import { type BoardTable, boardRows } from '../schema'

type Write = (table: BoardTable, lines: AsyncIterable<string>) => Promise<void>

/** Reads all rows of a board in one snapshot; returns its time. */
export const readBoardRows = (db: Db, { board }: BoardExportGrant, write: Write): Promise<number> =>
  db.transaction(
    async (transaction) => {
      const ask = asking(transaction)
      await ask(sql`set local timezone = 'UTC'`)
      for (const [table, rows] of Object.entries(queriesOf(board.id))) {
        const lines = sql`select row_to_json(found)::text as line from (${rows}) as found`
        await write(table as BoardTable, partsOf(ask, sql.identifier(`exported ${table}`), lines))
      }
      const [moment] = await ask(sql`select floor(extract(epoch from now()) * 1000)::float8 as now`)
      return Number(moment?.now)
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

const fields = sql.join(
  Object.entries(fieldColumns).map(([field, column]) => sql`${column} as ${sql.identifier(field)}`),
  sql`, `,
)

/** Keeps Postgres from reading the whole table by its key, as it would for a cursor. */
const byId = (column: string) => sql.raw(`${column} + 0`)

/** Cursors take no parameters. */
function queriesOf(boardId: number): Record<BoardTable, SQL> {
  const id = sql.raw(String(Math.trunc(boardId)))
  // Only the creator exports; their own address is always in it.
  const isCreator = sql`users.id = (select created_by from boards where id = ${id})`
  const ofTask = sql`join tasks on tasks.id = row.task_id and tasks.board_id = ${id} and tasks.deleted_at is null`
  const rows = {
    tasks: sql`
      select id, ${fields}, created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt", done_at as "doneAt"
      from tasks where board_id = ${id} and deleted_at is null order by status desc, position`,
    assignees: sql`select row.task_id as task, row.user_id as person from task_assignees row ${ofTask} order by ${byId('row.id')}`,
    comments: sql`
      select row.task_id as task, row.user_id as person, row.content, row.created_at as "createdAt"
      from comments row ${ofTask} order by ${byId('row.id')}`,
    attachments: sql`
      select row.task_id as task, row.user_id as person, original_filename as name, filename,
        thumbnail_size is not null as "hasThumbnail", row.created_at as "createdAt"
      from attachments row ${ofTask} order by ${byId('row.id')}`,
    entries: sql`
      select row.task_id as task, row.user_id as person, start_time as "startTime", end_time as "endTime", day,
        time_zone as "timeZone", duration_minutes as minutes, note, billable, row.created_at as "createdAt", row.status,
        running_since as "runningSince", counted, confirmed
      from time_entries row ${ofTask} order by ${byId('row.id')}`,
    rates: sql`
      select user_id as person, nullif(from_day, ${sql.raw(`'${FIRST_DAY}'`)}) as "from", cents
      from rates where board_id = ${id} order by ${byId('id')}`,
    activities: sql`
      select task_id as task, task_title as "taskTitle", user_id as person, kind, detail, created_at as "createdAt"
      from activities where board_id = ${id} order by id`,
  }
  const people = sql`
    select user_id from board_members where board_id = ${id}
    union select created_by from tasks where board_id = ${id} and deleted_at is null
    union select (detail->>'userId')::int from activities where board_id = ${id}
    ${sql.join(
      Object.entries(rows).flatMap(([table, query]) =>
        namesPeople(table) ? sql`union select person from (${query}) as found` : [],
      ),
      sql` `,
    )}`
  return {
    board: sql`select name, description, created_at as "createdAt" from boards where id = ${id}`,
    people: sql`
      select users.id, ${shownName} as name, joined.user_id is not null as member, former,
        case when imported_on = ${id} then imported_email
          when joined.user_id is not null and email_verified_at is not null and (show_email or ${isCreator}) then email
        end as email
      from users left join board_members joined on joined.board_id = ${id} and joined.user_id = users.id
      where users.id = any(array(${people})) order by ${shownName} collate "C", users.id`,
    ...rows,
  }
}

const namesPeople = (table: string) => 'person' in boardRows[table as BoardTable].shape

const shownName = sql`coalesce(nullif(users.name, ''), users.username)`
