import { eq } from 'drizzle-orm'
import { createSessions } from '../../src/auth/server/sessions'
import type { Db } from '../../src/db/database'
import { openDatabase } from '../../src/db/openDatabase'
import { boardMembers, boards, tasks, users } from '../../src/db/tables'
import { seed } from '../../src/site/demonstration/seed'
import { STATUSES } from '../../src/tasks/schema'
import type { Place } from './servers'

export type Board = { boardId: number; taskIds: number[] }
export type Filled = { cookies: string[]; growing: number[]; large: Board[] }

/** Members of the boards, who take turns: one person has at most 600 calls a minute, and twenty open pages. */
const MEMBERS = 300

/** New tasks go to them in turns: one would be full before the last round. */
const GROWING_BOARDS = 20

/** The demonstration with boards of so many tasks, and sessions of their members. */
export async function fill(place: Place, ...counts: number[]): Promise<Filled> {
  const { db, close } = await openDatabase(place)
  for (const count of counts) await seed(db, count)
  const large: Board[] = []
  for (const count of counts) large.push(await boardNamed(db, `Everything, ${count} tasks`))
  const names = Array.from({ length: MEMBERS }, (_, nth) => ({ username: `member${nth}`, email: `member${nth}@example.com` }))
  const members = await db.insert(users).values(names).returning({ userId: users.id })
  // Whoever has Pro: their boards may have more than a hundred tasks.
  const [owner] = await db.select({ createdBy: boards.createdBy }).from(boards).where(eq(boards.name, 'Studio admin'))
  const named = Array.from({ length: GROWING_BOARDS }, () => ({ ...owner, name: 'Growing' }))
  const growing = (await db.insert(boards).values(named).returning({ boardId: boards.id })).map(({ boardId }) => boardId)
  for (const boardId of [...large.map((board) => board.boardId), ...growing])
    await db.insert(boardMembers).values(members.map(({ userId }) => ({ boardId, userId })))
  const sessions = createSessions(db, () => false)
  const signIn = async (userId: number) => (await sessions.start(userId, { remember: true })).replace(/;.*/, '')
  const cookies = await Promise.all(members.map(({ userId }) => signIn(userId)))
  await close()
  return { cookies, growing, large }
}

/** Its tasks of the three columns in turns. */
async function boardNamed(db: Db, name: string): Promise<Board> {
  const rows = await db
    .select({ boardId: boards.id, taskId: tasks.id, status: tasks.status })
    .from(boards)
    .innerJoin(tasks, eq(tasks.boardId, boards.id))
    .where(eq(boards.name, name))
    .orderBy(tasks.id)
  const [first] = rows
  if (!first) throw new Error(`the demonstration lacks ${name}`)
  const columns = STATUSES.map((status) => rows.filter((row) => row.status === status))
  const taskIds = rows.flatMap((_, nth) => columns.flatMap((column) => column[nth]?.taskId ?? []))
  return { boardId: first.boardId, taskIds }
}
