import { createSessions } from '../auth/server/sessions'
import { openPayments } from '../billing/server/payments'
import { purgeBoardsEarly } from '../boards/server/deleted.store'
import { createPresence, type PresenceTimes } from '../boards/server/presence'
import type { Config } from '../config'
import type { Database, Db } from '../db/database'
import { installationId } from '../db/installation'
import { ping } from '../db/openDatabase'
import { createImportRunner } from '../imports/server/job/runner'
import { createImportMemory } from '../imports/server/memoryNeeds'
import { createAccountQuota, type EmptyTrash } from '../server/accountQuota/quota'
import type { Services } from '../server/context'
import { createDiskGuard, type MeasureDisk, measureDisk } from '../server/diskGuard'
import { createFileQuota } from '../server/files/quota'
import { openFiles } from '../server/files/storage'
import { createSweeper } from '../server/files/sweeper'
import { createUploadSlots } from '../server/files/upload'
import { createHub } from '../server/live/hub'
import { openRelay } from '../server/live/relay'
import { createMailer } from '../server/mail/mailer'
import { createFetchOutside } from '../server/outbound'
import type { SharedCounters } from '../server/rateCounters'
import { createRateLimits } from '../server/rateLimits'
import { createTraffic } from '../server/requests'
import { purgeRowsEarly } from '../tasks/server/deletedRows.store'
import { createSnapshotCache } from '../tasks/server/snapshotCache'
import { purgeTasksEarly } from '../tasks/server/store'

const SHUTDOWN_TIMEOUT_MS = 8_000

/** What only a listening server knows. */
export type HttpServer = Pick<Services, 'origin' | 'addressOf' | 'extendTimeout' | 'isDraining'>

export type ForTests = { measure?: MeasureDisk; presenceTimes?: PresenceTimes }

const withoutServer = ({ publicUrl, port }: Config): HttpServer => ({
  origin: () => publicUrl ?? `http://localhost:${port}`,
  addressOf: () => '',
  extendTimeout() {},
  isDraining: () => false,
})

export async function createServices(
  config: Config,
  database: Database,
  server = withoutServer(config),
  { measure = measureDisk, presenceTimes }: ForTests = {},
) {
  const relay = openRelay(database)
  const [hub, limits, payments] = await Promise.all([
    createHub(relay),
    createRateLimits(await sharedCountersOf(config, database)),
    openPayments(config),
  ])
  const files = openFiles(config)
  const diskGuard = createDiskGuard(config, measure)
  const services: Services = {
    ...server,
    db: database.db,
    hub,
    presence: createPresence(hub, database.db, presenceTimes),
    config,
    sessions: createSessions(database.db, () => server.origin().startsWith('https:'), diskGuard.mayChange),
    snapshots: createSnapshotCache(hub),
    limits,
    mailer: createMailer(database.db, config, diskGuard.mayMail),
    files,
    sweeper: createSweeper(database.db, files, diskGuard.mayDelete),
    diskGuard,
    acquireUpload: createUploadSlots(config.attachments),
    fileQuota: createFileQuota(config, database.db, diskGuard, measure),
    accountQuota: createAccountQuota(config, database.db, emptyTrash(database.db)),
    payments,
    traffic: createTraffic(),
    fetchOutside: createFetchOutside(config),
    ping: (milliseconds) => ping(database, milliseconds),
    pool: () => database.pool?.(),
    importMemory: createImportMemory(config),
    imports: createImportRunner(() => services),
  }
  return {
    services,
    async stop(finished?: Promise<unknown>) {
      services.presence.stop()
      hub.closeAll()
      const finishing = Promise.all([finished, services.imports.stop().then(services.sweeper.stop)])
      await Promise.all([Promise.race([finishing, Bun.sleep(SHUTDOWN_TIMEOUT_MS)]), services.mailer.stop(SHUTDOWN_TIMEOUT_MS)])
      relay.close()
      limits.close()
      await database.close()
    },
  }
}

const emptyTrash =
  (db: Db): EmptyTrash =>
  async (userId, days) => {
    const gone = [
      await purgeTasksEarly(db, userId, days),
      await purgeBoardsEarly(db, userId, days),
      days === 0 && (await purgeRowsEarly(db, userId)),
    ]
    return gone.some(Boolean)
  }

async function sharedCountersOf({ redisUrl }: Config, { db }: Database): Promise<SharedCounters | undefined> {
  return redisUrl ? { url: redisUrl, installation: await installationId(db) } : undefined
}
