import type { Board, Filled } from './fill'
import { afterChange, busyFor, CREATE, healthMeanwhile, lastOf, MOVE, openAt, STEADY } from './goals'
import type { Order } from './load'
import { ticksOf } from './machine'
import { inTurns, type Load, type Pair, type Taken, type Turn, undisturbed } from './rounds'
import type { Running } from './servers'
import type { Audience } from './sockets'

export type Side = { server: Running; filled: Filled }
/** Our server and the bare one, at once, each on its own database. */
export type Bench = { load: Load; ours: Side; bare: Side }
type Sent = Order extends infer One ? (One extends Order ? Omit<One, 'origin' | 'cookies' | 'seconds'> : never) : never
type Found = Record<string, Pair>

const TURNS = 8
const TURN_SECONDS = 0.1
const STEADY_SECONDS = 2
/** New processes translate what they do often, for about so long. */
const WARM_UP_SECONDS = 5
const CONNECTIONS = [1, 10, 50]
const MS_A_TICK = 10

async function opening(bench: Bench): Promise<Found> {
  const orderOf = (connections: number) => (side: Side) => ({
    do: 'open' as const,
    boardId: largeBoard(side, 0).boardId,
    connections,
  })
  await warmUp(bench, orderOf(10))
  const found: Found = {}
  for (const connections of CONNECTIONS)
    Object.assign(found, {
      ...pairsOf(await both(bench, orderOf(connections)), {
        [openAt(connections, 'a second')]: ({ perSecond }) => perSecond,
        [openAt(connections, 'p50 ms')]: ({ p50 }) => p50,
        [openAt(connections, 'p99 ms')]: ({ p99 }) => p99,
      }),
    })
  const steady = await both(bench, orderOf(10), 1, STEADY_SECONDS)
  return { ...found, ...pairsOf(steady, { [STEADY]: ({ p99 }) => p99 }) }
}

async function creating(bench: Bench): Promise<Found> {
  const orderOf = (side: Side) => ({ do: 'create' as const, boardIds: side.filled.growing })
  await warmUp(bench, orderOf)
  return pairsOf(await both(bench, orderOf), { [CREATE]: ({ p50 }) => p50 })
}

async function moving(bench: Bench): Promise<Found> {
  const orderOf = (side: Side) => ({ do: 'move' as const, taskIds: largeBoard(side, 0).taskIds })
  await warmUp(bench, orderOf)
  return pairsOf(await both(bench, orderOf), { [MOVE]: ({ p50 }) => p50 })
}

/** Of fewer the processor's time and the memory are too little to be told from chance. */
const MANY = 1_000

async function hearing(bench: Bench, sockets: number): Promise<Found> {
  const memory = await connected(bench, ({ filled }) => [{ ...largeBoard({ filled }, 0), cookies: filled.cookies, sockets }])
  const orderOf = (side: Side) => ({ do: 'hear' as const, ...largeBoard(side, 0) })
  await warmUp(bench, orderOf)
  const found = pairsOf(await both(bench, orderOf), {
    [lastOf(sockets)]: ({ p50 }) => p50,
    ...(sockets > MANY && { [busyFor(sockets)]: ({ busy, calls }) => busy / calls }),
  })
  await disconnected(bench)
  return { ...found, ...(sockets > MANY && { [`memory of each of ${sockets.toLocaleString('en-CA')} sockets, KiB`]: memory }) }
}

const CROWD_SECONDS = 2
let crowdTurns = 0

/** Of many boards, four people each. */
async function crowding(bench: Bench): Promise<Found> {
  await connected(bench, ({ filled }) => filled.crowd.map((board) => ({ ...board, sockets: board.cookies.length })))
  const one = (side: Side) => () =>
    send(bench, side, { do: 'crowd', boards: side.filled.crowd, turn: crowdTurns++ >> 1 }, CROWD_SECONDS)
  const taken = await undisturbed(processesOf(bench), () => inTurns(1, one(bench.ours), one(bench.bare)))
  const title = (what: string) => `${bench.ours.filled.crowd.length} boards of 4 who type and move: to the last, ${what}`
  await disconnected(bench)
  return pairsOf(taken, {
    [title('p50 ms')]: ({ p50 }) => p50,
    [title('p99 ms')]: ({ p99 }) => p99,
    [title('processor ms a second')]: ({ busy, elapsed }) => (busy / elapsed) * 1_000,
  })
}

