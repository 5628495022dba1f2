import type { z } from 'zod'
import { collect } from './collect'
import { type BoardBuilder, type Converted, createBoard } from './converted'
import type { Kept } from './kept'
import { inOrder } from './order'
import { parsed, taking } from './shapes'
import { describeCard } from './wekanCard'
import * as shapes from './wekanShapes'
import { withPauses } from './withPauses'

type Row<Shape extends z.ZodType> = z.output<Shape>
type Card = shapes.Card

/** What WeKan's board menu "Export board" writes as JSON. */
export async function convertWekan(chunks: AsyncIterable<string>, rest: unknown, kept: Kept): Promise<Converted> {
  const { title, description, createdAt } = parsed(shapes.head, rest, 'the board')
  const board = createBoard('wekan', { name: title, description: description || null, createdAt }, kept)
  const found = await collect(
    chunks,
    {
      labels: taking(shapes.board.labels),
      members: taking(shapes.board.members),
      lists: taking(shapes.wekanList),
      swimlanes: taking(shapes.swimlane),
      users: taking(shapes.user),
      cards: taking(shapes.card),
      customFields: taking(shapes.customField),
      checklists: taking(shapes.checklist),
      checklistItems: taking(shapes.item),
      comments: taking(shapes.comment),
      attachments: taking(shapes.attachment),
      rules: () => board.losses.add('rules'),
    },
    board,
  )
  addPeople(board, found)
  board.losses.addUnused({
    lists: found.lists.map(({ _id, title }) => ({ id: _id, name: title })),
    listIds: found.cards.map(({ listId }) => listId),
    labels: found.labels.map(({ _id, name, color }) => ({ id: _id, name, color })),
    labelIds: found.cards.flatMap((card) => card.labelIds),
  })
  const tasks = await addCards(board, found)
  await addComments(board, found.comments, tasks)
  return board.finish(addFiles(board, found.attachments, tasks))
}

type Found = Parameters<typeof describeCard>[1] & {
  lists: Row<typeof shapes.wekanList>[]
  swimlanes: Row<typeof shapes.swimlane>[]
  labels: shapes.Label[]
  cards: Card[]
}
type People = { users: Row<typeof shapes.user>[]; members: Row<typeof shapes.board.members>[] }

function addPeople(board: BoardBuilder, { users, members }: People) {
  const active = new Set(members.filter(({ isActive }) => isActive !== false).map(({ userId }) => userId))
  for (const { _id, username, profile } of users)
    board.person(_id, { name: profile?.fullname || username, member: active.has(_id) })
}

async function addCards(board: BoardBuilder, found: Found): Promise<Map<string, number>> {
  const lists = new Map(found.lists.map((list) => [list._id, list]))
  const lanes = new Map(found.swimlanes.map((lane) => [lane._id, lane]))
  const labels = new Map(found.labels.map(({ _id, name, color }) => [_id, name || color]))
  const describing = describeCard(board, found)
  const order = ({ listId, swimlaneId, sort }: Card) => [
    lists.get(listId ?? '')?.sort ?? Number.MAX_VALUE,
    lanes.get(swimlaneId ?? '')?.sort ?? Number.MAX_VALUE,
    sort,
  ]
  const tasks = new Map<string, number>()
  for await (const card of withPauses(inOrder(found.cards, order))) {
    if (tasks.has(card._id)) {
      board.losses.add('cards that the file has twice', card.title)
      continue
    }
    const list = lists.get(card.listId ?? '')
    if (!list) board.losses.add('cards whose list is not in the file', card.title)
    if (card.dueAt) board.losses.add('times of due dates, of which the day in UTC is kept', card.title)
    const lane = lanes.size > 1 ? lanes.get(card.swimlaneId ?? '')?.title : undefined
    const task = board.task({
      title: card.title,
      description: describing(card),
      list: list?.title ?? null,
      closed: card.archived || (list?.archived ?? false) || (lanes.get(card.swimlaneId ?? '')?.archived ?? false),
      isDone: card.dueComplete,
      dueDate: card.dueAt?.slice(0, 10) ?? null,
      tags: [...card.labelIds.flatMap((label) => labels.get(label) ?? []), lane ?? ''],
      createdBy: board.known(card.userId),
      createdAt: card.createdAt,
      updatedAt: card.modifiedAt,
      doneAt: card.dueComplete ? card.endAt : null,
    })
    tasks.set(card._id, task)
    board.assign(task, [...card.assignees, ...card.members].map(board.personOf))
  }
  return tasks
}

async function addComments(board: BoardBuilder, comments: Row<typeof shapes.comment>[], tasks: Map<string, number>) {
  const at = ({ createdAt }: { createdAt: string | null }) => createdAt ?? board.now
  for await (const comment of withPauses(comments.toSorted((a, b) => (at(a) < at(b) ? -1 : 1)))) {
    const task = tasks.get(comment.cardId)
    if (task === undefined) board.losses.add('comments on cards that are not in the file', comment.text)
    else if (comment.text.trim() !== '')
      board.add('comments', { task, person: board.personOf(comment.userId), content: comment.text, createdAt: at(comment) })
  }
}

function addFiles(board: BoardBuilder, attachments: Row<typeof shapes.attachment>[], tasks: Map<string, number>) {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { cardId, name, file, url, userId } of attachments) {
    const task = tasks.get(cardId)
    if (task === undefined || !(file || url)) board.losses.add('files that are not in the export', name)
    else {
      const entry = file ? `file-${files.size + 1}` : null
      if (file && entry) files.set(entry, file)
      const person = board.personOf(userId)
      const address = entry === null ? (url ?? null) : null
      board.add('attachments', {
        task,
        person,
        name: name || 'file',
        file: entry,
        thumbnail: null,
        url: address,
        createdAt: board.rows.tasks[task - 1]?.createdAt ?? board.now,
      })
    }
  }
  return async (name: string) => {
    const bytes = files.get(name)
    return bytes === undefined ? null : new Blob([bytes])
  }
}
