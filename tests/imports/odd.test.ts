import { describe, expect, test } from 'bun:test'
import { openBoardArchive } from '../../src/archive/server/openBoardArchive'
import { writeBoardArchive } from '../../src/archive/server/writeArchive'
import { readConfig } from '../../src/config'
import { previewOf } from '../../src/imports/server/preview'
import { convert } from '../../src/imports/server/sources/convert'
import { readDate } from '../../src/imports/server/sources/dates'
import { csvLine, FORMATS } from '../../src/time/server/csv'
import { convertText, fileOf, fixture, keptInTests } from './converted'

type Rows = { tasks: { title: string; description: string | null; dueDate: string | null; tags: string[] }[] }
type Comments = { comments?: { task: number; content: string }[]; attachments?: { task: number; name: string }[] }
type Entries = { entries?: { note: string | null }[]; people?: { name: string }[] }
const readText = async (content: string | Uint8Array) =>
  (await convertText(content)) as Awaited<ReturnType<typeof convertText>> & Rows & Comments & Entries

/** What people are told of it before it becomes a board: through the archive, as on the server. */
async function previewed(content: string) {
  const { tables, losses, file } = await convert(await fileOf(content), 'export', keptInTests())
  const archive = await openBoardArchive(await fileOf(Buffer.concat(await Array.fromAsync(writeBoardArchive(tables, file)))))
  try {
    const viewer = { email: 'ada@example.com', emailVerified: true } as Parameters<typeof previewOf>[1]
    const { preview } = await previewOf(archive, viewer, losses, readConfig({}).attachments)
    return {
      counts: preview.counts,
      losses: preview.losses.map(({ what, count }) => [count, what]),
      comments: (await Array.fromAsync(archive.rows('comments'))).map(({ content }) => content),
    }
  } finally {
    archive.close()
  }
}

describe('more than a board takes is a loss, not a refusal:', () => {
  const BEYOND = [1, 'tags beyond the 20 that a task can have: left out']

  test('tags of many hours on one task', async () => {
    const rows = Array.from({ length: 3_000 }, (_, n) => `Ada,P,Dig,t${n},2026-01-05,1:00`)
    const { losses, counts } = await previewed(`User,Project,Description,Tags,Start date,Duration\n${rows.join('\n')}\n`)
    expect([counts.entries, losses]).toEqual([3_000, [BEYOND]])
  })

  test('tags in one cell', async () => {
    const tags = Array.from({ length: 2_600 }, (_, n) => `t${n}`).join('|')
    expect((await previewed(`Title,Tags\nA,${tags}\n`)).losses).toEqual([BEYOND])
  })

  /** Each letter takes six in the archive. */
  const long = `x${'\u0001'.repeat(650_000)}`
  const TITLES = 'titles over 255 characters: cut, with the full title at the top of the description'
  const DESCRIPTIONS = 'descriptions over 20,000 characters: cut'
  type Card = { name: string; text: string }
  const boards = {
    trello: ({ name, text }: Card) => ({
      ...{ name: 'B', lists: [{ id: 'l', name: 'L' }], actions: [] },
      cards: [{ id: 'c', idList: 'l', name, desc: text }],
    }),
    wekan: ({ name, text }: Card) => ({
      ...{ _format: 'wekan-board-1.0.0', title: 'B', lists: [{ _id: 'l', title: 'L' }] },
      cards: [{ _id: 'c', listId: 'l', title: name, description: text }],
    }),
    planka: ({ name, text }: Card) => ({
      item: { name: 'B' },
      included: {
        lists: [{ id: 'l', name: 'L', type: 'active' }],
        cards: [{ id: 'c', listId: 'l', name, description: text }],
      },
    }),
  }
  test.each(['trello', 'wekan', 'planka'] as const)('long texts of a card of %s', async (program) => {
    const told = async (card: Card) => (await previewed(JSON.stringify(boards[program](card)))).losses
    expect(await told({ name: 'C', text: long })).toEqual([[1, DESCRIPTIONS]])
    expect(await told({ name: 'C', text: `Dig${' '.repeat(2_500_000)}deep` })).toEqual([[1, DESCRIPTIONS]])
    const both = [
      [1, DESCRIPTIONS],
      [1, TITLES],
    ]
    expect(await told({ name: long, text: long })).toEqual(both)
  })

  test('a long description of a board', async () => {
    const board = { ...boards.trello({ name: 'C', text: '' }), desc: 'Trees '.repeat(400_000) }
    expect((await previewed(JSON.stringify(board))).losses).toEqual([[1, 'board description over 2,000 characters: cut']])
  })

  test('a long comment becomes several, and nothing of it is lost', async () => {
    const text = '“\u{1f333}”\n'.repeat(600_000)
    const action = { type: 'commentCard', data: { text, card: { id: 'c' } } }
    const { comments, losses } = await previewed(JSON.stringify({ ...boards.trello({ name: 'C', text: '' }), actions: [action] }))
    expect([comments.join('') === text, comments.length]).toEqual([true, 24])
    expect(losses.map(([, what]) => what)).toContain('comments over 10,000 characters: split into several comments')
  })
})

describe('a file', () => {
  test('whose name is too long is not left out: its extension stays', async () => {
    const csv = `Title,Attachments\nA,https://a.example/${'x'.repeat(300)}.pdf\n`
    const { counts, losses } = await previewed(csv)
    expect([counts.attachments, losses]).toEqual([1, [[1, 'file names that are not accepted: changed']]])
  })
})

