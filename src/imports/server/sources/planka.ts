import { join } from 'node:path'
import { readDiskList } from '../tempFiles'
import { type BoardBuilder, type Converted, createBoard, type Kept } from './boardBuilder'
import { type Cards, createCards, type Field, inOrder } from './cards'
import { collect, readJson } from './json'
import { ANSWERS, type AskedCard, assertFewCards, ELEMENT_MAX, hasComments } from './plankaAccess'
import {
  type Attachment,
  addressOf,
  boardParsers,
  type Card,
  type Comment,
  commentParsers,
  type Found,
  fieldParsers,
  head,
  isFile,
  type User,
} from './plankaShapes'
import { parseShape } from './shapes'
import { textOf, withPauses } from './text'

/** Reads the answer of Planka's `GET /api/boards/:id`, version 1 or 2: Planka has no export. */
export async function convertPlankaAnswer(chunks: AsyncIterable<string>, rest: unknown, kept: Kept): Promise<Converted> {
  const board = beginPlanka(rest, kept)
  const found = await collect(chunks, boardParsers, board)
  const { isTold } = versionOf(found)
  for (const { name, commentsTotal } of found['included.cards'])
    if (!isTold || (commentsTotal ?? 0) > 0) board.losses.add('commentsOnPlanka', name)
  const added = createCards(board)
  await addCards(board, added, found, true)
  for (const attachment of found['included.attachments'].filter(isFile)) {
    const task = added.taskOf(attachment.cardId)
    if (task !== undefined) addFile(board, attachment, task, { url: addressOf(attachment) })
  }
  return board.finish()
}

export async function convertPlanka(folder: string, kept: Kept): Promise<Converted> {
  const answer = (name: string) => textOf(join(folder, name), 'utf-8')
  const isThere = (name: string) => Bun.file(join(folder, name)).exists()
  const pagesOf = (nameOf: (page: number) => string) =>
    withPauses(
      (async function* pages() {
        for (let page = 0; await isThere(nameOf(page)); page++) yield answer(nameOf(page))
      })(),
    )
  const board = beginPlanka(await readJson(answer(ANSWERS.board), () => {}), kept)
  const found = await collect(answer(ANSWERS.board), boardParsers, board, ELEMENT_MAX)
  const { isTold } = versionOf(found)
  for await (const page of pagesOf(ANSWERS.archived)) await collect(page, boardParsers, board, ELEMENT_MAX, found)
  if (await isThere(ANSWERS.projects)) await collect(answer(ANSWERS.projects), fieldParsers, board, ELEMENT_MAX, found)
  const comments: Comment[] = []
  let asked = 0
  for await (const card of withPauses(readDiskList<AskedCard>(join(folder, ANSWERS.cards)))) {
    const nth = asked++
    if (!hasComments(isTold, card)) continue
    const ofCard: Comment[] = []
    for await (const page of pagesOf((page) => ANSWERS.comments(nth, page))) {
      const part = await collect(page, commentParsers, board, ELEMENT_MAX)
      addUsers(board, part['included.users'], new Set())
      for (const comment of part.items) ofCard.push({ ...comment, cardId: card.id })
    }
    comments.push(...ofCard.toReversed())
  }
  const added = createCards(board)
  await addCards(board, added, found, false)
  for await (const comment of withPauses(comments))
    if (added.taskOf(comment.cardId) !== undefined) added.comment(comment, () => board.personOf(comment.userId))
  return board.finish(addFiles(board, found, added, folder))
}

function beginPlanka(rest: unknown, kept: Kept): BoardBuilder {
  const { item } = parseShape(head, rest, 'the board')
  return createBoard('planka', { name: item.name, description: null, createdAt: item.createdAt }, kept)
}

const versionOf = (found: Found) => ({ isTold: found['included.lists'].some(({ type }) => type) })

type Place = { file?: string; url?: string }

function addFile(board: BoardBuilder, { name, creatorUserId, createdAt }: Attachment, task: number, place: Place) {
  board.attach({ task, person: board.personOf(creatorUserId), name, createdAt, ...place })
}

function addFiles(board: BoardBuilder, found: Found, added: Cards, folder: string) {
  const files = new Map<string, { path: string; name: string }>()
  for (const [nth, attachment] of found['included.attachments'].entries()) {
    const task = added.taskOf(attachment.cardId)
    if (task === undefined || !isFile(attachment)) continue
    const file = `file-${files.size + 1}`
    files.set(file, { path: join(folder, ANSWERS.file(nth)), name: attachment.name })
    addFile(board, attachment, task, { file })
  }
  return async (name: string) => {
    const { path, name: shown } = files.get(name) ?? {}
    const file = path === undefined ? null : Bun.file(path)
    if (file && (await file.exists())) return file
    if (file) board.losses.add('plankaFileMissing', shown)
    return null
  }
}

