import { restore, rowsOf } from '../../archive/server/restore'
import { readConfig } from '../../config'
import { countText } from '../../format'
import type { Say } from './command'

type Given = { file: string }

export async function here({ file }: Given, say: Say) {
  const config = readConfig(process.env)
  const { wrk, createdAt, tables, files } = await restore(file, config, say)
  return { file, wrk, createdAt, rows: rowsOf(tables), files: files.count, missing: files.missing }
}
type Restored = Awaited<ReturnType<typeof here>>

export function show(result: unknown): string {
  const { file, createdAt, rows, files } = result as Restored
  return `${file}, from ${createdAt}, is restored: ${countText(rows, 'row')} and ${countText(files, 'file')}. Everyone has to sign in again`
}
