import type { BoardBuilder } from './boardBuilder'

type ChecklistPart = { name: string; items: { text: string; done: boolean }[] }
type Link = { name: string; url: string }
export type Field = { name: string; value: string }

type Parts = { text?: string | null; checklists?: ChecklistPart[]; links?: Link[]; fields?: Field[] }

type NewTask = Parameters<BoardBuilder['task']>[0]

/** A card of Trello, Planka or WeKan. `list` is undefined if the file lacks it; `custom` are fields that people added. */
type Card = Omit<NewTask, 'description' | 'dueDate' | 'list'> &
  Parts & { id: string; list: string | null | undefined; due: string | null; custom: Field[]; assignees: string[] }

type CommentOnCard = { cardId: string; text: string; createdAt: string | null }

export type Cards = ReturnType<typeof createCards>

export function createCards(board: BoardBuilder) {
  const { losses } = board
  const tasks = new Map<string, number>()
  return {
    taskOf: (card: string) => tasks.get(card),
    isNew(id: string, title: string): boolean {
      if (tasks.has(id)) losses.add('cardTwice', title)
      return !tasks.has(id)
    },
    add({ id, list, due, text, checklists, links, fields = [], custom, assignees, ...card }: Card): number {
      if (list === undefined) losses.add('listMissing', card.title)
      if (due) losses.add('dueTimeInUtc', card.title)
      const all = [...fields, ...custom].filter(({ value }) => value.trim() !== '')
      for (const field of custom) if (all.includes(field)) losses.add('customField', field.name)
      const description = describe({ text, checklists, links, fields: all })
      const task = board.task({ ...card, list: list ?? null, description, dueDate: due?.slice(0, 10) ?? null })
      tasks.set(id, task)
      board.assign(task, assignees.map(board.personOf))
      return task
    },
    comment({ cardId, text, createdAt }: CommentOnCard, author: () => number): boolean {
      const task = tasks.get(cardId)
      if (task === undefined) losses.add('commentOfNoCard', text)
      if (task === undefined || text.trim() === '') return false
      board.comment({ task, person: author(), content: text, createdAt: createdAt ?? board.now })
      return true
    },
  }
}

export function inOrder<T>(items: T[], placeOf: (item: T) => number[]): T[] {
  const placed = items.map((item) => ({ item, place: placeOf(item) }))
  return placed.sort((a, b) => compared(a.place, b.place)).map(({ item }) => item)
}

function compared(a: number[], b: number[]): number {
  for (const [at, number] of a.entries()) if (number !== b[at]) return number - (b[at] ?? 0)
  return 0
}

/** A description in Markdown, with everything that wrk has no field for. */
export function describe({ text, checklists = [], links = [], fields = [] }: Parts): string | null {
  const parts = [
    text?.trim() ?? '',
    ...checklists.map(({ name, items }) => `### ${inLine(name) || 'Checklist'}\n\n${items.map(box).join('\n')}`.trim()),
    links.length > 0 ? `### Links\n\n${links.map(link).join('\n')}` : '',
    fields.map(({ name, value }) => `- ${inLine(name)}: ${linesOf(value).join('\n  ')}`).join('\n'),
  ]
  return parts.filter((part) => part !== '').join('\n\n') || null
}

const box = ({ text, done }: ChecklistPart['items'][number]) => `- [${done ? 'x' : ' '}] ${inLine(text) || '…'}`

const link = ({ name, url }: Link) =>
  /^https?:\/\/[^\s<>]+$/.test(url)
    ? `- [${inLine(name).replace(/[[\]\\]/g, '\\$&')}](<${url}>)`
    : `- ${inLine(`${name} ${url}`)}`

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')

const inLine = (text: string) => text.replace(/\s+/g, ' ').trim()
