import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config'

export type FileStore = {
  /** Resolves when the file would survive a power cut. */
  put(name: string, bytes: Uint8Array, type: string): Promise<void>
  get(name: string): Promise<Blob | null>
  delete(name: string): Promise<void>
}

export const openFiles = ({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): FileStore =>
  s3 ? inBucket(s3) : inFolder(join(dataDir, 'uploads'))

function inFolder(folder: string): FileStore {
  const path = (name: string) => join(folder, name)
  const unfinished = (name: string) => `${path(name)}.part`
  return {
    async put(name, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        await writeThrough(unfinished(name), bytes)
        await rename(unfinished(name), path(name))
        await syncFolder(folder)
      } catch (error) {
        await this.delete(name).catch(() => {})
        throw error
      }
    },
    async get(name) {
      const file = Bun.file(path(name))
      return (await file.exists()) ? file : null
    },
    async delete(name) {
      // A missing folder may be an unmounted volume: then the file may still exist.
      await stat(folder)
      for (const one of [path(name), unfinished(name)]) await rm(one).catch(unlessMissing)
    },
  }
}

async function writeThrough(path: string, bytes: Uint8Array) {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(folder: string) {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

function unlessMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}

const STORE_TIMEOUT_MS = 60_000

/** Read whole: Bun would answer a request with an S3 file by a redirect to the store. */
function inBucket(settings: NonNullable<Config['s3']>): FileStore {
  const bucket = new Bun.S3Client(settings)
  const key = (name: string) => `uploads/${name}`
  return {
    async put(name, bytes, type) {
      await withTimeout(bucket.write(key(name), bytes, { type }))
    },
    get: (name) =>
      withTimeout(bucket.file(key(name)).bytes()).then(
        (bytes) => new Blob([bytes]),
        (error) => (isMissing(error) ? null : Promise.reject(error)),
      ),
    async delete(name) {
      await withTimeout(bucket.delete(key(name))).catch((error) => (isMissing(error) ? undefined : Promise.reject(error)))
    },
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'NoSuchKey'

export async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('the file store does not answer')), STORE_TIMEOUT_MS)
  return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer))
}
