import { open } from 'node:fs/promises'
import { linesIn } from '../../archive/server/archiveFormat'
import { assertLength, chunksOf } from '../../server/body'
import type { Services } from '../../server/context'
import { badRequest, NoRoom, Refusal } from '../../server/errors'
import { withIncoming } from '../../server/files/storage'
import { ARCHIVE_MAX_BYTES, TEXT_MAX_BYTES } from '../schema'

const ARCHIVE_TOO_LARGE = 'An archive can be up to 2 GB.'
const TEXT_TOO_LARGE = 'A JSON or CSV file can be up to 64 MB.'
const tooLarge = (message: string) => new Refusal('PAYLOAD_TOO_LARGE', message)

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
export const isZip = (bytes: Uint8Array): boolean => ZIP.equals(bytes.subarray(0, ZIP.length))

const LOOK_AT_DISK_EVERY = 16 * 2 ** 20

/** Keeps DISK_RESERVE free. Throws INSUFFICIENT_STORAGE. */
export function assertRoom({ config, diskGuard }: Services, more: number) {
  if (config.diskReserve > 0 && diskGuard.disk().free - more < config.diskReserve) throw new NoRoom()
}

export async function withBodyAsFile<T>(
  services: Services,
  request: Request,
  work: (path: string, sha256: string) => Promise<T>,
): Promise<T> {
  assertLength(request, ARCHIVE_MAX_BYTES, () => tooLarge(ARCHIVE_TOO_LARGE))
  assertRoom(services, Number(request.headers.get('content-length') ?? 0))
  return withIncoming(services.config.dataDir, async (path) => work(path, await receive(services, request, path)))
}

async function receive(services: Services, request: Request, path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  let bytes = 0
  let isText = false
  async function* counted() {
    for await (const chunk of chunksOf(request)) {
      if (bytes === 0) isText = !isZip(chunk)
      bytes += chunk.length
      if (isText && bytes > TEXT_MAX_BYTES) throw tooLarge(TEXT_TOO_LARGE)
      hash.update(chunk)
      yield chunk
    }
  }
  await writeTo(services, path, counted())
  if (bytes === 0) throw badRequest('This file is empty.')
  return hash.digest('hex')
}

export async function writeTo(services: Services, path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  let bytes = 0
  let looked = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > ARCHIVE_MAX_BYTES) throw tooLarge(ARCHIVE_TOO_LARGE)
      if (bytes - looked > LOOK_AT_DISK_EVERY) {
        looked = bytes
        assertRoom(services, 0)
      }
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
}

/** A list on disk, one line of JSON each, for what is too large for memory while another server answers. */
export function createDiskList<T>(path: string) {
  const writer = Bun.file(path).writer()
  return {
    add(value: T): undefined {
      writer.write(`${JSON.stringify(value)}\n`)
    },
    end: async () => void (await writer.end()),
  }
}

/** Only after `end`. */
export async function* readDiskList<T>(path: string): AsyncGenerator<T> {
  const file = Bun.file(path)
  if (!(await file.exists())) return
  for await (const line of linesIn(file.stream())) yield JSON.parse(line)
}
