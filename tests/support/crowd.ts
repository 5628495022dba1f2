export type Size = { users: number; boards: number; tasks: number }

const PEOPLE_A_BOARD = 5

/** Fills every table with what others would have, by SQL alone; nobody of them can be signed in as. */
export async function fillCrowd(run: (query: string) => Promise<unknown>, size: Size): Promise<void> {
  for (const query of peopleAndBoards(size)) await run(query)
  for (const query of ofTasks(size)) await run(query)
  for (const query of ofAccounts()) await run(query)
  await run('analyze')
}

const FIRST_USER = `(select min(id) from users where username like 'crowd%')`
const FIRST_BOARD = `(select min(id) from boards where name like 'Crowd %')`
const crowd = "users u where u.username like 'crowd%'"

/** The nth of a board's people. */
const personOf = (board: string, nth: string, { users }: Size) =>
  `${FIRST_USER} + ((${board} - ${FIRST_BOARD}) * ${PEOPLE_A_BOARD} + ${nth} % ${PEOPLE_A_BOARD}) % ${users}`

const peopleAndBoards = (size: Size) => [
  `insert into users (username, email, email_verified_at)
   select 'crowd' || n, 'crowd' || n || '@example.com', now() from generate_series(1, ${size.users}) n`,
  `insert into boards (name, created_by, deleted_at)
   select 'Crowd ' || n, ${FIRST_USER} + (n * ${PEOPLE_A_BOARD}) % ${size.users}, case when n % 100 = 99 then now() end
   from generate_series(0, ${size.boards - 1}) n`,
  `insert into board_members (board_id, user_id)
   select b.id, ${personOf('b.id', 'n', size)} from boards b, generate_series(0, ${PEOPLE_A_BOARD - 1}) n where b.name like 'Crowd %'`,
  `insert into rates (board_id, user_id, from_day, cents)
   select board_id, user_id, current_date - 100, 8500 from board_members where board_id >= ${FIRST_BOARD} and user_id % 2 = 0`,
  `insert into board_invitations (token, board_id, email, invited_by, status, expires_at)
   select 'crowd ' || b.id, b.id, 'invited' || b.id || '@example.com', b.created_by, 'pending', now() + interval '5 days'
   from boards b where b.name like 'Crowd %'`,
  `insert into left_boards (board_id, user_id) select b.id, ${personOf('b.id + 1', 'n', size)}
   from boards b, generate_series(0, ${PEOPLE_A_BOARD - 1}) n where b.name like 'Crowd %'`,
]

const ofTasks = (size: Size) => {
  const tasks = `tasks t where t.board_id >= ${FIRST_BOARD} and t.title like 'Crowd %'`
  const somebody = (nth = '0') => personOf('t.board_id', `(t.id + ${nth})`, size)
  return [
    `insert into tasks (title, description, checklist_done, checklist_all, status, position, tags, board_id, created_by, deleted_at)
     select 'Crowd ' || n, repeat('What is to be done. ', 5), 0, 0, (array['todo', 'inprogress', 'done'])[n / ${size.boards} % 3 + 1],
       'a' || n, '{print,client}', ${FIRST_BOARD} + n % ${size.boards},
       ${personOf(`(${FIRST_BOARD} + n % ${size.boards})`, 'n', size)}, case when n % 200 = 199 then now() end
     from generate_series(0, ${size.tasks - 1}) n`,
    `insert into task_assignees (task_id, board_id, user_id) select t.id, t.board_id, ${somebody()} from ${tasks} and t.id % 2 = 0`,
    `insert into comments (task_id, user_id, content) select t.id, ${somebody()}, 'As agreed with the printers' from ${tasks}`,
    `insert into comment_mentions (comment_id, user_id) select id, user_id from comments where id % 10 = 0`,
    `insert into attachments (task_id, user_id, filename, original_filename, file_size, mime_type, file_url)
     select t.id, ${somebody()}, 'crowd' || t.id || '.png', 'plan.png', 70, 'image/png', '/uploads/crowd' || t.id || '.png'
     from ${tasks} and t.id % 20 = 0`,
    `insert into time_entries (task_id, user_id, board_id, start_time, end_time, day, duration_minutes)
     select t.id, ${somebody()}, t.board_id, at, at + interval '30 minutes', at::date, 30
     from (select *, now() - t.id % 700 * interval '1 day' - interval '1 hour' as at from ${tasks}) t`,
    `insert into time_entries (task_id, user_id, board_id, start_time, day, duration_minutes, status, end_time)
     select t.id, ${somebody()}, t.board_id, now(), current_date, 5, 'PAUSED', now() from ${tasks} and t.id % 500 = 0`,
    ...[1, 2].map(
      (nth) => `insert into activities (board_id, task_id, task_title, user_id, kind, detail)
     select t.board_id, t.id, t.title, ${somebody(String(nth))}, 'task_created', '{}' from ${tasks}`,
    ),
    `insert into notifications (user_id, actor_id, board_id, task_id, kind, read_at, waits)
     select ${somebody()}, ${somebody('1')}, t.board_id, t.id, 'assigned', case when t.id % 20 > 0 then now() end, t.id % 2000 = 0
     from ${tasks} and t.id % 2 = 0`,
  ]
}

