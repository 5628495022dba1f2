import { isatty } from 'node:tty'
import { backup as streamBackup } from '../../archive/server/backup'
import { readManifest, restore as restoreBackup, rowsOf } from '../../archive/server/restore'
import { saveArchive, sizeText } from '../../archive/server/writeArchive'
import { readConfig } from '../../config'
import { countText } from '../../format'
import { type Module, STDOUT, WrongUsage } from './command'

type ToFile = { file: string; force?: boolean }
type Saved = { file: string; bytes: number; rows?: number; files?: number; missing?: number }

export const backup: Module<ToFile, Saved> = {
  stream: streamBackup,
  async take(chunks, { file, force }) {
    const bytes = await writeTo(chunks, { file, force })
    if (file === STDOUT) return { file, bytes }
    const { tables, files } = await readManifest(file)
    return { file, bytes, rows: rowsOf(tables), files: files.count, missing: files.missing }
  },
  show({ file, bytes, rows = 0, files = 0, missing }) {
    if (file === STDOUT) return `${sizeText(bytes)} sent`
    const lost = missing ? `. ${countText(missing, 'more file was', 'more files were')} already missing from the store` : ''
    return `${file} has ${countText(rows, 'row')} and ${countText(files, 'file')}, ${sizeText(bytes)}${lost}`
  },
}

/** Returns the bytes written. Throws ArchiveFailed, or WrongUsage if they would go to a terminal. */
export const writeTo = (chunks: AsyncIterable<Uint8Array>, { file, force }: ToFile): Promise<number> =>
  file === STDOUT ? print(chunks) : saveArchive(file, chunks, force)

async function print(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  if (isatty(1)) throw new WrongUsage('an archive cannot be printed to a terminal: send it to a file or another program')
  const output = Bun.stdout.writer()
  let bytes = 0
  for await (const chunk of chunks) {
    output.write(chunk)
    bytes += chunk.length
    await output.flush()
  }
  await output.end()
  return bytes
}

type Restored = { file: string; wrk: string; createdAt: string; rows: number; files: number; missing: number }

export const restore: Module<{ file: string }, Restored> = {
  async here({ file }, say) {
    const { wrk, createdAt, tables, files } = await restoreBackup(file, readConfig(process.env), say)
    return { file, wrk, createdAt, rows: rowsOf(tables), files: files.count, missing: files.missing }
  },
  show: ({ file, createdAt, rows, files }) =>
    `${file} (made ${createdAt}) was restored: ${countText(rows, 'row')} and ${countText(files, 'file')}. Everyone must sign in again`,
}
