/**
 * `bun run bench`: the server beside a bare one that does the same by hand, on the same database, in the same run.
 * BENCH_DATABASE_URL names a Postgres server on which it may create a database; without it, the embedded one serves.
 */
import { join } from 'node:path'
import type { Measured, Order } from './load'
import { firstPage } from './page'
import { type Filled, fill, makePlace, type Place, type Program, type Running, run, twin } from './servers'

const TASKS = 500
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const CONNECTIONS = [1, 10, 50]

type Figures = Record<string, number[]>

async function main() {
  await Bun.$`bun run build`.quiet()
  const place = await makePlace(process.env.BENCH_DATABASE_URL)
  try {
    const filled = await fill(place, TASKS)
    const other = await twin(place)
    const ours: Figures = {}
    const bare: Figures = {}
    for (let round = 0; round < ROUNDS; round++) {
      await measure('src/main.ts', place, filled, ours, round)
      await measure('tests/bench/bare.ts', other, filled, bare, round)
    }
    await other.remove()
    report(ours, bare, place.databaseUrl ? 'Postgres' : 'embedded')
    await reportPage(place)
  } finally {
    await place.remove()
  }
}

async function measure(program: Program, place: Place, filled: Filled, figures: Figures, round: number) {
  const note = (name: string, value: number) => {
    figures[name] = [...(figures[name] ?? []), value]
  }
  await (await run(program, place)).stop()
  const server = await run(program, place)
  note('start to first answer, ms', server.startedIn)
  await Bun.sleep(2_000)
  note('memory idle, MiB', await server.memory())
  await openBoard(server, filled, note)
  await change(server, filled, note, round)
  note('memory after load, MiB', await server.memory())
  await server.stop()
  const another = await run(program, place)
  await listen(another, filled, note, round)
  await another.stop()
}

type Note = (name: string, value: number) => void

async function openBoard({ origin }: Running, { cookies, boardId }: Filled, note: Note) {
  for (const connections of CONNECTIONS) {
    const { perSecond, p50, p99 } = await load({ do: 'open', origin, cookies, boardId, connections, seconds: 3 })
    note(`open, ${connections} connections, a second`, perSecond)
    note(`open, ${connections} connections, p50 ms`, p50)
    note(`open, ${connections} connections, p99 ms`, p99)
  }
}

/** A multiple of the tasks, and one more than a multiple of the columns: each time, the same tasks go elsewhere. */
const STRIDE = 2 * TASKS

async function change({ origin }: Running, { cookies, boardId, smallBoardId, taskIds }: Filled, note: Note, round: number) {
  const from = 2 * round * STRIDE
  const created = await load({ do: 'create', origin, cookies, boardId: smallBoardId, times: 400 })
  note('create, p50 ms', created.p50)
  note('create, p99 ms', created.p99)
  const moved = await load({ do: 'move', origin, cookies, taskIds, from, times: 400 })
  note('move, p50 ms', moved.p50)
  note('move, p99 ms', moved.p99)
  const listening = { do: 'fan out', origin, cookies, boardId, taskIds, from: from + STRIDE } as const
  const heard = await load({ ...listening, sockets: 200, times: 50 })
  note('move to the last of 200 sockets, p50 ms', heard.p50)
}

const CROWDS = [1_000, 3_500]
const MOVES = 20
/** Each time the tasks of the many boards go to another column than before. */
let crowds = 0

async function listen(server: Running, { cookies, boardId, taskIds, crowd }: Filled, note: Note, round: number) {
  const { origin } = server
  for (const sockets of CROWDS) {
    const [memory, busy, from] = [await server.memory(), await server.busy(), 2 * round * STRIDE + sockets]
    const heard = await load({ do: 'fan out', origin, cookies, boardId, taskIds, from, sockets, times: MOVES })
    note(`move to the last of ${sockets} sockets, p50 ms`, heard.p50)
    note(`open ${sockets} sockets and move, processor ms`, (await server.busy()) - busy)
    note(`memory a socket of ${sockets}, KiB`, Math.max(0.1, (((await server.memory()) - memory) * 1024) / sockets))
  }
  const busy = await server.busy()
  const moved = await load({ do: 'crowd', origin, cookies, boards: crowd, turn: crowds++, seconds: 10 })
  note('500 boards of 4: move to the last of a board, p50 ms', moved.p50)
  note('500 boards of 4: move to the last of a board, p99 ms', moved.p99)
  note('500 boards of 4: processor ms', (await server.busy()) - busy)
}

async function load(order: Order): Promise<Measured> {
  const stdin = new Blob([JSON.stringify(order)])
  const child = Bun.spawn(['bun', join(import.meta.dir, 'load.ts')], { stdin, stderr: 'inherit' })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`the load "${order.do}" failed`)
  return JSON.parse(text)
}

/** Planka 2.1.1 and Kan 0.6 on a machine of this size, for orientation. */
const RIVALS: Record<string, string> = {
  'start to first answer, ms': '1,440 / 1,037',
  'memory idle, MiB': '164 / 180',
  'memory after load, MiB': '440 / 585',
  'open, 1 connections, a second': '20 / 13',
  'open, 10 connections, a second': '20 / 13',
  'open, 50 connections, a second': '20 / 13',
  'open, 10 connections, p50 ms': '483 / 720',
  'open, 10 connections, p99 ms': '617 / 1,170',
  'create, p50 ms': '19.7 / 18.5',
  'create, p99 ms': '31.5 / 32.4',
  'move, p50 ms': '24.2 / 25.1',
  'move, p99 ms': '44.0 / 40.2',
  'move to the last of 200 sockets, p50 ms': '22 / –',
}

/** The median of the rounds, with the least and the most of ours. */
function report(ours: Figures, bare: Figures, database: string) {
  console.log(`${database}, ${TASKS} tasks, median of ${ROUNDS} rounds (least–most)\n`)
  console.log('| | ours / bare | ours | bare | Planka / Kan |\n|---|---|---|---|---|')
  for (const [name, values] of Object.entries(ours)) {
    const [own, floor] = [median(values), median(bare[name] ?? [])]
    const spread = `${shown(own)} (${shown(Math.min(...values))}–${shown(Math.max(...values))})`
    console.log(`| ${name} | ${(own / floor).toFixed(2)} | ${spread} | ${shown(floor)} | ${RIVALS[name] ?? ''} |`)
  }
}

async function reportPage(place: Place) {
  const server = await run('src/main.ts', place)
  for (const path of ['/', '/login']) {
    const { html, css, js } = await firstPage(server.origin, path)
    console.log(`\nfirst load of ${path}, gzip: html ${html} + css ${css} + js ${js} = ${html + css + js} bytes`)
  }
  await server.stop()
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const shown = (value: number) => (value >= 100 ? Math.round(value).toLocaleString('en-CA') : value.toFixed(value >= 10 ? 1 : 2))

await main()
