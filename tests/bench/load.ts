import { call, during, nextOf, nthMove, summary, type Times, timed } from './calls'
import { type Audience, connect, disconnect, hallOf, heardByAll } from './sockets'

/** The load, one process for all servers: it is sent orders and answers with what it measured. */

export type CrowdedBoard = { boardId: number; cookies: string[]; taskIds: number[] }
/** `cookies` are those of different members. */
export type Order = { origin: string; cookies: string[]; seconds: number } & (
  | { do: 'open'; boardId: number; connections: number }
  | { do: 'create'; boardIds: number[] }
  | { do: 'move'; taskIds: number[] }
  | { do: 'connect'; audiences: Audience[] }
  | { do: 'disconnect' }
  | { do: 'hear'; boardId: number; taskIds: number[] }
  | { do: 'crowd'; boards: CrowdedBoard[]; turn: number }
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

const hear = (order: Of<'hear'>) =>
  during(order.seconds, 1, () => heardByAll(hallOf(order.origin, order.boardId), () => moveNext(order)))

const MOVES_A_SECOND = 20
const KEYS_A_MOVE = 5

/** People move tasks on boards of their own and type in between; timed is the way to the last of a board's sockets. */
async function crowd({ origin, boards, turn, seconds }: Of<'crowd'>): Promise<Times> {
  const times: number[] = []
  const boardAt = (nth: number) => boards[nth % boards.length] ?? { boardId: 0, cookies: [], taskIds: [] }
  const one = async (n: number) => {
    const { boardId, cookies, taskIds } = boardAt(n * 7)
    for (let key = 1; key <= KEYS_A_MOVE; key++) type(origin, boardAt(n * 7 + key))
    // The same task comes again after all others, and goes to another column each time: else nobody would hear of it.
    const status = STATUSES[(1 + Math.floor(n / (boards.length * taskIds.length))) % 3]
    const change = { status, before: taskIds[(n + 1) % taskIds.length] }
    const url = `${origin}/api/tasks/${taskIds[n % taskIds.length]}`
    times.push(await timed(() => heardByAll(hallOf(origin, boardId), () => call(url, cookies[0] ?? '', 'PATCH', change))))
  }
  const under: Promise<void>[] = []
  for (let n = 0; n < seconds * MOVES_A_SECOND; n++) {
    under.push(one(turn * seconds * MOVES_A_SECOND + n))
    await Bun.sleep(1000 / MOVES_A_SECOND)
  }
  await Promise.all(under)
  return { times, elapsed: seconds * 1000 }
}

const type = (origin: string, { boardId, taskIds: [taskId] }: CrowdedBoard) =>
  hallOf(origin, boardId).sockets[0]?.send(JSON.stringify({ type: 'typing_started', payload: { taskId, boardId } }))

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
  if (order.do === 'crowd') return { taken: await crowd(order) }
  if (order.do === 'change') return { after: await change(order) }
  if (order.do === 'connect') await connect(order.origin, order.audiences)
  else await disconnect(order.origin)
  return {}
}

process.on('message', async (order: Order) => {
  const answer: Answer = await follow(order).catch((error) => ({ failed: `${order.do}: ${error}` }))
  process.send?.(answer)
})
