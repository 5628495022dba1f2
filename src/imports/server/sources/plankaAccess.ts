import { join } from 'node:path'
import { numberText } from '../../../format'
import { endedEarly } from '../../../server/body'
import { badRequest } from '../../../server/errors'
import type { MemoryBudget } from '../../../server/memoryBudget'
import type { FetchOutside } from '../../../server/outbound'
import { BOARD_QUOTA } from '../../../tasks/limits'
import type { Attachment, Card } from './plankaShapes'

export type PlankaAccess = { url: string; apiKey: string }

/** How to query a Planka server. Its answers go to the disk, so that slow ones hold no memory. */
export type Asking = {
  access: PlankaAccess
  fetchOutside: FetchOutside
  folder: string
  fileMax: number
  save(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Held while an answer is read, never while one is awaited. */
  memory: MemoryBudget
  signal: AbortSignal
}

/** Names of the files in the folder; cards, pages and files count from 0. */
export const ANSWERS = {
  board: 'board',
  projects: 'projects',
  /** Lists, of `AskedCard` and `AskedFile`. */
  cards: 'cards',
  files: 'files',
  archived: (page: number) => `archived-${page}`,
  comments: (card: number, page: number) => `comments-${card}-${page}`,
  file: (nth: number) => `file-${nth}`,
}
export type AskedCard = Pick<Card, 'id' | 'commentsTotal'>
export type AskedFile = Pick<Attachment, 'id' | 'type' | 'url' | 'data'>

/** Version 1 does not give the number of comments. */
export const hasComments = (isTold: boolean, { commentsTotal }: AskedCard): boolean => !isTold || Boolean(commentsTotal)

export function assertFewCards(count: number) {
  if (count > BOARD_QUOTA.tasks)
    throw badRequest(`A board can have at most ${numberText(BOARD_QUOTA.tasks)} tasks, and this one has more cards.`)
}

const MIB = 2 ** 20
export const ELEMENT_MAX = { length: 2 * MIB, weight: 20_000 }
/** A board's answer holds all its cards; the others hold pages of fifty. */
export const BOARD_MAX_BYTES = 16 * MIB
const PAGE_MAX_BYTES = 4 * MIB
const ALL_MAX_BYTES = 64 * MIB
const TIMEOUT_MS = 20_000
const ALL_MAX_MS = 300_000
const BEGINNING = 100
const NO_PLANKA = 'No Planka server answers at this address.'

/** Fetches `path` into the file `name`. Throws BAD_REQUEST. */
export type Ask = (path: string, name: string, maxBytes?: number) => Promise<void>

/** Version 1 knows only session tokens; version 2 has API keys. */
export const isToken = (key: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(key)

function baseOf({ url }: PlankaAccess): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

export async function fetchTo(
  { access, fetchOutside, folder, save, signal }: Asking,
  from: { path: string; headers: Record<string, string>; maxBytes: number },
  name: string,
): Promise<number> {
  if (signal.aborted) endedEarly()
  const { path, ...asked } = from
  const { status } = await fetchOutside(`${baseOf(access)}${path}`, {
    ...asked,
    timeoutMs: TIMEOUT_MS,
    usesImportAllow: true,
    signal,
    save: (chunks) => save(join(folder, name), chunks),
  })
  return status
}

export function createAsk(asking: Asking): Ask {
  const { apiKey } = asking.access
  const headers: Record<string, string> = isToken(apiKey) ? { Authorization: `Bearer ${apiKey}` } : { 'X-Api-Key': apiKey }
  const until = Date.now() + ALL_MAX_MS
  let all = 0
  return async (path, name, maxBytes = PAGE_MAX_BYTES) => {
    const status = await fetchTo(asking, { path, headers, maxBytes }, name)
    const answer = Bun.file(join(asking.folder, name))
    all += answer.size
    if (all > ALL_MAX_BYTES) throw badRequest('This board is too large to import.')
    if (Date.now() > until) throw badRequest('Planka took too long to send this board.')
    if (status === 401 || status === 403) throw badRequest('Planka does not accept this key.')
    if (status === 404 && path.startsWith('/api/boards/'))
      throw badRequest('Planka has no such board, or this API key has no access to it.')
    if (status !== 200) throw badRequest(NO_PLANKA)
    if (!/^\s*\{/.test(await answer.slice(0, BEGINNING).text())) throw badRequest(NO_PLANKA)
  }
}
