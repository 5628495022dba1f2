import { ArchiveFailed } from '../../../archive/schema'
import { purgeDeletedBoards } from '../../../boards/server/deleted.store'
import { isUnavailable } from '../../../db/failures'
import { log } from '../../../log'
import type { Services } from '../../../server/context'
import { conflict, Refusal, unlessUnavailable } from '../../../server/errors'
import { runTransaction } from '../../../server/transaction'
import { ARCHIVE_BYTES } from '../memoryNeeds'
import { runImport } from './job'
import { claimOldest, failHeld, type Held, releaseLease, renewLease } from './leases.store'
import { announceProgress, Stopped } from './steps'

export type ImportRunner = {
  runSoon(): void
  run(): Promise<void>
  tidySoon(): void
  stop(): Promise<void>
}

declare module '../../../server/context' {
  interface Services {
    imports: ImportRunner
  }
}

const AT_ONCE = 3
/** A third of the lease. */
const RENEW_EVERY_MS = 10_000
const TRIES_MAX = 3
const CUT_OFF = 'The server stopped several times during this import.'
const OUR_FAULT = 'Something went wrong on our side. Please try again.'

export function createImportRunner(servicesOf: () => Services): ImportRunner {
  const running = new Set<Promise<void>>()
  /** Started and not finished: while one waits for files of other servers, others run. */
  const begun = new Set<Promise<void>>()
  let again = false
  let stopping = false
  const isStopping = () => stopping

  async function runNext(): Promise<boolean> {
    const services = servicesOf()
    again = false
    const held = stopping || !services.diskGuard.mayChange() ? undefined : await services.db.transaction(claimOldest)
    if (!held) return again
    begin()
    const filled = Promise.withResolvers<void>()
    const one = perform(services, held, isStopping, filled.resolve)
      .catch(tellFailed)
      .finally(() => {
        begun.delete(one)
        filled.resolve()
        // Another import of the same user may have waited for it.
        begin()
      })
    begun.add(one)
    await filled.promise
    return true
  }

  async function runAll() {
    const { jobs } = servicesOf().importMemory
    while (await jobs.hold(ARCHIVE_BYTES, runNext, null));
  }

  function begin() {
    again = true
    if (running.size === AT_ONCE) return
    const one = runAll()
      .catch(tellFailed)
      .finally(() => running.delete(one))
    running.add(one)
  }

  async function ended() {
    while (running.size + begun.size > 0) await Promise.all([...running, ...begun])
  }

  return {
    run() {
      begin()
      return ended()
    },
    runSoon: begin,
    tidySoon: () => void tidy(servicesOf()),
    stop() {
      stopping = true
      return ended()
    },
  }
}

const tellFailed = unlessUnavailable((error) => log.error('imports could not be run', {}, error))

async function perform(services: Services, held: Held, isStopping: () => boolean, filled: () => void): Promise<void> {
  try {
    // A refusal, so that its text is shown.
    if (held.tries > TRIES_MAX) throw conflict(CUT_OFF)
    const renewing = setInterval(() => void renewLease(services.db, held).catch(tellFailed), RENEW_EVERY_MS)
    await runImport(services, held, isStopping, filled).finally(() => clearInterval(renewing))
    // A try that was killed may have left a board.
    if (held.tries > 1) await tidy(services)
  } catch (error) {
    // Without the database nothing can be stored: the lease runs out and the import begins again.
    if (isUnavailable(error)) return
    if (error instanceof Stopped) return void (await releaseLease(services.db, held))
    await fail(services, held, error)
    await tidy(services)
  }
}

async function fail(services: Services, held: Held, error: unknown) {
  const isKnown = error instanceof Refusal || error instanceof ArchiveFailed
  if (!isKnown) log.error('an import failed', {}, error)
  const reason = isKnown ? error.message : OUR_FAULT
  await runTransaction(
    services,
    async (transaction) => {
      const row = await failHeld(transaction.db, held, reason)
      if (row) announceProgress(transaction, held, row)
    },
    'deletes',
  )
}

const tidy = ({ db, sweeper }: Services): Promise<void> =>
  purgeDeletedBoards(db)
    .then(sweeper.sweep)
    .catch(unlessUnavailable((error) => log.error('the leftovers of an import could not be deleted', {}, error)))
