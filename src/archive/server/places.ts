import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config'
import { withTimeout } from '../../server/files/storage'
import { save } from './saved'

/** Where nightly backups lie. */
export type Place = {
  /** Resolves to its bytes once all of it is there; before, nothing is there under this name. */
  save(name: string, chunks: AsyncIterable<Uint8Array>): Promise<number>
  names(): Promise<string[]>
  delete(name: string): Promise<void>
}

export const placeOf = ({ backupDir, backupS3 }: Pick<Config, 'backupDir' | 'backupS3'>): Place | undefined =>
  backupS3 ? inBucket(backupS3) : backupDir ? inFolder(backupDir) : undefined

const DAY_MS = 86_400_000

function inFolder(folder: string): Place {
  return {
    async save(name, chunks) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await deleteUnfinished(folder)
      return save(join(folder, name), chunks)
    },
    names: () => readdir(folder),
    delete: (name) => rm(join(folder, name), { force: true }),
  }
}

/** Of processes that were killed. */
async function deleteUnfinished(folder: string) {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (/^wrk-.*\.part$/.test(name) && (await stat(path)).mtimeMs < Date.now() - DAY_MS) await rm(path, { force: true })
  }
}

const PREFIX = 'backups/'
const PART_BYTES = 8 * 2 ** 20

function inBucket(settings: NonNullable<Config['backupS3']>): Place {
  const bucket = new Bun.S3Client(settings)
  return {
    async save(name, chunks) {
      const writer = bucket.file(PREFIX + name).writer({ type: 'application/zip', partSize: PART_BYTES, retry: 3 })
      let bytes = 0
      let unsent = 0
      for await (const chunk of chunks) {
        writer.write(chunk)
        bytes += chunk.length
        unsent += chunk.length
        if (unsent < PART_BYTES) continue
        await withTimeout(Promise.resolve(writer.flush()))
        unsent = 0
      }
      await withTimeout(Promise.resolve(writer.end()))
      return bytes
    },
    async names() {
      const names: string[] = []
      let next: string | undefined
      do {
        const page = { prefix: PREFIX, ...(next && { continuationToken: next }) }
        const { contents = [], nextContinuationToken } = await withTimeout(bucket.list(page))
        names.push(...contents.map(({ key }) => key.slice(PREFIX.length)))
        next = nextContinuationToken
      } while (next)
      return names
    },
    delete: (name) => withTimeout(bucket.delete(PREFIX + name)),
  }
}
