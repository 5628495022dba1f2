import { z } from 'zod'
import { type BoardBuilder, type Converted, createBoard, describe, type Field, inOrder, type Kept } from './boardBuilder'
import { collect } from './json'
import {
  flag,
  id,
  list,
  name,
  parserOf,
  parseShape,
  position,
  someId,
  someMoment,
  someName,
  someWords,
  storable,
  words,
} from './shapes'
import { withPauses } from './text'

type Row<Shape extends z.ZodType> = z.output<Shape>

/** Reads the JSON of WeKan's board menu "Export board". */
export async function convertWekan(chunks: AsyncIterable<string>, rest: unknown, kept: Kept): Promise<Converted> {
  const { title, description, createdAt } = parseShape(headShape, rest, 'the board')
  const board = createBoard('wekan', { name: title, description: description || null, createdAt }, kept)
  const found = await collect(
    chunks,
    {
      labels: parserOf(boardShapes.labels),
      members: parserOf(boardShapes.members),
      lists: parserOf(listShape),
      swimlanes: parserOf(swimlaneShape),
      users: parserOf(userShape),
      cards: parserOf(cardShape),
      customFields: parserOf(customFieldShape),
      checklists: parserOf(checklistShape),
      checklistItems: parserOf(itemShape),
      comments: parserOf(commentShape),
      attachments: parserOf(attachmentShape),
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
  lists: Row<typeof listShape>[]
  swimlanes: Row<typeof swimlaneShape>[]
  labels: Label[]
  cards: Card[]
}
type People = { users: Row<typeof userShape>[]; members: Row<typeof boardShapes.members>[] }

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
      board.losses.add('duplicate cards', card.title)
      continue
    }
    const list = lists.get(card.listId ?? '')
    if (!list) board.losses.add('cards whose list is not in the file', card.title)
    if (card.dueAt) board.losses.add('times of due dates: only the day in UTC is kept', card.title)
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

async function addComments(board: BoardBuilder, comments: Row<typeof commentShape>[], tasks: Map<string, number>) {
  const at = ({ createdAt }: { createdAt: string | null }) => createdAt ?? board.now
  for await (const comment of withPauses(comments.toSorted((a, b) => (at(a) < at(b) ? -1 : 1)))) {
    const task = tasks.get(comment.cardId)
    if (task === undefined) board.losses.add('comments on cards that are not in the file', comment.text)
    else if (comment.text.trim() !== '')
      board.comment({ task, person: board.personOf(comment.userId), content: comment.text, createdAt: at(comment) })
  }
}

function addFiles(board: BoardBuilder, attachments: Row<typeof attachmentShape>[], tasks: Map<string, number>) {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { cardId, name, file, url, userId } of attachments) {
    const task = tasks.get(cardId)
    if (task === undefined || !(file || url)) board.losses.add('files that are not in the export', name)
    else {
      const entry = `file-${files.size + 1}`
      if (file) files.set(entry, file)
      const createdAt = board.rows.tasks[task - 1]?.createdAt ?? null
      board.attach({ task, person: board.personOf(userId), name, createdAt, ...(file ? { file: entry } : { url }) })
    }
  }
  return async (name: string) => {
    const bytes = files.get(name)
    return bytes === undefined ? null : new Blob([bytes])
  }
}

type FoundOfCards = { checklists: Checklist[]; checklistItems: Item[]; customFields: CustomField[]; cards: Card[] }

/** The description, with everything that wrk has no field for; notes what is left out. */
function describeCard(board: BoardBuilder, found: FoundOfCards) {
  const byCard = Map.groupBy(found.checklists, ({ cardId }) => cardId)
  const byChecklist = Map.groupBy(found.checklistItems, ({ checklistId }) => checklistId)
  const fields = new Map(found.customFields.map((field) => [field._id, field]))
  const titles = new Map(found.cards.map(({ _id, title }) => [_id, title]))

  function itemsOf({ _id, items }: Checklist) {
    const all = [...items, ...(byChecklist.get(_id) ?? [])]
    // If several checklists share an id, the first gets the items.
    byChecklist.delete(_id)
    return all.toSorted((a, b) => a.sort - b.sort).map(({ title, isFinished }) => ({ text: title, done: isFinished }))
  }

  const checklistsOf = ({ _id }: Card) =>
    (byCard.get(_id) ?? [])
      .toSorted((a, b) => a.sort - b.sort)
      .map((checklist) => ({ name: checklist.title, items: itemsOf(checklist) }))

  const customOf = ({ customFields }: Card): Field[] =>
    customFields.flatMap(({ _id, value }) => {
      const field = fields.get(_id)
      const said = field ? saidIn(field, value) : ''
      return field && said !== '' ? [{ name: field.name, value: storable(said) }] : []
    })

  return (card: Card): string | null => {
    const custom = customOf(card)
    for (const { name } of custom) board.losses.add('custom fields, now lines in the description', name)
    tellLosses(board, card)
    const parent = titles.get(card.parentId ?? '')
    return describe({
      text: card.description,
      checklists: checklistsOf(card),
      fields: [...ownFields(card, parent), ...custom],
    })
  }
}

