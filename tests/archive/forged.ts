import { join } from 'node:path'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { LIST, MANIFEST, type Manifest } from '../../src/archive/server/manifest'

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
    const bytes = entries.get(`tables/${table.name}.ndjson`) ?? Buffer.alloc(0)
    Object.assign(table, digestOf(bytes), { rows: String(bytes).split('\n').length - 1 })
  }
  Object.assign(manifest.files, digestOf(entries.get(LIST) ?? Buffer.alloc(0)))
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

/** The same bytes with another text of the same length in them. */
export async function patched(path: string, from: string, to: string): Promise<string> {
  const text = Buffer.from(await Bun.file(path).bytes()).toString('latin1')
  await Bun.write(path, Buffer.from(text.replaceAll(from, to), 'latin1'))
  return path
}
