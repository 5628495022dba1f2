import { setImmediate } from 'node:timers/promises'
import type { PresenceTimes } from '../boards/server/presence'
import type { Config } from '../config'
import type { Database } from '../db/database'
import { addressOf } from '../server/address'
import { MAX_BODY_BYTES } from '../server/body'
import { type MeasureDisk, measureDisk } from '../server/room'
import { loadPage } from './builtPage'
import { domainLoaders } from './router'
import { createServices, type Requests } from './services'
import { forwardingWarning } from './warnings'

const EXTENDED_TIMEOUT_SECONDS = 120

type Jobs = ReturnType<typeof import('./jobs').startJobs>
export type PageKind = 'built' | 'development' | 'none'

/** Starts on a database that is open or opening, and closes it at the end. */
export async function serve(
  config: Config,
  opening: Database | Promise<Database>,
  kind: PageKind,
  measure: MeasureDisk = measureDisk,
  presenceTimes?: PresenceTimes,
) {
  let origin = config.publicUrl ?? ''
  let isDraining = false
  const warnOfForwarding = forwardingWarning(config)
  const requests: Requests = {
    isDraining: () => isDraining,
    origin: () => origin,
    addressOf(request) {
      warnOfForwarding(request)
      return addressOf(request, app.server?.requestIP(request)?.address ?? '', config.trustProxy)
    },
    extendTimeout: (request) => app.server?.timeout(request, EXTENDED_TIMEOUT_SECONDS),
  }
  const making = createServices(config, opening, requests, measure, presenceTimes)
  // Its connections are on their way before what takes the processor is loaded.
  await Promise.race([making, setImmediate()])
  const [{ services, stop }, { createApp }, page] = await Promise.all([making, import('./app'), pageOf(kind, config)])
  const { app, webSocket, mountCalls } = createApp(services, page)
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
  services.hub.attach(server)
  let starting: Promise<Jobs> | undefined
  const startJobs = async () => (await import('./jobs')).startJobs(services, await opening)
  const jobs = () => (starting ??= startJobs())
  const loading = inSteps([
    services.mailer.sendSoon,
    services.sweeper.sweepSoon,
    mountCalls,
    ...domainLoaders(),
    jobs,
    async () => page?.readAll?.(),
  ])

  return {
    origin,
    port: server.port,
    services,
    clean: async () => (await jobs()).clean(),
    gather: async () => (await jobs()).gather(),
    look: services.hub.look,
    /** Once all of it is there, or it was stopped. Rejects where a part cannot be loaded. */
    loaded: loading.done,
    /** Lets proxies go elsewhere, finishes what is under way, then closes sockets and the database. */
    async stop() {
      isDraining = true
      if (config.drainSeconds > 0) await Bun.sleep(config.drainSeconds * 1_000)
      loading.stop()
      const started = await starting?.catch(() => undefined)
      started?.stop()
      await stop(server.stop())
    },
  }
}

/** So that who asks meanwhile waits for one step at most. */
const BETWEEN_STEPS_MS = 50

/** Does what the first answers can do without, and what each of them does for itself where it needs it sooner. */
function inSteps(steps: (() => unknown)[]) {
  let isStopped = false
  const run = async () => {
    for (const step of steps) {
      await Bun.sleep(BETWEEN_STEPS_MS)
      if (isStopped) return
      await step()
    }
  }
  return {
    done: run(),
    stop() {
      isStopped = true
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
  const [
    { developmentPage },
    { default: app },
    { default: template },
    { renderPages },
    { default: entrance },
    { renderEntrances },
  ] = await Promise.all([
    import('./developmentPage'),
    import('../app/index.html'),
    import('./public/page.html'),
    import('./public/pages'),
    import('../app/entrance.html'),
    import('./entrance'),
  ])
  return developmentPage({ app, template, entrance, renderPages, renderEntrances })
}
