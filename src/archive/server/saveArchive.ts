import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ArchiveFailed } from '../schema'

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Writes beside it first, so that it is never half there. Throws ArchiveFailed if it exists. */
export async function saveArchive(path: string, chunks: AsyncIterable<Uint8Array>, force = false): Promise<number> {
  const assertFree = async () => {
    if (!force && (await exists(path))) throw new ArchiveFailed(`${path} already exists: --force overwrites it`)
  }
  await assertFree()
  const unfinished = `${path}.${crypto.randomUUID()}.part`
  const file = await open(unfinished, 'wx', 0o600).catch(cannotWrite(path))
  try {
    const bytes = await writeAll(file, chunks).finally(() => file.close())
    await assertFree()
    await rename(unfinished, path)
    await sync(dirname(path))
    return bytes
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

const cannotWrite = (path: string) => (error: Error) => {
  throw new ArchiveFailed(`${path} cannot be written: ${error.message}`)
}

async function writeAll(file: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const chunk of chunks) {
    await file.writeFile(chunk)
    bytes += chunk.length
  }
  await file.sync()
  return bytes
}

async function sync(folder: string) {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

const MIB = 2 ** 20

export const sizeText = (bytes: number): string => `${bytes < 10 * MIB ? (bytes / MIB).toFixed(1) : Math.round(bytes / MIB)} MB`
