import type { LossKind } from '../lossKinds'
import type { BoardBuilder } from './converted'
import { describe, type Field } from './description'
import { storable } from './shapes'
import type { Card, Checklist, CustomField } from './trelloShapes'

type Found = {
  checklists: Checklist[]
  customFields: CustomField[]
  members: { id: string; fullName: string; username: string }[]
}

/** What a card says, with all that wrk has no place of its own for; tells what is left out. */
export function describeCard(board: BoardBuilder, { checklists, customFields, members }: Found) {
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

/** Who is signed in at Trello finds the files there when wrk does not get them. */
function linksOf(board: BoardBuilder, { attachments, name: card }: Card) {
  return attachments.flatMap(({ name, url, isUpload }) => {
    if (!isUpload) return { name: name || url, url }
    if (!/^https:\/\/trello\.com\//.test(url)) return []
    board.losses.add('files that Trello gives only to who is signed in there; the description links to them', `${card}: ${name}`)
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
  count('pieces of power-ups’ data', card.pluginData.length)
  count('votes', Math.max(card.idMembersVoted.length, card.badges?.votes ?? 0))
  count('reminders of due dates', card.due && (card.dueReminder ?? -1) >= 0 ? 1 : 0)
  if (card.isTemplate) losses.add('templates, now cards like others', card.name)
  if (card.mirrorSourceId) losses.add('mirrored cards, without what they mirror', card.name)
}
