import { BOARD_FILES_MAX_BYTES, FILE_MAX_BYTES } from '../../../attachments/schema'
import type { FetchOutside } from '../../../server/outbound'
import { PLANKA_FILES_MISSING } from '../lossKinds'
import type { BoardBuilder } from './converted'
import { addFile, addressOf, filesOf } from './planka'
import { baseOf, isToken, type PlankaAccess } from './plankaAccess'
import type { Attachment, Found } from './plankaShapes'

const TIMEOUT_MS = 20_000
const FILES_MAX_MS = 300_000
/** In a row: it answers nobody any more. */
const FAILED_MAX = 20

/** Answers what each of them is. */
export function addFiles(
  board: BoardBuilder,
  found: Found,
  tasks: Map<string, number>,
  access: PlankaAccess,
  fetchOutside: FetchOutside,
) {
  const files = new Map<string, Attachment>()
  for (const attachment of filesOf(found)) {
    const task = tasks.get(attachment.cardId)
    if (task === undefined) continue
    const file = `file-${files.size + 1}`
    files.set(file, attachment)
    addFile(board, attachment, task, { file, url: null })
  }
  const download = downloading(access, fetchOutside)
  return async (name: string) => {
    const attachment = files.get(name)
    const file = attachment ? await download(attachment) : null
    if (attachment && !file) board.losses.add(PLANKA_FILES_MISSING, attachment.name)
    return file
  }
}

/** Only from this Planka, as they are asked for with its key; none any more once that takes too long, or more than a board holds. */
function downloading({ url, apiKey }: PlankaAccess, fetchOutside: FetchOutside) {
  const headers: Record<string, string> = isToken(apiKey) ? { Cookie: `accessToken=${apiKey}` } : { 'X-Api-Key': apiKey }
  const until = Date.now() + FILES_MAX_MS
  let left = BOARD_FILES_MAX_BYTES
  let failed = 0
  return async (attachment: Attachment): Promise<Blob | null> => {
    if (left <= 0 || failed >= FAILED_MAX || Date.now() > until) return null
    const fileName = addressOf(attachment).split('/').at(-1) ?? ''
    const from = `${baseOf(url)}/attachments/${encodeURIComponent(attachment.id)}/download/${fileName}`
    const asked = { headers, maxBytes: Math.min(left, FILE_MAX_BYTES), timeoutMs: TIMEOUT_MS }
    const answer = await fetchOutside(from, asked).catch(() => null)
    failed = answer ? 0 : failed + 1
    left -= answer?.bytes.length ?? 0
    return answer?.status === 200 ? new Blob([answer.bytes]) : null
  }
}
