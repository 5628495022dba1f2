import { createApp } from './app'
import { createSessions } from './auth/sessions'
import { type Config, ConfigError, readConfig } from './config'
import { type Database, openDatabase } from './db/client'
import { DataDirectoryInUse } from './db/lock'
import { openBus } from './live/bus'
import { createHub } from './live/hub'
import { LARGEST_BODY } from './server/body'
import { loadPage } from './server/page'
import { createSnapshots } from './server/snapshots'

/** What is under way may take this long after SIGTERM, in milliseconds. */
const LAST_ORDERS = 10_000

/** How the page is served: built, by Bun's development server, or not at all. */
type PageKind = 'built' | 'development' | 'none'

/** Opens the configured database and starts the server on it. */
export const start = async (config: Config, page: PageKind) => serve(config, await openDatabase(config), page)

/** Starts the server on a database that is open already, and closes that with itself. */
export async function serve(config: Config, database: Database, page: PageKind) {
  const bus = openBus(config.redisUrl)
  const hub = await createHub(bus)
  let origin = config.publicUrl ?? ''
  const parts = {
    db: database.db,
    hub,
    config,
    sessions: createSessions(database.db, () => origin.startsWith('https:')),
    snapshots: createSnapshots(),
    origin: () => origin,
  }
  const { app, channel } = createApp(parts, await pageOf(page))
  app.listen({
    port: config.port,
    hostname: config.host,
    reusePort: false,
    development: page === 'development',
    maxRequestBodySize: LARGEST_BODY,
    websocket: channel.handlers,
  })
  const server = app.server
  if (!server) throw new Error('the server did not start')
  origin ||= `http://localhost:${server.port}`
  hub.attach(server)
  const cleaning = setInterval(() => parts.sessions.deleteExpired().catch(console.error), 3_600_000)

  return {
    origin,
    port: server.port,
    /** Stops accepting, finishes what is under way, closes sockets and the database. */
    async stop() {
      clearInterval(cleaning)
      const finished = server.stop()
      hub.goAway()
      await Promise.race([finished, Bun.sleep(LAST_ORDERS)])
      bus.close()
      await database.close()
    },
  }
}

async function pageOf(kind: PageKind) {
  if (kind === 'none') return null
  return kind === 'built' ? loadPage() : (await import('./web/index.html')).default
}

function pageKind(): PageKind {
  if (process.argv.includes('--no-page')) return 'none'
  return process.argv.includes('--dev') ? 'development' : 'built'
}

async function main() {
  const config = readConfig(process.env)
  const page = pageKind()
  if (page === 'built' && !config.production) await (await import('./web/build')).buildIfStale()
  const running = await start(config, page)
  console.log(`wrk is at ${running.origin}`)
  const stop = async () => {
    await running.stop()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

const expected = (error: unknown): error is Error =>
  error instanceof ConfigError || error instanceof DataDirectoryInUse || (error as { code?: string }).code === 'EADDRINUSE'

if (import.meta.main)
  await main().catch((error: unknown) => {
    console.error(expected(error) ? error.message : error)
    process.exit(1)
  })
