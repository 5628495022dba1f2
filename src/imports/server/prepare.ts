import { open, stat } from 'node:fs/promises'
import { ArchiveFailed } from '../../archive/schema'
import { openBoardArchive } from '../../archive/server/openedBoard'
import { writeBoardArchive } from '../../archive/server/writtenBoard'
import type { Services } from '../../server/context'
import { badRequest } from '../../server/errors'
import { dropFiles, expectFiles } from '../../server/files/store'
import type { SignedIn } from '../../server/signedIn'
import type { ImportSource, Loss } from '../schema'
import { previewOf } from './preview'
import { isZip, withIncoming, writeTo } from './receive'
import { convert } from './sources/convert'
import type { Converted } from './sources/converted'
import type { NewImport } from './store'

type Known = { source: ImportSource; fileName: string; losses: Loss[] }
type Add<T> = (prepared: NewImport) => Promise<T>

/** From an uploaded file, which may be taken, to an import: `add` stores its row. Throws BAD_REQUEST, INSUFFICIENT_STORAGE. */
export async function prepareFile<T>(
  services: Services,
  viewer: SignedIn,
  path: string,
  fileName: string,
  add: Add<T>,
): Promise<T> {
  if (isZip(await firstBytes(path))) return prepareArchive(services, viewer, path, { source: 'wrk', fileName, losses: [] }, add)
  return prepareConverted(services, viewer, await convert(path, fileName), fileName, add)
}

/** As above, from what another program had. */
export const prepareConverted = <T>(
  services: Services,
  viewer: SignedIn,
  { source, tables, losses, file }: Converted,
  fileName: string,
  add: Add<T>,
) =>
  withIncoming(services.config, async (path) => {
    await writeTo(services, path, writeBoardArchive(tables, file)).catch(asRefusal)
    return prepareArchive(services, viewer, path, { source, fileName, losses }, add)
  })

async function prepareArchive<T>(
  services: Services,
  viewer: SignedIn,
  path: string,
  { losses, ...known }: Known,
  add: Add<T>,
): Promise<T> {
  const read = await readThrough(path, viewer, losses).catch(asRefusal)
  const { size: bytes } = await stat(path)
  await services.fileQuota.assertRoomFor(bytes)
  return services.fileQuota.storing(bytes, () =>
    keep(services, path, { ...known, ...read, bytes, file: `import-${crypto.randomUUID()}` }, add),
  )
}

async function readThrough(path: string, viewer: SignedIn, losses: Loss[]) {
  const archive = await openBoardArchive(path)
  try {
    const total = archive.manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
    return { preview: await previewOf(archive, viewer, losses), total }
  } finally {
    archive.close()
  }
}

/** Expected, stored, then claimed by `add`, as all files. */
async function keep<T>({ db, files, sweeper }: Services, path: string, prepared: NewImport, add: Add<T>): Promise<T> {
  const names = [prepared.file]
  await expectFiles(db, names)
  await files.putFile(prepared.file, path)
  try {
    return await add(prepared)
  } catch (error) {
    await dropFiles(db, names).then(sweeper.sweepSoon, () => {})
    throw error
  }
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function asRefusal(error: unknown): never {
  throw error instanceof ArchiveFailed ? badRequest(error.message) : error
}
