import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writeBoardArchive } from '../../../src/archive/server/writeArchive'
import { AT, tablesOf, taskRow } from '../imports'

const MIB = 2 ** 20
/** Small rows of so much text are more than may be kept; 64 MiB is the most that is taken. */
const TEXT = (process.env.INPUTS ? 63 : 3) * MIB
const LONG_ROWS = process.env.INPUTS ? 400 : 10
const LONG_COMMENTS = process.env.INPUTS ? 800 : 300

type Parts = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** `head`, then rows up to the size, then `tail`. */
function* filled(head: string, row: (nth: number) => string, tail: string, between = ','): Generator<string> {
  yield head
  let part = ''
  for (let nth = 0, bytes = head.length; bytes < TEXT; nth++) {
    const text = `${nth === 0 ? '' : between}${row(nth)}`
    bytes += Buffer.byteLength(text)
    part += text
    if (part.length < MIB) continue
    yield part
    part = ''
  }
  yield part + tail
}

const trello = (list: string, row: (nth: number) => string) => {
  const others = { lists: '{"id":"l","name":"L"}', cards: '{"id":"c","name":"C","idList":"l"}', actions: '' }
  const rest = Object.entries(others).flatMap(([name, rows]) => (name === list ? [] : `"${name}":[${rows}]`))
  return filled(`{"id":"b","name":"B",${rest.join()},"${list}":[`, row, ']}')
}
const wekan = (list: string, row: (nth: number) => string) => {
  const others = { lists: '{"_id":"l","title":"L"}', cards: '{"_id":"c","title":"C","listId":"l"}' }
  const rest = Object.entries(others).flatMap(([name, rows]) => (name === list ? [] : `"${name}":[${rows}]`))
  return filled(`{"_format":"wekan-board-1.0.0","title":"B",${rest.join()},"${list}":[`, row, ']}')
}
const planka = (list: string, row: (nth: number) => string) => filled(`{"item":{"name":"B"},"included":{"${list}":[`, row, ']}}')
const csv = (head: string, row: (nth: number) => string) => filled(`${head}\n`, row, '\n', '\n')

const repeated = (text: string, times: number) => Array(times).fill(text).join()

