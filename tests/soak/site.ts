import { readConfig } from '../../src/config'
import { buildIfStale } from '../../src/site/buildIfStale'
import { lineTo } from '../support/line'
import { ownPostgres } from '../support/postgres'
import { dataFolder, run } from '../support/process'
import { canStartRedis, freePort, ownRedis } from '../support/redis'
import { until } from '../support/until'
import type { History } from './history'
import { part } from './measures'

const PROCESSES = 3

export type Site = Awaited<ReturnType<typeof startSite>>
export type Server = Site['servers'][number]

/** Three server processes on one Postgres, each behind a line of its own to its clients and to its database. */
export async function startSite(history: History, options: { redis: boolean; page: boolean }) {
  if (options.page) await buildIfStale()
  const [postgres, folder, redis] = await Promise.all([ownPostgres(), dataFolder(), options.redis ? ownRedis() : undefined])
  const front = await lineTo(() => alive().origin)
  const env = {
    ...{ HOST: '127.0.0.1', DATA_DIR: folder.path, TRUST_PROXY: '1', PUBLIC_URL: front.url.replace(/\/$/, '') },
    ...(redis && { REDIS_URL: redis.url }),
  }
  const servers: Awaited<ReturnType<typeof startServer>>[] = []
  async function stop() {
    front.close()
    await Promise.all(servers.map((server) => server.stop()))
    await Promise.all([postgres.remove(), redis?.kill(), folder.remove()])
  }
  // What runs besides this process would go on without it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(1)))
  let turn = 0
  /** A server that runs: where the pages' line leads next. */
  const alive = () => {
    turn += 1
    const running = servers.filter(({ isRunning }) => isRunning())
    return running[turn % running.length] ?? servers[0] ?? neverWithout()
  }
  // One after the other, or two may choose the same port.
  for (let nth = 0; nth < PROCESSES; nth++) servers.push(await startServer(history, nth, postgres.url, env, options.page))
  return {
    servers,
    postgres: { ...postgres, part: part(history.now) },
    redis: redis && { ...redis, part: part(history.now) },
    front: { ...front, part: part(history.now) },
    alive,
    stop,
  }
}

/** Whether the processes carry their messages by Redis, and there is one to start. */
export const usesRedis = () => 'redisUrl' in readConfig({}) && canStartRedis

function neverWithout(): never {
  throw new Error('a site has servers')
}

async function startServer(history: History, nth: number, postgresUrl: string, env: Record<string, string>, page: boolean) {
  const toClients = await lineTo(() => origin)
  const toDatabase = await lineTo(postgresUrl)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const own = { process: part(history.now), clients: part(history.now), database: part(history.now) }
  const name = `server ${nth}`
  const options = page ? [] : ['--no-page']
  let child: Bun.Subprocess | undefined
  let isWanted = false

  async function start() {
    isWanted = true
    const { child: started } = run('src/main.ts', { ...env, PORT: `${port}`, DATABASE_URL: toDatabase.url }, ...options)
    child = started
    listen(started.stderr, (line) => COMPLAINT.test(line) && history.violate('log', `${name} says: ${line}`))
    listen(started.stdout, () => {})
    await until(`${name} answers`, async () => (await isHealthy(origin)) || started.exitCode !== null)
    if (started.exitCode !== null) throw new Error(`${name} ended with ${started.exitCode}`)
    void started.exited.then((code) => child === started && isWanted && history.violate('log', `${name} ended with ${code}`))
    own.process.heal()
  }
  await start()

  return {
    nth,
    name,
    origin,
    parts: own,
    lines: { clients: toClients, database: toDatabase },
    isRunning: () => isWanted && child?.exitCode === null,
    async kill() {
      isWanted = false
      own.process.fail()
      child?.kill('SIGKILL')
      await child?.exited
    },
    freeze() {
      own.process.fail()
      child?.kill('SIGSTOP')
    },
    goOn() {
      child?.kill('SIGCONT')
      own.process.heal()
    },
    start,
    async stop() {
      isWanted = false
      child?.kill('SIGKILL')
      await child?.exited
      toClients.close()
      toDatabase.close()
    },
  }
}

const isHealthy = (origin: string) =>
  fetch(`${origin}/health`, { signal: AbortSignal.timeout(3_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

async function listen(stream: ReadableStream<Uint8Array<ArrayBuffer>>, hear: (line: string) => void) {
  let rest = ''
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) hear(line)
  }
}

/** A fault, or an error that nobody caught. */
const COMPLAINT = /^fault |^error: |^\w*Error: |^\s+at /
