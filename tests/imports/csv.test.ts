import { describe, expect, test } from 'bun:test'
import type { Reading } from '../../src/imports/schema'
import { guessColumn } from '../../src/imports/server/guessColumn'
import { convert } from '../../src/imports/server/sources/convert'
import { random } from '../support/random'
import { fileOf, fixture, keptInTests, rowsOf } from './converted'

type Task = { title: string; list: string | null; status: string; closed: boolean; dueDate: string | null; tags: string[] }
type Found = {
  tasks: (Task & { description: string | null; createdBy: number | null; doneAt: string | null })[]
  people?: { id: number; name: string; email: string | null }[]
  assignees?: { task: number; person: number }[]
  comments?: { task: number; person: number; content: string; createdAt: string }[]
  attachments?: { name: string; url: string }[]
  entries?: { task: number; person: number; day: string; minutes: number; note: string | null; endTime: string | null }[]
  losses: [number, string, ...string[]][]
  source: string
}

async function read(path: string, reading: Reading = {}, name = 'export.csv') {
  const converted = await convert(path, name, keptInTests(), reading)
  return { ...((await rowsOf(converted)) as unknown as Found), table: converted.table }
}
const readText = async (content: string | Uint8Array, reading?: Reading) => read(await fileOf(content), reading)
const readNamed = async (name: string, content: string) => read(await fileOf(content), {}, name)
const readCase = (name: string) => read(fixture(name))

const namesOf = ({ people = [] }: Found) => people.map(({ name }) => name)
const assigned = ({ assignees = [], people = [] }: Found, task = 1) =>
  assignees.filter((one) => one.task === task).map(({ person }) => people[person - 1]?.name)

describe('a status', () => {
  test.each([
    ['done', 'Done, Complete, Closed, Shipped in March, Won’t do, Canceled, Erledigt, Terminé, Hecho, Готово, 已完成, ✅'],
    ['inprogress', 'In Progress, inProgress, Doing, Working on it, Review, In Arbeit, En cours, En curso, Almost done, В работе'],
    ['todo', 'Incomplete, Not done, Not started, Unfinished, Undone, To Do, To be reviewed, Backlog, Abandonment, Ideas'],
    ['todo', 'Nicht erledigt, Non terminé, Sin empezar, 未完成'],
  ] as const)('is %s by whole words: %s', (status, names) => {
    expect(names.split(', ').map((name) => [name, guessColumn(name)])).toEqual(names.split(', ').map((name) => [name, status]))
  })

  test('beside a list is told with what becomes of it, and somebody may choose otherwise', async () => {
    const guessed = await readCase('csv-status-incomplete.csv')
    const statusesOf = ({ tasks }: Found) => tasks.map(({ title, list, status }) => [title, list, status])
    expect(statusesOf(guessed)).toEqual([
      ['Call the printer', 'Inbox', 'todo'],
      ['Pay invoice', 'Inbox', 'done'],
      ['Write text', 'Inbox', 'todo'],
    ])
    expect(guessed.table?.statuses).toEqual([
      { name: 'Incomplete', tasks: 1, status: 'list' },
      { name: 'Complete', tasks: 1, status: 'done' },
      { name: 'Not done', tasks: 1, status: 'list' },
    ])
    const statuses = { Incomplete: 'inprogress', Complete: 'todo', __proto__: 'done' } as const
    const chosen = await readText('Title,List,Status\nA,Inbox,Incomplete\nB,Done,Complete\nC,Done,Not done\n', { statuses })
    expect(statusesOf(chosen)).toEqual([
      ['A', 'Inbox', 'inprogress'],
      ['B', 'Done', 'todo'],
      ['C', 'Done', 'done'],
    ])
  })
})