const ofAccounts = () => [
  `insert into sessions (id, user_id, expires_at)
   select 'crowd ' || u.id || ' ' || n, u.id, now() + interval '20 days' from generate_series(1, 3) n, ${crowd}`,
  `insert into oauth_accounts (user_id, provider, subject) select u.id, 'github', 'crowd ' || u.id from ${crowd} and u.id % 2 = 0`,
  `insert into operator_acts (user_id, did, by, created_at)
   select u.id, 'made_link', 'olga', now() - interval '1 hour' * u.id from ${crowd} and u.id % 10 = 0`,
  `insert into magic_links (email, token, expires_at) select u.email, 'crowd ' || u.id, now() + interval '10 minutes' from ${crowd}`,
  `insert into former_usernames (username, user_id, until)
   select 'former' || u.id, u.id, now() + interval '50 days' from ${crowd} and u.id % 20 = 0`,
  `insert into billing (user_id, email) select u.id, u.email from ${crowd} and u.id % 10 = 0`,
  `insert into departed_customers (reference, due_at) select 'crowd ' || u.id, now() + interval '5 days' from ${crowd} and u.id % 50 = 0`,
  `insert into idempotency_keys (user_id, key, request, headers, body)
   select u.id, 'crowd ' || n, 'x', '{}', repeat('{"id":1}', 50) from generate_series(1, 5) n, ${crowd}`,
  `insert into mails (recipient, subject, text, html, state, sent_at)
   select u.email, 'News of your board', '', '', 'sent', now() from generate_series(1, 5) n, ${crowd}`,
  `insert into unwanted_files (name, due_at) select 'crowd' || u.id, now() + interval '5 days' from ${crowd} and u.id % 50 = 0`,
  `insert into deleted_rows (kind, row_id, task_id, user_id, rows) select 'comment', -id, task_id, user_id, '{}' from comments where id % 10 = 1`,
  `insert into imports (user_id, source, file_name, file, bytes, preview, state, board_id)
   select u.id, 'trello', 'board.json', 'crowd-import' || u.id, 50000, '{"lists":[]}', case when u.id % 50 = 0 then 'ready' else 'done' end,
     (select min(b.id) from boards b where b.created_by = u.id) from ${crowd}`,
  `insert into users (username, email, name, disabled_at, imported_on, imported_email)
   select 'Name-' || lpad(to_hex(b.id), 16, '0'), 'Name-' || b.id || '@imported.invalid', 'Bo', now(), b.id, u.email
   from boards b join users u on u.id = b.created_by where b.name like 'Crowd %'`,
  `insert into name_offers (name_id, user_id, offered, answer)
   select n.id, m.user_id, m.user_id % 2 = 0, case when m.user_id % 2 = 1 then 'no' end
   from users n join lateral (select user_id from board_members where board_id = n.imported_on limit 1) m on true where n.imported_on >= ${FIRST_BOARD}`,
  `insert into backups (is_nightly, ended_at, bytes) select true, now(), n from generate_series(1, 50) n`,
]

/** All tables that the crowd has left empty, but for those that never have more than a row. */
export const EMPTY_TABLES = `select relname from pg_stat_user_tables where schemaname = 'public' and relname not in ('installation', 'first_account') and
  (xpath('/row/c/text()', query_to_xml('select count(*) as c from ' || quote_ident(relname), false, true, '')))[1]::text = '0'`

/** Whoever else is there goes, with what is theirs. */
export const ONLY_CROWD = [
  `delete from boards where name not like 'Crowd %'`,
  `delete from users where username not like 'crowd%' and imported_on is null`,
]
