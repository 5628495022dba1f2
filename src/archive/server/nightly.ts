import { log } from '../../log'
import { reasonOf } from '../../server/errors'
import { archiveOf } from './backup'
import { type Place, placeOf } from './places'
import type { Source } from './source'
import { beginBackup, endBackup } from './store'

const AT_UTC_HOUR = 2
const TRY_AGAIN_MS = 3_600_000
const OWN_NAME = /^wrk-[\d-]{10}T[\d-]{8}Z\.zip$/

/** One a night, whichever process begins it; one that was missed is made up for. */
export async function backUpNightly(source: Source, now = new Date()): Promise<void> {
  const { config, database } = source
  const place = placeOf(config)
  if (!place) return
  const id = await beginBackup(database.db, { since: lastNight(now), failedBefore: new Date(now.getTime() - TRY_AGAIN_MS) })
  if (id === undefined) return
  try {
    const bytes = await place.save(nameAt(now), archiveOf(source, id))
    await endBackup(database.db, id, { bytes })
  } catch (error) {
    log.error(`the nightly backup failed, and is tried again in an hour: ${reasonOf(error)}`)
    return endBackup(database.db, id, { error: reasonOf(error) })
  }
  await keepNewest(place, config.backupKeep).catch((error) => log.warn(`older backups could not be deleted: ${reasonOf(error)}`))
}

function lastNight(now: Date): Date {
  const night = new Date(now)
  night.setUTCHours(AT_UTC_HOUR, 0, 0, 0)
  if (night > now) night.setUTCDate(night.getUTCDate() - 1)
  return night
}

const nameAt = (now: Date) => `wrk-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.zip`

/** Their names are in the order of their nights. */
async function keepNewest(place: Place, count: number) {
  const own = (await place.names()).filter((name) => OWN_NAME.test(name)).toSorted()
  for (const name of own.slice(0, -count)) await place.delete(name)
}
