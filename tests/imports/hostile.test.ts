import { describe, expect, test } from 'bun:test'
import { convert } from '../../src/imports/server/sources/convert'
import { convertText, fileOf, keptInTests } from './converted'

const refused = async (content: string | string[], sentence: string) => refusedFile(await fileOf(content), sentence)

async function refusedFile(path: string, sentence: string) {
  const error = await convert(path, 'hostile', keptInTests()).then(
    () => new Error('it was taken'),
    (error) => error,
  )
  expect([error.code, error.message]).toEqual(['BAD_REQUEST', expect.stringMatching(sentence)])
}

const trello = (given: object) =>
  JSON.stringify({
    name: 'B',
    lists: [{ id: 'l', name: 'L' }],
    cards: [{ id: 'c', name: 'C', idList: 'l' }],
    actions: [],
    ...given,
  })
const card = (given: object) => trello({ cards: [{ id: 'c', name: 'C', idList: 'l', ...given }] })
const deep = (levels: number) => `${'{"a":['.repeat(levels)}${']}'.repeat(levels)}`

describe('a file that is none is refused in a sentence', () => {
  test.each([
    ['empty', '', 'This file is empty'],
    ['blank', ' \n\t ', 'This file is empty'],
    ['a list', '[{"id":1}]', 'cannot be imported'],
    ['another JSON', '{"hello":"there"}', 'cannot be imported'],
    ['cut off', trello({}).slice(0, -20), 'damaged'],
    ['cut off in a text', trello({}).slice(0, 40), 'damaged'],
    ['with a comma too much', trello({}).replace('"c"', '"c",,'), 'damaged'],
    ['with brackets crossed', '{"lists":[{]}', 'damaged'],
    ['with more after its end', `${trello({})}{}`, 'damaged'],
    ['nested 10,000 deep', deep(10_000), 'nested too deeply'],
    ['nested in a card', card({}).replace('"C"', deep(100)), 'nested too deeply'],
    ['closing what was never open', '{]]]]}}}}', 'damaged'],
    ['of names alone', 'Colour\nred\n', 'has no task column'],
    ['of hours without days', 'Project,Client,Description,Time (h)\nP,C,D,1:00\n', 'export the detailed report'],
    ['a table without rows', 'Title,Due\n', 'no rows with tasks'],
    ['a quotation that never ends', `Title\n"${'a'.repeat(100)}`, 'quotation mark is not closed'],
    ['a picture', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'has no task column'],
  ])('%s', (_, content, sentence) => refused(content, sentence))

  test.each([
    [{ name: 5 }, 'cards, number 1, name: '],
    [{ due: 'tomorrow' }, 'cards, number 1, due: not a date'],
    [{ due: '99999-01-01' }, 'cards, number 1, due: not a date'],
    [{ closed: 'yes' }, 'cards, number 1, closed: '],
    [{ labels: {} }, 'cards, number 1, labels: '],
    [{ labels: [{ name: [] }] }, 'cards, number 1, labels.0.name: '],
    [{ idMembers: [{}] }, 'cards, number 1, idMembers.0: '],
    [{ pos: 'top' }, 'cards, number 1, pos: '],
    [{ attachments: [{ url: null }] }, 'cards, number 1, attachments.0.url: '],
    [{ idList: null }, 'cards, number 1, idList: '],
  ])('wrong types in a card: %j', (given, sentence) => refused(card(given), sentence))

  test.each(['lists', 'members', 'checklists', 'customFields', 'actions'])('wrong types in %s', (list) =>
    refused(trello({ [list]: [{ id: 7, type: 'commentCard' }] }), `${list}, number 1`),
  )
})