/** Central directory records of so many entries, each with a comment and an extra field as long as they can be. */
function* directoryOf(entries: number, extra = 0xffff): Generator<Uint8Array> {
  const local = Buffer.alloc(30)
  local.write('PK\x03\x04', 'latin1')
  yield local
  for (let nth = 0; nth < entries; nth++) {
    const name = Buffer.from(`files/${nth}`)
    const head = Buffer.alloc(46)
    head.writeUInt32LE(0x02014b50, 0)
    head.writeUInt16LE(name.length, 28)
    head.writeUInt16LE(extra, 30)
    head.writeUInt16LE(extra, 32)
    const field = Buffer.alloc(2 * extra, 'x')
    if (extra >= 4) field.writeUInt16LE(extra - 4, 2)
    yield Buffer.concat([head, name, field])
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(30, 16)
  yield end
}

const named = async () => null
const archive = (given: Parameters<typeof tablesOf>[0]) => writeBoardArchive(tablesOf({ attachments: [], ...given }), named)
function* rows<Row>(count: number, row: (nth: number) => Row): Generator<Row> {
  for (let nth = 1; nth <= count; nth++) yield row(nth)
}
const comment = { task: 1, person: 1, createdAt: AT }
const event = (detail: Record<string, unknown>) => ({ ...comment, taskTitle: 'x', kind: 'x', detail })

/** What takes far more memory to read than it has bytes, unless its reader is bounded. */
export const hostileFiles: Record<string, () => Parts> = {
  'a ZIP whose entries have long comments': () => directoryOf(LONG_COMMENTS),
  'a ZIP of many entries': () => directoryOf(49_000, 100),
  'an archive of long rows': () => archive({ activities: rows(LONG_ROWS, () => event({ x: 'x'.repeat(1.9 * MIB) })) }),
  'an archive of long rows in two bytes': () =>
    archive({ activities: rows(LONG_ROWS, () => event({ x: '€'.repeat(0.6 * MIB) })) }),
  'an archive of many rows': () => archive({ comments: rows(20_000, (nth) => ({ ...comment, content: `${nth}` })) }),
  'an archive of wide events': () =>
    archive({
      activities: rows(3_000, (nth) => event(Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`${nth} ${at}`, at])))),
    }),
  'an archive of tasks with many tags': () =>
    archive({ tasks: rows(2_000, (nth) => taskRow(nth, { tags: Array.from({ length: 1_500 }, (_, at) => `${nth} ${at}`) })) }),
  'Trello, of small cards': () => trello('cards', (nth) => `{"id":"${nth}","name":"C","idList":"l"}`),
  'Trello, of cards in two bytes': () =>
    trello('cards', (nth) => `{"id":"${nth}","name":"${'€'}${'x'.repeat(3_000)}","idList":"l"}`),
  'Trello, of cards with many labels': () =>
    trello('cards', (nth) => `{"id":"${nth}","name":"C","idList":"l","labels":[${repeated('{}', 2_000)}]}`),
  'Trello, of large cards': () =>
    trello('cards', (nth) => `{"id":"${nth}","name":"C","idList":"l","desc":"€${'x'.repeat(7.9 * MIB)}"}`),
  'Trello, of small lists': () => trello('lists', (nth) => `{"id":"${nth}","name":""}`),
  'Trello, of small checklists': () =>
    trello('checklists', (nth) => `{"idCard":"${nth}","checkItems":[${repeated('{}', 2_000)}]}`),
  'Trello, of small actions': () =>
    trello('actions', (nth) => `{"type":"commentCard","data":{"text":"${nth}","card":{"id":"c"}}}`),
  'WeKan, of small comments': () => wekan('comments', (nth) => `{"cardId":"c","text":"${nth}"}`),
  'WeKan, of large files': () => wekan('attachments', () => `{"cardId":"c","name":"f","file":"${'A'.repeat(7.9 * MIB)}"}`),
  'WeKan, of small files': () => wekan('attachments', () => `{"cardId":"c","file":"QQ=="}`),
  'WeKan, of small cards': () => wekan('cards', (nth) => `{"_id":"${nth}","title":"","listId":"l"}`),
  'Planka, of small memberships': () => planka('cardMemberships', (nth) => `{"cardId":"${nth}","userId":"1"}`),
  'Planka, of small cards': () => planka('cards', (nth) => `{"id":"${nth}","name":"","listId":"l"}`),
  'JSON, of one text': () => filled('{"name":"', () => 'x'.repeat(MIB), '"}', ''),
  'JSON, of short texts': () => filled('{"name":[', () => '""', ']}'),
  'a CSV of small cells': () => csv(`Title${',x'.repeat(31)}`, (nth) => `${nth}${',y'.repeat(31)}`),
  'a CSV of empty rows under many columns': () => csv(`Title${',x'.repeat(499)}`, () => 'A'),
  'a CSV of long cells': () => csv('Title,Description', () => `A,€${'x'.repeat(0.3 * MIB)}`),
  'a CSV of many tags': () =>
    csv('Title,Tags', (nth) => `A,"${Array.from({ length: 50_000 }, (_, at) => `${nth}${at}`).join()}"`),
  'a CSV of many people': () =>
    csv('Title,Assignee', (nth) => `A,"${Array.from({ length: 50_000 }, (_, at) => `${nth}x${at}`).join()}"`),
  'a CSV of many files': () => csv('Title,Attachments', () => `A,"${repeated('http://a', 50_000).replaceAll(',', '\n')}"`),
  'a CSV of long hours': () =>
    csv('User,Project,Task,Start date,Start time,Duration', (nth) => `A,P,${nth % 100},2026-01-05,09:00,8700:00:00`),
  'a CSV of short hours': () =>
    csv('User,Project,Task,Start date,Start time,Duration', (nth) => `A,P,${nth},2026-01-05,09:00,1:00:00`),
}

/** Answers the path of the file. */
export async function writeHostile(folder: string, kind: string): Promise<string> {
  const path = join(folder, `${Object.keys(hostileFiles).indexOf(kind)}`)
  await pipeline(Readable.from(hostileFiles[kind]?.() ?? []), createWriteStream(path))
  return path
}