describe('cells', () => {
  test('with lists as Plane writes them become people, tags and comments', async () => {
    const found = await readCase('csv-plane-lists.csv')
    expect(namesOf(found)).toEqual(['Ann Lee', 'Bob Roy'])
    expect(assigned(found)).toEqual(['Ann Lee', 'Bob Roy'])
    expect(found.tasks).toMatchObject([
      { list: 'In Progress', tags: ['text', 'client'], dueDate: '2026-12-04' },
      { list: 'Backlog', tags: [] },
    ])
    expect(found.comments).toEqual([
      { task: 1, person: 2, content: 'First draft is out', createdAt: '2026-11-03T14:30:00.000Z' },
      { task: 1, person: 1, content: 'Two changes', createdAt: '2026-11-04T09:00:00.000Z' },
    ])
  })

  test.each([
    ['[Ann Lee, Bob Roy]', '[text, client]'],
    ['Ann Lee; Bob Roy', 'text; client'],
    ['Ann Lee, Bob Roy', 'text|client'],
    ['[{""name"": ""Ann Lee""}, {""display_name"": ""Bob Roy""}]', '[{""name"": ""text""}, {""label"": ""client""}]'],
  ])('such as %s name two', async (people, tags) => {
    const found = await readText(`Title,Assignees,Tags\nA,"${people}","${tags}"\n`)
    expect([assigned(found), found.tasks[0]?.tags]).toEqual([
      ['Ann Lee', 'Bob Roy'],
      ['text', 'client'],
    ])
  })

  test('with more than 2,000 objects are text, for reading them all at once would keep others waiting', async () => {
    const cell = (items: number) => `"${JSON.stringify(Array(items).fill({ text: 'Hi' })).replaceAll('"', '""')}"`
    const found = await readText(`Title,Comments\nA,${cell(2_000)}\nB,${cell(2_001)}\n`)
    const comments = (found.comments ?? []).map(({ task, content }) => [task, content.slice(0, 14)])
    expect(comments).toEqual([...Array(2_000).fill([1, 'Hi']), [2, '[{"text":"Hi"}']])
  })

  test.each([
    ['Plane', '{"created_by":"Bob Roy","created_at":"2026-11-03T14:30:00Z","comment":"Done"}'],
    ['Jira', '{"id":"7","author":{"displayName":"Bob Roy"},"created":"2026-11-03T15:30:00.000+0100","body":"Done"}'],
    [
      'Jira’s documents',
      '{"author":{"displayName":"Bob Roy"},"created":"2026-11-03T14:30:00.000Z","body":{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"Do"},{"type":"text","text":"ne"}]}]}}',
    ],
    [
      'Asana',
      '{"gid":"1","type":"comment","created_by":{"name":"Bob Roy"},"created_at":"2026-11-03T14:30:00.000Z","text":"Done"}',
    ],
    [
      'Notion',
      '{"object":"comment","created_by":{"object":"user","name":"Bob Roy"},"created_time":"2026-11-03T14:30:00.000Z","rich_text":[{"type":"text","text":{"content":"Do"},"plain_text":"Do"},{"plain_text":"ne"}]}',
    ],
    ['another', '{"Author":"Bob Roy","timestamp":1793716200000,"content":"Done"}'],
    ['one with seconds', '{"user":{"login":"Bob Roy"},"timestamp":1793716200,"message":"Done"}'],
  ])('with comments as those of %s have author, moment and text', async (_, comment) => {
    for (const cell of [comment, `[${comment}]`]) {
      const found = await readText(`Title,Comments\nA,"${cell.replaceAll('"', '""')}"\n`)
      expect(found.comments).toEqual([{ task: 1, person: 1, content: 'Done', createdAt: '2026-11-03T14:30:00.000Z' }])
      expect([namesOf(found), found.losses]).toEqual([['Bob Roy'], []])
    }
  })

  test('keep people’s addresses and the names of files, and tell what else is in them', async () => {
    const people = '[{"name":"Ann Lee","email":"ann@files.test"},{"name":"Bob Roy","team":"Shop"}]'
    const files = '[{"url":"https://files.test/a1","name":"plan.pdf","size":12}]'
    const cells = [people, files, '[{"name":"text","color":"red"}]'].map((cell) => `"${cell.replaceAll('"', '""')}"`)
    const found = await readText(`Title,Assignees,Attachments,Tags\nA,${cells.join(',')}\n`)
    expect(found.people).toMatchObject([
      { name: 'Ann Lee', email: 'ann@files.test' },
      { name: 'Bob Roy', email: null },
      { name: 'Unknown' },
    ])
    expect(found.attachments).toMatchObject([{ name: 'plan.pdf', url: 'https://files.test/a1' }])
    expect(found.losses).toEqual([
      [3, 'other details in cells that hold a list: left out', 'team: Shop', 'color: red', 'size: 12'],
    ])
  })

  test('of WeKan have blanks between people', async () => {
    const found = await readCase('csv-wekan-members.csv')
    expect(namesOf(found)).toEqual(['ann', 'bob', 'carl'])
    expect([assigned(found, 1), assigned(found, 2)]).toEqual([
      ['ann', 'bob'],
      ['bob', 'carl'],
    ])
  })

  test('of two columns for one thing count row by row, and what differs stays', async () => {
    const { tasks } = await readCase('csv-todoist-deadline.csv')
    expect(tasks.map(({ dueDate }) => dueDate)).toEqual(['2026-12-01', '2026-12-11'])
    expect(tasks[1]?.description).toContain('- DATE: 2026-12-05')
  })

  test('that say when a task was archived have it archived', async () => {
    const { tasks } = await readCase('csv-linear-archived.csv')
    expect(tasks.map(({ closed, status }) => [closed, status])).toEqual([
      [false, 'todo'],
      [true, 'todo'],
      [false, 'done'],
    ])
    expect(tasks[1]?.description).toContain('- Archived: 2026-03-01T00:00:00.000Z')
  })

  test('with the files of notes have them fetched', async () => {
    const { comments, attachments } = await readCase('csv-todoist-file-note.csv')
    expect(comments?.map(({ content }) => content)).toEqual(['See the scan'])
    expect(attachments).toMatchObject([{ name: 'proof.png', url: 'https://files.example.com/a/proof.png' }])
  })

  test('of Todoist’s rows that are no tasks are told', async () => {
    const rows = ['meta,view_style=board,', 'section,Soon,', 'task,Call,1', 'section,Never,']
    const { tasks, losses } = await readText(`TYPE,CONTENT,INDENT\n${rows.join('\n')}\n`)
    expect(tasks).toMatchObject([{ title: 'Call', list: 'Soon' }])
    expect(losses).toEqual([
      [1, 'rows that are neither tasks nor comments: left out', 'meta, view_style=board'],
      [1, 'lists without cards', 'Never'],
    ])
  })

  test('of Todoist beside a comment or a section are told', async () => {
    const rows = ['task,Call,1,,', 'note,Tomorrow,,2026-03-02,Home', 'section,Soon,,,Work', 'task,Go,1,,']
    const { comments, losses } = await readText(`TYPE,CONTENT,INDENT,DATE,PLACE\n${rows.join('\n')}\n`)
    expect(comments).toMatchObject([{ content: 'Tomorrow' }])
    const beside = ['DATE: 2026-03-02', 'PLACE: Home', 'PLACE: Work']
    expect(losses).toContainEqual([3, 'other columns of comment and section rows: left out', ...beside])
  })

  test('of Jira name people by the ids that stand beside their names', async () => {
    const found = await readCase('csv-jira-account-ids.csv')
    expect(namesOf(found)).toEqual(['Ann Lee'])
    expect(found.comments).toMatchObject([{ person: 1, content: 'Ordered a bulb' }])
  })

  test.each([
    ['Thu Dec 24 2026 10:17:06 GMT+0000 (GMT)', '2026-12-24'],
    ['December 21, 2026 → December 24, 2026', '2026-12-24'],
    ['2026-12-21 - 2026-12-24', '2026-12-24'],
    ['21.12.2026 – 24.12.2026', '2026-12-24'],
    ['21.12.2026-24.12.2026', '2026-12-24'],
    ['12/21/2026-12/24/2026', '2026-12-24'],
    ['2026-12-21/2026-12-24', '2026-12-24'],
    ['2026-12-21 08:00/2026-12-24 09:00', '2026-12-24'],
    ['2026/12/21-2026/12/24', '2026-12-24'],
    ['2026-12-21-2026-12-24', '2026-12-24'],
    ['21/12/26-24/12/26', '2026-12-24'],
    ['24.12.2026-10.30 Uhr', '2026-12-24'],
    ['2026-12-21T08:00:00Z/2026-12-24T17:00:00Z', '2026-12-24'],
    ['24. Dezember 2026', '2026-12-24'],
    ['24 déc. 2026', '2026-12-24'],
    ['24 de diciembre de 2026', '2026-12-24'],
    ['1er juillet 2026', '2026-07-01'],
    ['2026年12月24日', '2026-12-24'],
    ['1798070400000', '2026-12-24'],
  ])('with the date %s are due on %s', async (date, day) => {
    const { tasks, losses } = await readText(`Title,Due\nA,"${date}"\n`)
    expect(tasks[0]?.dueDate).toBe(day)
    expect(losses.filter(([, what]) => what.includes('could not be read'))).toEqual([])
  })

  test('with a date as JavaScript prints it keep its moment', async () => {
    const { tasks } = await readCase('csv-linear-js-dates.csv')
    expect(tasks).toMatchObject([{ dueDate: '2026-12-24', createdAt: '2026-11-02T10:17:06.000Z' }])
  })
})