describe('what is only strange is taken', () => {
  test('names of prototypes, unknown fields, lone surrogates and NUL characters', async () => {
    const content = card({ name: 'a\0b\ud800', labels: [{ name: '__proto__' }], strange: [[{}]] }).replace(
      '"strange"',
      '"__proto__"',
    )
    const { tasks } = (await convertText(content)) as { tasks?: object[] } & object
    expect(tasks).toMatchObject([{ title: 'ab\ufffd', tags: ['__proto__'] }])
    expect(({} as { strange?: unknown }).strange).toBeUndefined()
  })

  test('escapes in the JSON of a cell, and in an address, of what nothing can store', async () => {
    const people = JSON.stringify([{ name: 'Bob \ud83d', 'no\0te': 'a\0b' }]).replaceAll('"', '""')
    expect(await convertText(`Title,Assignee,Attachments\nA,"${people}",https://files.test/a%00.png\n`)).toMatchObject({
      people: [{ name: 'Bob \ufffd' }, { name: 'Unknown' }],
      attachments: [{ name: 'a.png' }],
      losses: [[1, 'other details in cells that hold a list: left out', 'note: ab']],
    })
  })

  test('blank dates and numbers are none', async () => {
    const { tasks, attachments } = (await convertText(
      card({ due: '', start: '', attachments: [{ url: 'https://files.test/a.txt', idMember: '', isUpload: true }] }),
    )) as { tasks?: object[]; attachments?: object[] }
    expect(tasks).toMatchObject([{ title: 'C', dueDate: null, description: null }])
    expect(attachments).toMatchObject([{ name: 'file', url: 'https://files.test/a.txt' }])
  })

  test('text that looks like the end of a card', async () => {
    const { tasks } = (await convertText(card({ name: '"}],[{"\\', desc: '{"cards":[' }))) as { tasks?: object[] } & object
    expect(tasks).toMatchObject([{ title: '"}],[{"\\', description: '{"cards":[' }])
  })

  test('text with escapes, wherever it is cut into parts', async () => {
    const begin = card({ name: '' }).indexOf('""')
    for (let more = 0; more < 8; more++) {
      const name = `${'x'.repeat(32 * 1024 - begin - 5 + more)}\\\\"}]`
      expect(await convertText(card({ name }))).toMatchObject({ tasks: [{ title: name }] })
    }
  })

  test('a card twice, and one whose list is missing, are losses', async () => {
    const one = { id: 'c', name: 'C', idList: 'nowhere' }
    const { losses } = await convertText(trello({ cards: [one, one] }))
    expect(losses).toEqual([
      [1, 'lists without cards', 'L'],
      [1, 'cards whose list is not in the file', 'C'],
      [1, 'duplicate cards', 'C'],
    ])
  })

  test('rows of any length, and a column named like a prototype', async () => {
    const { tasks } = (await convertText('Title,__proto__\nA,b,c\nD\n')) as { tasks?: object[] } & object
    expect(tasks).toMatchObject([{ description: '- __proto__: b\n- Other: c' }, { title: 'D', description: null }])
  })
})

/** The longest, in milliseconds, that anybody else had to wait for this process; not for others on a busy machine. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  let used = process.cpuUsage()
  const note = () => {
    const { user, system } = process.cpuUsage(used)
    longest = Math.max(longest, Math.min(performance.now() - last, (user + system) / 1_000))
    last = performance.now()
    used = process.cpuUsage()
  }
  const timer = setInterval(note, 1)
  await work().finally(() => clearInterval(timer))
  note()
  return longest
}

/** On a slow machine 410 were seen. */
const LONG_MS = 1_000
const MIB = 2 ** 20
const LARGE: [string, () => string[], string][] = [
  [
    'a million labels on a card',
    () => [card({ labels: [] }).replace('"labels":[]', `"labels":[${'{},'.repeat(999_999)}{}]`)],
    'too long: number 1 in “cards”',
  ],
  ['3,000 labels on a card', () => [card({ labels: Array(3_000).fill({}) })], 'labels: more than'],
  ['a text of 12 MB', () => [card({ desc: 'x'.repeat(12 * MIB) })], 'too long: number 1 in “cards”'],
  ['a line of 12 MB', () => ['Title\n', 'x'.repeat(12 * MIB)], 'a row is too long'],
  ['100,000 columns', () => ['Title', ',x'.repeat(100_000), '\nA\n'], 'more than 500 columns'],
  [
    'a million numbers',
    () => [trello({ n: [] }).replace('"n":[]', `"n":[${'1,'.repeat(4 * MIB)}1]`)],
    'one part of it is too large',
  ],
  ['64 MB and more', () => ['x'.repeat(64 * MIB + 1)], 'up to 64 MB'],
]

