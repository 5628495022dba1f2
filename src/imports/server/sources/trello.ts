import { collect } from './collect'
import { type BoardBuilder, type Converted, createBoard } from './converted'
import type { Kept } from './kept'
import { inOrder } from './order'
import { parsed, taking } from './shapes'
import { describeCard } from './trelloCard'
import {
  anyAction,
  type Card,
  card,
  checklist,
  comment,
  createdCard,
  customField,
  head,
  label,
  member,
  trelloList,
} from './trelloShapes'
import { withPauses } from './withPauses'

const COMMENTS = ['commentCard', 'copyCommentCard']
const NEWEST_ACTIONS = 1_000

/** What Trello's menu "Print, export, and share" writes as JSON. */
export async function convertTrello(chunks: AsyncIterable<string>, rest: unknown, kept: Kept): Promise<Converted> {
  const { name, desc, id } = parsed(head, rest, 'the board')
  const board = createBoard('trello', { name, description: desc || null, createdAt: createdBy(id) }, kept)
  let actions = 0
  const found = await collect(
    chunks,
    {
      lists: taking(trelloList),
      cards: taking(card),
      checklists: taking(checklist),
      members: taking(member),
      labels: taking(label),
      customFields: taking(customField),
      actions(value, where) {
        actions += 1
        const { type } = parsed(anyAction, value, where)
        if (COMMENTS.includes(type)) return parsed(comment, value, where)
        return type === 'createCard' ? parsed(createdCard, value, where) : undefined
      },
    },
    board,
  )
  const { lists, labels, cards } = found
  const labelIds = cards.flatMap((card) => card.labels.map(({ id }) => id))
  board.losses.addUnused({ lists, listIds: cards.map(({ idList }) => idList), labels, labelIds })
  for (const one of found.members) board.person(one.id, { name: one.fullName || one.username, member: true })
  const tasks = await addCards(board, found)
  const commented = await addComments(board, found.actions, tasks)
  if (actions >= NEWEST_ACTIONS) tellLostComments(board, found.cards, commented)
  return board.finish()
}

type Found = Parameters<typeof describeCard>[1] & {
  labels: { id: string | null; name: string; color: string }[]
  lists: { id: string; name: string; closed: boolean; pos: number }[]
  cards: Card[]
  actions: Action[]
}
type Action = ReturnType<typeof parsed<typeof comment>> | ReturnType<typeof parsed<typeof createdCard>>

async function addCards(board: BoardBuilder, found: Found): Promise<Map<string, number>> {
  const lists = new Map(found.lists.map((list) => [list.id, list]))
  const creators = new Map<string, Action>()
  for await (const action of withPauses(found.actions)) if (!('text' in action.data)) creators.set(action.data.card.id, action)
  const describing = describeCard(board, found)
  const place = ({ idList, pos }: Card) => [lists.get(idList)?.pos ?? Number.MAX_VALUE, pos]
  const tasks = new Map<string, number>()
  for await (const card of withPauses(inOrder(found.cards, place))) {
    if (tasks.has(card.id)) {
      board.losses.add('cards that the file has twice', card.name)
      continue
    }
    const list = lists.get(card.idList)
    if (!list) board.losses.add('cards whose list is not in the file', card.name)
    const creator = creators.get(card.id)
    const task = board.task({
      title: card.name,
      description: describing(card),
      list: list?.name ?? null,
      closed: card.closed || (list?.closed ?? false),
      isDone: card.dueComplete,
      dueDate: dueDay(board, card),
      tags: card.labels.map(({ name, color }) => name || color.replaceAll('_', ' ')),
      createdBy: creator ? authorOf(board, creator) : null,
      createdAt: createdBy(card.id),
      updatedAt: card.dateLastActivity,
      doneAt: card.dueComplete ? card.dateCompleted : null,
    })
    tasks.set(card.id, task)
    board.assign(task, card.idMembers.map(board.personOf))
    addFiles(board, card, task)
  }
  return tasks
}

function dueDay(board: BoardBuilder, { due, name }: Card): string | null {
  if (due) board.losses.add('times of due dates, of which the day in UTC is kept', name)
  return due?.slice(0, 10) ?? null
}

function addFiles(board: BoardBuilder, card: Card, task: number) {
  for (const { name, url, date, idMember, isUpload } of card.attachments) {
    if (!isUpload) continue
    const createdAt = date ?? createdBy(card.id) ?? board.now
    board.add('attachments', {
      task,
      person: board.personOf(idMember),
      name: name || 'file',
      file: null,
      thumbnail: null,
      url,
      createdAt,
    })
  }
}

async function addComments(board: BoardBuilder, actions: Action[], tasks: Map<string, number>) {
  const kept = new Map<string, number>()
  for await (const action of withPauses(actions.toReversed())) {
    const { data, date } = action
    if (!('text' in data)) continue
    const task = tasks.get(data.card.id)
    if (task === undefined) board.losses.add('comments on cards that are not in the file', data.text)
    else if (data.text.trim() !== '') {
      kept.set(data.card.id, (kept.get(data.card.id) ?? 0) + 1)
      board.add('comments', { task, person: authorOf(board, action), content: data.text, createdAt: date ?? board.now })
    }
  }
  return kept
}

function authorOf(board: BoardBuilder, { idMemberCreator: id, memberCreator: author }: Action): number {
  return author ? board.person(author.id, { name: author.fullName || author.username }) : board.personOf(id)
}

function tellLostComments(board: BoardBuilder, cards: Card[], kept: Map<string, number>) {
  for (const { id, name, badges } of cards) {
    const lost = (badges?.comments ?? 0) - (kept.get(id) ?? 0)
    if (lost > 0) board.losses.add('older comments, as Trello exports only the newest 1,000 actions', name, lost)
  }
}

/** Trello's ids begin with the second in which they were made. */
function createdBy(id: string): string | null {
  const seconds = /^[0-9a-f]{24}$/.test(id) ? Number.parseInt(id.slice(0, 8), 16) : 0
  return seconds > 0 ? new Date(seconds * 1000).toISOString() : null
}
