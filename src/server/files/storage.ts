import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config'
import { withTimeout } from '../../promises'

export type FileStore = {
  put(name: string, bytes: Uint8Array, type: string): Promise<void>
  get(name: string): Promise<Blob | null>
  /** Like `get`, but never whole in memory. */
  read(name: string): Promise<Blob | AsyncGenerator<Uint8Array> | null>
  delete(name: string): Promise<void>
  /** Like `put`, for a local file of any size, which it takes over. */
  putFile(name: string, path: string): Promise<void>
  withLocalFile<T>(name: string, work: (path: string) => Promise<T>): Promise<T | null>
}

export const openFiles = ({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): FileStore =>
  s3 ? inBucket(s3, dataDir) : inFolder(join(dataDir, 'uploads'))

function inFolder(folder: string): FileStore {
  const path = (name: string) => join(folder, name)
  const unfinished = (name: string) => `${path(name)}.part`
  return {
    async put(name, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        await writeThrough(unfinished(name), bytes)
        await rename(unfinished(name), path(name))
        await sync(folder)
      } catch (error) {
        await this.delete(name).catch(() => {})
        throw error
      }
    },
    async get(name) {
      const file = Bun.file(path(name))
      return (await file.exists()) ? file : null
    },
    read(name) {
      return this.get(name)
    },
    async delete(name) {
      // A missing folder may be an unmounted volume that still has the file.
      await stat(folder)
      for (const one of [path(name), unfinished(name)]) await rm(one).catch(unlessMissing)
    },
    async putFile(name, from) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await sync(from)
      await rename(from, path(name))
      await sync(folder)
    },
    withLocalFile: async (name, work) => ((await Bun.file(path(name)).exists()) ? work(path(name)) : null),
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

async function sync(path: string) {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

function unlessMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}

const STORE_TIMEOUT_MS = 60_000

/** `get` reads whole: Bun would answer with a redirect to the S3 store. */
function inBucket(settings: NonNullable<Config['s3']>, dataDir: string): FileStore {
  const bucket = new Bun.S3Client(settings)
  const key = (name: string) => `uploads/${name}`
  return {
    async put(name, bytes, type) {
      await withinMinute(bucket.write(key(name), bytes, { type }))
    },
    get: (name) =>
      withinMinute(bucket.file(key(name)).bytes()).then(
        (bytes) => new Blob([bytes]),
        (error) => (isMissing(error) ? null : Promise.reject(error)),
      ),
    async read(name) {
      const file = bucket.file(key(name))
      return (await withinMinute(file.exists())) ? chunksIn(file.stream()) : null
    },
    async delete(name) {
      await withinMinute(bucket.delete(key(name))).catch((error) => (isMissing(error) ? undefined : Promise.reject(error)))
    },
    async putFile(name, from) {
      await upload(bucket.file(key(name)), Bun.file(from).stream())
      await rm(from)
    },
    async withLocalFile(name, work) {
      if (!(await withinMinute(bucket.exists(key(name))))) return null
      return withIncoming(dataDir, async (path) => {
        await receiveParts(bucket.file(key(name)).stream().getReader(), Bun.file(path).writer())
        return work(path)
      })
    },
  }
}

async function* chunksIn(stream: ReadableStream<Uint8Array>) {
  yield* stream
}

const PART_BYTES = 8 * 2 ** 20

/** A failure midway leaves nothing in the bucket; Bun's writer would leave its parts until it is collected. Returns the bytes. */
export async function upload(file: Bun.S3File, chunks: AsyncIterable<Uint8Array>, type?: string): Promise<number> {
  const source = chunks[Symbol.asyncIterator]()
  const late = Promise.withResolvers<never>()
  let timer: Timer | undefined
  let isLate = false
  function giveUp() {
    isLate = true
    late.reject(notAnswering())
    void source.return?.()
  }
  const stream = new ReadableStream({
    async pull(controller) {
      clearTimeout(timer)
      // Ending here would store the partial file as complete.
      if (isLate) throw notAnswering()
      const { value, done } = await source.next()
      timer = setTimeout(giveUp, STORE_TIMEOUT_MS)
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await source.return?.()
    },
  })
  const whole = file.write(new Response(stream), { ...(type && { type }), partSize: PART_BYTES, queueSize: 1, retry: 3 })
  return Promise.race([whole, late.promise]).finally(() => clearTimeout(timer))
}

async function receiveParts(reader: ReadableStreamDefaultReader<Uint8Array>, writer: Bun.FileSink) {
  try {
    for (let part = await withinMinute(reader.read()); part.value; part = await withinMinute(reader.read())) {
      writer.write(part.value)
      await writer.flush()
    }
  } finally {
    await writer.end()
    reader.cancel().catch(() => {})
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'NoSuchKey'

const notAnswering = () => new Error('the file store does not answer')

export const withinMinute = <T>(answer: Promise<T>): Promise<T> => withTimeout(STORE_TIMEOUT_MS, answer, notAnswering)

const DAY_MS = 86_400_000
const folderIn = (dataDir: string) => join(dataDir, 'incoming')

/** A path for a temporary file or folder, which the caller deletes. */
export async function incomingPath(dataDir: string): Promise<string> {
  await mkdir(folderIn(dataDir), { recursive: true, mode: 0o700 })
  return join(folderIn(dataDir), crypto.randomUUID())
}

export async function withIncoming<T>(dataDir: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = await incomingPath(dataDir)
  try {
    return await work(path)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

export async function sweepIncoming(dataDir: string): Promise<void> {
  for (const name of await readdir(folderIn(dataDir)).catch(() => [])) {
    const path = join(folderIn(dataDir), name)
    const left = await stat(path).catch(() => undefined)
    if (left && left.mtimeMs < Date.now() - DAY_MS) await rm(path, { recursive: true, force: true })
  }
}