describe('a file', () => {
  test('that begins with sep= as Excel has it is a table all the same', async () => {
    const { tasks } = await readCase('csv-sep-line.csv')
    expect(tasks.map(({ title, dueDate }) => [title, dueDate])).toEqual([
      ['Erste', '2026-12-24'],
      ['Zweite', '2026-12-31'],
    ])
  })

  test('of Windows-1251 is read as such, and it is told', async () => {
    const { tasks, losses } = await readCase('csv-windows-1251.csv')
    expect(tasks[0]?.title).toBe('Позвонить в типографию')
    expect(losses).toContainEqual([1, expect.stringContaining('text with no declared encoding'), 'windows-1251'])
  })

  const inShiftJis = Buffer.from('g16DQ4Nng4ssg4qDWINnCojzjfyPioLJk2SYYoK3gukskGmNc5KGCoN8g1iDXoFbgvCN7ILpLIqul7kK', 'base64')
  const inGb18030 = Buffer.from('serM4izB0LHtCrj406HLorOntPK157uwLL340NDW0ArWxtf3uqOxqCzS0c3qs8kK', 'base64')
  test.each([
    ['shift_jis', inShiftJis, '印刷所に電話する'],
    ['gb18030', inGb18030, '给印刷厂打电话'],
  ] as const)('of %s is recognised', async (encoding, bytes, title) => {
    const { table, tasks } = await readText(bytes)
    expect(table?.encoding).toBe(encoding)
    expect(tasks[0]?.title).toBe(title)
  })

  test('of another encoding than it seems is read as somebody says', async () => {
    const { tasks, table } = await readText(Buffer.from('Title,List\nCafé,Été\n', 'latin1'), { encoding: 'windows-1253' })
    expect([tasks[0]?.title, table?.encoding]).toEqual(['Cafι', 'windows-1253'])
  })

  test.each([
    ['Zusammenfassung;Status;Bearbeiter;Ersteller;Erstellt;Fälligkeitsdatum;Stichwörter;Beschreibung', 'Jira, German'],
    ['Résumé;État;Responsable;Rapporteur;Création;Échéance;Étiquettes;Description', 'Jira, French'],
    ['Resumen;Estado;Persona asignada;Informador;Creada;Fecha de vencimiento;Etiquetas;Descripción', 'Jira, Spanish'],
  ])('with the header %s is understood', async (header) => {
    const found = await readText(`${header}\nA;Offen;Ann;Bob;01.11.2026;24.12.2026;x, y;Text\n`)
    expect(found.tasks).toEqual([
      expect.objectContaining({ title: 'A', list: 'Offen', dueDate: '2026-12-24', tags: ['x', 'y'], description: 'Text' }),
    ])
    expect([assigned(found), namesOf(found)]).toEqual([['Ann'], ['Bob', 'Ann']])
  })

  test('of a plan with durations is no hours', async () => {
    const found = await readCase('csv-plan-with-durations.csv')
    expect(found.entries).toBeUndefined()
    expect(found.tasks.map(({ dueDate }) => dueDate)).toEqual(['2026-05-08', '2026-05-12'])
    expect([assigned(found, 1), assigned(found, 2)]).toEqual([['Ann Lee'], ['Bob Roy']])
  })
})

