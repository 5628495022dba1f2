import { finishDeletions } from '../account/server/deletion'
import { forgetOperatorActs } from '../account/server/store'
import { backUpNightly } from '../archive/server/nightly'
import { deleteExpiredLinks } from '../auth/server/store'
import { reconcile } from '../billing/server/updateSubscription'
import { purgeDeletedBoards } from '../boards/server/deleted.store'
import type { Database } from '../db/database'
import { releaseAllLeases } from '../imports/server/job/leases.store'
import { moveAcceptedNames } from '../imports/server/names/reassign'
import { deleteOldImports } from '../imports/server/store'
import { purgeExpiredInvitations } from '../invitations/server/store'
import { log } from '../log'
import { sendGatheredMails } from '../notifications/server/notify'
import { purgeOldNotifications } from '../notifications/server/store'
import { oneAtATime } from '../promises'
import type { Services } from '../server/context'
import { unlessUnavailable } from '../server/errors'
import { sweepIncoming } from '../server/files/storage'
import { deleteExpiredKeys } from '../server/idempotency.store'
import { cleanMails } from '../server/mail/store'
import { sweepMailFiles } from '../server/mail/transport'
import { purgeDeletedRows } from '../tasks/server/deletedRows.store'
import { countOldChecklists, purgeDeletedTasks, purgeTasksForRoom } from '../tasks/server/store'
import { mailOverdueTimers } from '../time/server/timers'
import { forgetFormerNames } from '../users/server/store'

const CLEAN_EVERY_MS = 3_600_000
/** Deleted tasks and boards are purged at most a minute late. */
const PURGE_EVERY_MS = 30_000
const MAIL_NOTIFICATIONS_EVERY_MS = 5_000
const ASK_OVERDUE_EVERY_MS = 60_000
const RECONCILE_EVERY_MS = 60_000
const LOOK_FOR_IMPORTS_EVERY_MS = 10_000
const LOOK_FOR_BACKUP_EVERY_MS = 60_000
const VACUUM_EVERY_MS = 1_000

/** Starts the periodic jobs; tests call `clean` and `gather` directly. */
export function startJobs(services: Services, database: Database) {
  const { db, config, sessions, sweeper, diskGuard } = services
  const every = (milliseconds: number, job: () => Promise<unknown>, mayRun = diskGuard.mayChange) => {
    const run = oneAtATime(() => quietly(job()))
    return setInterval(() => mayRun() && void run(), milliseconds)
  }
  const purge = () =>
    Promise.all([
      purgeDeletedRows(db),
      // On a full disk, deletions have to free space.
      diskGuard.mayStoreFile() ? purgeDeletedTasks(db) : purgeTasksForRoom(db),
      purgeDeletedBoards(db),
      finishDeletions(services),
    ])
  const clean = () =>
    Promise.all([
      sessions.deleteExpired(),
      cleanMails(db),
      sweepMailFiles(config.dataDir),
      deleteExpiredLinks(db),
      deleteExpiredKeys(db),
      purgeExpiredInvitations(db),
      purgeOldNotifications(db),
      forgetFormerNames(db),
      forgetOperatorActs(db),
      deleteOldImports(db),
      sweepIncoming(config.dataDir),
      purge(),
      countOldChecklists(db),
      moveAcceptedNames(services),
      mailOverdueTimers(services),
      reconcile(services),
      // After all of these, because they leave files behind, too.
    ]).then(sweeper.sweep)
  const gather = () => sendGatheredMails(services)
  const backUp = () => backUpNightly({ config, database })
  void quietly(backUp())
  const beginAgain = () => (database.url ? Promise.resolve() : releaseAllLeases(db)).then(services.imports.run)
  void quietly(beginAgain())
  if (diskGuard.mayDelete()) void quietly(finishDeletions(services))
  const vacuum = async () => {
    // Users who delete to free space are waiting for it.
    if (diskGuard.forVacuum().isShort && diskGuard.mayDelete()) await purge().then(sweeper.sweep)
    diskGuard.countReusable((await database.vacuum?.run(diskGuard.forVacuum)) ?? 0)
  }
  const timers = [
    every(MAIL_NOTIFICATIONS_EVERY_MS, gather),
    every(LOOK_FOR_IMPORTS_EVERY_MS, async () => services.imports.runSoon()),
    every(CLEAN_EVERY_MS, clean, diskGuard.mayDelete),
    every(PURGE_EVERY_MS, () => purge().then(sweeper.sweep), diskGuard.mayDelete),
    every(PURGE_EVERY_MS, () => countOldChecklists(db)),
    every(PURGE_EVERY_MS, () => moveAcceptedNames(services)),
    every(ASK_OVERDUE_EVERY_MS, () => mailOverdueTimers(services)),
    every(LOOK_FOR_BACKUP_EVERY_MS, backUp),
    ...(database.vacuum ? [every(VACUUM_EVERY_MS, vacuum, diskGuard.mayVacuum)] : []),
    every(RECONCILE_EVERY_MS, () => reconcile(services)),
  ]
  return { clean, gather, stop: () => timers.forEach(clearInterval) }
}

const tellFailed = (error: unknown) => log.error('a scheduled job failed', {}, error)

async function quietly(work: Promise<unknown>): Promise<void> {
  await work.catch(unlessUnavailable(tellFailed))
}
