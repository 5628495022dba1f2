import { readDate } from './dates'
import type { Columns, Reading } from './tasksCsvColumns'
import { peopleIn } from './tasksCsvPeople'

type Row = { kind: 'task' | 'note' | 'other'; list: string | null; parent: string | null }

/** Todoist has rows of sections and of notes between those of tasks, which it indents; elsewhere all are tasks. */
export function byRow(columns: Columns): (row: string[]) => Row {
  const isTodoist = columns.has('type') && columns.has('indent')
  let section: string | null = null
  const parents: string[] = []
  return (row) => {
    const list = columns.first(row, 'list') || null
    if (!isTodoist) return { kind: 'task', list, parent: null }
    const title = columns.first(row, 'title')
    const type = columns.first(row, 'type').toLowerCase()
    if (type === 'section') section = title
    if (type !== 'task') return { kind: type === 'note' ? 'note' : 'other', list: section, parent: null }
    const level = Math.max(1, Number(columns.first(row, 'indent')) || 1)
    parents.length = Math.min(parents.length, level - 1)
    const parent = parents.at(-1) ?? null
    parents.push(title)
    return { kind: 'task', list: section, parent }
  }
}

/** Jira writes "date;author;text" for a comment, and another column for the next one. */
const JIRA = /^([^;]{6,40});([^;]{0,200});(.*)$/s

/** Belongs to the task that came last. */
export function addNote({ board, columns, order }: Reading, row: string[], cell = columns.first(row, 'title')) {
  const [, date = '', author = '', text = ''] = JIRA.exec(cell) ?? []
  const at = readDate(date, order)
  const content = at ? text : cell
  const [person = board.personOf(null)] = peopleIn(board, at ? author : columns.first(row, 'author'), '', false)
  const createdAt = at?.moment ?? readDate(columns.first(row, 'updated'), order)?.moment ?? board.now
  if (content.trim() === '') return
  if (createdAt === board.now) board.losses.add('moments of comments, which the file does not tell', content)
  board.rows.comments.push({ task: board.rows.tasks.length, person, content, createdAt })
}

/** Jira writes "date;author;name;address"; other programs addresses alone. */
export function addFile({ board, order }: Reading, cell: string) {
  const task = board.rows.tasks.length
  for (const part of cell.split(/\n|,\s+(?=https?:)/)) {
    const [date = '', author = '', name = '', url = ''] = part.split(';')
    const at = readDate(date, order)
    const address = at ? url : part.trim()
    if (!/^https?:\/\/\S+$/.test(address)) {
      board.losses.add('files that are not in the export', part)
      continue
    }
    const [person = board.personOf(null)] = peopleIn(board, at ? author : '', '', false)
    const called = at
      ? name
      : decoded(
          address
            .replace(/[?#].*$/, '')
            .split('/')
            .at(-1) ?? '',
        )
    board.rows.attachments.push({
      task,
      person,
      name: called || 'file',
      file: null,
      thumbnail: null,
      url: address,
      createdAt: at?.moment ?? board.now,
    })
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
