import { ArchiveFailed } from '../schema'
import { linesIn } from './lines'
import { fileEntry, LIST, type Listed, listed, type WrittenFiles } from './manifest'
import { damaged, type Opened } from './unzip'

/** Together, of an archive from anybody. */
const MAX_BYTES = 2 * 2 ** 30
/** The list alone, which is held in memory. */
const LIST_MAX_BYTES = 16 * 2 ** 20

/** The files of an archive by their names, where they are as its list says, and no others. Throws ArchiveFailed. */
export async function filesByName(zip: Opened, { total, ...written }: WrittenFiles) {
  const { called } = zip
  if (total > MAX_BYTES || written.bytes > LIST_MAX_BYTES)
    throw new ArchiveFailed(`${called} has more files than a board can have`)
  const files = new Map<string, Listed>()
  let left = total
  for await (const line of linesIn(zip.read(LIST, written))) {
    const one = listedIn(called, line)
    if (files.has(one.name)) throw damaged(called, LIST)
    files.set(one.name, one)
    if ('missing' in one) continue
    left -= one.bytes
    if (zip.size(fileEntry(one.name)) !== one.bytes) throw damaged(called, one.name)
  }
  const present = [...files.values()].filter((one) => !('missing' in one)).length
  if (left !== 0 || present !== written.count || present !== zip.fileCount) throw damaged(called, LIST)

  const find = (name: string) => {
    const one = files.get(name)
    if (!one) throw new ArchiveFailed(`${called} has no file ${JSON.stringify(name)}`)
    return 'missing' in one ? null : one
  }
  return {
    has: (name: string) => files.has(name),
    /** Null where it was lost before the archive was made. */
    size: (name: string): number | null => find(name)?.bytes ?? null,
    async file(name: string): Promise<Uint8Array | null> {
      const one = find(name)
      return one && Buffer.concat(await Array.fromAsync(zip.read(fileEntry(name), one)))
    },
  }
}

export function listedIn(called: string, line: string): Listed {
  try {
    return listed.parse(JSON.parse(line))
  } catch {
    throw damaged(called, LIST)
  }
}
