import { isKnownMigration } from '../../db/migrations'
import { newer, readHead } from './head'
import { type Digest, LIST, type Manifest, manifest, tableEntry } from './manifest'
import { openZip } from './unzip'

export type Archive = Awaited<ReturnType<typeof openArchive>>

/** Of an installation. Throws ArchiveFailed where it is none, or one that this wrk does not understand. */
export async function openArchive(path: string) {
  const zip = await openZip(path, { called: path })
  try {
    const known = await readHead(zip, 'installation', manifest)
    if (!isKnownMigration(known.migration)) throw newer(path, known.wrk)
    return {
      manifest: known,
      table: (name: string) => zip.read(tableEntry(name), tableOf(known, name)),
      list: () => zip.read(LIST, known.files),
      files: zip.files,
      close: zip.close,
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

export async function readManifest(path: string): Promise<Manifest> {
  const archive = await openArchive(path)
  archive.close()
  return archive.manifest
}

function tableOf({ tables }: Manifest, name: string): Digest {
  const found = tables.find((table) => table.name === name)
  if (!found) throw new Error(`no table ${name}`)
  return found
}
