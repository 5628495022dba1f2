import type { BoardBuilder } from './converted'
import { describe, type Field } from './description'
import { storable } from './shapes'
import type { Card, Checklist, CustomField, Item, Value } from './wekanShapes'

type Found = { checklists: Checklist[]; checklistItems: Item[]; customFields: CustomField[]; cards: Card[] }

/** What a card says, with all that wrk has no place of its own for; tells what is left out. */
export function describeCard(board: BoardBuilder, found: Found) {
  const byCard = Map.groupBy(found.checklists, ({ cardId }) => cardId)
  const byChecklist = Map.groupBy(found.checklistItems, ({ checklistId }) => checklistId)
  const fields = new Map(found.customFields.map((field) => [field._id, field]))
  const titles = new Map(found.cards.map(({ _id, title }) => [_id, title]))

  function itemsOf({ _id, items }: Checklist) {
    const all = [...items, ...(byChecklist.get(_id) ?? [])]
    // Of checklists that have one number, the first has them.
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
