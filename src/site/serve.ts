import type { Config } from '../config'
import type { Database } from '../db/database'
import { setPlans } from '../db/installation'
import { MAX_BODY_BYTES } from '../server/body'
import { addressOf } from '../server/clientAddress'
import { createApp } from './app'
import { buildIfStale } from './buildIfStale'
import { startJobs } from './jobs'
import { builtPage, type Page } from './page'
import { createServices, type ForTests, type HttpServer } from './services'
import { forwardingWarning } from './warnings'

const EXTENDED_TIMEOUT_SECONDS = 120

export type PageKind = 'built' | 'development' | 'none'

export async function serve(config: Config, database: Database, kind: PageKind, forTests: ForTests = {}) {
  let origin = config.publicUrl ?? ''
  let isDraining = false
  const warnOfForwarding = forwardingWarning(config)
  const httpServer: HttpServer = {
    isDraining: () => isDraining,
    origin: () => origin,
    addressOf(request) {
      warnOfForwarding(request)
      return addressOf(request, app.server?.requestIP(request)?.address ?? '', config.trustProxy)
    },
    extendTimeout: (request) => app.server?.timeout(request, EXTENDED_TIMEOUT_SECONDS),
  }
  const { services, stop } = await createServices(config, database, httpServer, forTests)
  await setPlans(database.db, config.hasPlans)
  const { app, webSocket } = createApp(services, await pageOf(kind, config))
  app.listen({
    port: config.port,
    hostname: config.host,
    reusePort: false,
    maxRequestBodySize: MAX_BODY_BYTES,
    websocket: webSocket.handlers,
  })
  const server = app.server
  if (!server) throw new Error('the server did not start')
  origin ||= `http://localhost:${server.port}`
  services.hub.attach(server)
  services.mailer.sendSoon()
  services.sweeper.sweepSoon()
  const jobs = startJobs(services, database)

  return {
    origin,
    port: server.port,
    services,
    clean: jobs.clean,
    gather: jobs.gather,
    reconcile: services.hub.reconcile,
    /** Lets proxies move on, finishes what is under way, then closes sockets and the database. */
    async stop() {
      isDraining = true
      if (config.drainSeconds > 0) await Bun.sleep(config.drainSeconds * 1_000)
      jobs.stop()
      await stop(server.stop())
    },
  }
}

/** The bundler is only loaded in development: an installation has none of its packages. */
async function pageOf(kind: PageKind, { production, attachments, hasPlans }: Config): Promise<Page | null> {
  if (kind === 'none') return null
  if (kind === 'development') return (await import('./developmentPage')).developmentPage({ attachments, hasPlans })
  if (!production) await buildIfStale()
  return builtPage({ attachments, hasPlans })
}