describe('a comment of Todoist', () => {
  const told = async (...rows: string[]) => {
    const { comments = [], attachments = [], tasks, losses } = await readText(`TYPE,CONTENT,INDENT\n${rows.join('\n')}\n`)
    const left = losses.filter(([, what]) => what === 'comments on sections or projects: left out')
    return [[...comments, ...attachments].map(({ task }) => tasks[task - 1]?.title), left.flatMap(([, , ...said]) => said)]
  }

  test('on the project is none of a task', async () => {
    expect(await told('note,Hello,', 'task,Dig,1', 'note,Deep,')).toEqual([['Dig'], ['Hello']])
  })

  test('on a section is none of the task before it', async () => {
    const file = '"[[file {""file_name"":""a.png"",""file_url"":""https://files.test/a.png""}]]"'
    const rows = ['task,Dig,1', 'section,Soon,', 'note,All of them,', `note,${file},`, 'task,Plant,1', `note,${file},`]
    expect(await told(...rows)).toEqual([['Plant'], ['All of them', expect.stringContaining('[[file')]])
  })
})

describe('one bad byte', () => {
  const damaged = (text: string) => {
    const bytes = Buffer.from(text)
    bytes[bytes.indexOf('?')] = 0xff
    return bytes
  }
  const json = JSON.stringify({ name: 'B', lists: [], cards: [{ id: 'c', idList: 'l', name: 'Büro ?' }], actions: [] })

  test.each([
    ['', json],
    [' after a mark', `\ufeff${json}`],
  ])('in JSON%s is one strange letter, and it is told', async (_, text) => {
    const { tasks, losses } = await readText(damaged(text))
    expect(tasks[0]?.title).toBe('Büro \ufffd')
    expect(losses).toContainEqual([1, 'characters that are not valid UTF-8: now “\ufffd”'])
  })

  test('in a CSV makes it one of another encoding', async () => {
    const { losses } = await readText(damaged('Title\nBüro ?\n'))
    expect(losses.map(([, what]) => what)).toContainEqual(expect.stringContaining('no declared encoding'))
  })

  test('is none where the JSON is UTF-16', async () => {
    const { tasks, losses } = await readText(Buffer.from(`\ufeff${json}`, 'utf16le'))
    expect([tasks[0]?.title, losses.length]).toEqual(['Büro ?', 1])
  })
})

test.each([
  ['5 Jan 10:30', undefined],
  ['Jan 5 10:30', undefined],
  ['Jan 5, 10 am', undefined],
  ['5.1.10:30', undefined],
  ['202603251030', undefined],
  ['5 Jan 26 10:30', '2026-01-05T10:30:00.000Z'],
  ['Jan 5, 26 10:30', '2026-01-05T10:30:00.000Z'],
  ['5/Jan/2026:10:30', '2026-01-05T00:00:00.000Z'],
  ['1774434600000', '2026-03-25T10:30:00.000Z'],
  ['1774434600', '2026-03-25T10:30:00.000Z'],
])('the date %p is at %p', (text, moment) => expect(readDate(text, 'day first')?.moment).toBe(moment as string))

describe('hours', () => {
  test.each(Object.values(FORMATS))(
    'of our own CSV, $name, come back without what keeps formulas from running',
    async (format) => {
      const row = { name: '-Ada', username: 'ada', task: '=A1', note: '-x;=y', day: '2026-03-29', duration: 90, billable: true }
      const content = [format.columns, format.cells({ ...row, billed: 90, rate: 10_000, cents: 15_000 } as never)].map(csvLine)
      expect(content[1]).toContain("'=A1")
      const { tasks, entries, people } = await readText(content.join(''))
      expect([tasks[0]?.title, entries?.[0]?.note, people?.[0]?.name]).toEqual(['=A1', '-x;=y', '-Ada'])
    },
  )

  test('of others keep their apostrophes, as do ours before other letters', async () => {
    const { tasks } = await readText("User,Project,Description,Start date,Duration\nAda,P,'=A1,2026-03-29,1:00\n")
    expect(tasks[0]?.title).toBe("'=A1")
    const own = await readText((await Bun.file(fixture('csv-own-hours.csv')).text()).replaceAll('Cut', "'Cut"))
    expect(own.tasks[0]?.title).toBe("'Cut the teaser")
  })

  test('before and after noon are told apart as Spanish writes them', async () => {
    const row = 'Ada,P,Dig,25/03/2026,11:00 a. m.,25/03/2026,1:30\u00a0p.\u00a0m.'
    const { entries } = await readText(`User,Project,Description,Start date,Start time,End date,End time\n${row}\n`)
    expect(entries).toMatchObject([{ startTime: '2026-03-25T11:00:00.000Z', endTime: '2026-03-25T13:30:00.000Z', minutes: 150 }])
  })

  test('that cannot be read are told with their line of the file', async () => {
    const rows = ['', 'Ada,"two\r\nlines",2026-03-29,60', ' , ', 'Ada,P,soon,60', '', '', 'Ada,P,later,60']
    const { losses } = await readText(`\r\nUser,Project,Date,Duration (minutes)\r\n${rows.join('\r\n')}\r\n`)
    const said = ['line 7: Ada, P, soon, 60', 'line 10: Ada, P, later, 60']
    expect(losses).toContainEqual([2, 'rows without a readable start and duration', ...said])
  })
})

test('times without an offset are UTC in every zone of the server', async () => {
  const home = process.env.TZ ?? 'Etc/UTC'
  process.env.TZ = 'America/St_Johns'
  try {
    const file = await Bun.file(fixture('trello.json')).json()
    for (const card of file.cards) card.dateLastActivity = '2026-04-02 08:00:00.5'
    const { tasks } = await readText(JSON.stringify(file))
    expect(tasks).toContainEqual(expect.objectContaining({ updatedAt: '2026-04-02T08:00:00.500Z' }))
  } finally {
    process.env.TZ = home
  }
})