describe('hours', () => {
  test('of our own are hours again', async () => {
    const { tasks, entries, losses } = await readCase('csv-own-hours.csv')
    expect(tasks).toMatchObject([{ title: 'Cut the teaser', list: null, dueDate: null }])
    expect(entries).toMatchObject([
      { task: 1, day: '2026-03-29', minutes: 90, note: 'First pass', endTime: null },
      { task: 1, day: '2026-03-30', minutes: 45, note: null },
    ])
    expect(losses).toEqual([])
  })

  test('of Harvest have their day, person and project', async () => {
    const header = 'Date,Client,Project,Project Code,Task,Notes,Hours,Billable?,Invoiced?,First Name,Last Name,Roles'
    const found = await readText(`${header}\n2026-03-02,Acme,Shop,S1,Design,Logo,1.5,Yes,No,Ada,Lovelace,\n`)
    expect([found.source, namesOf(found)]).toEqual(['harvest', ['Ada Lovelace']])
    expect(found.tasks).toMatchObject([{ title: 'Design', list: 'Shop', tags: ['Acme'] }])
    expect(found.entries).toMatchObject([{ day: '2026-03-02', minutes: 90, note: 'Logo' }])
  })

  test.each([
    ['Date,Project,Time (h),Time (decimal)\n2026-03-02,Shop,01:30:00,1.50\n', 'English'],
    ['Datum;Projekt;Zeit (h);Zeit (dezimal)\n02.03.2026;Shop;01:30:00;1,50\n', 'German'],
  ])('that are summed up by day have their days: %p', async (content) => {
    const { tasks, entries } = await readText(content)
    expect(tasks).toMatchObject([{ list: 'Shop' }])
    expect(entries).toMatchObject([{ day: '2026-03-02', minutes: 90 }])
  })

  test('are listed by client where somebody says so', async () => {
    const content = 'User,Client,Project,Task,Start date,Start time,Duration\nAda,Acme,Shop,Build,2026-03-02,09:00,1:00\n'
    const { tasks, table } = await readText(content, { listedBy: 'client' })
    expect(tasks).toMatchObject([{ list: 'Acme', tags: ['Shop'] }])
    expect(table).toMatchObject({ kind: 'hours', listedBy: 'client' })
  })

  test('of Clockify in German, French and Spanish are hours', async () => {
    for (const header of [
      'Projekt,Kunde,Beschreibung,Aufgabe,Benutzer,E-Mail,Startdatum,Startzeit,Enddatum,Endzeit,Dauer (h),Dauer (dezimal)',
      'Projet,Client,Description,Tâche,Utilisateur,Email,Date de début,Heure de début,Date de fin,Heure de fin,Durée (h),Durée (décimale)',
      'Proyecto,Cliente,Descripción,Tarea,Usuario,Correo electrónico,Fecha de inicio,Hora de inicio,Fecha de fin,Hora de fin,Duración (h),Duración (decimal)',
    ]) {
      const found = await readText(
        `${header}\nShop,Acme,Cart,Build,Ada,ada@files.test,2026-03-02,09:00,2026-03-02,10:30,01:30:00,1.50\n`,
      )
      expect(found.entries).toMatchObject([{ day: '2026-03-02', minutes: 90, note: 'Cart', endTime: '2026-03-02T10:30:00.000Z' }])
      expect(found.tasks).toMatchObject([{ title: 'Build', list: 'Shop', tags: ['Acme'] }])
    }
  })
})

