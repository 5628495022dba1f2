import { collect } from './collect'
import { type BoardBuilder, type Converted, createBoard } from './converted'
import { inOrder } from './order'
import { describeCard } from './plankaCard'
import { type Attachment, type Card, type Comment, type Found, head, takes, type User } from './plankaShapes'
import { parsed } from './shapes'
import { withPauses } from './withPauses'

/** What `GET /api/boards/:id` of a Planka answers, of version 1 or 2: Planka itself writes no export. */
export async function convertPlankaAnswer(chunks: AsyncIterable<string>, rest: unknown): Promise<Converted> {
  const board = beginPlanka(rest)
  const found = await collect(chunks, takes, board.losses)
  const { isTold } = versionOf(found)
  for (const { name, commentsTotal } of found['included.cards'])
    if (!isTold || (commentsTotal ?? 0) > 0)
      board.losses.add('cards whose comments are not in the file, only at Planka’s address', name)
  const tasks = await addCards(board, found, true)
  for (const attachment of filesOf(found)) {
    const task = tasks.get(attachment.cardId)
    if (task !== undefined) addFile(board, attachment, task, { file: null, url: addressOf(attachment) })
  }
  return board.finish()
}

export function beginPlanka(rest: unknown): BoardBuilder {
  const { item } = parsed(head, rest, 'the board')
  return createBoard('planka', { name: item.name, description: null, createdAt: item.createdAt })
}

/** Only version 2 has kinds of lists, and tells how many comments a card has. */
export const versionOf = (found: Found) => ({ isTold: found['included.lists'].some(({ type }) => type) })

export const addressOf = ({ url, data }: Attachment): string => url ?? data?.url ?? ''
export const filesOf = (found: Found) => found['included.attachments'].filter(({ type }) => type !== 'link')

type Place = { file: string | null; url: string | null }

export function addFile(board: BoardBuilder, { name, creatorUserId, createdAt }: Attachment, task: number, place: Place) {
  const person = board.personOf(creatorUserId)
  board.rows.attachments.push({
    task,
    person,
    name: name || 'file',
    ...place,
    thumbnail: null,
    createdAt: createdAt ?? board.now,
  })
}

/** Its numbers by those of Planka. `isFromFile` where nobody can get its files but who is signed in there. */
export async function addCards(board: BoardBuilder, found: Found, isFromFile: boolean): Promise<Map<string, number>> {
  const members = new Set(found['included.boardMemberships'].map(({ userId }) => userId))
  addUsers(board, found['included.users'], members)
  const lists = new Map(found['included.lists'].map((list) => [list.id, list]))
  const describing = describeCard(board, found, isFromFile)
  const labels = labelsOf(found)
  const assigned = Map.groupBy(found['included.cardMemberships'], ({ cardId }) => cardId)
  const place = ({ listId, position }: Card) => {
    const list = lists.get(listId)
    return [list?.type === 'archive' ? Number.MAX_VALUE : (list?.position ?? Number.MAX_VALUE), position]
  }
  const cards = inOrder([...found['included.cards'], ...found.items], place)
  const tasks = new Map<string, number>()
  for await (const card of withPauses(cards)) {
    const within = lists.get(card.listId)
    if (within?.type === 'trash') continue
    if (tasks.has(card.id)) {
      board.losses.add('cards that the file has twice', card.name)
      continue
    }
    const list = within?.type === 'archive' ? lists.get(card.prevListId ?? '') : within
    if (!within) board.losses.add('cards whose list is not in the file', card.name)
    if (card.dueDate) board.losses.add('times of due dates, of which the day in UTC is kept', card.name)
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

export function addUsers(board: BoardBuilder, users: User[], members: Set<string>) {
  for (const { id, name, username, email } of users) board.person(id, { name: name || username, email, member: members.has(id) })
}

function labelsOf(found: Found) {
  const names = new Map(found['included.labels'].map(({ id, name, color }) => [id, name || color.replaceAll('-', ' ')]))
  const byCard = Map.groupBy(found['included.cardLabels'], ({ cardId }) => cardId)
  return ({ id }: Card) => (byCard.get(id) ?? []).flatMap(({ labelId }) => names.get(labelId) ?? [])
}

export async function addComments(board: BoardBuilder, comments: Comment[], tasks: Map<string, number>) {
  for await (const { cardId, text, userId, createdAt } of withPauses(comments)) {
    const task = tasks.get(cardId)
    if (task !== undefined && text.trim() !== '')
      board.rows.comments.push({ task, person: board.personOf(userId), content: text, createdAt: createdAt ?? board.now })
  }
}
