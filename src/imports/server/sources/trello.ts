import { z } from 'zod'
import { type BoardBuilder, type Converted, createBoard, type Kept } from './boardBuilder'
import { type Cards, createCards, type Field, inOrder } from './cards'
import { type Collected, collect } from './json'
import type { LossKind } from './losses'
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

const COMMENTS = ['commentCard', 'copyCommentCard']
const NEWEST_ACTIONS = 1_000

/** Reads the JSON of Trello's menu "Print, export, and share". */
export async function convertTrello(chunks: AsyncIterable<string>, rest: unknown, kept: Kept): Promise<Converted> {
  const { name, desc, id } = parseShape(head, rest, 'the board')
  const board = createBoard('trello', { name, description: desc || null, createdAt: createdBy(id) }, kept)
  let actions = 0
  const counted: typeof readAction = (value, where) => {
    actions += 1
    return readAction(value, where)
  }
  const found = await collect(chunks, { ...parsers, actions: counted }, board)
  const { lists, labels, cards } = found
  const labelIds = cards.flatMap((card) => card.labels.map(({ id }) => id))
  board.losses.addUnused({ lists, listIds: cards.map(({ idList }) => idList), labels, labelIds })
  for (const { id, name } of found.members) board.person(id, { name, member: true })
  const added = createCards(board)
  await addCards(board, added, found)
  const commented = await addComments(board, added, found.actions)
  if (actions >= NEWEST_ACTIONS) tellLostComments(board, cards, commented)
  return board.finish()
}

async function addCards(board: BoardBuilder, added: Cards, found: Found) {
  const lists = new Map(found.lists.map((list) => [list.id, list]))
  const creators = new Map<string, Action>()
  for await (const action of withPauses(found.actions)) if (!('text' in action.data)) creators.set(action.data.card.id, action)
  const checklistsOf = checklistsByCard(found)
  const fields = new Map(found.customFields.map((field) => [field.id, field]))
  const place = ({ idList, pos }: Card) => [lists.get(idList)?.pos ?? Number.MAX_VALUE, pos]
  for await (const card of withPauses(inOrder(found.cards, place))) {
    if (!added.isNew(card.id, card.name)) continue
    const list = lists.get(card.idList)
    const creator = creators.get(card.id)
    tellLosses(board, card)
    const task = added.add({
      id: card.id,
      title: card.name,
      text: card.desc,
      checklists: checklistsOf(card),
      links: linksOf(board, card),
      fields: ownFields(card),
      custom: customFieldsOf(card, fields),
      list: list?.name,
      closed: card.closed || (list?.closed ?? false),
      isDone: card.dueComplete,
      due: card.due,
      tags: card.labels.map(({ name, color }) => name || color.replaceAll('_', ' ')),
      createdBy: creator ? authorOf(board, creator) : null,
      createdAt: createdBy(card.id),
      updatedAt: card.dateLastActivity,
      doneAt: card.dueComplete ? card.dateCompleted : null,
      assignees: card.idMembers,
    })
    for (const { name, url, date, idMember, isUpload } of card.attachments)
      if (isUpload) board.attach({ task, person: board.personOf(idMember), name, url, createdAt: date ?? createdBy(card.id) })
  }
}

async function addComments(board: BoardBuilder, added: Cards, actions: Action[]) {
  const kept = new Map<string, number>()
  for await (const action of withPauses(actions.toReversed())) {
    const { data, date } = action
    if (!('text' in data)) continue
    const { text, card } = data
    const isKept = added.comment({ cardId: card.id, text, createdAt: date }, () => authorOf(board, action))
    if (isKept) kept.set(card.id, (kept.get(card.id) ?? 0) + 1)
  }
  return kept
}

function authorOf(board: BoardBuilder, { idMemberCreator: id, memberCreator: author }: Action): number {
  return author ? board.person(author.id, { name: author.name }) : board.personOf(id)
}

function tellLostComments(board: BoardBuilder, cards: Card[], kept: Map<string, number>) {
  for (const { id, name, badges } of cards) {
    const lost = (badges?.comments ?? 0) - (kept.get(id) ?? 0)
    if (lost > 0) board.losses.add('commentsOlder', name, lost)
  }
}

/** Trello's ids begin with the second of their creation. */
function createdBy(id: string): string | null {
  const seconds = /^[0-9a-f]{24}$/.test(id) ? Number.parseInt(id.slice(0, 8), 16) : 0
  return seconds > 0 ? new Date(seconds * 1000).toISOString() : null
}

function checklistsByCard({ checklists, members }: Pick<Found, 'checklists' | 'members'>) {
  const byCard = Map.groupBy(checklists, ({ idCard }) => idCard)
  const names = new Map(members.map(({ id, name }) => [id, name]))
  return ({ id }: Card) =>
    inOrder(byCard.get(id) ?? [], ({ pos }) => [pos]).map(({ name, checkItems }) => ({
      name,
      items: inOrder(checkItems, ({ pos }) => [pos]).map(({ name, state, due, idMember }) => ({
        text: withDetails(name, names.get(idMember ?? ''), due),
        done: state === 'complete',
      })),
    }))
}