describe('hours of a week, with a column for each day,', () => {
  const rows =
    'Shop,Acme,Ada,01:30:00,00:00:00,,2:00,0,-,0:15,03:45:00\nSite,,Bob,,,4.5,,,,,4:30:00\nTotal,,,1:30,,4:30,2:00,,,0:15,8:15\n'
  const found = [
    ['Shop', 'Ada', '2025-03-31', 90],
    ['Shop', 'Ada', '2025-04-03', 120],
    ['Shop', 'Ada', '2025-04-06', 15],
    ['Site', 'Bob', '2025-04-02', 270],
  ]
  const entriesOf = ({ entries = [], tasks, people = [] }: Found) =>
    entries.map(({ task, person, day, minutes }) => [tasks[task - 1]?.list, people[person - 1]?.name, day, minutes])

  const dated = '31/03/2025,01/04/2025,02/04/2025,03/04/2025,04/04/2025,05/04/2025,06/04/2025'
  const american = dated.replaceAll(/(\d\d)\/(\d\d)/g, '$2/$1')
  test.each([
    ['report.csv', dated],
    ['report.csv', american],
    ['report.csv', dated.replaceAll(/(\d\d)\/(\d\d)\/(\d{4})/g, '$3-$2-$1')],
    [
      'report.csv',
      '"Mon, Mar 31, 2025","Tue, Apr 1, 2025","Wed, Apr 2, 2025","Thu, Apr 3, 2025","Fri, Apr 4, 2025","Sat, Apr 5, 2025","Sun, Apr 6, 2025"',
    ],
    ['Clockify_Time_Report_Weekly_31_03_2025-06_04_2025.csv', 'Mon,Tue,Wed,Thu,Fri,Sat,Sun'],
    ['Clockify_Time_Report_Weekly_03_31_2025-04_06_2025 (1).csv', 'Montag,Dienstag,Mittwoch,Donnerstag,Freitag,Samstag,Sonntag'],
    ['TogglTrack_Report_Weekly_report_(from_03_31_2025_to_04_06_2025).csv', 'lun.,mar.,mer.,jeu.,ven.,sam.,dim.'],
    ['Toggl_weekly_2025-03-31_to_2025-04-06.csv', 'Mon 31/3,Tue 1/4,Wed 2/4,Thu 3/4,Fri 4/4,Sat 5/4,Sun 6/4'],
    ['weekly-2025-03-31.csv', 'lunes,martes,miércoles,jueves,viernes,sábado,domingo'],
  ])('are on their days: %s, %s', async (name, days) => {
    const read = await readNamed(name, `Project,Client,User,${days},Weekly total\n${rows}`)
    expect(entriesOf(read)).toEqual(found)
    expect(read.losses.map(([count, what, ...examples]) => [count, what, examples.length])).toEqual([
      [1, 'rows with totals: left out', 1],
      [1, 'columns that are not imported', 1],
    ])
    expect(read.source).toBe(/^clockify/i.test(name) ? 'clockify' : /^toggl/i.test(name) ? 'toggl' : 'csv')
  })

  test.each([
    ['report.csv', 'Mon,Tue,Wed'],
    ['report_31_03_2025-30_04_2025.csv', 'Mon,Tue,Wed'],
    ['weekly-2025-04-01.csv', 'Mon,Tue,Wed'],
    ['Clockify_Time_Report_Weekly_31_03_2025-06_04_2025.csv', 'Mon 7/4,Tue 8/4,Wed 9/4'],
    ['report.csv', 'Mon 31/3,Tue 1/4,Wed 2/4'],
  ])('are refused where nothing tells the week: %s, %s', (name, days) =>
    expect(readNamed(name, `Project,User,${days}\nShop,Ada,1:00,2:00,\n`)).rejects.toThrow('which week it covers'),
  )

  test('are told where a cell is no length, and a day may be of two months', async () => {
    const { entries, losses } = await readText('Project,User,03/04/2025,05/06/2025\nShop,Ada,soon,1:00\nShop,Ada,,999999\n')
    expect(entries).toMatchObject([{ day: '2025-05-06', minutes: 60 }])
    expect(losses).toEqual([
      [2, 'dates that were read as month/day', '03/04/2025', '05/06/2025'],
      [2, 'unreadable values in time entries: left out', 'line 2, 03/04/2025: soon', 'line 3, 05/06/2025: 999999'],
    ])
  })

  test('are chosen as somebody says', async () => {
    const content = 'Projet,Wer,2025-04-01,2025-04-02\nShop,Ada,1:00,2:00\n'
    const columns = ['project', 'user', 'dayHours', 'leave'] as const
    const { entries, losses } = await readText(content, { kind: 'hours', columns: [...columns] })
    expect(entries).toMatchObject([{ day: '2025-04-01', minutes: 60 }])
    expect(losses).toEqual([[1, 'columns that are not imported', '2025-04-02']])
  })

  test('with somebody to do it are a plan', async () => {
    const { tasks, entries } = await readText('Task,Project,Assignee,Mon,Tue\nPaint,Shop,Ada,x,\n')
    expect([tasks[0]?.title, entries]).toEqual(['Paint', undefined])
  })
})

