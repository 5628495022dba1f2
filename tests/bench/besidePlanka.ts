import { z } from 'zod'
import { nthMove } from './calls'
import { atEnd } from './cleanUp'
import { openSails, type SailsSocket } from './sails'
import { CARDS, DESCRIPTION, LISTENERS, type Service } from './service'

/** As its demonstration has it. */
const { PLANKA_USER = 'demo', PLANKA_PASSWORD = 'demo' } = process.env
const SOCKETS = 10
const BETWEEN = 65_536
const withId = z.object({ item: z.object({ id: z.string() }) })

/** Planka 2: it is signed in to over HTTP, all else goes through the socket, as from its web client. */
export async function plankaAt(origin: string): Promise<Service> {
  const token = await signIn(origin)
  const sockets: SailsSocket[] = []
  for (let n = 0; n < SOCKETS; n++) sockets.push(await openSails(origin, token, () => {}))
  const ask = (nth: number, method: string, url: string, data?: object) => {
    const socket = sockets[nth % SOCKETS]
    if (!socket) throw new Error('no socket is open')
    return socket.ask(method, url, data)
  }
  const idOf = async (url: string, data: object) => withId.parse(await ask(0, 'POST', url, data)).item.id
  const project = await idOf('/api/projects', { type: 'private', name: 'Beside another' })
  atEnd(() => ask(0, 'DELETE', `/api/projects/${project}`))
  const board = await idOf(`/api/projects/${project}/boards`, { name: 'Beside another', position: BETWEEN })
  atEnd(() => ask(0, 'DELETE', `/api/boards/${board}`))
  const label = await idOf(`/api/boards/${board}/labels`, { name: 'print', color: 'berry-red', position: BETWEEN })
  const lists: string[] = []
  for (let n = 1; n <= 3; n++)
    lists.push(await idOf(`/api/boards/${board}/lists`, { type: 'active', name: `List ${n}`, position: n * BETWEEN }))
  const user = withId.parse(await ask(0, 'GET', '/api/users/me')).item.id
  const card = (n: number) => ({ type: 'project', name: `Task ${n}`, description: DESCRIPTION, position: (n + 1) * BETWEEN })
  const create = (n: number) => idOf(`/api/lists/${lists[n % 3]}/cards`, card(n))
  const ids: string[] = []
  for (let n = 0; n < CARDS; n++) {
    const id = await create(n)
    await ask(0, 'POST', `/api/cards/${id}/card-labels`, { labelId: label })
    await ask(0, 'POST', `/api/cards/${id}/card-memberships`, { userId: user })
    ids.push(id)
  }
  let moves = 0
  const move = (nth: number) => {
    const { task, before, column } = nthMove(moves++, CARDS)
    return ask(nth, 'PATCH', `/api/cards/${ids[task]}`, { listId: lists[column], position: (before + 0.5) * BETWEEN })
  }
  const heard = await listening(origin, token, board)
  return {
    name: 'Planka',
    open: (nth) => ask(nth, 'GET', `/api/boards/${board}`),
    change: (nth) => ask(nth, 'PATCH', `/api/cards/${ids[nth % CARDS]}`, { name: `Changed ${nth}` }),
    create,
    move,
    moveHeard: (nth) => heard(() => move(nth)),
  }
}

async function signIn(origin: string): Promise<string> {
  const response = await fetch(`${origin}/api/access-tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ emailOrUsername: PLANKA_USER, password: PLANKA_PASSWORD }),
  })
  if (!response.ok)
    throw new Error(`${origin} lets nobody in: ${response.status}; PLANKA_USER and PLANKA_PASSWORD name an administrator`)
  return z.object({ item: z.string() }).parse(await response.json()).item
}

async function listening(origin: string, token: string, board: string) {
  let missing = 0
  let complete = () => {}
  const hear = (event: string) => {
    if (event === 'cardUpdate' && --missing === 0) complete()
  }
  for (let n = 0; n < LISTENERS; n++) {
    const socket = await openSails(origin, token, hear)
    await socket.ask('GET', `/api/boards/${board}?subscribe=true`)
  }
  return async (change: () => Promise<unknown>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    missing = LISTENERS
    complete = resolve
    await Promise.all([promise, change()])
  }
}
