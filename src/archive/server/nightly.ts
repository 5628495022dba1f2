import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config'
import { messageOf } from '../../db/failures'
import { log } from '../../log'
import { upload, withinMinute } from '../../server/files/storage'
import { installationArchive, type Source } from './backup'
import { beginBackup, endBackup } from './store'
import { saveArchive } from './writeArchive'

const AT_UTC_HOUR = 2
const TRY_AGAIN_MS = 3_600_000
const OWN_NAME = /^wrk-[\d-]{10}T[\d-]{8}Z\.zip$/

/** One backup a night, by the first process to start it; a missed one is caught up. */
export async function backUpNightly(source: Source, now = new Date()): Promise<void> {
  const { config, database } = source
  const place = placeOf(config)
  if (!place) return
  const id = await beginBackup(database.db, { since: lastNight(now), failedBefore: new Date(now.getTime() - TRY_AGAIN_MS) })
  if (id === undefined) return
  try {
    const bytes = await place.save(nameAt(now), installationArchive(source, id))
    await endBackup(database.db, id, { bytes })
  } catch (error) {
    log.error(`the nightly backup failed and will be retried in an hour: ${messageOf(error)}`)
    return endBackup(database.db, id, { error: messageOf(error) })
  }
  await keepNewest(place, config.backupKeep).catch((error) => log.warn(`older backups could not be deleted: ${messageOf(error)}`))
}

function lastNight(now: Date): Date {
  const night = new Date(now)
  night.setUTCHours(AT_UTC_HOUR, 0, 0, 0)
  if (night > now) night.setUTCDate(night.getUTCDate() - 1)
  return night
}

const nameAt = (now: Date) => `wrk-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.zip`

async function keepNewest(place: Place, count: number) {
  const own = (await place.names()).filter((name) => OWN_NAME.test(name)).toSorted()
  for (const name of own.slice(0, -count)) await place.delete(name)
}

type Place = {
  save(name: string, chunks: AsyncIterable<Uint8Array>): Promise<number>
  names(): Promise<string[]>
  delete(name: string): Promise<void>
}

const placeOf = ({ backupDir, backupS3 }: Pick<Config, 'backupDir' | 'backupS3'>): Place | undefined =>
  backupS3 ? inBucket(backupS3) : backupDir ? inFolder(backupDir) : undefined

const DAY_MS = 86_400_000

function inFolder(folder: string): Place {
  return {
    async save(name, chunks) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await deleteUnfinished(folder)
      return saveArchive(join(folder, name), chunks)
    },
    names: () => readdir(folder),
    delete: (name) => rm(join(folder, name), { force: true }),
  }
}

async function deleteUnfinished(folder: string) {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (/^wrk-.*\.part$/.test(name) && (await stat(path)).mtimeMs < Date.now() - DAY_MS) await rm(path, { force: true })
  }
}

const PREFIX = 'backups/'

function inBucket(settings: NonNullable<Config['backupS3']>): Place {
  const bucket = new Bun.S3Client(settings)
  return {
    save: (name, chunks) => upload(bucket.file(PREFIX + name), chunks, 'application/zip'),
    async names() {
      const names: string[] = []
      let next: string | undefined
      do {
        const page = { prefix: PREFIX, ...(next && { continuationToken: next }) }
        const { contents = [], nextContinuationToken } = await withinMinute(bucket.list(page))
        names.push(...contents.map(({ key }) => key.slice(PREFIX.length)))
        next = nextContinuationToken
      } while (next)
      return names
    },
    delete: (name) => withinMinute(bucket.delete(PREFIX + name)),
  }
}
