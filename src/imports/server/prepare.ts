import { mkdir, stat } from 'node:fs/promises'
import { ArchiveFailed } from '../../archive/schema'
import { openBoardArchive } from '../../archive/server/openBoardArchive'
import { writeBoardArchive } from '../../archive/server/writeArchive'
import type { AcceptedFiles } from '../../attachments/schema'
import { type AccountQuota, megabytes } from '../../server/accountQuota/quota'
import type { Services } from '../../server/context'
import { badRequest } from '../../server/errors'
import { withIncoming } from '../../server/files/storage'
import { dropFiles, expectFiles } from '../../server/files/store'
import type { MemoryBudget } from '../../server/memoryBudget'
import type { SignedIn } from '../../server/signedIn'
import type { ImportSource, Loss, Reading, ReadTable } from '../schema'
import { ARCHIVE_BYTES, keptWithin, memoryToConvert, PLANKA_BYTES } from './memoryNeeds'
import { previewOf } from './preview'
import { type Converted, createKept, type Kept } from './sources/boardBuilder'
import { convert } from './sources/convert'
import { convertPlanka } from './sources/planka'
import type { Asking, PlankaAccess } from './sources/plankaAccess'
import { askForBoard } from './sources/plankaApi'
import { filesOf, type NewImport } from './store'
import { isZip, writeTo } from './tempFiles'

type Known = { source: ImportSource; fileName: string; losses: Loss[]; table?: ReadTable | undefined; csv?: Csv | undefined }
/** The CSV, which is kept; `counted`: the bytes that its import already takes. */
type Csv = { path: string; isNew: boolean; counted: number }
type Add<T> = (prepared: NewImport) => Promise<T>

/** Turns an uploaded file into an import; `add` stores its row. Throws BAD_REQUEST, INSUFFICIENT_STORAGE. */
export async function prepareFile<T>(
  services: Services,
  viewer: SignedIn,
  path: string,
  fileName: string,
  add: Add<T>,
): Promise<T> {
  if (isZip(await Bun.file(path).slice(0, 4).bytes()))
    return prepareArchive(services, viewer, path, { source: 'wrk', fileName, losses: [] }, add)
  return prepareText(services, viewer, { path, isNew: true, counted: 0 }, { fileName, reading: {} }, add)
}

export const prepareReread = <T>(
  services: Services,
  viewer: SignedIn,
  path: string,
  { bytes: counted, ...given }: { fileName: string; reading: Reading; bytes: number },
  add: Add<T>,
): Promise<T> => prepareText(services, viewer, { path, isNew: false, counted }, given, add)

function prepareText<T>(
  services: Services,
  viewer: SignedIn,
  csv: Csv,
  { fileName, reading }: { fileName: string; reading: Reading },
  add: Add<T>,
): Promise<T> {
  const conversion = {
    memory: services.importMemory.uploads,
    bytes: memoryToConvert(Bun.file(csv.path).size),
    make: (kept: Kept) => convert(csv.path, fileName, kept, reading),
  }
  return prepareConverted(services, viewer, conversion, fileName, add, csv)
}

type Conversion = { memory: MemoryBudget; bytes: number; make(kept: Kept): Promise<Converted> }

export const preparePlanka = <T>(
  services: Services,
  viewer: SignedIn,
  { boardId, ...given }: PlankaAccess & { boardId: string; signal: AbortSignal },
  add: Add<T>,
) =>
  withAsking(services, given, async (asking) => {
    await askForBoard(asking, boardId)
    const make = (kept: Kept) => convertPlanka(asking.folder, kept)
    const conversion = { memory: asking.memory, bytes: PLANKA_BYTES, make }
    return prepareConverted(services, viewer, conversion, new URL(given.url).host, add)
  })

export const withAsking = <T>(
  services: Services,
  { signal, ...access }: PlankaAccess & { signal: AbortSignal },
  work: (asking: Asking) => Promise<T>,
) =>
  withIncoming(services.config.dataDir, async (folder) => {
    await mkdir(folder, { mode: 0o700 })
    const { fetchOutside, importMemory } = services
    const save: Asking['save'] = (path, chunks) => writeTo(services, path, chunks)
    const { maxBytes: fileMax } = services.config.attachments
    return work({ access, fetchOutside, folder, save, fileMax, memory: importMemory.planka, signal })
  })

const prepareConverted = <T>(
  services: Services,
  viewer: SignedIn,
  { memory, bytes, make }: Conversion,
  fileName: string,
  add: Add<T>,
  csv?: Csv,
) =>
  withIncoming(services.config.dataDir, async (path) => {
    const known = await memory.hold(bytes, async (held) => write(services, path, await make(createKept(keptWithin(held)))))
    return prepareArchive(services, viewer, path, { ...known, fileName, csv: known.table && csv }, add)
  })

/** Returns nothing that keeps the rows in memory. */
async function write(services: Services, path: string, { source, tables, losses, table, file }: Converted) {
  await writeTo(services, path, writeBoardArchive(tables, file)).catch(asRefusal)
  return { source, losses, table }
}

async function prepareArchive<T>(
  services: Services,
  viewer: SignedIn,
  path: string,
  { losses, table, csv, ...known }: Known,
  add: Add<T>,
): Promise<T> {
  const { uploads } = services.importMemory
  const accepted = services.config.attachments
  const { boardBytes, ...read } = await uploads
    .hold(ARCHIVE_BYTES, () => readThrough(path, viewer, losses, accepted))
    .catch(asRefusal)
  const [archiveBytes, csvBytes] = [(await stat(path)).size, csv ? (await stat(csv.path)).size : 0]
  const bytes = archiveBytes + csvBytes
  const added = csv?.isNew ? bytes : archiveBytes
  const { accountQuota, fileQuota } = services
  await accountQuota.assertRoomFor(viewer.id, boardBytes - (csv?.counted ?? 0), tooLarge(boardBytes, accountQuota))
  await fileQuota.assertRoomFor(added)
  const preview = table ? { ...read.preview, table } : read.preview
  const file = `import-${crypto.randomUUID()}`
  const original = csv?.isNew ? `${file}-csv` : null
  const paths = csv ? [path, csv.path] : [path]
  const store = () => keep(services, paths, { ...known, preview, total: read.total, bytes, file, original }, add)
  return accountQuota.storing(viewer.id, added, () => fileQuota.storing(added, store))
}

const tooLarge = (bytes: number, { size }: AccountQuota) =>
  `This board needs ${megabytes(bytes)}, which is more than you have left of your ${size} of storage. Delete tasks, boards or files first.`

async function readThrough(path: string, viewer: SignedIn, losses: Loss[], accepted: AcceptedFiles) {
  const archive = await openBoardArchive(path)
  try {
    const total = archive.manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
    const { preview, bytes } = await previewOf(archive, viewer, losses, accepted)
    return { preview, boardBytes: bytes, total }
  } finally {
    archive.close()
  }
}

async function keep<T>({ db, files, sweeper }: Services, paths: string[], prepared: NewImport, add: Add<T>): Promise<T> {
  const names = filesOf(prepared)
  await expectFiles(db, names)
  for (const [nth, name] of names.entries()) await files.putFile(name, paths[nth] ?? '')
  try {
    return await add(prepared)
  } catch (error) {
    await dropFiles(db, names).then(sweeper.sweepSoon, () => {})
    throw error
  }
}

function asRefusal(error: unknown): never {
  throw error instanceof ArchiveFailed ? badRequest(error.message) : error
}
