import type { z } from 'zod'
import { badRequest } from '../../../server/errors'
import type { FetchOutside } from '../../../server/outbound'
import { TEXT_MAX_BYTES } from '../../schema'
import { collect } from './collect'
import type { BoardBuilder, Converted } from './converted'
import { parseJson, readJson } from './json'
import { addCards, addComments, addUsers, beginPlanka, versionOf } from './planka'
import { baseOf, isToken, type PlankaAccess } from './plankaAccess'
import { addFiles } from './plankaFiles'
import { type Card, type Comment, comments as commentsShape, type Found, projects, takes } from './plankaShapes'
import { parsed } from './shapes'

type Ask = (path: string) => Promise<string>

const TIMEOUT_MS = 20_000
const AT_ONCE = 4
const PAGE = 50
const PAGES_MAX = 2_000
const ALL_MAX_BYTES = 2 * TEXT_MAX_BYTES
const ALL_MAX_MS = 300_000
const NO_PLANKA = 'At this address there is no Planka that answers.'

/** The boards that a Planka shows to whom the key belongs. */
export async function plankaBoards(access: PlankaAccess, fetchOutside: FetchOutside) {
  const { items, included } = await read(asking(access, fetchOutside), '/api/projects', projects)
  const names = new Map(items.map(({ id, name }) => [id, name]))
  return included.boards.map(({ id, name, projectId }) => ({ id, name, project: names.get(projectId) ?? '' }))
}

/** One of them, with its archive, comments and files. */
export async function convertPlanka(access: PlankaAccess, boardId: string, fetchOutside: FetchOutside): Promise<Converted> {
  const ask = asking(access, fetchOutside)
  const answer = await ask(`/api/boards/${encodeURIComponent(boardId)}`)
  const board = beginPlanka(await readJson(inParts(answer), () => {}))
  const found = await collect(inParts(answer), takes, board.losses)
  const { isTold } = versionOf(found)
  if (isTold) await addArchived(ask, board, found)
  await nameFields(ask, found)
  const cards = [...found['included.cards'], ...found.items]
  const spoken = cards.filter(({ commentsTotal }) => !isTold || commentsTotal)
  const comments = await commentsOf(ask, board, spoken, isTold)
  const tasks = await addCards(board, found, false)
  await addComments(board, comments, tasks)
  return board.finish(addFiles(board, found, tasks, access, fetchOutside))
}

function asking({ url, apiKey }: PlankaAccess, fetchOutside: FetchOutside): Ask {
  const headers: Record<string, string> = isToken(apiKey) ? { Authorization: `Bearer ${apiKey}` } : { 'X-Api-Key': apiKey }
  const until = Date.now() + ALL_MAX_MS
  let all = 0
  return async (path) => {
    const asked = { headers, maxBytes: TEXT_MAX_BYTES, timeoutMs: TIMEOUT_MS }
    const { status, bytes } = await fetchOutside(`${baseOf(url)}${path}`, asked)
    all += bytes.length
    if (all > ALL_MAX_BYTES) throw badRequest('This board is larger than any that can be imported.')
    if (Date.now() > until) throw badRequest('Planka takes too long to tell all of this board.')
    if (status === 401 || status === 403) throw badRequest('Planka does not accept this key.')
    if (status === 404 && path.startsWith('/api/boards/'))
      throw badRequest('Planka has no such board, or this key may not see it.')
    if (status !== 200) throw badRequest(NO_PLANKA)
    const text = new TextDecoder().decode(bytes)
    if (!text.trimStart().startsWith('{')) throw badRequest(NO_PLANKA)
    return text
  }
}

const read = async <Shape extends z.ZodType>(ask: Ask, path: string, shape: Shape): Promise<z.output<Shape>> =>
  parsed(shape, parseJson(await ask(path)), `what Planka answers at ${path}`)

async function* inParts(text: string): AsyncGenerator<string> {
  const size = 32 * 1024
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

async function addArchived(ask: Ask, board: BoardBuilder, found: Found) {
  for (const { id } of found['included.lists'].filter(({ type }) => type === 'archive')) {
    let before = ''
    for (let page = 0; page < PAGES_MAX; page++) {
      const part = await collect(inParts(await ask(`/api/lists/${id}/cards${before}`)), takes, board.losses)
      for (const list of Object.keys(takes) as (keyof Found)[]) append(found, part, list)
      const last = part.items.at(-1)
      if (!last?.listChangedAt || part.items.length < PAGE) break
      before = `?${new URLSearchParams({ 'before[listChangedAt]': last.listChangedAt, 'before[id]': last.id })}`
    }
  }
}

function append<List extends keyof Found>(found: Found, part: Found, list: List) {
  for (const row of part[list]) (found[list] as Found[List][number][]).push(row)
}

/** Fields that a whole project shares are not in the board's answer. */
async function nameFields(ask: Ask, found: Found) {
  const known = new Set(found['included.customFields'].map(({ id }) => id))
  if (found['included.customFieldValues'].every(({ customFieldId }) => known.has(customFieldId))) return
  const { included } = await read(ask, '/api/projects', projects)
  found['included.customFields'].push(...(included.customFields ?? []))
}

async function commentsOf(ask: Ask, board: BoardBuilder, cards: Card[], isTold: boolean): Promise<Comment[]> {
  const kept = new Map<string, Comment[]>()
  const waiting = [...cards]
  // Once one fails, nobody waits for the others.
  const stop = (error: unknown) => {
    waiting.length = 0
    throw error
  }
  const worker = async () => {
    for (let card = waiting.shift(); card; card = waiting.shift())
      kept.set(card.id, await commentsOn(ask, board, card.id, isTold).catch(stop))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return cards.flatMap(({ id }) => kept.get(id) ?? [])
}

async function commentsOn(ask: Ask, board: BoardBuilder, cardId: string, isTold: boolean): Promise<Comment[]> {
  const path = `/api/cards/${encodeURIComponent(cardId)}/${isTold ? 'comments' : 'actions'}`
  const found: Comment[] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    const last = found.at(-1)
    const { items, included } = await read(ask, last ? `${path}?beforeId=${encodeURIComponent(last.id)}` : path, commentsShape)
    addUsers(board, included?.users ?? [], new Set())
    found.push(...items.map((comment) => ({ ...comment, cardId })))
    if (items.length < PAGE) break
  }
  return found.toReversed()
}
