import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { atEnd } from './cleanUp'

const ROOT = join(import.meta.dir, '../..')

/** Its servers answer at one port, one after the other. */
export type Place = { databaseUrl: string | undefined; dataDir: string; port: string; remove(): Promise<void> }

/** All databases of this process. */
export const DATABASES = `wrk_bench_${process.pid}_`
let places = 0

/** A database of the benchmark's own: on the server that BENCH_DATABASE_URL names, else embedded, in a folder. */
export async function makePlace(serverUrl: string | undefined, like?: Place): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'wrk-bench-'))
  if (like) await cp(like.dataDir, dataDir, { recursive: true })
  const database = serverUrl ? await makeDatabase(serverUrl, like) : undefined
  const remove = async () => {
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  atEnd(remove)
  return { databaseUrl: database?.url, dataDir, port: String(freePort()), remove }
}

async function makeDatabase(serverUrl: string, like?: Place) {
  const name = DATABASES + places++
  const asked = async (query: string) => {
    const admin = postgres(serverUrl, { max: 1, onnotice: () => {} })
    await admin.unsafe(query)
    await admin.end()
  }
  await asked(`create database ${name} ${like ? `template ${nameOf(like)}` : ''}`)
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  return { url, drop: () => asked(`drop database if exists ${name} with (force)`) }
}

const nameOf = ({ databaseUrl = '' }: Place) => new URL(databaseUrl).pathname.slice(1)

/** The same rows for another process; nobody may be using them. */
export const twin = (place: Place): Promise<Place> => makePlace(process.env.BENCH_DATABASE_URL, place)

export type Running = {
  origin: string
  startedIn: number
  memory(): Promise<number>
  pid: number
  stop(): Promise<void>
}
export type Program = 'src/main.ts' | 'tests/bench/bare.ts'

/** Starts a server and waits for its first answer. */
export async function run(program: Program, place: Place): Promise<Running> {
  const { port } = place
  const origin = `http://localhost:${port}`
  const env = { ...process.env, NODE_ENV: 'production', PORT: port, PUBLIC_URL: origin, DATA_DIR: place.dataDir }
  const database = place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}
  const start = performance.now()
  const said = Bun.file(join(place.dataDir, 'said'))
  const child = Bun.spawn(['bun', program], { cwd: ROOT, env: { ...env, ...database }, stdout: 'ignore', stderr: said })
  const stop = async () => {
    child.kill()
    await child.exited
  }
  atEnd(stop)
  while (!(await answers(origin))) {
    if (child.exitCode !== null || performance.now() - start > 30_000) {
      throw new Error(`${program} did not start: ${await said.text()}`)
    }
    await Bun.sleep(2)
  }
  return {
    origin,
    pid: child.pid,
    startedIn: performance.now() - start,
    memory: () => memoryOf(child.pid),
    stop,
  }
}

const answers = (origin: string) =>
  fetch(`${origin}/health`).then(
    ({ ok }) => ok,
    () => false,
  )

function freePort(): number | undefined {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return port
}

/** Resident memory in MiB. */
async function memoryOf(pid: number): Promise<number> {
  const kilobytes = await Bun.$`ps -o rss= -p ${pid}`.text()
  return Number(kilobytes) / 1024
}