describe('the times of an entry', () => {
  const HEADER = 'User,Project,Start date,Start time,End date,End time,Duration'
  const entry = async (cells: string) => {
    const { entries, losses } = await readText(`${HEADER}\nAda,Shop,2026-03-02,${cells}\nAda,Shop,2026-03-01,,,,1:00\n`)
    const told = losses.flatMap(([count, what, example]) => (/UTC/.test(what) ? [] : [[count, what, example]]))
    const [one] = (entries ?? []).filter(({ day }) => day !== '2026-03-01')
    return [one?.minutes, one?.endTime?.slice(5, 16), told] as const
  }
  const DIFFER = 'times that contradict the duration: the duration is used'
  const ODD = 'unreadable values in time entries: left out'
  const NONE = 'rows without a readable start and duration'
  test.each([
    ['09:00,2026-03-02,10:30,1:30', 90, '03-02T10:30', []],
    ['09:00,2026-03-02,10:30:20,1:30', 90, '03-02T10:30', []],
    ['09:00,2026-03-02,10:30,', 90, '03-02T10:30', []],
    ['09:00,2026-03-02 10:30,,', 90, '03-02T10:30', []],
    ['22:00,,06:00,', 480, '03-03T06:00', []],
    ['22:00,2026-03-03,06:00,8:00', 480, '03-03T06:00', []],
    [',,17:00,2:00', 120, '03-02T17:00', []],
    ['09:00,2026-03-02,10:30,1:00', 60, '03-02T10:30', [DIFFER]],
    ['09:00,2026-03-04,,2:00', 120, '03-02T11:00', [DIFFER]],
    ['09:00,2026-03-03,,', undefined, undefined, [NONE]],
    [',2026-03-03,,', undefined, undefined, [NONE]],
    [',,17:00,', undefined, undefined, [NONE]],
    ['09:00,2026-03-01,08:00,', undefined, undefined, [NONE]],
    ['09:00,2026-03-01,08:00,1:00', 60, '03-02T10:00', [DIFFER]],
    ['nine,2026-03-02,,1:00', 60, undefined, [ODD]],
    ['09:00,soon,,1:00', 60, '03-02T10:00', [ODD]],
    ['09:00,,10:00,long', 60, '03-02T10:00', [ODD]],
  ] as const)('%s are %p minutes until %p, and %p is told', async (cells, minutes, end, told) => {
    const [found, until, losses] = await entry(cells)
    expect([found, until, losses.map(([, what]) => what)]).toEqual([minutes, end, [...told]])
  })

  test('in two columns of hours that differ are those of the first, and the other is told', async () => {
    const content =
      'Date,Project,User,Time (h),Time (decimal)\n2026-03-02,Shop,Ada,01:30:00,1.50\n2026-03-03,Shop,Ada,01:30:00,2.50\n'
    const { entries, losses } = await readText(content)
    expect(entries?.map(({ minutes }) => minutes)).toEqual([90, 90])
    expect(losses).toEqual([[1, DIFFER, 'line 3: 2026-03-03, Shop, Ada, 01:30:00, 2.50']])
  })

  test('and what is billable beside them are told where nobody can read them, as is a second value', async () => {
    const content = 'User,Project,Projekt,Description,Date,Duration,Billable\nAda,Shop,Site,Cart,2026-03-02,1:00,perhaps,more\n'
    const { losses } = await readText(content)
    expect(losses.map(([, what, ...examples]) => [what, ...examples])).toEqual([
      ['second values for the same field, and cells beyond the last column: left out', 'Projekt: Site', 'more'],
      [ODD, 'perhaps'],
    ])
  })
})

describe('which column is what', () => {
  const CONTENT = 'Título,Wer,Wann,Egal\nFirst,Ann,2026-12-24,x\nSecond,Bob,2026-12-25,y\n'

  test('is told with examples, and done as somebody chooses', async () => {
    const guessed = await readText(CONTENT)
    expect(guessed.table?.columns).toEqual([
      { name: 'Título', field: 'title', examples: ['First', 'Second'] },
      { name: 'Wer', field: 'line', examples: ['Ann', 'Bob'] },
      { name: 'Wann', field: 'line', examples: ['2026-12-24', '2026-12-25'] },
      { name: 'Egal', field: 'line', examples: ['x', 'y'] },
    ])
    const chosen = await readText(CONTENT, { columns: ['title', 'assignee', 'due', 'leave'] })
    expect(chosen.tasks.map(({ dueDate, description }) => [dueDate, description])).toEqual([
      ['2026-12-24', null],
      ['2026-12-25', null],
    ])
    expect(assigned(chosen)).toEqual(['Ann'])
    expect(chosen.losses).toEqual([[1, 'columns that are not imported', 'Egal']])
  })

  test('of a language that nobody knows begins with its first column as title', async () => {
    const { tasks } = await readText('Název,Stav\nZavolat,Hotovo\n')
    expect(tasks).toMatchObject([{ title: 'Zavolat', description: '- Stav: Hotovo' }])
  })

  test.each(['1:30', '1.5', '1,5', '1.5h', '1.5 Hours', '1h 30m', '1H 30Min'])(
    'makes hours of what was taken for tasks: %s',
    async (long) => {
      const columns = ['task', 'user', 'startDate', 'duration'] as const
      const { entries } = await readText(`What,Who,When,Long\nBuild,Ada,2026-03-02,"${long}"\n`, {
        kind: 'hours',
        columns: [...columns],
      })
      expect(entries).toMatchObject([{ day: '2026-03-02', minutes: 90 }])
    },
  )

  test('without a title is refused, and a choice of the other kind is none', async () => {
    await expect(readText(CONTENT, { columns: ['leave'] })).rejects.toThrow('has no task column')
    expect((await readText(CONTENT, { columns: ['title', 'startDate'] })).tasks[0]?.description).toContain('- Wer: Ann')
  })
})

