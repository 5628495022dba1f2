import { isKnownMigration } from '../../db/migrations'
import { newer, openZip, readHead } from './archiveZip'
import { type Digest, installationManifest, LIST, type Manifest, tableEntry } from './format'

export type Backup = Awaited<ReturnType<typeof openBackup>>

/** Opens the archive of an installation. Throws ArchiveFailed if this version cannot read it. */
export async function openBackup(path: string) {
  const zip = await openZip(path, { called: path })
  try {
    const known = await readHead(zip, 'installation', installationManifest)
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
  const backup = await openBackup(path)
  backup.close()
  return backup.manifest
}

function tableOf({ tables }: Manifest, name: string): Digest {
  const found = tables.find((table) => table.name === name)
  if (!found) throw new Error(`no table ${name}`)
  return found
}
