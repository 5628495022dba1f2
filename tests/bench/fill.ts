import { eq } from 'drizzle-orm'
import { createSessions } from '../../src/auth/server/sessions'
import { openDatabase } from '../../src/db/client'
import type { Db } from '../../src/db/database'
import { seed } from '../../src/db/demonstration/seed'
import { boardMembers, boards, tasks, users } from '../../src/db/schema'
import { STATUSES } from '../../src/tasks/schema'
import type { CrowdedBoard } from './load'
import type { Place } from './servers'

export type Board = { boardId: number; taskIds: number[] }
export type Filled = { crowd: CrowdedBoard[]; cookies: string[]; growing: number[]; large: Board[] }

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
  const crowd = await fillCrowd(db, signIn)
  await close()
  return { crowd, cookies, growing, large }
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

const CROWDED_BOARDS = 500
const PEOPLE_A_BOARD = 4
const TASKS_A_BOARD = 3

/** Many boards with a few people each. */
async function fillCrowd(db: Db, signIn: (userId: number) => Promise<string>): Promise<CrowdedBoard[]> {
  const filled: CrowdedBoard[] = []
  for (let nth = 0; nth < CROWDED_BOARDS; nth++) {
    const names = Array.from({ length: PEOPLE_A_BOARD }, (_, one) => `crowd${nth}-${one}`)
    const people = names.map((username) => ({ username, email: `${username}@example.com` }))
    const ids = (await db.insert(users).values(people).returning({ id: users.id })).map(({ id }) => id)
    const [createdBy = 0] = ids
    const [board] = await db.insert(boards).values({ name: 'Crowd', createdBy }).returning({ boardId: boards.id })
    const boardId = board?.boardId ?? 0
    await db.insert(boardMembers).values(ids.map((userId) => ({ boardId, userId })))
    const rows = Array.from({ length: TASKS_A_BOARD }, (_, n) => ({ title: `Task ${n}`, position: `a${n}`, boardId, createdBy }))
    const made = await db.insert(tasks).values(rows).returning({ id: tasks.id })
    filled.push({ boardId, cookies: await Promise.all(ids.map(signIn)), taskIds: made.map(({ id }) => id) })
  }
  return filled
}
