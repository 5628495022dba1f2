import { ArchiveFailed } from '../../../archive/schema'
import { purgeDeletedBoards } from '../../../boards/server/deleted/store'
import { isUnavailable } from '../../../db/failures'
import { log } from '../../../log'
import type { Services } from '../../../server/context'
import { Refusal, unlessUnavailable } from '../../../server/errors'
import { runTransaction } from '../../../server/transaction'
import { announceProgress } from './announceProgress'
import { endHeld, type Held, holdNext, letGo } from './lease/store'

/** Fills the boards of imports that were started, one at a time. */
export type ImportRunner = {
  runSoon(): void
  /** Resolves once there is nothing left to do. */
  run(): Promise<void>
  /** What a cancelled or failed one has filled goes. */
  tidySoon(): void
  stop(): Promise<void>
}

declare module '../../../server/context' {
  interface Services {
    imports: ImportRunner
  }
}

const OUR_FAULT = 'Something went wrong on our side. Please try again.'

export function createImportRunner(servicesOf: () => Services): ImportRunner {
  let running: Promise<void> | undefined
  let again = false
  let stopping = false
  const isStopping = () => stopping

  async function runAll() {
    do {
      again = false
      const { db, room } = servicesOf()
      for (;;) {
        const held = stopping || !room.mayChange() ? undefined : await holdNext(db)
        if (!held) break
        await perform(servicesOf(), held, isStopping)
      }
    } while (again)
  }

  function run(): Promise<void> {
    again = true
    running ??= runAll()
      .catch(unlessUnavailable((error) => log.error('imports could not be run', {}, error)))
      .finally(() => {
        running = undefined
      })
    return running
  }

  return {
    run,
    runSoon: () => void run(),
    tidySoon: () => void tidy(servicesOf()),
    async stop() {
      stopping = true
      await running
    },
  }
}

async function perform(services: Services, held: Held, isStopping: () => boolean): Promise<void> {
  const { runImport, Stopped } = await import('./job')
  try {
    await runImport(services, held, isStopping)
    // Where one that was killed had filled another.
    if (held.tries > 1) await tidy(services)
  } catch (error) {
    // While the database is away nobody can be told: its time runs out, and it is begun again.
    if (isUnavailable(error)) return
    if (error instanceof Stopped) return void (await letGo(services.db, held))
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
      const row = await endHeld(transaction.db, held, reason)
      if (row) announceProgress(transaction, held, row)
    },
    'deletes',
  )
}

const tidy = ({ db, sweeper }: Services): Promise<void> =>
  purgeDeletedBoards(db)
    .then(sweeper.sweep)
    .catch(unlessUnavailable((error) => log.error('what an import left could not be deleted', {}, error)))