/** `isFromFile`: the files are only for users signed in to Planka. */
async function addCards(board: BoardBuilder, added: Cards, found: Found, isFromFile: boolean) {
  const cards = [...found['included.cards'], ...found.items]
  assertFewCards(cards.length)
  const members = new Set(found['included.boardMemberships'].map(({ userId }) => userId))
  addUsers(board, found['included.users'], members)
  const lists = new Map(found['included.lists'].map((list) => [list.id, list]))
  const labels = new Map(found['included.labels'].map(({ id, name, color }) => [id, name || color.replaceAll('-', ' ')]))
  const labelled = Map.groupBy(found['included.cardLabels'], ({ cardId }) => cardId)
  const assigned = Map.groupBy(found['included.cardMemberships'], ({ cardId }) => cardId)
  const files = Map.groupBy(found['included.attachments'], ({ cardId }) => cardId)
  const values = Map.groupBy(found['included.customFieldValues'], ({ cardId }) => cardId)
  const fields = new Map(found['included.customFields'].map(({ id, name }) => [id, name]))
  const checklistsOf = checklistsByCard(found)
  const place = ({ listId, position }: Card) => {
    const list = lists.get(listId)
    return [list?.type === 'archive' ? Number.MAX_VALUE : (list?.position ?? Number.MAX_VALUE), position]
  }
  for await (const card of withPauses(inOrder(cards, place))) {
    const within = lists.get(card.listId)
    if (within?.type === 'trash' || !added.isNew(card.id, card.name)) continue
    const list = within?.type === 'archive' ? lists.get(card.prevListId ?? '') : within
    added.add({
      id: card.id,
      title: card.name,
      text: card.description,
      checklists: checklistsOf(card),
      links: linksOf(board, card, files.get(card.id) ?? [], isFromFile),
      fields: stopwatchOf(board, card),
      custom: (values.get(card.id) ?? []).map(({ customFieldId, content }) => ({
        name: fields.get(customFieldId) || 'Custom field',
        value: content,
      })),
      list: within && (list?.name || null),
      closed: within?.type === 'archive',
      isDone: card.isDueCompleted || card.isDueDateCompleted || list?.type === 'closed',
      due: card.dueDate,
      tags: (labelled.get(card.id) ?? []).flatMap(({ labelId }) => labels.get(labelId) ?? []),
      createdBy: board.known(card.creatorUserId),
      createdAt: card.createdAt,
      updatedAt: card.updatedAt,
      doneAt: null,
      assignees: (assigned.get(card.id) ?? []).map(({ userId }) => userId),
    })
  }
}

function addUsers(board: BoardBuilder, users: User[], members: Set<string>) {
  for (const { id, name, email } of users) board.person(id, { name, email, member: members.has(id) })
}

/** In version 1 a card has one unnamed checklist. */
function checklistsByCard(found: Found) {
  const users = new Map(found['included.users'].map(({ id, name }) => [id, name]))
  const listsByCard = Map.groupBy(found['included.taskLists'], ({ cardId }) => cardId)
  const byList = Map.groupBy(found['included.tasks'], ({ taskListId, cardId }) => taskListId ?? `card ${cardId}`)
  function itemsOf(list: string) {
    const items = byList.get(list) ?? []
    // If several lists share an id, the first gets the items.
    byList.delete(list)
    return inOrder(items, ({ position }) => [position]).map(({ name, isCompleted, assigneeUserId }) => {
      const person = users.get(assigneeUserId ?? '')
      return { text: person ? `${name} (${person})` : name, done: isCompleted }
    })
  }
  return ({ id }: Card) => {
    const lists = inOrder(listsByCard.get(id) ?? [], ({ position }) => [position])
    const all = [{ id: `card ${id}`, name: 'Tasks' }, ...lists].map((list) => ({ name: list.name, items: itemsOf(list.id) }))
    return all.filter(({ items }) => items.length > 0)
  }
}

function linksOf(board: BoardBuilder, card: Card, attachments: Attachment[], isFromFile: boolean) {
  return attachments.flatMap((attachment) => {
    const { name } = attachment
    const url = addressOf(attachment)
    if (isFile(attachment) && !isFromFile) return []
    if (isFile(attachment)) board.losses.add('fileBehindPlanka', `${card.name}: ${name}`)
    return { name: name || url, url }
  })
}

function stopwatchOf(board: BoardBuilder, { name, stopwatch }: Card): Field[] {
  const minutes = Math.round((stopwatch?.total ?? 0) / 60)
  if (minutes === 0 && !stopwatch?.startedAt) return []
  board.losses.add('stopwatch', name)
  return [{ name: 'Stopwatch', value: `${Math.floor(minutes / 60)}h ${minutes % 60}m` }]
}