/** As the programs' own documentation has them. */
const HEADERS: Record<string, string> = {
  Asana:
    'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task,Blocked By (Dependencies),Blocking (Dependencies)',
  Jira: 'Summary,Issue key,Issue id,Issue Type,Status,Project key,Priority,Resolution,Assignee,Reporter,Creator,Created,Updated,Resolved,Due date,Labels,Labels,Description,Original Estimate,Sprint,Comment,Attachment',
  Todoist:
    'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG',
  Notion: 'Name,Assign,Date Created,Due,Priority,Status,Tags,URL',
  ClickUp:
    'Task Type,Task ID,Task Name,Task Content,Status,Date Created,Due Date,Start Date,Parent ID,Attachments,Assignees,Tags,Priority,List Name,Folder Name,Space Name,Time Estimated,Checklists,Comments,Time Spent',
  Linear:
    'ID,Team,Title,Description,Status,Estimate,Priority,Project,Creator,Assignee,Labels,Cycle Name,Created,Updated,Started,Completed,Canceled,Archived,Due Date,Parent issue,SLA Status',
  Plane:
    'Identifier,Project,Name,Description,State Name,Priority,Start Date,Target Date,Completed At,Archived At,Created At,Updated At,Created By Name,Assignees,Labels,Comments',
  Monday: 'Name,Subitems,Person,Status,Date,Priority,Notes,Files',
  Planner:
    'Task ID,Task Name,Bucket Name,Progress,Priority,Assigned To,Created By,Created Date,Start Date,Due Date,Is Recurring,Late,Completed Date,Completed By,Completed Checklist Items,Checklist Items,Labels,Description',
  Kanboard:
    'Task Id,Reference,Project,Status,Category,Swimlane,Column,Position,Color,Due date,Creator,Creator Name,Assignee Username,Assignee Name,Complexity,Title,Tags,Priority',
  GitLab:
    'Title,Description,Issue ID,URL,State,Author,Author Username,Assignee,Assignee Username,Confidential,Due Date,Created At,Updated At,Closed At,Milestone,Weight,Labels,Time Estimate',
  Trello:
    'Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,Attachment Count,Attachment Links,Comment Count,Last Activity Date,List ID,List Name,Board ID,Board Name,Archived,Start Date,Due Complete',
  WeKan: 'Title,Description,Stage,Owner,Members,Labels,Due Date,start date,finish date,created at,updated at',
  Toggl: 'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount (EUR)',
  Clockify:
    'Project,Client,Description,Task,User,Group,Email,Tags,Billable,Start Date,Start Time,End Date,End Time,Duration (h),Duration (decimal),Billable Rate (USD),Billable Amount (USD)',
  Harvest:
    'Date,Client,Project,Project Code,Task,Notes,Hours,Billable?,Invoiced?,First Name,Last Name,Roles,Employee?,Billable Rate,Billable Amount,Currency',
  wrk: 'Task,User,Date,Duration (minutes),Duration (formatted),Notes',
  'Clockify, weekly': `Project,Client,User,${[17, 18, 19, 20, 21, 22, 23].map((day) => `${day}/03/2025`)},Total`,
}
const OF_HOURS = ['Toggl', 'Clockify', 'Harvest', 'wrk', 'Clockify, weekly']

