import type { Measured } from './calls'
import type { Board, Filled } from './fill'
import { afterChange, CREATE, healthMeanwhile, lastOf, MOVE, OPEN, OPEN_P99 } from './goals'
import type { Order } from './load'
import { inTurns, type Load, type Pair, type Turn, undisturbed } from './rounds'
import type { Running } from './servers'

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
const CONNECTIONS = 10

async function opening(bench: Bench): Promise<Found> {
  const orderOf = (side: Side) => ({ do: 'open' as const, boardId: largeBoard(side, 0).boardId, connections: CONNECTIONS })
  await warmUp(bench, orderOf)
  const inShortTurns = pairsOf(await both(bench, orderOf), { [OPEN]: ({ perSecond }) => perSecond })
  const steady = await both(bench, orderOf, 1, STEADY_SECONDS)
  return { ...inShortTurns, ...pairsOf(steady, { [OPEN_P99]: ({ p99 }) => p99 }) }
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

async function hearing(bench: Bench, sockets: number): Promise<Found> {
  for (const side of [bench.ours, bench.bare])
    await asked(bench, side, { do: 'connect', boardId: largeBoard(side, 0).boardId, sockets }, 0)
  const orderOf = (side: Side) => ({ do: 'hear' as const, ...largeBoard(side, 0) })
  await warmUp(bench, orderOf)
  const found = pairsOf(await both(bench, orderOf), { [lastOf(sockets)]: ({ p50 }) => p50 })
  for (const side of [bench.ours, bench.bare]) await asked(bench, side, { do: 'disconnect' }, 0)
  return found
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

function pairsOf({ ours, beside, isDisturbed }: Both, values: Record<string, (measured: Measured) => number>): Found {
  const pair = (value: (measured: Measured) => number) => ({ ours: value(ours), beside: value(beside), isDisturbed })
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pair(value)]))
}

/** One turn of one side. */
const send = async (bench: Bench, side: Side, order: Sent, seconds: number): Promise<Turn> =>
  (await asked(bench, side, order, seconds)).taken ?? { times: [], elapsed: 0 }

const asked = ({ load }: Pick<Bench, 'load'>, { server, filled }: Side, order: Sent, seconds: number) =>
  load.ask({ ...order, origin: server.origin, cookies: filled.cookies, seconds })

export const figures: Record<string, (bench: Bench) => Promise<Found>> = {
  // First, as memory that a process once had is not asked for again.
  many: (bench) => hearing(bench, 3_500),
  open: opening,
  create: creating,
  move: moving,
  sockets: (bench) => hearing(bench, 200),
  change: afterChanges,
}
