import { createSessions } from '../auth/server/sessions'
import { deleteExpiredLinks } from '../auth/server/store'
import { openPayments } from '../billing/server/payments'
import { reconcile } from '../billing/server/reconciliation'
import type { Config } from '../config'
import type { Database } from '../db/client'
import { purgeExpiredInvitations } from '../invitations/server/store'
import { sendGatheredMails } from '../notifications/server/notify'
import { purgeOldNotifications } from '../notifications/server/store'
import { addressOf } from '../server/address'
import { LARGEST_BODY } from '../server/body'
import type { Services } from '../server/context'
import { openFiles } from '../server/files/fileStore'
import { createSweeper } from '../server/files/sweeper'
import { createHub } from '../server/live/hub'
import { openRelay } from '../server/live/relay'
import { createMailer } from '../server/mail/mailer'
import { cleanMails } from '../server/mail/store'
import { createRateLimits } from '../server/rateLimits'
import { createSnapshotCache } from '../tasks/server/snapshotCache'
import { purgeDeletedTasks } from '../tasks/server/store'
import { createTotalsCache } from '../time/report/server/totalsCache'
import { mailOverdueTimers } from '../time/timers/server/overdue'
import { forgetFormerNames } from '../users/server/store'
import { createApp } from './app'
import { loadPage } from './builtPage'

/** What is under way may take this long after SIGTERM, in milliseconds. */
const LAST_ORDERS = 8_000

/** Sessions that ran out are cleared away this often, in milliseconds. */
const CLEANS_EVERY = 3_600_000

/** Deleted tasks that nobody can bring back go this often, in milliseconds: at most a minute later (contract.md, section 4). */
const PURGES_EVERY = 30_000

/** It is looked that often for notifications that have waited for their mail, in milliseconds. */
const GATHERS_EVERY = 5_000

/** Timers that may be forgotten are looked for this often, in milliseconds. */
const ASKS_EVERY = 60_000

/** Subscriptions of which an event may have been missed are looked for this often, in milliseconds. */
const RECONCILES_EVERY = 60_000

/** An answer for which another server is asked may take so many seconds; Bun gives up others after ten. */
const LONGEST_ANSWER = 120

/** How the page is served: built, by Bun's development server, or not at all. */
export type PageKind = 'built' | 'development' | 'none'

/** Starts the server on a database that is open, or about to be, and closes that with itself. */
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
    reportTotals: createTotalsCache(),
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
    maxRequestBodySize: LARGEST_BODY,
    websocket: webSocket.handlers,
  })
  const server = app.server
  if (!server) throw new Error('the server did not start')
  origin ||= `http://localhost:${server.port}`
  hub.attach(server)
  services.mailer.wake()
  services.sweeper.wake()
  const purge = () => purgeDeletedTasks(database.db).then(services.sweeper.sweep)
  const clean = () =>
    Promise.all([
      services.sessions.deleteExpired(),
      webSocket.closeExpired(),
      cleanMails(database.db),
      deleteExpiredLinks(database.db),
      purgeExpiredInvitations(database.db),
      purgeOldNotifications(database.db),
      forgetFormerNames(database.db),
      purge(),
      mailOverdueTimers(services),
      reconcile(services),
    ])
  const gather = () => sendGatheredMails(services)
  const timers = [
    setInterval(() => gather().catch(console.error), GATHERS_EVERY),
    setInterval(() => clean().catch(console.error), CLEANS_EVERY),
    setInterval(() => purge().catch(console.error), PURGES_EVERY),
    setInterval(() => mailOverdueTimers(services).catch(console.error), ASKS_EVERY),
    setInterval(() => reconcile(services).catch(console.error), RECONCILES_EVERY),
  ]

  return {
    origin,
    port: server.port,
    /** What is otherwise done every hour. */
    clean,
    /** What is otherwise done every few seconds: mails what has waited. */
    gather,
    /** Stops accepting, finishes what is under way, closes sockets and the database. */
    async stop() {
      timers.forEach(clearInterval)
      const finished = server.stop()
      hub.goAway()
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