const LISTS = /^(assignees|tags|labels|comments?|attachments?)$/i
const FLAG = /^(archived|due complete|billable\??)$/i
const HOUR = /^(start|end) time$/i
const LENGTH = /^duration \(|^(duration|hours|total)$|^\d\d\/\d\d\/\d{4}$/i
const DATED = /^\d\d\/\d\d\/\d{4}$/
const minutesOf = (all: number[]) => all.reduce((sum, one) => sum + one, 0)
const inMinutes = (cell: string) => Number(cell.split(':')[0]) * 60 + Number(cell.split(':')[1])
const DAY =
  /^(created|updated|resolved|started|completed|canceled|archived|due|date|deadline|finish date|last modified|last activity date)$|( at| date|date created)$|^date created$/i

describe('of the columns that a program documents', () => {
  test.each(Object.keys(HEADERS))('%s: each cell is on the board or told, and nothing else is', async (program) => {
    const { below, oneOf } = random(`cells of ${program}`)
    const header = (HEADERS[program] ?? '').split(',')
    const isOfHours = OF_HOURS.includes(program)
    const word = () => `q${below(2 ** 30)}z`
    const wordsIn = (text: string) => text.match(/q\d+z/g) ?? []
    const listsOf = (name: string): object[] => {
      const text = { created: '2025-03-17T10:00:00Z', author: { displayName: word() }, mood: word() }
      if (/comment/i.test(name))
        return [[{ ...text, body: word() }], { ...text, rich_text: [{ plain_text: word() }, { plain_text: word() }] }]
      if (/attachment/i.test(name))
        return [[`https://files.test/${word()}`], [{ url: `https://files.test/${word()}`, name: word(), size: word() }]]
      return [
        [word(), `${word()} ${word()}`],
        [
          { name: word(), email: `${word()}@files.test` },
          { title: word(), [word()]: word() },
        ],
      ]
    }
    let isFirst = true
    let quarters = 1
    /** Whether the end of an entry tells another length than its duration. */
    let isOff = false
    let off = 0
    const cellOf = (name: string): string => {
      if (name === 'TYPE') return 'task'
      if (name === 'INDENT') return '1'
      if (isOfHours && LENGTH.test(name))
        return /minutes/.test(name)
          ? String(quarters * 15)
          : /decimal|hours/i.test(name)
            ? String(quarters / 4)
            : `${Math.floor(quarters / 4)}:${String((quarters % 4) * 15).padStart(2, '0')}`
      if (LISTS.test(name) && isFirst) return JSON.stringify(oneOf(listsOf(name)))
      if (FLAG.test(name)) return oneOf(['true', 'false', ''])
      if (HOUR.test(name))
        return /start/i.test(name)
          ? '00:00'
          : `${String(Math.floor(quarters / 4) + Number(isOff)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`
      if (/^(start|end) date$|^date$/i.test(name) && isOfHours) return '2025-03-17'
      if (DAY.test(name)) return below(4) === 0 ? '' : `2025-${String(1 + below(12)).padStart(2, '0')}-${13 + below(15)}`
      if (/email/i.test(name)) return `${word()}@files.test`
      if (/^(title|name|summary|content|task name|card name|task)$/i.test(name)) return word()
      return below(4) === 0 ? '' : oneOf([word(), `${word()} (${word()})`])
    }
    const rows = Array.from({ length: 4 }, () => {
      quarters = 1 + below(20)
      isOff = header.some((name) => /^end time$/i.test(name)) && below(3) === 0
      if (isOff) off += 1
      const row = header.map(cellOf)
      isFirst = false
      return row
    })
    const text = [header, ...rows].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')
    const found = await readText(`${text}\n`)
    const { table, losses, ...board } = found
    const said = JSON.stringify([board, losses])
    const isTold = (at: number) => table?.columns[at]?.field === 'leave'
    const missing = rows.flatMap((row) =>
      row.filter((cell, at) => {
        const name = header[at] ?? ''
        if (cell === '' || isTold(at) || FLAG.test(name) || (isOfHours && (LENGTH.test(name) || HOUR.test(name)))) return false
        const parts = /^[[{]/.test(cell) ? wordsIn(cell) : cell.split(/[ ()]+/)
        return !['task', '1'].includes(cell) && !parts.every((part) => said.includes(part))
      }),
    )
    expect(missing).toEqual([])
    const left = header.filter((_, at) => isTold(at) && rows.some((row) => row[at]))
    expect(losses.find(([, what]) => what === 'columns that are not imported')?.[0] ?? 0).toBe(left.length)
    const cells = rows.flat().join('\n')
    const people = (board.people ?? []).flatMap(({ name, email }) => [name, email ?? name])
    const invented = [...board.tasks.flatMap(({ title, list, tags }) => [title, list ?? title, ...tags]), ...people].filter(
      (one) =>
        !['Unknown', '(no project)', '(no description)'].includes(one) &&
        !(wordsIn(one).length > 0 ? wordsIn(one) : [one]).every((part) => cells.includes(part)),
    )
    expect(invented).toEqual([])
    if (!isOfHours) return expect(board.tasks.length).toBe(rows.length)
    expect(losses.find(([, what]) => what.startsWith('times that contradict'))?.[0] ?? 0).toBe(off)
    const days = Math.max(1, header.filter((name) => DATED.test(name)).length)
    expect(board.entries?.length).toBe(rows.length * days)
    const hours = rows.flatMap((row) => row.filter((_, at) => DATED.test(header[at] ?? '')))
    if (days > 1) expect(minutesOf(board.entries?.map(({ minutes }) => minutes) ?? [])).toBe(minutesOf(hours.map(inMinutes)))
  })
})
