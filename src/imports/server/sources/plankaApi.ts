import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BOARD_FILES_MAX_BYTES } from '../../../attachments/schema'
import { endedEarly } from '../../../server/body'
import { Refusal } from '../../../server/errors'
import { PLANKA_LOOK_BYTES } from '../memoryNeeds'
import { createDiskList, readDiskList } from '../tempFiles'
import { createKept } from './boardBuilder'
import { collect, type Parsers, readJson } from './json'
import { createLosses } from './losses'
import {
  ANSWERS,
  type Ask,
  type AskedCard,
  type AskedFile,
  type Asking,
  assertFewCards,
  BOARD_MAX_BYTES,
  createAsk,
  ELEMENT_MAX,
  fetchTo,
  hasComments,
  isToken,
} from './plankaAccess'
import { addressOf, head, isFile, projectParsers } from './plankaShapes'
import { id, parserOf, parseShape } from './shapes'
import { textOf } from './text'

const DAMAGED = 'Planka’s answer is damaged'
const MIB = 2 ** 20
const LOOK_KEPT_BYTES = 2 * MIB
const LIST_KEPT_BYTES = 28 * MIB
const AT_ONCE = 4
const PAGE = 50
const PAGE_ROWS_MAX = 10_000
const PAGES_MAX = 2_000

export async function listPlankaBoards(asking: Asking) {
  await createAsk(asking)('/api/projects', ANSWERS.projects)
  return read(asking, async () => {
    const found = await collected(asking, ANSWERS.projects, projectParsers, LIST_KEPT_BYTES)
    const names = new Map(found.items.map(({ id, name }) => [id, name]))
    return found['included.boards'].map(({ id, name, projectId }) => ({ id, name, project: names.get(projectId) ?? '' }))
  })
}

/** Fetches a board with its archive, comments and files into the folder, and keeps nothing in memory that could be large. */
export async function askForBoard(asking: Asking, boardId: string): Promise<void> {
  const ask = createAsk(asking)
  const [cards, files] = [listIn<AskedCard>(asking, ANSWERS.cards), listIn<AskedFile>(asking, ANSWERS.files)]
  const noting = noteOf(cards, files)
  try {
    await ask(`/api/boards/${encodeURIComponent(boardId)}`, ANSWERS.board, BOARD_MAX_BYTES)
    const { archives, isTold } = await read(asking, () => lookAtBoard(asking, noting))
    if (isTold) await askForArchived(asking, ask, archives, noting)
    // A board's answer lacks the fields that its whole project shares.
    if (isTold) await ask('/api/projects', ANSWERS.projects)
    await cards.end()
    await askForComments(asking, ask, isTold)
  } finally {
    await Promise.all([cards.end(), files.end()])
  }
  await downloadFiles(asking, readDiskList<AskedFile>(join(asking.folder, ANSWERS.files)))
}

const listIn = <T>({ folder }: Asking, name: string) => createDiskList<T>(join(folder, name))

const read = <T>({ memory, signal }: Asking, work: () => Promise<T>): Promise<T> =>
  memory.hold(PLANKA_LOOK_BYTES, async () => (signal.aborted ? endedEarly() : work()))

const collected = <Take extends Parsers>({ folder }: Asking, name: string, takes: Take, keptBytes = LOOK_KEPT_BYTES) =>
  collect(textOf(join(folder, name), 'utf-8'), takes, { losses: createLosses(), kept: createKept(keptBytes) }, ELEMENT_MAX)

const askedCard = z.object({ id, commentsTotal: z.number().nullish() })
const askedFile = z.object({
  id,
  type: z.string().nullish(),
  url: z.string().nullish(),
  data: z.object({ url: z.string().nullish() }).nullish(),
})
type Noting = ReturnType<typeof noteOf>

function noteOf(cards: ReturnType<typeof listIn<AskedCard>>, files: ReturnType<typeof listIn<AskedFile>>) {
  const card = parserOf(askedCard)
  const file = parserOf(askedFile)
  let count = 0
  function noteCard(value: unknown, where: string) {
    assertFewCards(++count)
    return cards.add(card(value, where))
  }
  return {
    'included.cards': noteCard,
    items: noteCard,
    'included.attachments': (value: unknown, where: string) => files.add(file(value, where)),
  }
}

async function lookAtBoard(asking: Asking, noting: Noting) {
  const rest = await readJson(textOf(join(asking.folder, ANSWERS.board), 'utf-8'), () => {})
  parseShape(head, rest, 'the board', DAMAGED)
  const list = parserOf(z.object({ id, type: z.string().nullish() }))
  let isTold = false
  const { 'included.lists': archives } = await collected(asking, ANSWERS.board, {
    ...noting,
    'included.lists': (given, where) => {
      const { id, type } = list(given, where)
      if (type) isTold = true
      return type === 'archive' ? id : undefined
    },
  })
  return { archives, isTold }
}