describe('large files hold nobody up', () => {
  test.each(LARGE)('%s', async (_, make, sentence) => {
    const path = await fileOf(make())
    expect(await longestWait(() => refusedFile(path, sentence))).toBeLessThan(LONG_MS)
  })
})

const HOURS = 'User,Project,Tags,Start date,Start time,Duration\n'
/** A thousand letters in rows of a hundred. */
const CYRILLIC = Buffer.alloc(1_000, 0xe0).map((letter, n) => (n % 100 === 99 ? 0x0a : letter + (n % 31)))
const gap = ' '.repeat(60_000)
const manyTags = (from: number) => Array.from({ length: 40_000 }, (_, n) => `t${from + n}`).join('|')
const named = (list: string) => trello({ lists: [{ id: 'l', name: list }] })

describe('what would take for ever is refused, or done, at once', () => {
  const REFUSED: [string, string, string][] = [
    ['a duration with a gap in it', `${HOURS}Ada,P,,2026-01-05,09:00,1h${gap}x\n`, 'no rows with hours'],
    ['many short rows under many columns', `Title${',x'.repeat(499)}\n${'A\n'.repeat(16_100)}`, 'more than this server can read'],
    ['a column with a name like a book', `Title,${'n'.repeat(16_385)}\nA,b\n`, 'a column whose name is longer than 16,384'],
    [
      'a name that stands in all tasks',
      `Title,${'n'.repeat(16_384)}\n${'A,b\n'.repeat(8_300)}`,
      'more than this server can read',
    ],
    ['a list with a name like a book', named('n'.repeat(16_385)), 'lists, number 1, name: longer than 16,384'],
  ]
  test.each(REFUSED)('%s', async (_, content, sentence) => {
    expect(await longestWait(() => refused(content, sentence))).toBeLessThan(LONG_MS)
  })

  const TAKEN: [string, string | Uint8Array][] = [
    ['a million letters of Windows-1251', Buffer.concat([Buffer.from('Title\n'), ...Array(1_000).fill(CYRILLIC)])],
    ['a cell of brackets alone', `Title,Tags\nA,${'['.repeat(400_000)}${']'.repeat(400_000)}\n`],
    ['sixty columns that begin as a day does', `Title,Project,User${`,Mon.-${'.-'.repeat(8_000)}!`.repeat(60)}\nA,Shop,Ada\n`],
    ['a date with gaps in it', `Title,Due\nA,"1 -${gap}- 2 to${gap}"\n`],
    ['a field with a gap in it', `Title,Colour\nA,"b${gap}c"\n`],
    ['somebody with a gap in the name', `Title,Assignee\nA,"b${gap}c"\n`],
    [
      'a task with very many tags, again and again',
      HOURS + [0, 40_000].map((n) => `Ada,P,${manyTags(n)},2026-01-05,09:00,1:00\n`).join(''),
    ],
  ]
  test.each(TAKEN)('%s', async (_, content) => {
    const path = await fileOf(content)
    expect(await longestWait(() => convert(path, 'hostile.csv', keptInTests()))).toBeLessThan(LONG_MS)
  })

  test('items of two checklists with one number are there once', async () => {
    const items = Array.from({ length: 2_000 }, () => ({ checklistId: 'k', title: 'x' }))
    const checklists = Array.from({ length: 500 }, () => ({ _id: 'k', cardId: 'c', title: 'K' }))
    const board = {
      _format: 'wekan-board-1.0.0',
      title: 'B',
      lists: [{ _id: 'l', title: 'L' }],
      cards: [{ _id: 'c', title: 'C', listId: 'l' }],
    }
    const path = await fileOf(JSON.stringify({ ...board, checklists, checklistItems: items }))
    const { tables } = await convert(path, 'wekan.json', keptInTests())
    const [task] = Array.from(tables.tasks as { description: string }[])
    expect(task?.description.match(/^- \[ \] x$/gm)?.length).toBe(2_000)
  })
})
