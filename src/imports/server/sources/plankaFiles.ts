import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BOARD_FILES_MAX_BYTES, FILE_MAX_BYTES } from '../../../attachments/schema'
import { Refusal } from '../../../server/errors'
import { ANSWERS, type AskedFile, type Asking, fetchTo, isToken } from './plankaAccess'
import { addressOf, isFile } from './plankaShapes'

const FILES_MAX_MS = 300_000
/** In a row: it answers nobody any more. */
const FAILED_MAX = 20

/** Only from this Planka, as they are asked for with its key; none any more once that takes too long, or more than a board holds. */
export async function downloadFiles(asking: Asking, files: AsyncIterable<AskedFile>): Promise<void> {
  const { apiKey } = asking.access
  const headers: Record<string, string> = isToken(apiKey) ? { Cookie: `accessToken=${apiKey}` } : { 'X-Api-Key': apiKey }
  const until = Date.now() + FILES_MAX_MS
  let left = BOARD_FILES_MAX_BYTES
  let failed = 0
  let nth = -1
  for await (const file of files) {
    nth += 1
    if (!isFile(file)) continue
    if (left <= 0 || failed >= FAILED_MAX || Date.now() > until) return
    const name = ANSWERS.file(nth)
    const path = `/attachments/${encodeURIComponent(file.id)}/download/${addressOf(file).split('/').at(-1) ?? ''}`
    const status = await fetchTo(asking, { path, headers, maxBytes: Math.min(left, FILE_MAX_BYTES) }, name).catch(
      asMissing(asking),
    )
    failed = status ? 0 : failed + 1
    const to = join(asking.folder, name)
    left -= status ? Bun.file(to).size : 0
    if (status !== 200) await rm(to, { force: true })
  }
}

/** Where the person who asks is gone, or no room is left, nothing more is asked. */
const asMissing =
  ({ signal }: Asking) =>
  (error: unknown): undefined => {
    if (signal.aborted || !(error instanceof Refusal) || error.code !== 'BAD_REQUEST') throw error
  }
