import { z } from 'zod'
import { type BoardBuilder, type Converted, createBoard, type Kept } from './boardBuilder'
import { type Cards, createCards, type Field, inOrder } from './cards'
import { type Collected, collect } from './json'
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

/** Reads the JSON of WeKan's board menu "Export board". */
export async function convertWekan(chunks: AsyncIterable<string>, rest: unknown, kept: Kept): Promise<Converted> {
  const { title, description, createdAt } = parseShape(headShape, rest, 'the board')
  const board = createBoard('wekan', { name: title, description: description || null, createdAt }, kept)
  const found = await collect(chunks, { ...parsers, rules: () => board.losses.add('rules') }, board)
  const active = new Set(found.members.filter(({ isActive }) => isActive !== false).map(({ userId }) => userId))
  for (const { _id, username, profile } of found.users)
    board.person(_id, { name: profile?.fullname || username, member: active.has(_id) })
  board.losses.addUnused({
    lists: found.lists.map(({ _id, title }) => ({ id: _id, name: title })),
    listIds: found.cards.map(({ listId }) => listId),
    labels: found.labels.map(({ _id, name, color }) => ({ id: _id, name, color })),
    labelIds: found.cards.flatMap((card) => card.labelIds),
  })
  const added = createCards(board)
  await addCards(board, added, found)
  const at = ({ createdAt }: { createdAt: string | null }) => createdAt ?? board.now
  for await (const comment of withPauses(found.comments.toSorted((a, b) => (at(a) < at(b) ? -1 : 1))))
    added.comment(comment, () => board.personOf(comment.userId))
  return board.finish(addFiles(board, found.attachments, added))
}

async function addCards(board: BoardBuilder, added: Cards, found: Found) {
  const lists = new Map(found.lists.map((list) => [list._id, list]))
  const lanes = new Map(found.swimlanes.map((lane) => [lane._id, lane]))
  const labels = new Map(found.labels.map(({ _id, name, color }) => [_id, name || color]))
  const titles = new Map(found.cards.map(({ _id, title }) => [_id, title]))
  const fields = new Map(found.customFields.map((field) => [field._id, field]))
  const checklistsOf = checklistsByCard(found)
  const order = ({ listId, swimlaneId, sort }: Card) => [
    lists.get(listId ?? '')?.sort ?? Number.MAX_VALUE,
    lanes.get(swimlaneId ?? '')?.sort ?? Number.MAX_VALUE,
    sort,
  ]
  for await (const card of withPauses(inOrder(found.cards, order))) {
    if (!added.isNew(card._id, card.title)) continue
    const list = lists.get(card.listId ?? '')
    const lane = lanes.get(card.swimlaneId ?? '')
    tellLosses(board, card)
    added.add({
      id: card._id,
      title: card.title,
      text: card.description,
      checklists: checklistsOf(card),
      fields: ownFields(card, titles.get(card.parentId ?? '')),
      custom: customFieldsOf(card, fields),
      list: list?.title,
      closed: card.archived || (list?.archived ?? false) || (lane?.archived ?? false),
      isDone: card.dueComplete,
      due: card.dueAt,
      tags: [...card.labelIds.flatMap((label) => labels.get(label) ?? []), (lanes.size > 1 && lane?.title) || ''],
      createdBy: board.known(card.userId),
      createdAt: card.createdAt,
      updatedAt: card.modifiedAt,
      doneAt: card.dueComplete ? card.endAt : null,
      assignees: [...card.assignees, ...card.members],
    })
  }
}

function addFiles(board: BoardBuilder, attachments: Found['attachments'], added: Cards) {
  const files = new Map<string, Blob>()
  for (const { cardId, name, file, url, userId } of attachments) {
    const task = added.taskOf(cardId)
    if (task === undefined || !(file || url)) {
      board.losses.add('fileMissing', name)
      continue
    }
    const entry = `file-${files.size + 1}`
    if (file) files.set(entry, new Blob([file]))
    const createdAt = board.rows.tasks[task - 1]?.createdAt ?? null
    board.attach({ task, person: board.personOf(userId), name, createdAt, ...(file ? { file: entry } : { url }) })
  }
  return async (name: string) => files.get(name) ?? null
}

function checklistsByCard({ checklists, checklistItems }: Pick<Found, 'checklists' | 'checklistItems'>) {
  const byCard = Map.groupBy(checklists, ({ cardId }) => cardId)
  const byChecklist = Map.groupBy(checklistItems, ({ checklistId }) => checklistId)
  return ({ _id }: Card) =>
    inOrder(byCard.get(_id) ?? [], ({ sort }) => [sort]).map((checklist) => {
      const all = [...checklist.items, ...(byChecklist.get(checklist._id) ?? [])]
      // If several checklists share an id, the first gets the items.
      byChecklist.delete(checklist._id)
      const items = inOrder(all, ({ sort }) => [sort]).map(({ title, isFinished }) => ({ text: title, done: isFinished }))
      return { name: checklist.title, items }
    })
}

const customFieldsOf = ({ customFields }: Card, fields: Map<string, CustomField>): Field[] =>
  customFields.flatMap(({ _id, value }) => {
    const field = fields.get(_id)
    return field ? [{ name: field.name, value: storable(saidIn(field, value)) }] : []
  })

function saidIn({ settings }: CustomField, value: Value): string {
  const option = settings?.dropdownItems.find(({ _id }) => _id === value)
  if (option) return option.name
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}

const ownFields = (card: Card, parent = ''): Field[] => [
  { name: 'Part of', value: parent },
  { name: 'Received', value: card.receivedAt?.slice(0, 10) ?? '' },
  { name: 'Start', value: card.startAt?.slice(0, 10) ?? '' },
  { name: 'End', value: card.endAt?.slice(0, 10) ?? '' },
  { name: 'Requested by', value: card.requestedBy },
  { name: 'Assigned by', value: card.assignedBy },
  { name: card.isOvertime ? 'Overtime' : 'Time spent', value: card.spentTime ? `${card.spentTime} hours` : '' },
  { name: 'Vote', value: voteOf(card) },
]

const voteOf = ({ vote }: Card): string =>
  vote?.question ? `${vote.question} (${vote.positive.length} for, ${vote.negative.length} against)` : ''

function tellLosses({ losses }: BoardBuilder, card: Card) {
  if (card.spentTime) losses.add('spentTime', card.title)
  if (card.vote?.question) losses.add('voteInText', card.title)
  if (card.poker?.question) losses.add('poker', card.title)
}

const headShape = z.object({ title: words, description: someWords, createdAt: someMoment })
const labelShape = z.object({ _id: id, name: someName, color: someName })
const memberShape = z.object({ userId: id, isActive: z.boolean().nullish() })
const listShape = z.object({ _id: id, title: name, archived: flag, sort: position })
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

const parsers = {
  labels: parserOf(labelShape),
  members: parserOf(memberShape),
  lists: parserOf(listShape),
  swimlanes: parserOf(listShape),
  users: parserOf(userShape),
  cards: parserOf(cardShape),
  customFields: parserOf(customFieldShape),
  checklists: parserOf(checklistShape),
  checklistItems: parserOf(itemShape),
  comments: parserOf(commentShape),
  attachments: parserOf(attachmentShape),
}
type Found = Collected<typeof parsers>
