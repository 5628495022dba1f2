import type { Board, Filled } from './fill'
import { afterChange, busyFor, CREATE, healthMeanwhile, lastOf, MOVE, openAt } from './goals'
import type { Order } from './load'
import { ticksOf } from './machine'
import { type Found, inRounds, inTurns, type Load, type Samples } from './rounds'
import { DATABASES, type Running } from './servers'
import type { Audience } from './sockets'

export type Side = { server: Running; filled: Filled }
/** Our server and the bare one, at once, each on its own database. */
export type Bench = { load: Load; ours: Side; bare: Side; rounds: number }
type Sent = Order extends infer One ? (One extends Order ? Omit<One, 'origin' | 'cookies' | 'seconds'> : never) : never

const SECONDS = 1
const CONNECTIONS = [1, 10, 50]
const MS_A_TICK = 10

async function opening(bench: Bench): Promise<Samples> {
  const all: Samples = new Map()
  for (const connections of CONNECTIONS) {
    const found = await both(bench, async (side) => {
      const { boardId } = largeBoard(side, 0)
      const { lost, measured } = await send(bench, side, { do: 'open', boardId, connections })
      const named = { 'a second': measured?.perSecond, 'p50 ms': measured?.p50, 'p99 ms': measured?.p99 }
      return { lost, values: renamed(named, (what) => openAt(connections, what)) }
    })
    for (const [name, pairs] of found) all.set(name, pairs)
  }
  return all
}

const creating = (bench: Bench) =>
  both(bench, async (side) => {
    const { lost, measured } = await send(bench, side, { do: 'create', boardId: side.filled.smallBoardId })
    return { lost, values: { [CREATE]: measured?.p50 ?? Number.NaN } }
  })

const moving = (bench: Bench) =>
  both(bench, async (side) => {
    const { lost, measured } = await send(bench, side, { do: 'move', taskIds: largeBoard(side, 0).taskIds })
    return { lost, values: { [MOVE]: measured?.p50 ?? Number.NaN } }
  })

/** Of fewer the processor's time and the memory are too little to be told from chance. */
const MANY = 1_000

async function hearing(bench: Bench, sockets: number): Promise<Samples> {
  const memory = await connected(bench, ({ filled }) => [{ ...largeBoard({ filled }, 0), cookies: filled.cookies, sockets }])
  const samples = await both(bench, async (side) => {
    const busy = ticksOf(side.server.pid)
    const { lost, measured } = await send(bench, side, { do: 'hear', ...largeBoard(side, 0) })
    const moves = (measured?.perSecond ?? 0) * SECONDS
    const spent = (ticksOf(side.server.pid) - busy) * MS_A_TICK
    const busyFigure = sockets > MANY && { [busyFor(sockets)]: spent / moves }
    return { lost, values: { [lastOf(sockets)]: measured?.p50 ?? Number.NaN, ...busyFigure } }
  })
  if (sockets > MANY) samples.set(`memory of each of ${sockets.toLocaleString('en-CA')} sockets, KiB`, [memory])
  await disconnected(bench)
  return samples
}

const CROWD_SECONDS = 2

/** Of many boards, four people each. */
async function crowding(bench: Bench): Promise<Samples> {
  await connected(bench, ({ filled }) => filled.crowd.map((board) => ({ ...board, sockets: board.cookies.length })))
  const turns = new Map<Side, number>()
  const samples = await both(bench, async (side) => {
    const turn = turns.get(side) ?? 0
    turns.set(side, turn + 1)
    const busy = ticksOf(side.server.pid)
    const { lost, measured } = await send(bench, side, { do: 'crowd', boards: side.filled.crowd, turn }, CROWD_SECONDS)
    const spent = (ticksOf(side.server.pid) - busy) * MS_A_TICK
    const named = { 'p50 ms': measured?.p50, 'p99 ms': measured?.p99, 'processor ms a second': spent / CROWD_SECONDS }
    return {
      lost,
      values: renamed(named, (what) => `${side.filled.crowd.length} boards of 4 who type and move: to the last, ${what}`),
    }
  })
  await disconnected(bench)
  return samples
}

/** Of ours alone: opened after a change, beside opened unchanged in the same round. */
async function afterChanges({ load, ours, rounds }: Bench): Promise<Samples> {
  const all: Samples = new Map()
  for (const { boardId, taskIds } of ours.filled.large) {
    const found = await inRounds(rounds, async () => {
      const { lost, after } = await send({ load }, ours, { do: 'change', boardId, taskIds })
      const { changed: own = 0, unchanged: beside = 0, longest = 0 } = after ?? {}
      const health = { ours: longest, beside: Number.NaN }
      return { lost, pairs: { [afterChange(taskIds.length)]: { ours: own, beside }, [healthMeanwhile(taskIds.length)]: health } }
    })
    for (const [name, pairs] of found) all.set(name, pairs)
  }
  return all
}

const largeBoard = ({ filled }: Pick<Side, 'filled'>, nth: number): Board => filled.large[nth] ?? { boardId: 0, taskIds: [] }

/** The first round warms up. */
async function both({ ours, bare, rounds }: Bench, measure: (side: Side) => Promise<Found>): Promise<Samples> {
  for (const side of [ours, bare]) await measure(side)
  return inTurns(
    rounds,
    () => measure(ours),
    () => measure(bare),
  )
}

const renamed = (values: Record<string, number | undefined>, name: (what: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([what, value = Number.NaN]) => [name(what), value]))

const send = ({ load }: Pick<Bench, 'load'>, { server, filled }: Side, order: Sent, seconds = SECONDS) =>
  load.ask({
    order: { ...order, origin: server.origin, cookies: filled.cookies, seconds },
    own: [server.pid],
    database: DATABASES,
  })

/** Answers what memory a socket takes, in KiB. */
async function connected(bench: Bench, audiencesOf: (side: Side) => Audience[]) {
  const taken = []
  for (const side of [bench.ours, bench.bare]) {
    const audiences = audiencesOf(side)
    const before = await side.server.memory()
    await send(bench, side, { do: 'connect', audiences })
    const sockets = audiences.reduce((sum, one) => sum + one.sockets, 0)
    taken.push((((await side.server.memory()) - before) * 1024) / sockets)
  }
  const [ours = 0, beside = 0] = taken
  return { ours, beside }
}

async function disconnected(bench: Bench) {
  for (const side of [bench.ours, bench.bare]) await send(bench, side, { do: 'disconnect' })
}

export const figures: Record<string, (bench: Bench) => Promise<Samples>> = {
  // First, as memory that a process once had is not asked for again.
  many: (bench) => hearing(bench, 3_500),
  open: opening,
  create: creating,
  move: moving,
  sockets: (bench) => hearing(bench, 200),
  change: afterChanges,
  crowd: crowding,
}
