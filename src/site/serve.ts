import { createSessions } from '../auth/server/sessions'
import { deleteExpiredLinks } from '../auth/server/store'
import { openPayments } from '../billing/server/payments'
import { reconcile } from '../billing/server/reconciliation'
import type { Config } from '../config'
import type { Database } from '../db/client'
import { cleanInvitations } from '../invitations/server/store'
import { mailGathered } from '../notifications/server/notify'
import { cleanNotifications } from '../notifications/server/store'
import { addressOf } from '../server/address'
import { MAX_BODY_BYTES } from '../server/body'
import type { Services } from '../server/context'
import { openFiles } from '../server/files/fileStore'
import { createSweeper } from '../server/files/sweeper'
import { createHub } from '../server/live/hub'
import { openRelay } from '../server/live/relay'
import { createMailer } from '../server/mail/mailer'
import { cleanMails } from '../server/mail/store'
import { createRateLimits } from '../server/rateLimits'
import { createSnapshotCache } from '../tasks/server/snapshotCache'
import { purgeDeleted } from '../tasks/server/store'
import { createReportSums } from '../time/report/server/sums'
import { askOverdue } from '../time/timers/server/overdue'
import { forgetFormerNames } from '../users/server/store'
import { createApp } from './app'
import { loadPage } from './builtPage'

const LAST_ORDERS = 8_000

const CLEANS_EVERY = 3_600_000

/** Deleted tasks leave at most a minute later. */
const PURGES_EVERY = 30_000

const GATHERS_EVERY = 5_000

const ASKS_EVERY = 60_000

const RECONCILES_EVERY = 60_000

const LONGEST_ANSWER = 120

export type PageKind = 'built' | 'development' | 'none'

/** Starts on a database that is open or opening, and closes it at the end. */
export async function serve(config: Config, opening: Database | Promise<Database>, kind: PageKind) {
  const relay = openRelay(config.redisUrl)
  const [database, page, hub, limits, payments] = await Promise.all([
    opening,
    pageOf(kind, config),
    createHub(relay),
    createRateLimits(config.redisUrl),
    openPayments(config),
  ])
  let origin = config.publicUrl ?? ''
  const files = openFiles(config)
  const services: Services = {
    db: database.db,
    hub,
    config,
    sessions: createSessions(database.db, () => origin.startsWith('https:')),
    snapshots: createSnapshotCache(),
    reportSums: createReportSums(),
    limits,
    mailer: createMailer(database.db, config),
    files,
    sweeper: createSweeper(database.db, files),
    payments,
    origin: () => origin,
    addressOf: (request) => addressOf(request, app.server?.requestIP(request)?.address ?? '', config.trustProxy),
    extendTimeout: (request) => app.server?.timeout(request, LONGEST_ANSWER),
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
  const purge = () => purgeDeleted(database.db).then(services.sweeper.sweep)
  const clean = () =>
    Promise.all([
      services.sessions.deleteExpired(),
      webSocket.closeExpired(),
      cleanMails(database.db),
      deleteExpiredLinks(database.db),
      cleanInvitations(database.db),
      cleanNotifications(database.db),
      forgetFormerNames(database.db),
      purge(),
      askOverdue(services),
      reconcile(services),
    ])
  const gather = () => mailGathered(services)
  const timers = [
    setInterval(() => gather().catch(console.error), GATHERS_EVERY),
    setInterval(() => clean().catch(console.error), CLEANS_EVERY),
    setInterval(() => purge().catch(console.error), PURGES_EVERY),
    setInterval(() => askOverdue(services).catch(console.error), ASKS_EVERY),
    setInterval(() => reconcile(services).catch(console.error), RECONCILES_EVERY),
  ]

  return {
    origin,
    port: server.port,
    clean,
    gather,
    /** Finishes what is under way, then closes sockets and the database. */
    async stop() {
      timers.forEach(clearInterval)
      const finished = server.stop()
      hub.closeAll()
      const others = Promise.all([finished, services.sweeper.stop()])
      await Promise.all([Promise.race([others, Bun.sleep(LAST_ORDERS)]), services.mailer.stop(LAST_ORDERS)])
      relay.close()
      limits.close()
      await database.close()
    },
  }
}

async function pageOf(kind: PageKind, { production }: Config) {
  if (kind === 'none') return null
  if (kind === 'development') return pageInDevelopment()
  if (!production) await (await import('./build')).buildIfStale()
  return loadPage()
}

async function pageInDevelopment() {
  const [{ developmentPage }, { default: app }, { default: template }, { renderPages }] = await Promise.all([
    import('./developmentPage'),
    import('../app/index.html'),
    import('./public/page.html'),
    import('./public/pages'),
  ])
  return developmentPage({ app, template, renderPages })
}
