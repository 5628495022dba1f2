import { join } from 'node:path'
import { readDiskList } from '../tempFiles'
import { type BoardBuilder, type Converted, createBoard, describe, type Field, inOrder, type Kept } from './boardBuilder'
import { collect, readJson } from './json'
import { PLANKA_FILES_MISSING } from './losses'
import { ANSWERS, type AskedCard, assertFewCards, ELEMENT_MAX, hasComments } from './plankaAccess'
import {
  type Attachment,
  addressOf,
  boardParsers,
  type Card,
  type Comment,
  commentParsers,
  type Found,
  head,
  isFile,
  projectParsers,
  type User,
} from './plankaShapes'
import { parseShape } from './shapes'
import { groupedBy, mapOf, textOf, withPauses } from './text'

/** Reads the answer of Planka's `GET /api/boards/:id`, version 1 or 2: Planka has no export. */
export async function convertPlankaAnswer(chunks: AsyncIterable<string>, rest: unknown, kept: Kept): Promise<Converted> {
  const board = beginPlanka(rest, kept)
  const found = await collect(chunks, boardParsers, board)
  const { isTold } = versionOf(found)
  for (const { name, commentsTotal } of found['included.cards'])
    if (!isTold || (commentsTotal ?? 0) > 0)
      board.losses.add('cards whose comments are not in the file, only on the Planka server', name)
  const tasks = await addCards(board, found, true)
  for (const attachment of found['included.attachments'].filter(isFile)) {
    const task = tasks.get(attachment.cardId)
    if (task !== undefined) addFile(board, attachment, task, { url: addressOf(attachment) })
  }
  return board.finish()
}

export async function convertPlanka(folder: string, kept: Kept): Promise<Converted> {
  const answer = (name: string) => textOf(join(folder, name), 'utf-8')
  const isThere = (name: string) => Bun.file(join(folder, name)).exists()
  // Short pages alone would never pause.
  const pagesOf = (nameOf: (page: number) => string) =>
    withPauses(
      (async function* pages() {
        for (let page = 0; await isThere(nameOf(page)); page++) yield answer(nameOf(page))
      })(),
    )
  const board = beginPlanka(await readJson(answer(ANSWERS.board), () => {}), kept)
  const found = await collect(answer(ANSWERS.board), boardParsers, board, ELEMENT_MAX)
  const { isTold } = versionOf(found)
  for await (const page of pagesOf(ANSWERS.archived)) {
    const part = await collect(page, boardParsers, board, ELEMENT_MAX)
    for (const list of Object.keys(boardParsers) as (keyof Found)[]) append(found, part, list)
  }
  if (await isThere(ANSWERS.projects))
    append(found, await collect(answer(ANSWERS.projects), projectParsers, board, ELEMENT_MAX), 'included.customFields')
  const comments: Comment[] = []
  let asked = 0
  for await (const card of withPauses(readDiskList<AskedCard>(join(folder, ANSWERS.cards)))) {
    const nth = asked++
    if (!hasComments(isTold, card)) continue
    const ofCard: Comment[] = []
    for await (const page of pagesOf((page) => ANSWERS.comments(nth, page))) {
      const part = await collect(page, commentParsers, board, ELEMENT_MAX)
      await addUsers(board, part['included.users'], new Map())
      for (const comment of part.items) ofCard.push({ ...comment, cardId: card.id })
    }
    comments.push(...ofCard.toReversed())
  }
  const tasks = await addCards(board, found, false)
  await addComments(board, comments, tasks)
  return board.finish(addFiles(board, found, tasks, folder))
}

function append<List extends keyof Found>(found: Found, part: Pick<Found, List>, list: List) {
  for (const row of part[list]) (found[list] as Found[List][number][]).push(row)
}

function beginPlanka(rest: unknown, kept: Kept): BoardBuilder {
  const { item } = parseShape(head, rest, 'the board')
  return createBoard('planka', { name: item.name, description: null, createdAt: item.createdAt }, kept)
}

/** Only version 2 has list types and the number of comments. */
const versionOf = (found: Found) => ({ isTold: found['included.lists'].some(({ type }) => type) })

type Place = { file?: string; url?: string }

function addFile(board: BoardBuilder, { name, creatorUserId, createdAt }: Attachment, task: number, place: Place) {
  board.attach({ task, person: board.personOf(creatorUserId), name, createdAt, ...place })
}

function addFiles(board: BoardBuilder, found: Found, tasks: Map<string, number>, folder: string) {
  const files = new Map<string, { path: string; name: string }>()
  for (const [nth, attachment] of found['included.attachments'].entries()) {
    const task = tasks.get(attachment.cardId)
    if (task === undefined || !isFile(attachment)) continue
    const file = `file-${files.size + 1}`
    files.set(file, { path: join(folder, ANSWERS.file(nth)), name: attachment.name })
    addFile(board, attachment, task, { file })
  }
  return async (name: string) => {
    const { path, name: shown } = files.get(name) ?? {}
    const file = path === undefined ? null : Bun.file(path)
    if (file && (await file.exists())) return file
    if (file) board.losses.add(PLANKA_FILES_MISSING, shown)
    return null
  }
}

