import type { BoardBuilder } from './boardBuilder'
import { isObject, jsonIn, listIn, partsIn, splitCell } from './cells'
import { readDate } from './dates'
import { spelled } from './table'
import type { Columns, TasksContext } from './tasksCsvColumns'
import { withPauses } from './text'

type Row = { kind: 'task' | 'note' | 'section' | 'other'; list: string | null; parent: string | null }

/** Todoist mixes sections, notes and indented tasks; elsewhere every row is a task. */
export function byRow(columns: Columns): (row: string[]) => Row {
  const isTodoist = columns.has('type') && columns.has('indent')
  let section: string | null = null
  const parents: string[] = []
  return (row) => {
    const list = columns.first(row, columns.has('list') ? 'list' : 'state') || null
    if (!isTodoist) return { kind: 'task', list, parent: null }
    const title = columns.first(row, 'title')
    const type = columns.first(row, 'type').toLowerCase()
    if (type === 'section') section = title
    if (type !== 'task') return { kind: type === 'note' || type === 'section' ? type : 'other', list: section, parent: null }
    const level = Math.max(1, Number(columns.first(row, 'indent')) || 1)
    parents.length = Math.min(parents.length, level - 1)
    const parent = parents.at(-1) ?? null
    parents.push(title)
    return { kind: 'task', list: section, parent }
  }
}

const ADDRESS_MAX = 500
const ADDRESS = /^(?:(.*?)\s*<)?([^\s<>@]+@[^\s<>@]+\.[^\s<>@]+)>?$/

/** `spareEmails`: addresses that cannot be matched because their number differs from the people's. */
export function assigneesIn(context: TasksContext, row: string[]): { assignees: number[]; spareEmails: string } {
  const { columns } = context
  const cells = columns.all(row, 'assignee')
  const email = columns.first(row, 'email')
  const names = cells.flatMap((cell) => namesIn(context, cell))
  const emails = email === '' ? [] : namesIn(context, email)
  if (names.length === 0) return { assignees: emails.map((address) => personNamed(context, address, true)), spareEmails: '' }
  const isEachs = cells.length === 1 && emails.length === names.length
  const assignees = names.map((name, nth) => personNamed(context, name, true, isEachs ? emails[nth] : undefined))
  return { assignees, spareEmails: isEachs ? '' : email }
}

export const personIn = (context: TasksContext, cell: string): number | null =>
  cell === '' ? null : personNamed(context, cell, false)

function personNamed({ board, names }: TasksContext, name: string, member: boolean, email?: string): number {
  const [, called = '', address] = (name.length <= ADDRESS_MAX && ADDRESS.exec(name)) || []
  const own = email ?? address ?? null
  const known = address === undefined ? (names.get(name) ?? name) : called
  return board.person((own ?? known).toLowerCase(), { name: known || (own ?? ''), email: own, member })
}

function namesIn({ hasBlanksBetween, board }: TasksContext, cell: string): string[] {
  const hasLines = cell.includes(';') || cell.includes('\n')
  return splitCell(cell, board.losses, hasLines ? /[;\n]/ : hasBlanksBetween && !cell.includes(',') ? /\s+/ : undefined)
}

/** Jira writes "Reporter" beside "Reporter Id". */
export async function namesByIds({ board, header }: Pick<TasksContext, 'board' | 'header'>, rows: string[][]) {
  const names = new Map<string, string>()
  const byName = new Map(header.map((name, at) => [name.toLowerCase(), at]))
  const pairs = [...byName].flatMap(([name, at]) => {
    const named = name.endsWith(' id') ? byName.get(name.slice(0, -3)) : undefined
    return named === undefined ? [] : [{ at, named }]
  })
  if (pairs.length === 0) return names
  for await (const row of withPauses(rows))
    for (const { at, named } of pairs) {
      const [id, name] = [row[at]?.trim() ?? '', row[named]?.trim() ?? '']
      if (id === '' || name === '' || names.has(id)) continue
      board.kept.add([id, name])
      names.set(id, name)
    }
  return names
}

/** A WeKan label ends in one of its colours. */
const AFTER_COLOUR =
  /(?<=-(?:white|green|yellow|orange|red|purple|blue|sky|lime|pink|black|silver|peachpuff|crimson|plum|darkgreen|slateblue|magenta|gold|navy|gray|saddlebrown|paleturquoise|mistyrose|indigo))\s+/i