const customFieldsOf = ({ customFieldItems }: Card, fields: Map<string, CustomField>): Field[] =>
  customFieldItems.flatMap((item) => {
    const field = fields.get(item.idCustomField)
    return field ? [{ name: field.name, value: storable(saidIn(item, field)) }] : []
  })

const withDetails = (name: string, person: string | undefined, due: string | null) => {
  const details = [person, due?.slice(0, 10)].filter((detail) => detail)
  return details.length > 0 ? `${name} (${details.join(', ')})` : name
}

function saidIn({ value, idValue }: Card['customFieldItems'][number], field: CustomField): string {
  if (idValue) return field.options.find(({ id }) => id === idValue)?.value.text ?? ''
  if (value?.checked !== undefined) return value.checked === 'true' ? 'yes' : 'no'
  return value?.text ?? value?.number ?? value?.date?.slice(0, 10) ?? ''
}

/** Links to the files that only a signed-in Trello user can get. */
function linksOf(board: BoardBuilder, { attachments, name: card }: Card) {
  return attachments.flatMap(({ name, url, isUpload }) => {
    if (!isUpload) return { name: name || url, url }
    if (!/^https:\/\/trello\.com\//.test(url)) return []
    board.losses.add('fileBehindTrello', `${card}: ${name}`)
    return { name, url }
  })
}

const ownFields = ({ start, locationName, address }: Card): Field[] => [
  { name: 'Start', value: start?.slice(0, 10) ?? '' },
  { name: 'Place', value: [locationName, address].filter((part) => part !== '').join(', ') },
]

function tellLosses({ losses }: BoardBuilder, card: Card) {
  const count = (what: LossKind, number: number) => number > 0 && losses.add(what, card.name, number)
  count('stickers', card.stickers.length)
  count('powerUps', card.pluginData.length)
  count('votes', Math.max(card.idMembersVoted.length, card.badges?.votes ?? 0))
  count('reminder', card.due && (card.dueReminder ?? -1) >= 0 ? 1 : 0)
  if (card.isTemplate) losses.add('template', card.name)
  if (card.mirrorSourceId) losses.add('mirrored', card.name)
}

const head = z.object({ id: someId.transform((given) => given ?? ''), name: words, desc: someWords })
const trelloList = z.object({ id, name, closed: flag, pos: position })
const label = z.object({ id: someId, name: someWords, color: someWords })
const member = z
  .object({ id, fullName: someName, username: someName })
  .transform(({ id, fullName, username }) => ({ id, name: fullName || username }))

const number = z.number().nullish()
const attachment = z.object({
  name: someWords,
  url: words,
  date: someMoment,
  idMember: someId,
  isUpload: flag,
})
const fieldItem = z.object({
  idCustomField: id,
  idValue: someId,
  value: z.object({ text: z.string(), number: z.string(), date: z.string(), checked: z.string() }).partial().nullish(),
})

const card = z.object({
  id,
  name: words,
  desc: someWords,
  idList: id,
  closed: flag,
  pos: position,
  due: someMoment,
  start: someMoment,
  dueComplete: flag,
  dateCompleted: someMoment,
  dateLastActivity: someMoment,
  idMembers: list(id),
  labels: list(label),
  attachments: list(attachment),
  customFieldItems: list(fieldItem),
  stickers: list(z.unknown()),
  pluginData: list(z.unknown()),
  idMembersVoted: list(z.unknown()),
  locationName: someWords,
  address: someWords,
  isTemplate: flag,
  mirrorSourceId: someId,
  dueReminder: number,
  badges: z.object({ comments: number, votes: number }).nullish(),
})
type Card = z.output<typeof card>

const item = z.object({ name: someWords, state: someWords, pos: position, due: someMoment, idMember: someId })
const checklist = z.object({ idCard: id, name: someWords, pos: position, checkItems: list(item) })

const option = z.object({ id, value: z.object({ text: someName }) })
const customField = z.object({ id, name: someName, options: list(option) })
type CustomField = z.output<typeof customField>

const anyAction = z.object({ type: someWords })
const onCard = z.object({ id })
const ofAction = { idMemberCreator: someId, memberCreator: member.nullish(), date: someMoment }
const comment = z.object({ ...ofAction, data: z.object({ text: words, card: onCard }) })
const createdCard = z.object({ ...ofAction, data: z.object({ card: onCard }) })

type Action = z.output<typeof comment> | z.output<typeof createdCard>

function readAction(value: unknown, where: string): Action | undefined {
  const { type } = parseShape(anyAction, value, where)
  if (COMMENTS.includes(type)) return parseShape(comment, value, where)
  return type === 'createCard' ? parseShape(createdCard, value, where) : undefined
}

const parsers = {
  lists: parserOf(trelloList),
  cards: parserOf(card),
  checklists: parserOf(checklist),
  members: parserOf(member),
  labels: parserOf(label),
  customFields: parserOf(customField),
  actions: readAction,
}
type Found = Collected<typeof parsers>
