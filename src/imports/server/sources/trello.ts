import { z } from 'zod'
import { type BoardBuilder, type Converted, createBoard, describe, type Field, inOrder, type Kept } from './boardBuilder'
import { collect } from './json'
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
  const found = await collect(
    chunks,
    {
      lists: parserOf(trelloList),
      cards: parserOf(card),
      checklists: parserOf(checklist),
      members: parserOf(member),
      labels: parserOf(label),
      customFields: parserOf(customField),
      actions(value, where) {
        actions += 1
        const { type } = parseShape(anyAction, value, where)
        if (COMMENTS.includes(type)) return parseShape(comment, value, where)
        return type === 'createCard' ? parseShape(createdCard, value, where) : undefined
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
type Action = ReturnType<typeof parseShape<typeof comment>> | ReturnType<typeof parseShape<typeof createdCard>>

async function addCards(board: BoardBuilder, found: Found): Promise<Map<string, number>> {
  const lists = new Map(found.lists.map((list) => [list.id, list]))
  const creators = new Map<string, Action>()
  for await (const action of withPauses(found.actions)) if (!('text' in action.data)) creators.set(action.data.card.id, action)
  const describing = describeCard(board, found)
  const place = ({ idList, pos }: Card) => [lists.get(idList)?.pos ?? Number.MAX_VALUE, pos]
  const tasks = new Map<string, number>()
  for await (const card of withPauses(inOrder(found.cards, place))) {
    if (tasks.has(card.id)) {
      board.losses.add('duplicate cards', card.name)
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
  if (due) board.losses.add('times of due dates: only the day in UTC is kept', name)
  return due?.slice(0, 10) ?? null
}

function addFiles(board: BoardBuilder, card: Card, task: number) {
  for (const { name, url, date, idMember, isUpload } of card.attachments) {
    if (!isUpload) continue
    board.attach({ task, person: board.personOf(idMember), name, url, createdAt: date ?? createdBy(card.id) })
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
      board.comment({ task, person: authorOf(board, action), content: data.text, createdAt: date ?? board.now })
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

/** Trello's ids begin with the second of their creation. */
function createdBy(id: string): string | null {
  const seconds = /^[0-9a-f]{24}$/.test(id) ? Number.parseInt(id.slice(0, 8), 16) : 0
  return seconds > 0 ? new Date(seconds * 1000).toISOString() : null
}

type FoundOfCards = {
  checklists: Checklist[]
  customFields: CustomField[]
  members: { id: string; fullName: string; username: string }[]
}

/** The description, with everything that wrk has no field for; notes what is left out. */
function describeCard(board: BoardBuilder, { checklists, customFields, members }: FoundOfCards) {
  const byCard = Map.groupBy(checklists, ({ idCard }) => idCard)
  const fields = new Map(customFields.map((field) => [field.id, field]))
  const names = new Map(members.map(({ id, fullName, username }) => [id, fullName || username]))

  const checklistsOf = ({ id }: Card) =>
    (byCard.get(id) ?? [])
      .toSorted((a, b) => a.pos - b.pos)
      .map(({ name, checkItems }) => ({
        name,
        items: checkItems
          .toSorted((a, b) => a.pos - b.pos)
          .map(({ name, state, due, idMember }) => ({
            text: withDetails(name, names.get(idMember ?? ''), due),
            done: state === 'complete',
          })),
      }))

  const customOf = ({ customFieldItems }: Card): Field[] =>
    customFieldItems.flatMap((item) => {
      const field = fields.get(item.idCustomField)
      const value = saidIn(item, field)
      return field && value !== '' ? [{ name: field.name, value: storable(value) }] : []
    })

  return (card: Card): string | null => {
    const custom = customOf(card)
    for (const { name } of custom) board.losses.add('custom fields, now lines in the description', name)
    tellLosses(board, card)
    return describe({
      text: card.desc,
      checklists: checklistsOf(card),
      links: linksOf(board, card),
      fields: [...ownFields(card), ...custom],
    })
  }
}

const withDetails = (name: string, person: string | undefined, due: string | null) => {
  const details = [person, due?.slice(0, 10)].filter((detail) => detail)
  return details.length > 0 ? `${name} (${details.join(', ')})` : name
}

function saidIn({ value, idValue }: Card['customFieldItems'][number], field: CustomField | undefined): string {
  if (idValue) return field?.options.find(({ id }) => id === idValue)?.value.text ?? ''
  if (value?.checked !== undefined) return value.checked === 'true' ? 'yes' : 'no'
  return value?.text ?? value?.number ?? value?.date?.slice(0, 10) ?? ''
}

/** Links to the files that only a signed-in Trello user can get. */
function linksOf(board: BoardBuilder, { attachments, name: card }: Card) {
  return attachments.flatMap(({ name, url, isUpload }) => {
    if (!isUpload) return { name: name || url, url }
    if (!/^https:\/\/trello\.com\//.test(url)) return []
    board.losses.add('files that Trello shows only to people signed in there; the description links to them', `${card}: ${name}`)
    return { name, url }
  })
}

const ownFields = ({ start, locationName, address }: Card): Field[] =>
  [
    { name: 'Start', value: start?.slice(0, 10) ?? '' },
    { name: 'Place', value: [locationName, address].filter((part) => part !== '').join(', ') },
  ].filter(({ value }) => value !== '')

function tellLosses({ losses }: BoardBuilder, card: Card) {
  const count = (what: LossKind, number: number) => number > 0 && losses.add(what, card.name, number)
  count('stickers', card.stickers.length)
  count('Power-Up data', card.pluginData.length)
  count('votes', Math.max(card.idMembersVoted.length, card.badges?.votes ?? 0))
  count('reminders of due dates', card.due && (card.dueReminder ?? -1) >= 0 ? 1 : 0)
  if (card.isTemplate) losses.add('templates, now ordinary cards', card.name)
  if (card.mirrorSourceId) losses.add('mirrored cards, without what they mirror', card.name)
}

const head = z.object({ id: someId.transform((given) => given ?? ''), name: words, desc: someWords })
const trelloList = z.object({ id, name, closed: flag, pos: position })
const label = z.object({ id: someId, name: someWords, color: someWords })
const member = z.object({ id, fullName: someName, username: someName })

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
type Checklist = z.output<typeof checklist>

const option = z.object({ id, value: z.object({ text: someName }) })
const customField = z.object({ id, name: someName, options: list(option) })
type CustomField = z.output<typeof customField>

const anyAction = z.object({ type: someWords })
const onCard = z.object({ id })
const ofAction = { idMemberCreator: someId, memberCreator: member.nullish(), date: someMoment }
const comment = z.object({ ...ofAction, data: z.object({ text: words, card: onCard }) })
const createdCard = z.object({ ...ofAction, data: z.object({ card: onCard }) })
