import { join } from 'node:path'
import { log } from '../log'
import { CannotOpen } from './database'
import { messageOf } from './failures'

const POSTGRES_VERSION = '18'

const EXPECTED = /^(ENOENT|EEXIST|ENOTEMPTY|ENOTDIR)/

/** Throws CannotOpen where another major version of Postgres made the folder. */
export async function assertSameVersion(folder: string): Promise<void> {
  const file = Bun.file(join(folder, 'PG_VERSION'))
  const version = (await file.exists()) ? (await file.text()).trim() : POSTGRES_VERSION
  if (version === POSTGRES_VERSION) return
  throw new CannotOpen(
    `the database in ${folder} was written by Postgres ${version || 'without a version'}, and this wrk has ${POSTGRES_VERSION}: ` +
      'start the version of wrk that wrote it, or set DATA_DIR to another folder',
  )
}

export type Faults = ReturnType<typeof watchFaults>

/** Why the database in `folder` fails: Postgres says it on its standard error only, and of files not even there. */
export function watchFaults(folder: string) {
  let said = ''
  let ofFiles = ''
  return {
    failed(error: unknown) {
      if (error instanceof Error && !EXPECTED.test(error.message)) ofFiles = error.message
    },
    hear(line: string): boolean {
      said = /\b(?:PANIC|FATAL): {2}(.+)/.exec(line)?.[1] ?? said
      return true
    },
    whyNotOpened: (error: unknown) => `the database in ${folder} cannot be opened: ${said || ofFiles || messageOf(error)}`,
    /** Asked anything after it gave up, it would spin for ever and keep the process from every signal. */
    end(): never {
      log.error(
        `the database in ${folder} failed: ${said || 'it did not say why'}. ` +
          'Everything it acknowledged is saved. wrk is stopping: fix the cause and start it again',
      )
      process.exit(1)
    },
    warn: (error: unknown) => log.warn(`the database's log stays long: ${messageOf(error)}`),
  }
}
