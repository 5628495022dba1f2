import { setImmediate } from 'node:timers/promises'
import { version } from '../../../package.json'
import { FORMAT, fileEntry, LIST, type Listed, MANIFEST, tableEntry, type WrittenFiles, type WrittenTable } from './manifest'
import { createZip, type Zip } from './zip'

/** An archive of what `write` adds, made as it is read; its manifest is what `write` answers. */
export async function* archived(write: (zip: Zip) => Promise<object>): AsyncGenerator<Uint8Array> {
  const zip = createZip()
  const written = write(zip)
    .then((manifest) => addManifest(zip, manifest))
    .then(zip.end)
  written.catch(zip.fail)
  try {
    yield* zip.output
    await written
  } finally {
    zip.fail(new Error('nobody takes the archive any more'))
  }
}

function addManifest(zip: Zip, rest: object) {
  const head = { format: FORMAT, wrk: version, createdAt: new Date().toISOString() }
  return zip.add(MANIFEST, once(JSON.stringify({ ...head, ...rest }, null, 2)), true)
}

/** Its parts are whole lines. */
export async function addTable(zip: Zip, name: string, parts: AsyncIterable<string>): Promise<WrittenTable> {
  let rows = 0
  async function* counted() {
    for await (const part of parts) {
      rows += part.split('\n').length - 1
      yield part
    }
  }
  const digest = await zip.add(tableEntry(name), counted(), true)
  return { name, rows, ...digest }
}

/** With the list of them. One that `get` does not find is noted as missing. */
export async function addFiles(
  zip: Zip,
  names: AsyncIterable<string> | Iterable<string>,
  get: (name: string) => Promise<Blob | null>,
): Promise<WrittenFiles> {
  const list: string[] = []
  const files = { count: 0, missing: 0, total: 0 }
  const note = (line: Listed) => list.push(`${JSON.stringify(line)}\n`)
  for await (const name of names) {
    const file = await get(name)
    if (file) {
      const digest = await zip.add(fileEntry(name), piecesOf(file), false)
      note({ name, ...digest })
      files.count += 1
      files.total += digest.bytes
    } else {
      note({ name, missing: true })
      files.missing += 1
    }
  }
  return { ...files, ...(await zip.add(LIST, each(list), true)) }
}

/** Of a file's name, so that whoever unpacks an archive can open it. */
export const extensionOf = (name: string) => /\.(?!part$)\w{1,8}$/i.exec(name)?.[0].toLowerCase() ?? ''

async function* once<T>(chunk: T) {
  yield chunk
}

const PIECE_BYTES = 2 ** 18

/** With time for everybody else in between: the checksums of a whole file take a tenth of a second. */
async function* piecesOf(file: Blob) {
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    yield await file.slice(at, at + PIECE_BYTES).bytes()
    await setImmediate()
  }
}

async function* each<T>(chunks: T[]) {
  yield* chunks
}