/** Of ours alone: opened after a change, beside opened unchanged in the same round. */
async function afterChanges(bench: Bench): Promise<Found> {
  const found: Found = {}
  for (const { boardId, taskIds } of bench.ours.filled.large) {
    const ask = (seconds: number) => asked(bench, bench.ours, { do: 'change', boardId, taskIds }, seconds)
    await ask(WARM_UP_SECONDS)
    const { after, isDisturbed } = await undisturbed(processesOf(bench), () => ask(1))
    const { changed = Number.NaN, unchanged = Number.NaN, longest = Number.NaN } = after ?? {}
    found[afterChange(taskIds.length)] = { ours: changed, beside: unchanged, isDisturbed }
    found[healthMeanwhile(taskIds.length)] = { ours: longest, beside: Number.NaN, isDisturbed }
  }
  return found
}

const largeBoard = ({ filled }: Pick<Side, 'filled'>, nth: number): Board => filled.large[nth] ?? { boardId: 0, taskIds: [] }

type OrderOf = (side: Side) => Sent

const both = (bench: Bench, orderOf: OrderOf, turns = TURNS, seconds = TURN_SECONDS) =>
  undisturbed(processesOf(bench), () =>
    inTurns(
      turns,
      () => send(bench, bench.ours, orderOf(bench.ours), seconds),
      () => send(bench, bench.bare, orderOf(bench.bare), seconds),
    ),
  )

const processesOf = ({ load, ours, bare }: Bench) => [load.pid, ours.server.pid, bare.server.pid]

async function warmUp(bench: Bench, orderOf: OrderOf) {
  for (const side of [bench.ours, bench.bare]) await send(bench, side, orderOf(side), WARM_UP_SECONDS)
}

type Both = Awaited<ReturnType<typeof both>>

function pairsOf({ ours, beside, isDisturbed }: Both, values: Record<string, (taken: Taken) => number>): Found {
  const pair = (value: (taken: Taken) => number) => ({ ours: value(ours), beside: value(beside), isDisturbed })
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pair(value)]))
}

/** One turn of one side. */
async function send({ load }: Pick<Bench, 'load'>, side: Side, order: Sent, seconds: number): Promise<Turn> {
  const before = ticksOf(side.server.pid)
  const { taken = { times: [], elapsed: 0 } } = await asked({ load }, side, order, seconds)
  return { ...taken, busy: (ticksOf(side.server.pid) - before) * MS_A_TICK }
}

const asked = ({ load }: Pick<Bench, 'load'>, { server, filled }: Side, order: Sent, seconds: number) =>
  load.ask({ ...order, origin: server.origin, cookies: filled.cookies, seconds })

/** Answers what memory a socket takes, in KiB. */
async function connected(bench: Bench, audiencesOf: (side: Side) => Audience[]) {
  const taken = []
  for (const side of [bench.ours, bench.bare]) {
    const audiences = audiencesOf(side)
    const before = await side.server.memory()
    await asked(bench, side, { do: 'connect', audiences }, 0)
    const sockets = audiences.reduce((sum, one) => sum + one.sockets, 0)
    taken.push((((await side.server.memory()) - before) * 1024) / sockets)
  }
  const [ours = 0, beside = 0] = taken
  return { ours, beside }
}

async function disconnected(bench: Bench) {
  for (const side of [bench.ours, bench.bare]) await asked(bench, side, { do: 'disconnect' }, 0)
}

export const figures: Record<string, (bench: Bench) => Promise<Found>> = {
  // First, as memory that a process once had is not asked for again.
  many: (bench) => hearing(bench, 3_500),
  open: opening,
  create: creating,
  move: moving,
  sockets: (bench) => hearing(bench, 200),
  change: afterChanges,
  crowd: crowding,
}
