import type { Db } from '../../db/database'
import { log } from '../../log'
import { unlessUnavailable } from '../errors'
import type { FileStore } from './storage'
import { forgetFiles, postponeFiles, unwantedNames } from './store'

export type Sweeper = {
  sweepSoon(): void
  sweep(): Promise<void>
  stop(): Promise<void>
}

const SWEEP_EVERY_MS = 30_000
const TRY_AGAIN_SECONDS = 300

export function createSweeper(db: Db, files: FileStore, mayDelete = () => true): Sweeper {
  let sweeping: Promise<void> | undefined
  let runAgain = false
  let stopping = false

  async function deleteUnwanted() {
    for (let names = await unwantedNames(db); names.length > 0 && !stopping; names = await unwantedNames(db)) {
      const left: string[] = []
      const remove = (name: string) =>
        files.delete(name).catch((error) => {
          warn(error)
          left.push(name)
        })
      await Promise.all(names.map(remove))
      await forgetFiles(
        db,
        names.filter((name) => !left.includes(name)),
      )
      await postponeFiles(db, left, TRY_AGAIN_SECONDS)
    }
  }

  function sweep(): Promise<void> {
    if (sweeping) runAgain = true
    else if (!stopping && mayDelete())
      sweeping = deleteUnwanted()
        .catch(warn)
        .then(() => {
          sweeping = undefined
          if (!runAgain) return
          runAgain = false
          return sweep()
        })
    return sweeping ?? Promise.resolve()
  }

  const sweepSoon = () => void sweep()
  const timer = setInterval(sweepSoon, SWEEP_EVERY_MS)
  timer.unref()
  return {
    sweepSoon,
    sweep,
    async stop() {
      stopping = true
      clearInterval(timer)
      await sweeping
    },
  }
}

const warn = unlessUnavailable((error) => log.warn('files could not be deleted yet', {}, error))
