import { isatty } from 'node:tty'
import { backup } from '../../archive/server/backup'
import { readManifest } from '../../archive/server/openBackup'
import { saveArchive, sizeText } from '../../archive/server/saveArchive'
import { countText } from '../../format'
import { WrongUsage } from './command'

type Given = { file: string; force?: boolean }

export const STDOUT = '-'

export { backup as stream }

export async function take(chunks: AsyncIterable<Uint8Array>, { file, force }: Given) {
  if (file === STDOUT) return { file, bytes: await print(chunks) }
  const bytes = await saveArchive(file, chunks, force)
  const { tables, files } = await readManifest(file)
  return { file, bytes, rows: tables.reduce((sum, { rows }) => sum + rows, 0), files: files.count, missing: files.missing }
}

export async function print(chunks: AsyncIterable<Uint8Array>): Promise<number> {
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

type Saved = { file: string; bytes: number; rows?: number; files?: number; missing?: number }

export function show(result: unknown): string {
  const { file, bytes, rows = 0, files = 0, missing } = result as Saved
  if (file === STDOUT) return `${sizeText(bytes)} were sent`
  const lost = missing ? `. ${missing} more were already missing from the store` : ''
  return `${file} has ${countText(rows, 'row')} and ${countText(files, 'file')}, ${sizeText(bytes)}${lost}`
}

export const fillsStdout = ({ file }: Given) => file === STDOUT
