import { mkdir, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { thumbnailOf } from '../../attachments/server/lookup'
import type { BoardExportGrant } from '../../boards/server/grants'
import type { Db } from '../../db/database'
import { rowPages } from '../../db/snapshot'
import { runOn } from '../../db/statements'
import type { Services } from '../../server/context'
import { NoRoom } from '../../server/errors'
import { incomingPath } from '../../server/files/storage'
import { fieldColumns } from '../../tasks/server/lookup'
import { elapsedMs, pausedMinutes } from '../../time/limits'
import { FIRST_DAY } from '../../time/schema'
import { type BoardRow, type BoardTable, type BoardTables, boardRows } from '../schema'
import { linesIn } from './archiveFormat'
import { spoolLines } from './backup'
import { extensionOf, writeBoardArchive } from './writeArchive'

type Needed = Pick<Services, 'db' | 'files' | 'diskGuard' | 'config'>

/** A snapshot of a board. Rows go to the disk first, so that slow readers hold no transaction. */
export async function* boardArchive(
  { db, files, diskGuard, config }: Needed,
  grant: BoardExportGrant,
): AsyncGenerator<Uint8Array> {
  const folder = await incomingPath(config.dataDir)
  await mkdir(folder, { mode: 0o700 })
  const assertRoom = () => {
    if (diskGuard.disk().free < config.diskReserve) throw new NoRoom()
  }
  try {
    const lines: Partial<Record<BoardTable, () => AsyncIterable<string>>> = {}
    const now = await readBoardRows(db, grant, async (table, parts) => {
      lines[table] = await spoolLines(folder, table, passing(parts, assertRoom))
    })
    const { tables, names } = numbered((table) => rowsIn<Stored[typeof table]>(lines[table]?.()), now)
    yield* writeBoardArchive(tables, (name) => files.get(names.get(name) ?? ''))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* passing(parts: AsyncIterable<string>, check: () => void): AsyncGenerator<string> {
  for await (const part of parts) {
    check()
    await setImmediate()
    yield part
  }
}

async function* rowsIn<Row>(lines: AsyncIterable<string> | undefined): AsyncGenerator<Row> {
  for await (const line of linesIn(lines ?? [])) yield JSON.parse(line)
}

/** Rows as the database has them; docs/archive.md says what becomes of them. */
type Stored = {
  [Table in BoardTable]: Table extends 'attachments'
    ? BoardRow<Table> & { filename: string; hasThumbnail: boolean }
    : Table extends 'entries'
      ? BoardRow<Table> & { status: string; runningSince: string | null; counted: number; confirmed: number }
      : BoardRow<Table>
}
type Read = <Table extends BoardTable>(table: Table) => AsyncIterable<Stored[Table]>

/** Renumbers the rows, so that archives of equal boards are equal. `names`: stored files by their names in the archive. */
function numbered(read: Read, now: number) {
  const [people, tasks, files] = [new Map<number, number>(), new Map<number, number>(), new Map<string, string>()]
  let attached = 0
  const ofTask = <Row extends { task: number; person: number }>(row: Row) => ({
    ...row,
    task: numberOf(tasks, row.task),
    person: numberOf(people, row.person),
  })
  const tables: BoardTables = {
    board: read('board'),
    people: mapped(read('people'), ({ former, ...row }) => ({
      ...row,
      id: nextNumber(people, row.id),
      ...(former && { former }),
    })),
    tasks: mapped(read('tasks'), (row) => ({
      ...row,
      id: nextNumber(tasks, row.id),
      createdBy: row.createdBy && numberOf(people, row.createdBy),
      list: null,
      closed: false,
    })),
    assignees: mapped(read('assignees'), ofTask),
    comments: mapped(read('comments'), ofTask),
    attachments: mapped(read('attachments'), ({ filename, hasThumbnail, ...row }) => {
      attached += 1
      const file = `${attached}${extensionOf(row.name)}`
      const thumbnail = hasThumbnail ? `${attached}-thumbnail.webp` : null
      files.set(file, filename)
      if (thumbnail) files.set(thumbnail, thumbnailOf(filename))
      return { ...ofTask(row), file, thumbnail, url: null }
    }),
    entries: withTime(mapped(read('entries'), (row) => ({ ...ofTask(row), ...countedBy(row, now) }))),
    rates: mapped(read('rates'), (row) => ({ ...row, person: numberOf(people, row.person) })),
    activities: mapped(read('activities'), ({ task, person, detail, ...row }) => ({
      ...row,
      task: task && (tasks.get(task) ?? null),
      person: numberOf(people, person),
      detail: 'userId' in detail ? { ...detail, userId: people.get(Number(detail.userId)) ?? null } : detail,
    })),
  }
  return { tables, names: files }
}

async function* mapped<From, To>(rows: AsyncIterable<From>, change: (row: From) => To): AsyncGenerator<To> {
  for await (const row of rows) yield change(row)
}

function nextNumber(numbers: Map<number, number>, id: number): number {
  numbers.set(id, numbers.size + 1)
  return numbers.size
}

function numberOf(numbers: Map<number, number>, id: number): number {
  const number = numbers.get(id)
  if (number === undefined) throw new Error(`no row has the id ${id}`)
  return number
}

/** A running timer counts as if paused at `now`. */
function countedBy({ status, minutes, endTime, ...timer }: Stored['entries'], now: number) {
  if (status === 'completed') return { minutes, endTime }
  return { minutes: status === 'ACTIVE' ? pausedMinutes(elapsedMs(timer, now), timer.confirmed) : minutes, endTime: null }
}

async function* withTime(entries: AsyncIterable<BoardRow<'entries'>>) {
  for await (const entry of entries) if (entry.minutes >= 1) yield entry
}

type Write = (table: BoardTable, lines: AsyncIterable<string>) => Promise<void>

/** Reads all rows of a board in one snapshot; returns its time. */
const readBoardRows = (db: Db, { board }: BoardExportGrant, write: Write): Promise<number> =>
  db.transaction(
    async (transaction) => {
      const run = runOn(transaction)
      await run(sql`set local timezone = 'UTC'`)
      for (const [table, rows] of Object.entries(queriesOf(board.id))) {
        const lines = sql`select row_to_json(found)::text as line from (${rows}) as found`
        await write(table as BoardTable, rowPages(run, `exported ${table}`, lines))
      }
      const [moment] = await run(sql`select floor(extract(epoch from now()) * 1000)::float8 as now`)
      return Number(moment?.now)
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

const fields = sql.join(
  Object.entries(fieldColumns).map(([field, column]) => sql`${column} as ${sql.identifier(field)}`),
  sql`, `,
)

/** Keeps Postgres from scanning the whole table by its key, as it would for a cursor. */
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