const page = z.object({ items: z.array(z.unknown()).max(PAGE_ROWS_MAX) })

async function askForPage<Row>(
  asking: Asking,
  ask: Ask,
  path: string,
  name: string,
  take: (value: unknown, where: string) => Row,
) {
  await ask(path, name)
  return read(asking, async () => {
    const rest = await readJson(textOf(join(asking.folder, name), 'utf-8'), () => {})
    parseShape(page, rest, path, DAMAGED)
    let count = 0
    let last: Row | undefined
    const items = (value: unknown, where: string): undefined => {
      count += 1
      last = take(value, where)
    }
    await collected(asking, name, { items })
    return { count, last }
  })
}

async function askForArchived(asking: Asking, ask: Ask, archives: string[], noting: Noting) {
  const row = parserOf(z.object({ id, listChangedAt: z.string().nullish() }))
  let pages = 0
  for (const list of archives) {
    let before = ''
    for (let page = 0; page < PAGES_MAX; page++) {
      const name = ANSWERS.archived(pages++)
      const { count, last } = await askForPage(asking, ask, `/api/lists/${list}/cards${before}`, name, row)
      await read(asking, () => collected(asking, name, noting))
      if (!last?.listChangedAt || count < PAGE) break
      before = `?${new URLSearchParams({ 'before[listChangedAt]': last.listChangedAt, 'before[id]': last.id })}`
    }
  }
}

async function askForComments(asking: Asking, ask: Ask, isTold: boolean) {
  const cards = numbered(readDiskList<AskedCard>(join(asking.folder, ANSWERS.cards)))
  let isOver = false
  const stop = (error: unknown) => {
    isOver = true
    throw error
  }
  const worker = async () => {
    for (let next = await cards.next(); !next.done && !isOver; next = await cards.next()) {
      const [nth, card] = next.value
      if (hasComments(isTold, card)) await askForCommentsOn(asking, ask, { nth, cardId: card.id, isTold }).catch(stop)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function* numbered<T>(all: AsyncIterable<T>): AsyncGenerator<[number, T]> {
  let nth = 0
  for await (const one of all) yield [nth++, one]
}

type OfCard = { nth: number; cardId: string; isTold: boolean }

async function askForCommentsOn(asking: Asking, ask: Ask, { nth, cardId, isTold }: OfCard) {
  const path = `/api/cards/${encodeURIComponent(cardId)}/${isTold ? 'comments' : 'actions'}`
  const row = parserOf(z.object({ id }))
  let before = ''
  for (let page = 0; page < PAGES_MAX; page++) {
    const { count, last } = await askForPage(asking, ask, path + before, ANSWERS.comments(nth, page), row)
    if (count < PAGE || !last) break
    before = `?beforeId=${encodeURIComponent(last.id)}`
  }
}

const FILES_MAX_MS = 300_000
/** After this many requests in a row without a whole answer it counts as down; a refusal is an answer. */
const UNANSWERED_MAX = 20

/** Only from this Planka, because requests carry its key. Stops when that takes too long or exceeds what a board holds. */
async function downloadFiles(asking: Asking, files: AsyncIterable<AskedFile>): Promise<void> {
  const { apiKey } = asking.access
  const headers: Record<string, string> = isToken(apiKey) ? { Cookie: `accessToken=${apiKey}` } : { 'X-Api-Key': apiKey }
  const until = Date.now() + FILES_MAX_MS
  let left = BOARD_FILES_MAX_BYTES
  let unanswered = 0
  let nth = -1
  for await (const file of files) {
    nth += 1
    if (!isFile(file)) continue
    if (left <= 0 || unanswered >= UNANSWERED_MAX || Date.now() > until) return
    const name = ANSWERS.file(nth)
    const path = `/attachments/${encodeURIComponent(file.id)}/download/${addressOf(file).split('/').at(-1) ?? ''}`
    const status = await fetchTo(asking, { path, headers, maxBytes: Math.min(left, asking.fileMax) }, name).catch(
      asMissing(asking),
    )
    unanswered = status ? 0 : unanswered + 1
    const to = join(asking.folder, name)
    left -= status ? Bun.file(to).size : 0
    if (status !== 200) await rm(to, { force: true })
  }
}

/** Goes on unless the user has gone or the disk is full. */
const asMissing =
  ({ signal }: Asking) =>
  (error: unknown): undefined => {
    if (signal.aborted || !(error instanceof Refusal) || error.code !== 'BAD_REQUEST') throw error
  }