/** Task numbers by card id. `isFromFile`: the files are only for users signed in to Planka. */
async function addCards(board: BoardBuilder, found: Found, isFromFile: boolean): Promise<Map<string, number>> {
  const cards = [...found['included.cards'], ...found.items]
  assertFewCards(cards.length)
  const members = await groupedBy(found['included.boardMemberships'], ({ userId }) => userId)
  await addUsers(board, found['included.users'], members)
  const lists = await mapOf(found['included.lists'], (list) => [list.id, list])
  const describing = await describeCard(board, found, isFromFile)
  const labels = await labelsOf(found)
  const assigned = await groupedBy(found['included.cardMemberships'], ({ cardId }) => cardId)
  const place = ({ listId, position }: Card) => {
    const list = lists.get(listId)
    return [list?.type === 'archive' ? Number.MAX_VALUE : (list?.position ?? Number.MAX_VALUE), position]
  }
  const tasks = new Map<string, number>()
  for await (const card of withPauses(inOrder(cards, place))) {
    const within = lists.get(card.listId)
    if (within?.type === 'trash') continue
    if (tasks.has(card.id)) {
      board.losses.add('duplicate cards', card.name)
      continue
    }
    const list = within?.type === 'archive' ? lists.get(card.prevListId ?? '') : within
    if (!within) board.losses.add('cards whose list is not in the file', card.name)
    if (card.dueDate) board.losses.add('times of due dates: only the day in UTC is kept', card.name)
    const task = board.task({
      title: card.name,
      description: describing(card),
      list: list?.name || null,
      closed: within?.type === 'archive',
      isDone: card.isDueCompleted || card.isDueDateCompleted || list?.type === 'closed',
      dueDate: card.dueDate?.slice(0, 10) ?? null,
      tags: labels(card),
      createdBy: board.known(card.creatorUserId),
      createdAt: card.createdAt,
      updatedAt: card.updatedAt,
      doneAt: null,
    })
    tasks.set(card.id, task)
    board.assign(
      task,
      (assigned.get(card.id) ?? []).map(({ userId }) => board.personOf(userId)),
    )
  }
  return tasks
}

async function addUsers(board: BoardBuilder, users: User[], members: Map<string, unknown>) {
  for await (const { id, name, username, email } of withPauses(users))
    board.person(id, { name: name || username, email, member: members.has(id) })
}

async function labelsOf(found: Found) {
  const names = await mapOf(found['included.labels'], ({ id, name, color }) => [id, name || color.replaceAll('-', ' ')])
  const byCard = await groupedBy(found['included.cardLabels'], ({ cardId }) => cardId)
  return ({ id }: Card) => (byCard.get(id) ?? []).flatMap(({ labelId }) => names.get(labelId) ?? [])
}

async function addComments(board: BoardBuilder, comments: Comment[], tasks: Map<string, number>) {
  for await (const { cardId, text, userId, createdAt } of withPauses(comments)) {
    const task = tasks.get(cardId)
    if (task !== undefined && text.trim() !== '')
      board.comment({ task, person: board.personOf(userId), content: text, createdAt: createdAt ?? board.now })
  }
}

/** The description, with everything that wrk has no field for; notes what is left out. */
async function describeCard(board: BoardBuilder, found: Found, isFromFile: boolean) {
  const users = await mapOf(found['included.users'], ({ id, name, username }) => [id, name || username])
  const listsByCard = await groupedBy(found['included.taskLists'], ({ cardId }) => cardId)
  const byList = await groupedBy(found['included.tasks'], ({ taskListId, cardId }) => taskListId ?? `card ${cardId}`)
  const filesByCard = await groupedBy(found['included.attachments'], ({ cardId }) => cardId)
  const valuesByCard = await groupedBy(found['included.customFieldValues'], ({ cardId }) => cardId)
  const fields = await mapOf(found['included.customFields'], ({ id, name }) => [id, name])

  function itemsOf(list: string) {
    const items = byList.get(list) ?? []
    // If several lists share an id, the first gets the items.
    byList.delete(list)
    return items
      .toSorted((a, b) => a.position - b.position)
      .map(({ name, isCompleted, assigneeUserId }) => {
        const person = users.get(assigneeUserId ?? '')
        return { text: person ? `${name} (${person})` : name, done: isCompleted }
      })
  }

  /** In version 1 a card has one unnamed checklist. */
  function checklistsOf({ id }: Card) {
    const own = { name: 'Tasks', items: itemsOf(`card ${id}`) }
    const lists = (listsByCard.get(id) ?? []).toSorted((a, b) => a.position - b.position)
    const named = lists.map((list) => ({ name: list.name, items: itemsOf(list.id) }))
    return [own, ...named].filter(({ items }) => items.length > 0)
  }

  return (card: Card): string | null => {
    const custom = (valuesByCard.get(card.id) ?? []).map(({ customFieldId, content }) => ({
      name: fields.get(customFieldId) || 'Custom field',
      value: content,
    }))
    for (const { name } of custom) board.losses.add('custom fields, now lines in the description', name)
    return describe({
      text: card.description,
      checklists: checklistsOf(card),
      links: linksOf(board, card, filesByCard.get(card.id) ?? [], isFromFile),
      fields: [...stopwatchOf(board, card), ...custom],
    })
  }
}

function linksOf(board: BoardBuilder, card: Card, attachments: Attachment[], isFromFile: boolean) {
  return attachments.flatMap(({ name, type, url, data }) => {
    const address = url ?? data?.url ?? ''
    if (type !== 'link' && !isFromFile) return []
    if (type !== 'link')
      board.losses.add(
        'files that Planka shows only to people signed in there; the description links to them',
        `${card.name}: ${name}`,
      )
    return { name: name || address, url: address }
  })
}

function stopwatchOf(board: BoardBuilder, { name, stopwatch }: Card): Field[] {
  const minutes = Math.round((stopwatch?.total ?? 0) / 60)
  if (minutes === 0 && !stopwatch?.startedAt) return []
  board.losses.add('stopwatches without a day or a person, now lines in the description', name)
  return [{ name: 'Stopwatch', value: `${Math.floor(minutes / 60)}h ${minutes % 60}m` }]
}
