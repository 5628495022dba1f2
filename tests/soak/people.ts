import { createSessions } from '../../src/auth/server/sessions'
import { createUser } from '../../src/auth/server/store'
import { openDatabase } from '../../src/db/openDatabase'
import { boardMembers, boards } from '../../src/db/tables'
import { ownAddress } from '../support/browser'
import { withProof } from '../support/people'
import { createClient } from './client'
import type { History } from './history'
import type { Measures } from './measures'
import type { Person } from './person'
import type { Site } from './site'
import type { Watch } from './watch'

const PEOPLE = 20
const BOARDS = 3
const PAGES = 3
/** Every so many people have a second socket. */
const TWO_SOCKETS = 3
const SESSIONS = 8

const name = (nth: number) => `person${nth}`

/** People with sessions to spare, and boards that most of them are on; the last of them have pages. */
export async function settlePeople(databaseUrl: string) {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '/nowhere' })
  const sessions = createSessions(db, () => false)
  async function settle(nth: number): Promise<Person> {
    const user = await createUser(db, { ...QUIET, username: name(nth), email: `${name(nth)}@example.com`, password: null })
    if ('taken' in user) throw new Error(`${name(nth)} exists already`)
    await withProof(db, user)
    const start = async () => (await sessions.start(user.id, { remember: true })).replace(/;.*/, '')
    const cookies = await Promise.all(Array.from({ length: SESSIONS }, start))
    return {
      ...{ name: name(nth), id: user.id, address: ownAddress(), cookies },
      ...{ comments: [], entries: [], timers: [], deleted: [], clients: [] },
      cookie: () => cookies[0] ?? '',
    }
  }
  const all = await Promise.all(Array.from({ length: PEOPLE + PAGES }, (_, nth) => settle(nth)))
  const creators = all.slice(0, BOARDS).map(({ id }, nth) => ({ createdBy: id, name: `Board ${nth}` }))
  const made = await db.insert(boards).values(creators).returning()
  for (const [nth, { id: boardId, createdBy }] of made.entries()) {
    const others = all.filter(({ id }, index) => id === createdBy || (index + nth) % BOARDS > 0 || index >= PEOPLE)
    await db.insert(boardMembers).values(others.map(({ id: userId }) => ({ boardId, userId })))
  }
  await close()
  return { people: all.slice(0, PEOPLE), readers: all.slice(PEOPLE), boards: made.map(({ id }) => id) }
}

const QUIET = { emailNotifications: false }

/** Opens everybody's sockets, each to the next server. */
export function connectPeople(people: Person[], site: Site, history: History, measures: Measures, watch: Watch) {
  let first = 0
  for (const [nth, person] of people.entries())
    for (let count = 1; count <= (nth % TWO_SOCKETS === 0 ? 2 : 1); count++) {
      const own = { name: `${person.name}/${count}`, userId: person.id, address: person.address }
      // The second socket has a session of its own, which ends when it is signed out.
      const cookie = (count === 2 && person.cookies.pop()) || person.cookie()
      const client = createClient({
        ...own,
        cookie,
        first: first++,
        servers: site.servers,
        history,
        measures,
        onMessage: watch.heard,
      })
      person.clients.push(client)
      watch.clients.push(client)
      client.connect()
    }
}
