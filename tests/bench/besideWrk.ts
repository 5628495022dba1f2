import { z } from 'zod'
import { nthMove } from './calls'
import { asking, CARDS, DESCRIPTION, LISTENERS, removeAtEnd, type Service } from './service'
import { connect, heardByAll } from './sockets'

/** As many as one network may register in an hour: each may call 600 times a minute. */
const PEOPLE = 20
const PASSWORD = 'a long enough password'
const STATUSES = ['todo', 'inprogress', 'done']
const withId = z.object({ id: z.number() })

/** Needs nothing but the address: people are registered, and go again at the end. */
export async function wrkAt(origin: string): Promise<Service> {
  const people: Person[] = []
  for (let n = 0; n < PEOPLE; n++) people.push(await register(origin, `beside${Date.now().toString(36)}${n}`))
  const [creator] = people
  if (!creator) throw new Error('nobody could be registered')
  const board = withId.parse(await creator.ask('POST', '/api/boards', { name: 'Beside another' }))
  for (const { username } of people.slice(1)) await creator.ask('POST', `/api/boards/${board.id}/members`, { username })
  const personAt = (nth: number) => people[nth % people.length] ?? creator
  const create = (n: number) =>
    personAt(n).ask('POST', `/api/boards/${board.id}/tasks`, {
      title: `Task ${n}`,
      description: DESCRIPTION,
      status: STATUSES[n % 3],
      tags: ['print', 'client'],
    })
  const ids: number[] = []
  for (let n = 0; n < CARDS; n++) {
    const task = withId.parse(await create(n))
    await personAt(n + 1).ask('POST', `/api/tasks/${task.id}/assignees`, { userId: personAt(n).id })
    ids.push(task.id)
  }
  const cookies = people.map(({ cookie }) => cookie)
  await connect({ origin, boardId: board.id, cookies, sockets: LISTENERS })
  let moves = 0
  const move = (nth: number) => {
    const { task, before, column } = nthMove(moves++, CARDS)
    return personAt(nth).ask('PATCH', `/api/tasks/${ids[task]}`, { status: STATUSES[column], before: ids[before] })
  }
  return {
    name: 'wrk',
    open: (nth) => personAt(nth).ask('GET', `/api/boards/${board.id}/snapshot`),
    change: (nth) => personAt(nth).ask('PATCH', `/api/tasks/${ids[nth % CARDS]}`, { title: `Changed ${nth}` }),
    create,
    move,
    moveHeard: (nth) => heardByAll(origin, () => move(nth)),
  }
}

type Person = Awaited<ReturnType<typeof register>>

async function register(origin: string, username: string) {
  const response = await fetch(`${origin}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, email: `${username}@example.com`, password: PASSWORD }),
  })
  if (!response.ok) throw new Error(`${origin} registers nobody: ${response.status} ${await response.text()}`)
  const { id } = withId.parse(await response.json())
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.replace(/;.*/, ''))
    .join('; ')
  const ask = asking(origin, { cookie })
  // With the boards that they created.
  removeAtEnd(ask, '/api/account', { password: PASSWORD })
  return { id, username, cookie, ask }
}