export const tagsIn = ({ hasBlanksBetween, board }: TasksContext, cell: string): string[] =>
  splitCell(cell, board.losses).flatMap((tag) => (hasBlanksBetween ? tag.split(AFTER_COLOUR) : tag))

/** Jira writes "date;author;text", one column per comment. */
const JIRA = /^([^;]{6,40});([^;]{0,200});(.*)$/s

type Said = { text: string; author: string; date: string }

/** The keys of Plane, ClickUp, Jira, Asana, Notion and GitLab. */
const COMMENT_PARTS = {
  text: spelled('comment, commenttext, text, body, content, message, commentstripped, plaintext, richtext, note, value'),
  author: spelled('createdby, by, author, user, actor, creator, createdbyname, authorname, username, from'),
  date: spelled('createdat, created, createdtime, createdon, date, timestamp, time, postedat, datecreated, published'),
}

function commentsIn({ order, board }: TasksContext, cell: string): Said[] {
  const items = jsonIn(cell)
  if (items) return items.map((item) => saidIn(item, board.losses))
  const [, date = '', author = '', text = ''] = JIRA.exec(cell) ?? []
  return [readDate(date, order) ? { text, author, date } : { text: cell, author: '', date: '' }]
}

function saidIn(item: unknown, losses: BoardBuilder['losses']): Said {
  if (!isObject(item)) return { text: String(item ?? ''), author: '', date: '' }
  const said = partsIn(item, COMMENT_PARTS, losses)
  return said.text === '' ? { text: JSON.stringify(item), author: '', date: '' } : said
}

export function addNote(context: TasksContext, task: number, row: string[], cell = context.columns.first(row, 'title')) {
  const { board, columns, order } = context
  for (const { text: given, author, date } of commentsIn(context, cell)) {
    const { text, files } = withoutFiles(given)
    for (const { name, url } of files) addFileAt(context, { task, name, url, person: board.personOf(null), createdAt: board.now })
    if (text.trim() === '') continue
    const person = personIn(context, author || (date ? '' : columns.first(row, 'author'))) ?? board.personOf(null)
    const createdAt = readDate(date, order)?.moment ?? readDate(columns.first(row, 'updated'), order)?.moment ?? board.now
    if (createdAt === board.now) board.losses.add('commentTime', text)
    board.comment({ task, person, content: text, createdAt })
  }
}

const FILE_NOTE = /\[\[file (\{[^[\]]*\})\]\]/g

/** Todoist puts a file into a note as `[[file {…}]]`. */
function withoutFiles(text: string) {
  const files: { name: string; url: string }[] = []
  const rest = text.replace(FILE_NOTE, (whole, json: string) => {
    const [file] = jsonIn(json) ?? []
    if (!isObject(file)) return whole
    files.push(partsIn(file, FILE_PARTS))
    return ''
  })
  return { text: files.length > 0 ? rest.trim() : text, files }
}

const FILE_PARTS = {
  name: ['filename', 'name', 'title'],
  url: ['fileurl', 'url', 'link', 'href', 'downloadurl', 'permanenturl', 'viewurl'],
}

/** Jira writes "date;author;name;address"; other programs write addresses or lists. */
export function addFile(context: TasksContext, task: number, cell: string) {
  const { board, order } = context
  const items = listIn(cell)
  for (const item of items ?? cell.split(/\n|,\s+(?=https?:)/)) {
    if (isObject(item)) {
      const { name, url } = partsIn(item, FILE_PARTS, board.losses)
      addFileAt(context, { task, name, url: url || JSON.stringify(item), person: board.personOf(null), createdAt: board.now })
      continue
    }
    const part = String(item ?? '').trim()
    const [date = '', author = '', name = '', url = ''] = part.split(';')
    const at = readDate(date, order)
    const person = personIn(context, at ? author : '') ?? board.personOf(null)
    addFileAt(context, { task, name: at ? name : '', url: at ? url : part, person, createdAt: at?.moment ?? board.now })
  }
}

type Sent = { task: number; person: number; name: string; url: string; createdAt: string }

function addFileAt({ board }: TasksContext, { name, url, ...sent }: Sent) {
  if (!/^https?:\/\/\S+$/.test(url)) return board.losses.add('fileMissing', [name, url].join(' ').trim())
  const ofAddress = decoded(
    url
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? '',
  )
  board.attach({ ...sent, name: name || ofAddress, url })
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
