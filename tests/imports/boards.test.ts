import { describe, expect, test } from 'bun:test'
import { convertFixture, convertText, expectedRows } from './converted'

test.each(['trello.json', 'wekan.json', 'planka.json', 'toggl.csv', 'clockify.csv', 'asana.csv', 'jira.csv', 'todoist.csv'])(
  '%s becomes rows, with what it loses',
  async (name) => {
    expect(await convertFixture(name)).toEqual(await expectedRows(name.replace(/\.\w+$/, '')))
  },
)

const tasksOf = async (content: string | Uint8Array) =>
  (await convertText(content)) as Awaited<ReturnType<typeof convertText>> & Found
type Found = { tasks: { [column: string]: unknown }[]; people?: object[]; entries?: { [column: string]: unknown }[] }

describe('any table of tasks', () => {
  const TITLES = ['Title', 'NAME', 'Task', 'task_name', 'Summary', 'Subject', 'Card Name', 'content']
  test.each(TITLES)('finds the tasks by %s', async (title) => {
    const { tasks } = await tasksOf(`${title},Status\nWash up,Doing\n`)
    expect(tasks).toMatchObject([{ title: 'Wash up', list: 'Doing', status: 'inprogress' }])
  })

  test.each([
    ['Name,Status,Assign,Due,Tags\nA,Done,"Ada, Grace","March 5, 2026",a', 'Notion'],
    ['Title\tURL\tAssignees\tStatus\tLabels\tDue\nA\thttps://git.test/1\tAda, Grace\tDone\ta\t2026-03-05', 'GitHub Projects'],
    [
      'Task Id;Status;Column;Due date;Assignee Name;Title;Tags\n1;closed;Done;03/05/2026 00:00;Ada;A;a\n2;open;Done;03/25/2026;Grace;B;',
      'Kanboard',
    ],
    ['Card Name,List Name,Labels,Members,Due Date,Archived\nA,Done,a,"Ada, Grace",2026-03-05T00:00:00.000Z,false', 'Trello'],
  ])('understands %p', async (content) => {
    const { tasks, people } = await tasksOf(content)
    expect(tasks[0]).toMatchObject({
      title: 'A',
      list: 'Done',
      status: 'done',
      dueDate: '2026-03-05',
      tags: ['a'],
      closed: false,
    })
    expect(people).toMatchObject([
      { name: 'Ada', member: true },
      { name: 'Grace', member: true },
    ])
  })

  test('keeps what it has no place for as lines of the description', async () => {
    const { tasks } = await tasksOf('Name,Effort,,Notes\nA,3 days,blue,"Two\nlines"\nB,,,\n')
    expect(tasks).toMatchObject([{ description: 'Two\nlines\n\n- Effort: 3 days\n- Column 3: blue' }, { description: null }])
  })

  test('takes people with their addresses', async () => {
    const { people } = await tasksOf('Title,Owner\nA,Ada Lovelace <Ada@files.test>; grace@files.test\nB,ada@files.test\n')
    expect(people).toEqual([
      { id: 1, name: 'Ada Lovelace', email: 'ada@files.test', member: true },
      { id: 2, name: 'grace@files.test', email: 'grace@files.test', member: true },
    ])
  })

  test('who made one task and is assigned to another is a member', async () => {
    const { people } = await tasksOf('Title,Creator,Assignee\nA,Ada,\nB,,Ada\nC,Bob,\n')
    expect(people).toMatchObject([
      { name: 'Ada', member: true },
      { name: 'Bob', member: false },
    ])
  })

  const TEXT = 'Title;Tags\r\n"Grüße; ""an"" alle\nFreunde";übrig\r\n'
  const wide = Buffer.from(`\ufeff${TEXT}`, 'utf16le')
  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`)],
    ['Latin-1', Buffer.from(TEXT, 'latin1')],
    ['UTF-16', wide],
    ['UTF-16 the other way round', Buffer.from(wide).swap16()],
    ['UTF-16 without a mark', wide.subarray(2)],
  ])('reads %s', async (_, bytes) => {
    expect((await tasksOf(bytes)).tasks).toMatchObject([{ title: 'Grüße; "an" alle\nFreunde', tags: ['übrig'] }])
  })

  test.each([
    [['03/04/2026', '13/04/2026'], ['2026-04-03', '2026-04-13'], 0],
    [['03/04/2026', '04/13/2026'], ['2026-03-04', '2026-04-13'], 0],
    [['03/04/2026', '01/02/2026'], ['2026-03-04', '2026-01-02'], 2],
    [['3.4.2026', '1.2.26'], ['2026-04-03', '2026-02-01'], 0],
    [['2026-04-03', '2026/4/3 10:00'], ['2026-04-03', '2026-04-03'], 0],
    [['3 Apr 2026', 'Apr 3rd, 2026'], ['2026-04-03', '2026-04-03'], 0],
    [['soon', '31/02/2026'], [null, null], 0],
  ])('reads the dates %p as %p', async (dates, days, told) => {
    const { tasks, losses } = await tasksOf(`Title,Due\n${dates.map((date) => `A,"${date}"`).join('\n')}\n`)
    expect(tasks.map(({ dueDate }) => dueDate)).toEqual(days)
    expect(losses.flatMap(([count, what]) => (what === 'dates that were read as month/day' ? count : []))).toEqual(
      told ? [told] : [],
    )
  })
})

test('hours of dates that nobody can tell apart are read as month/day, and it is told', async () => {
  const { entries, losses } = await tasksOf(
    'User,Project,Start Date,Start Time,Duration (h)\nAda,P,03/04/2026,11:00 PM,1:30\nAda,P,01/02/2026,09:00,0:10\n',
  )
  expect(entries).toMatchObject([
    { day: '2026-03-04', startTime: '2026-03-04T23:00:00.000Z', endTime: '2026-03-05T00:30:00.000Z', minutes: 90 },
    { day: '2026-01-02', minutes: 10 },
  ])
  expect(losses).toContainEqual([2, 'dates that were read as month/day', '03/04/2026', '01/02/2026'])
})

test('of a thousand actions of Trello it tells which comments are missing', async () => {
  const cards = [{ id: 'c', name: 'Much discussed', idList: 'l', badges: { comments: 40 } }]
  const comment = { type: 'commentCard', date: '2026-01-01T00:00:00.000Z', data: { text: 'Hello', card: { id: 'c' } } }
  const actions = Array.from({ length: 1_000 }, (_, nth) => (nth < 3 ? comment : { type: 'updateCard' }))
  const told = await convertText(JSON.stringify({ name: 'B', lists: [{ id: 'l', name: 'L' }], cards, actions }))
  const what = 'older comments, as Trello exports only the newest 1,000 actions'
  expect(told.losses).toEqual([[37, what, 'Much discussed']])
  const fewer = await convertText(
    JSON.stringify({ name: 'B', lists: [{ id: 'l', name: 'L' }], cards, actions: actions.slice(0, 999) }),
  )
  expect(fewer.losses).toEqual([])
})

test('of Trello lists without cards and labels that none has are told', async () => {
  const { losses } = await convertFixture('trello-empty-list.json')
  expect(losses).toEqual([[1, 'lists without cards', 'Waiting for client']])
  const labels = [
    { id: 'g1', name: 'Urgent', color: 'red' },
    { id: 'g2', name: 'Later', color: 'blue' },
    { id: 'g3', name: '', color: 'lime' },
  ]
  const cards = [{ id: 'c', name: 'C', idList: 'l', labels: labels.slice(0, 1) }]
  const board = { name: 'B', lists: [{ id: 'l', name: 'L' }], cards, actions: [], labels }
  expect((await convertText(JSON.stringify(board))).losses).toEqual([[1, 'unused labels', 'Later (blue)']])
})

test('of an old WeKan checklists have the items that were within them', async () => {
  const { tasks } = (await convertFixture('wekan-old-checklists.json')) as { tasks?: object[] } & object
  expect(tasks).toMatchObject([{ description: '### Boxes\n\n- [x] Kitchen\n- [ ] Books' }])
})

test('of WeKan cards of an archived swimlane are archived, and what no card uses is told', async () => {
  const card = (name: string, swimlaneId: string) => ({ _id: name, title: name, listId: 'l', swimlaneId, labelIds: ['used'] })
  const board = {
    _format: 'wekan-board-1.0.0',
    title: 'B',
    lists: ['l', 'empty'].map((_id) => ({ _id, title: _id })),
    labels: ['used', 'unused'].map((_id) => ({ _id, name: _id, color: 'red' })),
    swimlanes: [
      { _id: 'here', title: 'Here' },
      { _id: 'gone', title: 'Gone', archived: true },
    ],
    cards: [card('A', 'here'), card('B', 'gone')],
  }
  const { tasks, losses } = (await convertText(JSON.stringify(board))) as unknown as { tasks: object[]; losses: unknown[] }
  expect(tasks).toMatchObject([
    { title: 'A', closed: false, tags: ['used', 'Here'] },
    { title: 'B', closed: true, tags: ['used', 'Gone'] },
  ])
  expect(losses).toEqual([
    [1, 'lists without cards', 'empty'],
    [1, 'unused labels', 'unused (red)'],
  ])
})
