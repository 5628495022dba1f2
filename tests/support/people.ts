import { createTRPCClient, httpLink } from '@trpc/client'
import { z } from 'zod'
import { hashPassword } from '../../src/auth/server/passwords'
import { createSessions } from '../../src/auth/server/sessions'
import { createUser } from '../../src/auth/server/store'
import type { Db } from '../../src/db/client'
import { boardMembers } from '../../src/db/schema'
import type { AppRouter } from '../../src/site/router'
import { task } from '../../src/tasks/schema'
import type { OwnUser } from '../../src/users/schema'
import { browser } from './browser'
import { openSocket } from './socket'

/** Everybody's password. */
export const PASSWORD = 'correct horse'
// Hashing anew for everyone would be most of what the tests do.
const HASH = await hashPassword(PASSWORD)

export type Person = Awaited<ReturnType<typeof settle>>
export type People = Awaited<ReturnType<typeof peopleOf>>

type Site = { origin: string; db: Db }

/** Ada, who has a board; Bob, its member; Eve, a stranger; and whoever else is asked for. */
export async function peopleOf(site: Site) {
  const [ada, bob, eve] = await Promise.all([settle(site, 'ada'), settle(site, 'bob'), settle(site, 'eve')])
  const board = await ada.api.boards.create.mutate({ name: 'Garden' })
  // Not by the call, of which Bob would be told: that is not what tests are about.
  await site.db.insert(boardMembers).values({ boardId: board.id, userId: bob.id })
  return { ada, bob, eve, board, person: (name: string) => settle(site, name), nobody: browser(site.origin) }
}

/** An account with a browser that is signed in to it. */
async function settle(site: Site, username: string) {
  const user = await createUser(site.db, newcomer(username))
  if ('taken' in user) throw new Error(`${username} exists already`)
  const cookie = await createSessions(site.db, () => false).start(user.id, { remember: true })
  return signedIn(site.origin, user, cookie)
}

const newcomer = (username: string) => ({ username, email: `${username}@example.com`, password: HASH })

function signedIn(origin: string, user: OwnUser, setCookie: string) {
  const own = browser(origin, setCookie)
  return {
    user,
    id: user.id,
    ...own,
    /** Every task of a board, with whole descriptions. */
    tasks: async (boardId: number) => z.array(task).parse((await own.http('GET', `/api/boards/${boardId}/tasks`)).body),
    /** The page's own calls. */
    api: createTRPCClient<AppRouter>({ links: [httpLink({ url: `${origin}/trpc`, headers: () => ({ cookie: own.cookie() }) })] }),
    socket: () => openSocket(origin, { cookie: own.cookie() }),
  }
}
