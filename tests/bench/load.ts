import { call, during, nextOf, nthMove, summary, type Times, timed } from './calls'
import { connect, disconnect, heardByAll } from './sockets'

/** The load, one process for all servers: it is sent orders and answers with what it measured. */

/** `cookies` are those of different members. */
export type Order = { origin: string; cookies: string[]; seconds: number } & (
  | { do: 'open'; boardId: number; connections: number }
  | { do: 'create'; boardIds: number[] }
  | { do: 'move'; taskIds: number[] }
  | { do: 'connect'; boardId: number; sockets: number }
  | { do: 'disconnect' }
  | { do: 'hear'; taskIds: number[] }
  | { do: 'change'; boardId: number; taskIds: number[] }
)
export type OpenedAfter = { changed: number; unchanged: number; longest: number }
type Found = { taken?: Times; after?: OpenedAfter }
export type Answer = Found | { failed: string }
type Of<Do extends Order['do']> = Extract<Order, { do: Do }>

const open = ({ origin, boardId, cookies, connections, seconds }: Of<'open'>) =>
  during(seconds, connections, () => call(`${origin}/api/boards/${boardId}/snapshot`, nextOf(cookies)))

const create = ({ origin, boardIds, cookies, seconds }: Of<'create'>) =>
  during(seconds, 1, (n) =>
    call(`${origin}/api/boards/${boardIds[n % boardIds.length]}/tasks`, nextOf(cookies), 'POST', {
      title: `Task ${n}`,
      description: 'What is to be done, said in a sentence or two, as people do.',
      status: 'todo',
      tags: ['print', 'client'],
    }),
  )

const STATUSES = ['todo', 'inprogress', 'done']
const moves = new Map<string, number>()

/** To another column, before a task that stands there or has just left; each server has its own count. */
function moveNext({ origin, cookies, taskIds }: Pick<Of<'move'>, 'origin' | 'cookies' | 'taskIds'>) {
  const n = moves.get(origin) ?? 0
  moves.set(origin, n + 1)
  const { task, before, column } = nthMove(n, taskIds.length)
  const change = { status: STATUSES[column], before: taskIds[before] }
  return call(`${origin}/api/tasks/${taskIds[task]}`, nextOf(cookies), 'PATCH', change)
}

const move = (order: Of<'move'>) => during(order.seconds, 1, () => moveNext(order))

const hear = (order: Of<'hear'>) => during(order.seconds, 1, () => heardByAll(order.origin, () => moveNext(order)))

const UNCHANGED = 3
const HEALTH_EVERY_MS = 2
let changes = 0

/** Somebody changes a task, the next one opens the board, and others after them; all the while /health is asked. */
async function change({ origin, boardId, cookies, taskIds, seconds }: Of<'change'>): Promise<OpenedAfter> {
  const [changed, unchanged, waits]: [number[], number[], number[]] = [[], [], []]
  const end = performance.now() + seconds * 1000
  const ask = async () => {
    while (performance.now() < end) {
      waits.push(await timed(() => call(`${origin}/health`, '')))
      await Bun.sleep(HEALTH_EVERY_MS)
    }
  }
  const read = () => timed(() => call(`${origin}/api/boards/${boardId}/snapshot`, nextOf(cookies)))
  const work = async () => {
    while (performance.now() < end) {
      const title = `Changed ${++changes}`
      await call(`${origin}/api/tasks/${taskIds[changes % taskIds.length]}`, nextOf(cookies), 'PATCH', { title })
      changed.push(await read())
      for (let again = 0; again < UNCHANGED; again++) unchanged.push(await read())
    }
  }
  await Promise.all([ask(), work()])
  return { changed: summary(changed, 1).p50, unchanged: summary(unchanged, 1).p50, longest: Math.max(...waits) }
}

async function follow(order: Order): Promise<Found> {
  if (order.do === 'open') return { taken: await open(order) }
  if (order.do === 'create') return { taken: await create(order) }
  if (order.do === 'move') return { taken: await move(order) }
  if (order.do === 'hear') return { taken: await hear(order) }
  if (order.do === 'change') return { after: await change(order) }
  if (order.do === 'connect') await connect(order)
  else await disconnect(order.origin)
  return {}
}

process.on('message', async (order: Order) => {
  const answer: Answer = await follow(order).catch((error) => ({ failed: `${order.do}: ${error}` }))
  process.send?.(answer)
})
