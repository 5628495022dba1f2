import { SQL } from 'bun'
import { z } from 'zod'
import type { Snapshot } from '../../src/tasks/schema'
import type { History } from './history'
import type { Site } from './site'

const facts = z.array(z.object({ key: z.string(), value: z.string().nullable() }))
const sums = z.array(
  z.object({ id: z.number(), place: z.string(), comments: z.number(), files: z.number(), minutes: z.number() }),
)
export type Truth = ReturnType<typeof createTruth>

/** What the database holds, asked for without the servers. */
export function createTruth(site: Site, history: History) {
  async function ask<T>(query: string, shape: z.ZodType<T>): Promise<T> {
    const sql = new SQL(site.postgres.url, { max: 1 })
    try {
      return shape.parse([...(await sql.unsafe(query))])
    } finally {
      await sql.close({ timeout: 0 })
    }
  }
  const none = async (query: string, what: string) => {
    const found = await ask(query, z.array(z.unknown()))
    if (found.length > 0) history.violate('sums', `${what}: ${JSON.stringify(found).slice(0, 300)}`)
  }

  const one = async (query: string): Promise<unknown> => {
    const [row] = await ask(query, z.array(z.record(z.string(), z.unknown())))
    return row && Object.values(row)[0]
  }

  return {
    /** Under the keys of the ledger. */
    async facts(): Promise<Map<string, string>> {
      const rows = await ask(FACTS, facts)
      return new Map(rows.flatMap(({ key, value }) => (value === null ? [] : [[key, value]])))
    },
    async findDoubles() {
      for (const text of await ask(DOUBLES, z.array(z.object({ text: z.string() }))))
        history.violate('doubled', `“${text.text}” is there more than once`)
    },
    async findWrong() {
      await none(
        "select user_id from time_entries where status = 'ACTIVE' group by user_id having count(*) > 1",
        'people with two running timers',
      )
      await none(
        `select board_id, status, position from tasks where deleted_at is null
         group by board_id, status, position having count(*) > 1`,
        'two tasks at one place',
      )
    },
    /** Of tasks and comments of this text. */
    countOf: (text: string) =>
      one(
        `select ((select count(*) from tasks where title = '${text}') + (select count(*) from comments where content = '${text}'))::int`,
      ),
    statusOf: (title: string) => one(`select status from tasks where title = '${title}'`),
    timersOn: (title: string) =>
      one(`select count(*)::int from time_entries e join tasks t on t.id = e.task_id where t.title = '${title}'`),
    /** What cards show of a board's tasks, counted anew, in order. */
    async compare({ board, tasks }: Snapshot) {
      const counted = await ask(SUMS.replace('$1', `${board.id}`), sums)
      const shown = tasks.map((task) => ({
        ...{ id: task.id, place: `${task.status} ${task.position}` },
        ...{ comments: task.commentCount, files: task.fileCount, minutes: task.minutes },
      }))
      if (!Bun.deepEquals(counted, shown))
        history.violate('sums', `the board shows ${firstDifference(shown, counted)}`, { board: board.id })
    },
  }
}

/** The first that differs, of what is there and what should be. */
export function firstDifference(shown: unknown[], counted: unknown[]): string {
  const nth = shown.findIndex((one, index) => !Bun.deepEquals(one, counted[index]))
  const at = nth < 0 ? shown.length : nth
  return `${JSON.stringify(shown[at])} instead of ${JSON.stringify(counted[at])}`
}

const FACTS = `
  select 'task ' || id as key, 'there' as value from tasks where deleted_at is null
  union all select 'task ' || id || ' title', title from tasks
  union all select 'task ' || id || ' description', description from tasks
  union all select 'task ' || id || ' status', status from tasks
  union all select 'task ' || id || ' dueDate', due_date::text from tasks
  union all select 'task ' || task_id || ' assignee ' || user_id, 'there' from task_assignees
  union all select 'comment ' || id, content from comments
  union all select 'entry ' || id, duration_minutes::text from time_entries
  union all select 'timer ' || id, status from time_entries
  union all select 'board ' || id || ' name', name from boards
  union all select 'board ' || id || ' description', description from boards
  union all select 'board ' || board_id || ' member ' || user_id, 'there' from board_members
  union all select 'board ' || board_id || ' invited ' || email, 'there' from board_invitations where email is not null
  union all select 'user ' || id || ' name', name from users`

const DOUBLES = `
  select task_title as text from activities where kind = 'created' and task_title <> 'Key' group by task_title having count(*) > 1
  union all select content from comments group by content having count(*) > 1
  union all select note from time_entries where note is not null group by note having count(*) > 1
  union all select email from board_invitations where email is not null group by board_id, email having count(*) > 1`

const SUMS = `
  select t.id, t.status || ' ' || t.position as place,
    (select count(*)::int from comments c where c.task_id = t.id) as comments,
    (select count(*)::int from attachments a where a.task_id = t.id) as files,
    (select coalesce(sum(duration_minutes), 0)::int from time_entries e where e.task_id = t.id and e.status <> 'ACTIVE') as minutes
  from tasks t where t.board_id = $1 and t.deleted_at is null
  order by array_position(array['todo', 'inprogress', 'done'], t.status), t.position`
