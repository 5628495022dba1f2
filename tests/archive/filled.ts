import { sql } from 'drizzle-orm'
import type { Db } from '../../src/db/database'
import { openFiles } from '../../src/server/files/storage'
import { PNG, WEBP } from '../support/files'

export const FILES = { picture: PNG, 'picture-thumbnail': WEBP, 'avatar-face.webp': WEBP, notes: Buffer.from('what was said\n') }

/** Everything that an archive holds: 5,000 tasks, texts of all kinds, deleted things, sums, files, gaps after the last ids. */
export async function fill(db: Db, dataDir: string): Promise<void> {
  for (const statement of STATEMENTS) await db.execute(sql.raw(statement))
  const store = openFiles({ s3: undefined, dataDir })
  for (const [name, bytes] of Object.entries(FILES)) await store.put(name, bytes, '')
}

const ODD = `E'"quoted" \\\\n \\\\ \\n\\t\\u2028 日本語 🦊 {"a": [1]} '' ; -- \\r' || chr(1) || chr(127)`

const STATEMENTS = [
  `insert into users (username, email, email_verified_at, password, name, avatar, description) values
    ('ada', 'ada@example.com', '2026-01-02T03:04:05.678Z', '$argon2id$v=19$x', ${ODD}, '/uploads/avatars/face.webp', ${ODD}),
    ('bob', 'bob@example.com', null, null, null, default, null), ('eve', 'eve@example.com', now(), 'hash', '', default, null),
    ('gone', 'gone@example.com', now(), 'hash', '', default, null)`,
  `insert into billing (user_id, email, current_period_end) values (1, 'ada@example.com', now())`,
  `insert into departed_customers (reference, due_at) values ('x', now())`,
  `insert into former_usernames (username, user_id, until) values ('adele', 1, now())`,
  `insert into operator_acts (user_id, did, by) values (1, 'made_link', 'olga'), (1, 'changed_email', null)`,
  `insert into oauth_accounts (user_id, provider, subject) values (2, 'oidc', '12')`,
  `insert into sessions (id, user_id, expires_at) values ('secret', 1, now() + interval '1 day')`,
  `insert into magic_links (email, token, expires_at) values ('ada@example.com', 'secret', now())`,
  `insert into mails (recipient, subject, text, html) values ('ada@example.com', 'secret', 'secret', 'secret')`,
  `insert into idempotency_keys (user_id, key, request, headers, body) values (1, 'secret', 'x', '{}', 'secret')`,
  `insert into boards (name, description, created_by, version, deleted_at) values
    ('Garden', ${ODD}, 1, 41, null), ('Small', null, 2, 0, null), ('Former', null, null, 3, now())`,
  `insert into board_members (board_id, user_id, place, pinned) values (1, 1, 2, true), (1, 2, null, false), (2, 2, 1, false)`,
  `insert into board_invitations (token, board_id, email, invited_by, expires_at) values ('hash', 1, 'new@example.com', 1, now())`,
  `insert into rates (board_id, user_id, from_day, cents) values (1, 1, '2026-01-01', 9500), (1, 1, '2026-06-01', 10123)`,
  `insert into tasks (title, description, position, board_id, created_by, tags, due_date, status, deleted_at)
    select 'Task ' || n, case when n % 50 = 0 then ${ODD} || repeat('word ' || n || ' ', 300) end, 'a' || lpad(n::text, 6, '0'), 1,
      case when n % 7 > 0 then 1 end, array['tag ' || n % 5, 'x,"y"'], '2026-03-01'::date + n % 90,
      (array['todo', 'inprogress', 'done'])[1 + n % 3], case when n % 1000 = 3 then now() end from generate_series(1, 5000) n`,
  `insert into tasks (title, position, board_id) values ('Of the small one', 'a0', 2), ('Of the former one', 'a0', 3), ('Goes', 'a1', 3)`,
  `insert into task_assignees (task_id, board_id, user_id) select n, 1, 1 + n % 2 from generate_series(1, 5000, 3) n`,
  `insert into comments (task_id, user_id, content) select 1 + n % 5000, 1 + n % 2, 'Comment ' || n || ${ODD} from generate_series(1, 1500) n`,
  `insert into comment_mentions (comment_id, user_id) values (1, 2)`,
  `insert into attachments (task_id, user_id, filename, original_filename, file_size, mime_type, file_url, thumbnail_size) values
    (1, 1, 'picture', ${ODD}, 70, 'image/png', '/uploads/picture', 36),
    (2, 2, 'notes', 'notes.txt', 14, 'text/plain', '/uploads/notes', null),
    (3, 2, 'lost', 'lost.txt', 14, 'text/plain', '/uploads/lost', null)`,
  `insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes, note, billable, counted)
    select 1 + n % 5000, 1, 1 + n % 2, '2026-01-01'::timestamptz + n * interval '1 hour', '2026-01-01'::date + n / 24, 1 + n % 90,
      case when n % 10 = 0 then ${ODD} end, n % 4 > 0, 9007199254740993 from generate_series(1, 1500) n`,
  `insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes, status, running_since)
    values (5001, 2, 2, now(), '2026-11-22', 0, 'ACTIVE', now())`,
  `insert into activities (board_id, task_id, task_title, user_id, kind, detail)
    select 1, n, 'Task ' || n, 1, 'task_created', jsonb_build_object('n', n, 'text', ${ODD}, 'large', 12345678901234567890.12) from generate_series(1, 500) n`,
  `insert into notifications (user_id, actor_id, board_id, task_id, comment_id, kind, detail) values (2, 1, 1, 2, 1, 'mentioned', ${ODD})`,
  `insert into unwanted_files (name, due_at) values ('announced', now() + interval '1 hour')`,
  `delete from users where username = 'gone'`,
  `delete from tasks where title = 'Goes'`,
]

/** What each table of an archive holds, and what triggers make of it, as numbers of rows and hashes. */
export const contents = (db: Db): Promise<Record<string, string>> =>
  db.transaction(async (transaction) => {
    const ask = async (text: string) => {
      const answer = (await transaction.execute(sql.raw(text))) as unknown as { rows: Row[] } | Row[]
      return Array.isArray(answer) ? answer : answer.rows
    }
    await ask(`set local timezone = 'UTC'`)
    const found: Record<string, string> = {}
    for (const { name } of await ask(TABLES)) {
      const [row] = await ask(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '/' order by t::text)), '') as name from "${name}" t`,
      )
      found[String(name)] = String(row?.name)
    }
    return found
  })

type Row = { name: unknown }

const TABLES = `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`
