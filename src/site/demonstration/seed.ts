import { and, eq, inArray } from 'drizzle-orm'
import { generateNKeysBetween } from 'fractional-indexing'
import { hashPassword } from '../../auth/server/passwords'
import { ConfigError, readConfig } from '../../config'
import { CannotOpen, type Db } from '../../db/database'
import { openDatabase } from '../../db/openDatabase'
import { activities, boardMembers, boards, comments, rates, taskAssignees, tasks, timeEntries, users } from '../../db/tables'
import { STATUSES } from '../../tasks/schema'
import { dayIn } from '../../time/limits'
import { activitiesOf, lastMoved, ratesOf } from './activity'
import { BOARDS, largeBoard } from './boards'
import {
  DEMO_PASSWORD,
  type DemoBoard,
  type DemoTask,
  type Ids,
  isBillable,
  NAMES,
  onDay,
  PEOPLE,
  type StoredTask,
  workOf,
} from './studio'

const MAX_TASKS = 20_000
const ROWS_PER_INSERT = 1_000

class SeedError extends Error {}

export async function seed(db: Db, largeTasks = 0): Promise<{ added: string[] }> {
  const password = await hashPassword(DEMO_PASSWORD)
  const wanted = largeTasks > 0 ? [...BOARDS, largeBoard(largeTasks)] : BOARDS
  return db.transaction(async (transaction) => {
    const people = (await findPeople(transaction)) ?? (await addPeople(transaction, password))
    const added: string[] = []
    for (const board of wanted) if (await addBoard(transaction, people, board)) added.push(board.name)
    return { added }
  })
}

const emailOf = (who: string) => `${who}@studio.example`

async function findPeople(db: Db): Promise<Ids | undefined> {
  const ours = inArray(users.email, NAMES.map(emailOf))
  const rows = await db.select({ id: users.id, email: users.email }).from(users).where(ours)
  return rows.length < NAMES.length ? undefined : idsOf(rows)
}

async function addPeople(db: Db, password: string): Promise<Ids> {
  const given = NAMES.map((who) => ({
    username: who,
    email: emailOf(who),
    emailVerifiedAt: new Date(),
    password,
    ...PEOPLE[who],
  }))
  const rows = await db.insert(users).values(given).onConflictDoNothing().returning({ id: users.id, email: users.email })
  if (rows.length < NAMES.length)
    throw new SeedError('another account has one of the sample usernames or emails: nothing was added')
  return idsOf(rows)
}

// By email, because they may have changed their names. Both callers have a row for each.
const idsOf = (rows: { id: number; email: string }[]) =>
  Object.fromEntries(NAMES.map((who) => [who, rows.find((row) => row.email === emailOf(who))?.id])) as Ids

async function addBoard(db: Db, people: Ids, { name, description, creator, members, client = false, tasks: given }: DemoBoard) {
  const same = and(eq(boards.createdBy, people[creator]), eq(boards.name, name))
  if ((await db.select({ id: boards.id }).from(boards).where(same)).length > 0) return false
  const [row] = await db
    .insert(boards)
    .values({ name, description, createdBy: people[creator], version: given.length })
    .returning()
  if (!row) throw new Error('the new board was not returned')
  const board = { ...row, createdBy: people[creator] }
  await db.insert(boardMembers).values(members.map((who) => ({ boardId: board.id, userId: people[who] })))
  const rateRows = members.flatMap((who) =>
    ratesOf(who, client).map((rate) => ({ ...rate, boardId: board.id, userId: people[who] })),
  )
  if (rateRows.length > 0) await db.insert(rates).values(rateRows)
  const stored = []
  for (const status of STATUSES) {
    const column = given.filter((task) => task.status === status)
    stored.push(...(await addColumn(db, people, board, column)))
  }
  const events = activitiesOf(people, board, members, stored)
  for (let from = 0; from < events.length; from += ROWS_PER_INSERT)
    await db.insert(activities).values(events.slice(from, from + ROWS_PER_INSERT))
  return true
}

