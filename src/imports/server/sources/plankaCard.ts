import type { BoardBuilder } from './converted'
import { describe, type Field } from './description'
import type { Attachment, Card, Found } from './plankaShapes'
import { groupedBy, mapOf } from './withPauses'

/** What a card says, with all that wrk has no place of its own for; tells what is left out. */
export async function describeCard(board: BoardBuilder, found: Found, isFromFile: boolean) {
  const users = await mapOf(found['included.users'], ({ id, name, username }) => [id, name || username])
  const listsByCard = await groupedBy(found['included.taskLists'], ({ cardId }) => cardId)
  const byList = await groupedBy(found['included.tasks'], ({ taskListId, cardId }) => taskListId ?? `card ${cardId}`)
  const filesByCard = await groupedBy(found['included.attachments'], ({ cardId }) => cardId)
  const valuesByCard = await groupedBy(found['included.customFieldValues'], ({ cardId }) => cardId)
  const fields = await mapOf(found['included.customFields'], ({ id, name }) => [id, name])

  function itemsOf(list: string) {
    const items = byList.get(list) ?? []
    // Of lists that have one number, the first has them.
    byList.delete(list)
    return items
      .toSorted((a, b) => a.position - b.position)
      .map(({ name, isCompleted, assigneeUserId }) => {
        const person = users.get(assigneeUserId ?? '')
        return { text: person ? `${name} (${person})` : name, done: isCompleted }
      })
  }

  /** In version 1 a card has one, without a name. */
  function checklistsOf({ id }: Card) {
    const own = { name: 'Tasks', items: itemsOf(`card ${id}`) }
    const lists = (listsByCard.get(id) ?? []).toSorted((a, b) => a.position - b.position)
    const named = lists.map((list) => ({ name: list.name, items: itemsOf(list.id) }))
    return [own, ...named].filter(({ items }) => items.length > 0)
  }

  return (card: Card): string | null => {
    const custom = (valuesByCard.get(card.id) ?? []).map(({ customFieldId, content }) => ({
      name: fields.get(customFieldId) || 'Custom field',
      value: content,
    }))
    for (const { name } of custom) board.losses.add('custom fields, now lines in the description', name)
    return describe({
      text: card.description,
      checklists: checklistsOf(card),
      links: linksOf(board, card, filesByCard.get(card.id) ?? [], isFromFile),
      fields: [...stopwatchOf(board, card), ...custom],
    })
  }
}

function linksOf(board: BoardBuilder, card: Card, attachments: Attachment[], isFromFile: boolean) {
  return attachments.flatMap(({ name, type, url, data }) => {
    const address = url ?? data?.url ?? ''
    if (type !== 'link' && !isFromFile) return []
    if (type !== 'link')
      board.losses.add(
        'files that Planka gives only to who is signed in there; the description links to them',
        `${card.name}: ${name}`,
      )
    return { name: name || address, url: address }
  })
}

function stopwatchOf(board: BoardBuilder, { name, stopwatch }: Card): Field[] {
  const minutes = Math.round((stopwatch?.total ?? 0) / 60)
  if (minutes === 0 && !stopwatch?.startedAt) return []
  board.losses.add('stopwatches, which tell no day and no person, now lines in the description', name)
  return [{ name: 'Stopwatch', value: `${Math.floor(minutes / 60)}h ${minutes % 60}m` }]
}
