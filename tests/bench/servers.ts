import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, like } from 'drizzle-orm'
import postgres from 'postgres'
import { createSessions } from '../../src/auth/server/sessions'
import { openDatabase } from '../../src/db/client'
import type { Db } from '../../src/db/database'
import { seed } from '../../src/db/demonstration/seed'
import { boardMembers, boards, tasks, users } from '../../src/db/schema'

const ROOT = join(import.meta.dir, '../..')

export type Place = { databaseUrl: string | undefined; dataDir: string; remove(): Promise<void> }

/** A database of the benchmark's own: on the server that BENCH_DATABASE_URL names, else embedded, in a folder. */
export async function makePlace(serverUrl: string | undefined): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'wrk-bench-'))
  const removeFolder = () => rm(dataDir, { recursive: true })
  if (!serverUrl) return { databaseUrl: undefined, dataDir, remove: removeFolder }
  const name = `wrk_bench_${process.pid}`
  const admin = postgres(serverUrl, { onnotice: () => {} })
  await admin.unsafe(`create database ${name}`)
  const remove = async () => {
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
    await removeFolder()
  }
  return { databaseUrl: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href, dataDir, remove }
}

/** The same rows for another process: a server has them already, the embedded database is copied. */
export async function twin(place: Place): Promise<Place> {
  if (place.databaseUrl) return { ...place, remove: async () => {} }
  const copy = await makePlace(undefined)
  await cp(place.dataDir, copy.dataDir, { recursive: true })
  return copy
}

export type CrowdedBoard = { boardId: number; cookies: string[]; taskIds: number[] }

export type Filled = { crowd: CrowdedBoard[]; cookies: string[]; boardId: number; smallBoardId: number; taskIds: number[] }

/** Members of both boards, who take turns: one person has at most 600 calls a minute, and twenty open pages. */
const MEMBERS = 200

/** The demonstration with a board of `count` tasks, and sessions of its members. */
export async function fill(place: Place, count: number): Promise<Filled> {
  const { db, close } = await openDatabase(place)
  await seed(db, count)
  const [large] = await db.select({ id: boards.id }).from(boards).where(like(boards.name, 'Everything%'))
  const [small] = await db.select({ id: boards.id }).from(boards).where(eq(boards.name, 'Studio admin'))
  if (!large || !small) throw new Error('the demonstration lacks what the benchmark needs')
  const rows = await db.select({ id: tasks.id }).from(tasks).where(eq(tasks.boardId, large.id)).orderBy(tasks.id)
  const names = Array.from({ length: MEMBERS }, (_, nth) => ({ username: `member${nth}`, email: `member${nth}@example.com` }))
  const members = await db.insert(users).values(names).returning({ userId: users.id })
  for (const { id: boardId } of [large, small])
    await db.insert(boardMembers).values(members.map(({ userId }) => ({ boardId, userId })))
  const sessions = createSessions(db, () => false)
  const signIn = async (userId: number) => (await sessions.start(userId, { remember: true })).replace(/;.*/, '')
  const cookies = await Promise.all(members.map(({ userId }) => signIn(userId)))
  const crowd = await fillCrowd(db, signIn)
  await close()
  return {
    crowd,
    cookies,
    boardId: large.id,
    smallBoardId: small.id,
    taskIds: rows.map((row) => row.id),
  }
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

export type Running = {
  origin: string
  startedIn: number
  memory(): Promise<number>
  busy(): Promise<number>
  stop(): Promise<void>
}
export type Program = 'src/main.ts' | 'tests/bench/bare.ts'

/** Starts a server and waits for its first answer. */
export async function run(program: Program, place: Place): Promise<Running> {
  const port = String(freePort())
  const origin = `http://localhost:${port}`
  const env = { ...process.env, NODE_ENV: 'production', PORT: port, PUBLIC_URL: origin, DATA_DIR: place.dataDir }
  const database = place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}
  const start = performance.now()
  const child = Bun.spawn(['bun', program], { cwd: ROOT, env: { ...env, ...database }, stdout: 'ignore', stderr: 'inherit' })
  while (!(await answers(origin))) {
    if (child.exitCode !== null || performance.now() - start > 30_000) throw new Error(`${program} did not start`)
    await Bun.sleep(2)
  }
  return {
    origin,
    startedIn: performance.now() - start,
    memory: () => memoryOf(child.pid),
    busy: () => busyOf(child.pid),
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

const answers = (origin: string) =>
  fetch(`${origin}/health`).then(
    (response) => response.ok,
    () => false,
  )

function freePort(): number | undefined {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return port
}

/** Milliseconds of a processor so far. */
async function busyOf(pid: number): Promise<number> {
  const [, fields = ''] = (await Bun.file(`/proc/${pid}/stat`).text()).split(') ')
  const [user, system] = fields.split(' ').slice(11, 13).map(Number)
  return ((user ?? 0) + (system ?? 0)) * 10
}

/** Resident memory in MiB. */
async function memoryOf(pid: number): Promise<number> {
  const kilobytes = await Bun.$`ps -o rss= -p ${pid}`.text()
  return Number(kilobytes) / 1024
}