async function addColumn(db: Db, people: Ids, board: typeof boards.$inferSelect, column: DemoTask[]) {
  const positions = generateNKeysBetween(null, null, column.length)
  const stored = []
  for (let from = 0; from < column.length; from += ROWS_PER_INSERT) {
    const part = column.slice(from, from + ROWS_PER_INSERT)
    const rows = await db
      .insert(tasks)
      .values(part.map((task, n) => ({ ...taskRow(task, board), position: positions[from + n] ?? '' })))
      .returning({ id: tasks.id })
    const given = part.map((task, n) => ({ ...task, id: rows[n]?.id ?? 0 }))
    await addTaskDetails(db, people, board.id, given)
    stored.push(...given)
  }
  return stored
}

const taskRow = (task: DemoTask, board: typeof boards.$inferSelect) => ({
  title: task.title,
  description: task.description ?? null,
  status: task.status,
  dueDate: task.due === undefined ? null : onDay(task.due, 12).toISOString().slice(0, 10),
  tags: [...(task.tags ?? [])],
  boardId: board.id,
  createdBy: board.createdBy,
  createdAt: onDay(task.created, 9),
  updatedAt: lastMoved(task),
  doneAt: task.status === 'done' ? lastMoved(task) : null,
})

async function addTaskDetails(db: Db, people: Ids, boardId: number, column: StoredTask[]) {
  const each = <T, R>(of: (task: DemoTask) => readonly T[] | undefined, row: (taskId: number, item: T) => R) =>
    column.flatMap((task) => (of(task) ?? []).map((item) => row(task.id, item)))

  const assigneeRows = each(
    (task) => task.assignees,
    (taskId, who) => ({ taskId, boardId, userId: people[who] }),
  )
  const commentRows = each(
    (task) => task.comments,
    (taskId, [who, day, content]) => ({ taskId, userId: people[who], content, createdAt: onDay(day, 14) }),
  )
  const entryRows = each(workOf, (taskId, [who, day, duration, note]) => {
    const startTime = onDay(day, 8 + (taskId % 9))
    return {
      taskId,
      boardId,
      userId: people[who],
      startTime,
      endTime: new Date(startTime.getTime() + duration * 60_000),
      day: dayIn(startTime, 'UTC'),
      duration,
      note,
      billable: isBillable(note),
      createdAt: onDay(day, 22),
    }
  })
  if (assigneeRows.length > 0) await db.insert(taskAssignees).values(assigneeRows)
  if (commentRows.length > 0) await db.insert(comments).values(commentRows)
  for (let from = 0; from < entryRows.length; from += ROWS_PER_INSERT)
    await db.insert(timeEntries).values(entryRows.slice(from, from + ROWS_PER_INSERT))
}

function taskCountIn(args: string[]): number {
  const given = args.filter((arg) => arg !== '--tasks')
  if (given.length === 0) return 0
  const count = Number(given[0])
  if (given.length > 1 || !Number.isInteger(count) || count < 1 || count > MAX_TASKS)
    throw new SeedError(`usage: bun run seed [number of tasks on a large board, 1 to ${MAX_TASKS}]`)
  return count
}

async function main() {
  if (process.env.NODE_ENV === 'production')
    throw new SeedError('the sample data has a published password, so it cannot be added in production')
  const largeTasks = taskCountIn(process.argv.slice(2))
  const config = readConfig(process.env)
  const database = await openDatabase(config)
  try {
    const { added } = await seed(database.db, largeTasks)
    console.log(added.length > 0 ? `added: ${added.join(' · ')}` : 'the sample data is already there: nothing was changed')
  } finally {
    await database.close()
  }
  console.log(`\nsign in at ${config.publicUrl ?? `http://localhost:${config.port}`}/login with the password ${DEMO_PASSWORD} as`)
  for (const who of NAMES) console.log(`  ${who.padEnd(6)} ${PEOPLE[who].name}${PEOPLE[who].isPro ? ' (Pro)' : ''}`)
}

const expected = (error: unknown): error is Error =>
  error instanceof SeedError || error instanceof ConfigError || error instanceof CannotOpen

if (import.meta.main)
  await main().catch((error: unknown) => {
    console.error(expected(error) ? error.message : error)
    process.exit(1)
  })
