import { join } from 'node:path'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { LIST, MANIFEST, type Manifest, tableEntry } from '../../src/archive/server/archiveFormat'

type Entries = Map<string, Buffer>

/** What is in an archive, all of it. */
export async function entriesOf(path: string): Promise<Entries> {
  const zip = await openPromise(path, { autoClose: false })
  const entries: Entries = new Map()
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, Buffer.concat(await Array.fromAsync(await zip.openReadStreamPromise(entry))))
  zip.close()
  return entries
}

/** Another archive of what was changed, whose manifest says so. */
export async function forge(
  path: string,
  folder: string,
  change: (entries: Entries, manifest: Manifest) => void,
): Promise<string> {
  const entries = await entriesOf(path)
  const manifest: Manifest = JSON.parse(String(entries.get(MANIFEST)))
  entries.delete(MANIFEST)
  change(entries, manifest)
  if (!entries.has(MANIFEST)) entries.set(MANIFEST, Buffer.from(JSON.stringify(manifest)))
  return write(join(folder, `${crypto.randomUUID()}.zip`), entries)
}

/** Has the manifest say what its tables and its list are, as they are now. */
export function seal(entries: Entries, manifest: Manifest) {
  for (const table of manifest.tables) {
    const bytes = bytesIn(entries.get(tableEntry(table.name)))
    Object.assign(table, digestOf(bytes), { rows: String(bytes).split('\n').length - 1 })
  }
  Object.assign(manifest.files, digestOf(bytesIn(entries.get(LIST))))
}

export const digestOf = (bytes: Buffer) => ({
  bytes: bytes.length,
  sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
})

async function write(path: string, entries: Entries): Promise<string> {
  const zip = new ZipFile()
  for (const [name, bytes] of entries) zip.addBuffer(bytes, name)
  zip.end()
  await Bun.write(path, Buffer.concat(await Array.fromAsync(zip.outputStream as AsyncIterable<Buffer>)))
  return path
}

const bytesIn = (bytes: Buffer | undefined): Buffer => bytes ?? Buffer.alloc(0)

/** With a table whose lines were changed; not sealed, so that its manifest says otherwise. */
export function changeTable(entries: Entries, table: string, change: (text: string) => string): Entries {
  const name = tableEntry(table)
  return entries.set(name, Buffer.from(change(String(bytesIn(entries.get(name))))))
}

/** Whose table of tasks is larger than its own header says. */
export async function bombed(path: string, folder: string, bytes: number): Promise<string> {
  const tasks = tableEntry('tasks')
  let size = 0
  const bomb = await forge(path, folder, (entries) => {
    size = bytesIn(entries.get(tasks)).length
    entries.set(tasks, Buffer.alloc(bytes, 'a'))
  })
  return patched(bomb, uint32(bytes), uint32(size))
}

function uint32(value: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes.toString('latin1')
}

/** With a file whose name becomes another of the same length. */
export async function misnamed(path: string, folder: string, name: string, from = 'files/xx-passwd'): Promise<string> {
  return patched(await forge(path, folder, (entries) => entries.set(from, Buffer.alloc(1))), from, name)
}

/** A copy of these bytes of an archive. */
export async function slicedFrom(path: string, folder: string, from: number, to?: number): Promise<string> {
  const copy = join(folder, `${crypto.randomUUID()}.zip`)
  await Bun.write(copy, (await Bun.file(path).bytes()).subarray(from, to))
  return copy
}

/** The same bytes with another text of the same length in them. */
async function patched(path: string, from: string, to: string): Promise<string> {
  const text = Buffer.from(await Bun.file(path).bytes()).toString('latin1')
  await Bun.write(path, Buffer.from(text.replaceAll(from, to), 'latin1'))
  return path
}