function saidIn({ settings }: CustomField, value: Value): string {
  const option = settings?.dropdownItems.find(({ _id }) => _id === value)
  if (option) return option.name
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}

const ownFields = (card: Card, parent: string | undefined): Field[] =>
  [
    { name: 'Part of', value: parent ?? '' },
    { name: 'Received', value: card.receivedAt?.slice(0, 10) ?? '' },
    { name: 'Start', value: card.startAt?.slice(0, 10) ?? '' },
    { name: 'End', value: card.endAt?.slice(0, 10) ?? '' },
    { name: 'Requested by', value: card.requestedBy },
    { name: 'Assigned by', value: card.assignedBy },
    { name: card.isOvertime ? 'Overtime' : 'Time spent', value: card.spentTime ? `${card.spentTime} hours` : '' },
    { name: 'Vote', value: voteOf(card) },
  ].filter(({ value }) => value.trim() !== '')

const voteOf = ({ vote }: Card): string =>
  vote?.question ? `${vote.question} (${vote.positive.length} for, ${vote.negative.length} against)` : ''

function tellLosses({ losses }: BoardBuilder, card: Card) {
  if (card.spentTime) losses.add('time entries without a day or a person, now lines in the description', card.title)
  if (card.vote?.question) losses.add('votes, now lines in the description', card.title)
  if (card.poker?.question) losses.add('rounds of planning poker', card.title)
}

const label = z.object({ _id: id, name: someName, color: someName })
type Label = z.output<typeof label>
const headShape = z.object({ title: words, description: someWords, createdAt: someMoment })
const boardShapes = { labels: label, members: z.object({ userId: id, isActive: z.boolean().nullish() }) }

const listShape = z.object({ _id: id, title: name, archived: flag, sort: position })
const swimlaneShape = z.object({ _id: id, title: name, archived: flag, sort: position })
const userShape = z.object({ _id: id, username: someName, profile: z.object({ fullname: someName }).nullish() })

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()])).max(200)]).nullish()
const vote = z.object({ question: someWords, positive: list(z.unknown()), negative: list(z.unknown()) }).nullish()

const cardShape = z.object({
  _id: id,
  title: words,
  description: someWords,
  listId: someId,
  swimlaneId: someId,
  parentId: z.string().nullish(),
  userId: someId.catch(null),
  members: list(id),
  assignees: list(id),
  requestedBy: someWords,
  assignedBy: someWords,
  labelIds: list(z.string()),
  archived: flag,
  sort: position,
  dueAt: someMoment,
  dueComplete: flag,
  startAt: someMoment,
  receivedAt: someMoment,
  endAt: someMoment,
  createdAt: someMoment,
  modifiedAt: someMoment,
  spentTime: z.number().nullish(),
  isOvertime: flag,
  customFields: list(z.object({ _id: id, value })),
  vote,
  poker: z.object({ question: z.boolean().nullish() }).nullish(),
})
type Card = z.output<typeof cardShape>
type Value = z.output<typeof value>

const option = z.object({ _id: id, name: someName })
const customFieldShape = z.object({
  _id: id,
  name: someName,
  settings: z.object({ dropdownItems: list(option) }).nullish(),
})
type CustomField = z.output<typeof customFieldShape>

const itemOf = { title: someWords, isFinished: flag, sort: position }
/** Until spring 2018 checklists held their items. */
const checklistShape = z.object({ _id: id, cardId: id, title: someWords, sort: position, items: list(z.object(itemOf)) })
const itemShape = z.object({ checklistId: id, ...itemOf })
type Checklist = z.output<typeof checklistShape>
type Item = z.output<typeof itemShape>

const commentShape = z.object({ cardId: id, text: words, userId: someId, createdAt: someMoment })
const attachmentShape = z.object({
  cardId: id,
  name: someWords,
  file: z
    .string()
    .nullish()
    .transform((text) => (text ? Buffer.from(text, 'base64') : null)),
  url: z.string().nullish(),
  userId: someId,
})
