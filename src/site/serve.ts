import { createSessions } from '../auth/server/sessions'
import { openPayments } from '../billing/server/openPayments'
import { createPresence, type PresenceTimes } from '../boards/server/presence'
import type { Config } from '../config'
import type { Database } from '../db/database'
import { installationId } from '../db/installation'
import { addressOf } from '../server/address'
import { MAX_BODY_BYTES } from '../server/body'
import type { Services } from '../server/context'
import { createFileQuota } from '../server/files/quota'
import { openFiles } from '../server/files/storage'
import { createSweeper } from '../server/files/sweeper'
import { createHub } from '../server/live/hub'
import { openRelay, overPostgres } from '../server/live/relay'
import { createMailer } from '../server/mail/mailer'
import { createRateLimits } from '../server/rateLimits'
import type { Bus } from '../server/redis'
import { createRoom, type MeasureDisk, measureDisk } from '../server/room'
import { createTraffic } from '../server/traffic'
import { createSnapshotCache } from '../tasks/server/snapshotCache'
import { createApp } from './app'
import { loadPage } from './builtPage'
import { startJobs } from './jobs'
import { forwardingWarning } from './warnings'

const SHUTDOWN_TIMEOUT_MS = 8_000
const EXTENDED_TIMEOUT_SECONDS = 120

export type PageKind = 'built' | 'development' | 'none'

/** Starts on a database that is open or opening, and closes it at the end. */
export async function serve(
  config: Config,
  opening: Database | Promise<Database>,
  kind: PageKind,
  measure: MeasureDisk = measureDisk,
  presenceTimes?: PresenceTimes,
) {
  const bus = busOf(config, opening)
  const openingRelay = relayOf(config, opening)
  const [database, page, relay, hub, limits, payments] = await Promise.all([
    opening,
    pageOf(kind, config),
    openingRelay,
    openingRelay.then(createHub),
    createRateLimits(bus),
    openPayments(config),
  ])
  let origin = config.publicUrl ?? ''
  let isDraining = false
  const files = openFiles(config)
  const room = createRoom(config, measure)
  const warnOfForwarding = forwardingWarning(config)
  const services: Services = {
    db: database.db,
    hub,
    presence: createPresence(hub, database.db, presenceTimes),
    config,
    sessions: createSessions(database.db, () => origin.startsWith('https:'), room.mayChange),
    snapshots: createSnapshotCache(hub),
    limits,
    mailer: createMailer(database.db, config, room.mayMail),
    files,
    sweeper: createSweeper(database.db, files, room.mayDelete),
    room,
    fileQuota: createFileQuota(config, database.db, room, measure),
    payments,
    traffic: createTraffic(),
    pool: () => database.pool?.(),
    isDraining: () => isDraining,
    origin: () => origin,
    addressOf(request) {
      warnOfForwarding(request)
      return addressOf(request, app.server?.requestIP(request)?.address ?? '', config.trustProxy)
    },
    extendTimeout: (request) => app.server?.timeout(request, EXTENDED_TIMEOUT_SECONDS),
  }
  const { app, webSocket } = createApp(services, page)
  app.listen({
    port: config.port,
    hostname: config.host,
    reusePort: false,
    development: kind === 'development',
    maxRequestBodySize: MAX_BODY_BYTES,
    websocket: webSocket.handlers,
  })
  const server = app.server
  if (!server) throw new Error('the server did not start')
  origin ||= `http://localhost:${server.port}`
  hub.attach(server)
  services.mailer.sendSoon()
  services.sweeper.sweepSoon()
  const jobs = startJobs(services)

  return {
    origin,
    port: server.port,
    clean: jobs.clean,
    gather: jobs.gather,
    look: hub.look,
    /** Lets proxies go elsewhere, finishes what is under way, then closes sockets and the database. */
    async stop() {
      isDraining = true
      if (config.drainSeconds > 0) await Bun.sleep(config.drainSeconds * 1_000)
      jobs.stop()
      const finished = server.stop()
      services.presence.stop()
      hub.closeAll()
      const finishing = Promise.all([finished, services.sweeper.stop()])
      await Promise.all([Promise.race([finishing, Bun.sleep(SHUTDOWN_TIMEOUT_MS)]), services.mailer.stop(SHUTDOWN_TIMEOUT_MS)])
      relay.close()
      limits.close()
      await database.close()
    },
  }
}

function busOf({ redisUrl }: Config, opening: Database | Promise<Database>): Bus | undefined {
  if (!redisUrl) return undefined
  const installation = Promise.resolve(opening).then(({ db }) => installationId(db))
  // Who waits for it may come later than its failure.
  installation.catch(() => {})
  return { url: redisUrl, installation }
}

/** On a server its connection is made while the database is opened. */
async function relayOf({ databaseUrl }: Config, opening: Database | Promise<Database>) {
  if (!databaseUrl || !(opening instanceof Promise)) return openRelay(await opening)
  const relay = overPostgres(databaseUrl)
  opening.catch(relay.close)
  return relay
}

async function pageOf(kind: PageKind, { production }: Config) {
  if (kind === 'none') return null
  if (kind === 'development') return pageInDevelopment()
  if (!production) await (await import('./build')).buildIfStale()
  return loadPage()
}

async function pageInDevelopment() {
  const [
    { developmentPage },
    { default: app },
    { default: template },
    { renderPages },
    { default: entrance },
    { renderEntrance },
  ] = await Promise.all([
    import('./developmentPage'),
    import('../app/index.html'),
    import('./public/page.html'),
    import('./public/pages'),
    import('../app/entrance.html'),
    import('./entrance'),
  ])
  return developmentPage({ app, template, entrance, renderPages, renderEntrance })
}
