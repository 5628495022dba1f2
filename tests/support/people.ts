import { createTRPCClient, httpLink } from '@trpc/client'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { hashPassword } from '../../src/auth/server/passwords'
import { createSessions } from '../../src/auth/server/sessions'
import { createUser } from '../../src/auth/server/store'
import type { Db } from '../../src/db/database'
import { boardMembers, users } from '../../src/db/tables'
import type { Api } from '../../src/protocol'
import { task } from '../../src/tasks/schema'
import type { OwnUser } from '../../src/users/schema'
import { lockAccount } from '../../src/users/server/lookup'
import { headersOf } from '../../src/web/client'
import { browser } from './browser'
import { openSocket } from './socket'

/** Everybody's password. */
export const PASSWORD = 'correct horse'
// Hashing anew for everyone, or as slowly as the server does, would be most of what the tests do.
const HASH = await Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

export type Person = Awaited<ReturnType<typeof settle>>
export type People = Awaited<ReturnType<typeof peopleOf>>
export type PeopleWithTask = Awaited<ReturnType<typeof peopleWithTask>>

type Site = { origin: string; db: Db }

/** Ada, who has a board; Bob, its member; Eve, a stranger; and whoever else is asked for, as a member or not. */
export async function peopleOf(site: Site) {
  const [ada, bob, eve] = await Promise.all([settle(site, 'ada'), settle(site, 'bob'), settle(site, 'eve')])
  const board = await ada.api.boards.create.mutate({ name: 'Garden' })
  const person = (name: string) => settle(site, name)
  async function member(name: string) {
    const somebody = await person(name)
    await join(somebody)
    return somebody
  }
  // Not by the call, of which they would be told: that is not what tests are about.
  const join = ({ id }: Person) => site.db.insert(boardMembers).values({ boardId: board.id, userId: id })
  await join(bob)
  return { ada, bob, eve, board, person, member, nobody: browser(site.origin) }
}

/** The same people, and a task that Ada has put on her board; at `path` is what REST has of it. */
export async function peopleWithTask(site: Site, title = 'Dig') {
  const people = await peopleOf(site)
  const task = await people.ada.api.tasks.create.mutate({ boardId: people.board.id, title })
  return { ...people, task, path: `/api/tasks/${task.id}` }
}

/** As once a mailed link was opened. */
export const withProof = (db: Db, { id }: { id: number }) =>
  db.update(users).set({ emailVerifiedAt: sql`now()` }).where(eq(users.id, id))

/** With a password that the server looks at for as long as at others: in races something is to happen meanwhile. */
export async function withSlowPassword<Whose extends { id: number }>(db: Db, person: Whose): Promise<Whose> {
  const password = await hashPassword(PASSWORD)
  await db.update(users).set({ password }).where(eq(users.id, person.id))
  return person
}

/** As after a registration, before anything has shown that the address is theirs. */
export const withoutProof = (db: Db, { id }: { id: number }) =>
  db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, id))

/** An account of a proven address, with a browser that is signed in to it. */
async function settle(site: Site, username: string) {
  const { user, setCookie } = await createAccount(site.db, { username, email: `${username}@example.com` })
  return signedIn(site.origin, user, setCookie)
}

/** An account of a proven address with everybody's password, and the cookie of a session of it. */
export async function createAccount(db: Db, given: { username: string; email: string; name?: string }, userAgent?: string) {
  const user = await createUser(db, { ...given, password: HASH })
  if ('taken' in user) throw new Error(`${given.username} exists already`)
  await withProof(db, user)
  const setCookie = await createSessions(db, () => false).start(user.id, { remember: true, ...(userAgent && { userAgent }) })
  return { user: { ...user, emailVerified: true }, setCookie }
}

function signedIn(origin: string, user: OwnUser, setCookie: string) {
  const own = browser(origin, setCookie)
  return {
    user,
    id: user.id,
    ...own,
    /** Every task of a board, with whole descriptions. */
    tasks: async (boardId: number) => z.array(task).parse((await own.http('GET', `/api/boards/${boardId}/tasks`)).body),
    /** The page's own calls. */
    api: createTRPCClient<Api['router']>({
      links: [httpLink({ url: `${origin}/trpc`, headers: ({ op }) => ({ cookie: own.cookie(), ...headersOf(op.context) }) })],
    }),
    /** The live channel, joined to a board where one is named. */
    async socket(board?: { id: number }) {
      const socket = await openSocket(origin, { cookie: own.cookie() })
      if (board) await socket.join(board.id)
      return socket
    },
  }
}

/** What their own call to change it does, for a transaction that is left open. */
export const renaming =
  ({ id }: { id: number }, name: string) =>
  async (db: Db) => {
    await lockAccount(db, id)
    await db.update(users).set({ name }).where(eq(users.id, id))
  }
