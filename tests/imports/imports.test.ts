import { afterAll, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { boards, imports, unwantedFiles, users } from '../../src/db/tables'
import type { Choices } from '../../src/imports/schema'
import { claimOldest, noteProgress, releaseLease, renewLease } from '../../src/imports/server/job/leases.store'
import { onOneDatabase } from '../support/databases'
import { PNG } from '../support/files'
import { AT, archiveOf, boardOf, imported, send, tablesOf, taskRow, uploaded } from '../support/imports'
import { createAccount, PASSWORD, type Person } from '../support/people'
import { dataFolder } from '../support/process'
import { until } from '../support/until'

const folder = await dataFolder()
const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()]
const files: string[] = []
const NONE = { assignees: [], comments: [], attachments: [], entries: [], rates: [], activities: [] }

const ended = (person: Person, importId: number) =>
  until('its end', async () => {
    const now = await person.api.imports.get.query({ importId })
    return now.state !== 'running' && now
  })

const elsewhere = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch({ url, headers }) {
    if (url.endsWith('.png')) {
      files.push(headers.get('host') ?? '')
      return new Response(PNG)
    }
    asked.resolve()
    return answered.promise.then((response) => response.clone())
  },
})
const allowed = `planka.lan:${elsewhere.port}`
afterAll(() => Promise.all([folder.remove(), elsewhere.stop(true)]))

onOneDatabase(
  'a board that is imported',
  (server) => {
    /** Pro, so that boards are no matter. */
    async function people() {
      const all = await server.people()
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, all.ada.id))
      return all
    }
    const names = (boardId: number) => server.db.select().from(users).where(eq(users.importedOn, boardId)).orderBy(users.id)
    const filesIn = async (under: string): Promise<string[]> => readdir(join(folder.path, under)).catch(() => [])

    test('is there as its archive has it, and its people are names', async () => {
      const { ada } = await people()
      const socket = await ada.socket()
      const upload = await uploaded(ada, await archiveOf(tablesOf()))
      expect(upload).toMatchObject({ source: 'wrk', state: 'ready', boardId: null, losses: [], error: null })
      expect(upload.preview).toMatchObject({
        name: 'Orchard',
        counts: { tasks: 3, closed: 0, comments: 2, attachments: 1, entries: 2, minutes: 75 },
        people: [
          { name: 'Ada', isMe: true },
          { name: 'Robert', isMe: false, rows: 7 },
          { name: 'Carl', isMe: false, rows: 1 },
        ],
        losses: [],
      })
      const boardId = await boardOf(ada, upload, { name: 'My orchard' })
      // The preview is long, and does not change.
      const { import: progress } = await socket.next('import_changed')
      expect(Object.keys(progress).toSorted()).toEqual(['boardId', 'boards', 'done', 'error', 'id', 'losses', 'state', 'total'])
      await socket.next('board_member_added')
      const listed = (await ada.api.boards.list.query()).find(({ id }) => id === boardId)
      expect(listed).toMatchObject({ memberCount: 3, nameCount: 2 })
      const board = await ada.api.boards.get.query({ boardId })
      expect(board).toMatchObject({ name: 'My orchard', description: 'Trees', createdBy: ada.id, importedAt: expect.any(String) })
      expect(board.members.map(({ name, username }) => name ?? username)).toEqual(['ada', 'Robert', 'Carl'])
      const tasks = await ada.tasks(boardId)
      expect(tasks.map(({ title, status, assignees }) => [title, status, assignees.map(({ name }) => name)])).toEqual([
        ['Plant', 'todo', ['Robert', 'Carl']],
        ['Graft', 'todo', []],
        ['Prune', 'done', [null]],
      ])
      const [plant] = tasks
      expect(plant).toMatchObject({ tags: ['spring'], dueDate: '2026-02-01', minutes: 75, commentCount: 2, createdBy: ada.id })
      const comments = await ada.api.comments.list.query({ taskId: plant?.id ?? 0 })
      expect(comments.map(({ content, user }) => [content, user.name ?? user.username])).toEqual([
        ['Where?', 'Robert'],
        ['By the fence', 'ada'],
      ])
      const [file] = await ada.api.attachments.list.query({ taskId: plant?.id ?? 0 })
      expect((await ada.http('GET', file?.fileUrl ?? '')).status).toBe(200)
      expect(file?.thumbnailUrl).toEqual(expect.any(String))
      const report = await ada.api.time.report.query({ boardId })
      expect(report).toMatchObject({ minutes: 75, cents: 7_125 })
      const { activities } = await ada.api.activity.board.query({ boardId })
      expect(activities.map(({ kind, whom }) => [kind, whom?.name])).toEqual([
        ['board_imported', undefined],
        ['assigned', 'Robert'],
        ['created', undefined],
      ])
      expect(activities[0]?.detail).toEqual({ source: 'wrk' })
    })

    test('is filled by choices: columns, lists that stay behind, closed tasks, who one is', async () => {
      const { ada, eve } = await people()
      const tasks = [
        taskRow(1, { list: 'Ideas' }),
        taskRow(2, { list: 'Doing', status: 'inprogress' }),
        taskRow(3, { list: 'Trash' }),
        taskRow(4, { list: 'Doing', status: 'inprogress', closed: true }),
        taskRow(5, { list: 'Ideas', status: 'done' }),
      ]
      const comments = [{ task: 3, person: 1, content: 'Gone', createdAt: tasks[0]?.createdAt ?? '' }]
      const none = { ...NONE, comments }
      const upload = await uploaded(eve, await archiveOf(tablesOf({ tasks, ...none })))
      expect(upload.preview.lists).toEqual([
        { name: 'Ideas', tasks: 2, status: 'todo' },
        { name: 'Doing', tasks: 1, closed: 1, status: 'inprogress' },
        { name: 'Trash', tasks: 1, status: 'todo' },
      ])
      const choices = { columns: { Ideas: 'inprogress', Trash: 'leave' } as const, closed: true, me: 2 }
      const boardId = await boardOf(eve, upload, choices)
      const found = await eve.tasks(boardId)
      expect(found.map(({ title, status, tags }) => [title, status, tags])).toEqual([
        ['Task 1', 'inprogress', ['Ideas']],
        ['Task 2', 'inprogress', ['Doing']],
        ['Task 4', 'inprogress', ['Doing']],
        ['Task 5', 'done', ['Ideas']],
      ])
      expect((await names(boardId)).map(({ name }) => name)).toEqual(['Ada', 'Carl'])
      const again = await uploaded(ada, await archiveOf(tablesOf({ tasks, ...none })))
      expect((await ada.tasks(await boardOf(ada, again))).map(({ title }) => title)).not.toContain('Task 4')
    })

    test('knows who its importer is on each board of a list, whichever of their names is on it', async () => {
      const { ada } = await people()
      const twice = ['Robert', 'Bob'].map((name, nth) => ({ id: nth + 1, name, email: 'bob@example.com', member: true }))
      const both = [...twice, { id: 3, name: 'Carl', email: null, member: true }]
      const tasks = [1, 2, 3].map((id) => taskRow(id, { list: `List ${id}`, createdBy: id }))
      const archive = await archiveOf(tablesOf({ people: both, tasks, ...NONE }))
      const makersAs = async (me: number) => {
        const upload = await uploaded(ada, archive)
        expect(upload.preview.people.map(({ id, name }) => [id, name])).toEqual([
          [1, 'Robert'],
          [3, 'Carl'],
        ])
        const done = await imported(ada, upload, { boardPerList: true, me })
        const found = await Promise.all(done.boards.map(({ id }) => ada.tasks(id)))
        const named = await Promise.all(done.boards.map(({ id }) => names(id)))
        return found.flat().map(({ createdBy }, nth) => named[nth]?.find(({ id }) => id === createdBy)?.name ?? createdBy)
      }
      expect(await makersAs(1)).toEqual([ada.id, ada.id, 'Carl'])
      expect(await makersAs(9)).toEqual(['Robert', 'Bob', 'Carl'])
    })

    test('loses nothing without a word', async () => {
      const { ada } = await people()
      const long = 'x'.repeat(300)
      const at = '2026-01-05T08:30:00.000Z'
      const attachment = { task: 1, person: 1, thumbnail: null, createdAt: at }
      const entry = { task: 1, person: 1, startTime: at, endTime: null, day: '2026-01-05', timeZone: 'UTC', note: null }
      const upload = await uploaded(
        ada,
        await archiveOf(
          tablesOf({
            tasks: [
              taskRow(1, { title: long, tags: [long, ...Array.from({ length: 25 }, (_, n) => `tag ${n}`)] }),
              taskRow(2, { title: ' ' }),
            ],
            assignees: [],
            comments: [{ task: 1, person: 1, content: 'word '.repeat(2_500), createdAt: '2999-01-01T00:00:00.000Z' }],
            attachments: [
              { ...attachment, name: 'run.exe', file: 'one', url: null },
              { ...attachment, name: 'fake.png', file: 'text', url: null },
              { ...attachment, name: 'away.png', file: null, url: 'http://127.0.0.1:1/away.png' },
            ],
            entries: [{ ...entry, minutes: 50_000, billable: true, createdAt: null }],
            rates: [{ person: 1, from: null, cents: 2_000_000 }],
            activities: [{ task: 1, taskTitle: 'x', person: 1, kind: 'unheard', detail: {}, createdAt: at }],
          }),
          { one: Buffer.from('MZ'), text: Buffer.from('no picture') },
        ),
      )
      expect(upload.preview.losses.map(({ what, count }) => `${count} ${what}`)).toEqual([
        '1 time entries over 744 hours: left out',
        '1 files of types that are not accepted: left out',
        '1 hourly rates over 10,000: left out',
        '1 tags beyond the 20 that a task can have: left out',
        '1 titles over 255 characters: cut, with the full title at the top of the description',
        '1 tags over 40 characters: cut',
        '1 activity entries of unknown kinds: left out',
        '1 comments over 10,000 characters: split into several comments',
        '1 tasks without a title: called “Untitled”',
      ])
      const done = await imported(ada, upload)
      expect(done.losses.map(({ what, examples }) => [what, examples])).toEqual([
        ['files that could not be fetched: left out', ['away.png']],
        ['files of types that are not accepted: left out', ['fake.png']],
      ])
      const [first] = await ada.tasks(done.boardId ?? 0)
      expect(first?.description).toBe(long)
      const comments = await ada.api.comments.list.query({ taskId: first?.id ?? 0 })
      expect(comments.length).toBe(2)
      // What says that it is of tomorrow would not be taken for imported.
      const { importedAt } = await ada.api.boards.get.query({ boardId: done.boardId ?? 0 })
      expect(comments.every(({ createdAt }) => createdAt < (importedAt ?? ''))).toBe(true)
    })

    test('asks for the files that it names in the internet, and never where only a Planka may be asked', async () => {
      const { ada } = await people()
      const named = { task: 1, person: 1, thumbnail: null, createdAt: AT, file: null }
      const urls = [`http://${allowed}/a.png`, `http://files.test:${elsewhere.port}/b.png`]
      const attachments = urls.map((url) => ({ ...named, name: url.slice(-5), url }))
      const { losses } = await imported(ada, await uploaded(ada, await archiveOf(tablesOf({ attachments }))))
      expect(losses).toMatchObject([{ what: 'files that could not be fetched: left out', examples: ['a.png'] }])
      expect(files).toEqual([`files.test:${elsewhere.port}`])
    })

    test('has no row and no file where it is refused', async () => {
      const { ada } = await people()
      const before = await filesIn('uploads')
      const good = await archiveOf(tablesOf())
      const cutOff = good.subarray(0, good.length - 40)
      const changed = Buffer.from(good)
      changed.fill(0, 200, 260)
      const tooMany = function* () {
        for (let id = 1; id <= 20_001; id++) yield taskRow(id)
      }
      const hostile = [
        Buffer.from('{"a": 1}'),
        Buffer.from('just words'),
        Buffer.from(''),
        cutOff,
        changed,
        Buffer.from('PK\x03\x04 and no more'),
      ]
      for (const body of [...hostile, await archiveOf(tablesOf({ tasks: tooMany(), ...NONE }))]) {
        const { status, text } = await send(ada, body)
        expect([status, text.length > 20]).toEqual([400, true])
      }
      expect((await send(ada, Buffer.from('{"a": 1}'), '')).status).toBe(400)
      const tooLong = Buffer.alloc(64 * 2 ** 20 + 1, '[')
      expect((await send(ada, tooLong)).status).toBe(413)
      expect(await server.db.$count(imports)).toBe(0)
      expect(await filesIn('incoming')).toEqual([])
      const due = await server.db.select().from(unwantedFiles)
      const fresh = (await filesIn('uploads')).filter((name) => !before.includes(name))
      expect(fresh.filter((name) => !due.some((one) => one.name === name))).toEqual([])
    })

    test('of a CSV is read again as its importer chooses, until it is started', async () => {
      const { ada, bob } = await people()
      const csv = 'Wat,Wie,Lijst,Status\nPlant,Robert,Garden,Complete\nPrune,Carl,Garden,Not done\n'
      const upload = await uploaded(ada, csv, 'tasks.csv')
      expect(upload.preview).toMatchObject({
        people: [],
        table: {
          kind: 'tasks',
          encoding: 'utf-8',
          columns: [
            { name: 'Wat', field: 'title', examples: ['Plant', 'Prune'] },
            { field: 'line' },
            { field: 'line' },
            { field: 'state' },
          ],
          statuses: [],
        },
      })
      const before = await filesIn('uploads')
      const reading = { columns: ['title', 'assignee', 'list', 'state'], statuses: { 'Not done': 'inprogress' } } as const
      const reread = (by: typeof ada, given: object = reading, headers = {}) =>
        by.http('POST', `/api/imports/${upload.id}/reading`, { reading: given }, headers)
      const key = { 'idempotency-key': 'read' }
      const answer = await reread(ada, reading, key)
      expect(answer.status).toBe(200)
      expect((await reread(ada, reading, key)).text).toBe(answer.text)
      const read = await ada.api.imports.get.query({ importId: upload.id })
      expect(read).toEqual(answer.body as typeof read)
      expect([read.createdAt, read.changedAt > upload.changedAt]).toEqual([upload.createdAt, true])
      expect(read.preview).toMatchObject({
        lists: [{ name: 'Garden', tasks: 2, status: 'todo' }],
        people: [{ name: 'Robert' }, { name: 'Carl' }],
        table: {
          statuses: [
            { name: 'Complete', status: 'done' },
            { name: 'Not done', status: 'inprogress' },
          ],
        },
      })
      expect((await reread(bob)).status).toBe(404)
      const hostile = [
        { columns: Array(501).fill('line') },
        { columns: ['anything'] },
        { columns: ['leave', 'leave', 'leave', 'leave'] },
        { kind: 'hours' },
        { encoding: 'utf-7' },
        { statuses: { Complete: 'leave' } },
        { statuses: Object.fromEntries(Array.from({ length: 301 }, (_, n) => [n, 'done'])) },
      ]
      for (const given of hostile) expect([given, (await reread(ada, given)).status]).toEqual([given, 400])
      const both = await Promise.all([1, 2, 3].map(() => reread(ada)))
      expect(both.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
      const boardId = await boardOf(ada, read)
      const tasks = await ada.tasks(boardId)
      expect(tasks.map(({ title, status, assignees }) => [title, status, assignees[0]?.name])).toEqual([
        ['Prune', 'inprogress', 'Carl'],
        ['Plant', 'done', 'Robert'],
      ])
      expect((await reread(ada)).status).toBe(409)
      for (let round = 0; round < 6; round++) {
        const { id: importId } = await uploaded(ada, csv, 'tasks.csv')
        const again = () => ada.http('POST', `/api/imports/${importId}/reading`, { reading })
        const begin = () => ada.api.imports.start.mutate({ importId, choices: { name: `Round ${round}` } })
        const first = round % 2 === 0 ? begin() : undefined
        const raced = again()
        await (first ?? begin())
        expect([200, 409]).toContain((await raced).status)
        expect((await ada.tasks((await ended(ada, importId)).boardId ?? 0)).length).toBe(2)
      }
      await until('no file of it', async () =>
        (await filesIn('uploads')).every((name) => !name.startsWith('import-') || before.includes(name)),
      )
      const archive = await uploaded(ada, await archiveOf(tablesOf()))
      expect((await ada.http('POST', `/api/imports/${archive.id}/reading`, { reading: {} })).status).toBe(400)
      const another = await uploaded(ada, csv, 'tasks.csv')
      await ada.api.imports.cancel.mutate({ importId: another.id })
      await until('neither file', async () => {
        const due = (await server.db.select().from(unwantedFiles)).map(({ name }) => name)
        return (await filesIn('uploads')).filter((name) => name.endsWith('-csv') && !due.includes(name)).length === 0
      })
    })

    test('has no task of a list that is left out, whatever its status, and keeps a status that is behind its list', async () => {
      const { ada } = await people()
      const csv = 'Title,List,Status\nA,Done,In Progress\nB,Done,Done\nC,Shipped,Doing\nD,Shipped,Not done\n'
      const upload = await uploaded(ada, csv, 'tasks.csv')
      expect(upload.preview.lists.map(({ name, tasks }) => [name, tasks])).toEqual([
        ['Done', 2],
        ['Shipped', 2],
      ])
      const kept = async (columns: Choices['columns']) =>
        (await ada.tasks(await boardOf(ada, upload, { columns }))).map(({ title, status, tags }) => [title, status, tags])
      expect(await kept({ Shipped: 'leave' })).toEqual([
        ['A', 'inprogress', ['Done']],
        ['B', 'done', ['Done']],
      ])
    })

    test('of a project is another than that of one whose name begins alike, also where it was there before the rest', async () => {
      const { ada } = await people()
      const projects = ['North', 'South'].map((end) => `${'Renovation of the old mill '.repeat(5)}${end}`)
      const rows = projects.map((project, nth) => `Ada L,${project},Build,2026-03-02,0${nth + 1}:00:00,09:00:00`)
      const csv = `User,Project,Task,Start date,Duration,Start time\n${rows.join('\n')}\n`
      const upload = await uploaded(ada, csv, 'toggl.csv')
      const first = await imported(ada, upload, { boardPerList: true })
      const minutesOf = ({ boards: made }: typeof first) =>
        Promise.all(made.map(async ({ id: boardId }) => (await ada.api.time.report.query({ boardId })).minutes))
      const [north] = first.boards
      expect([first.boards.map(({ name }) => name), await minutesOf(first)]).toEqual([Array(2).fill(north?.name), [60, 120]])
      expect(JSON.stringify(first.boards)).not.toContain('North')
      const again = await uploaded(ada, csv, 'toggl.csv')
      const result = { losses: [], boards: [{ ...north, list: projects[0] }] }
      await server.db.update(imports).set({ state: 'failed', result }).where(eq(imports.id, again.id))
      const rest = await imported(ada, again, { boardPerList: true })
      expect([rest.boards[0], await minutesOf(rest)]).toEqual([north, [60, 120]])
    })

    test('of tasks without a list is found again under another name, and what belongs to no list is told once', async () => {
      const { ada } = await people()
      const event = { task: null, taskTitle: null, person: 3, kind: 'board_described', detail: {}, createdAt: AT }
      const assigned = { ...event, task: 2, taskTitle: '\u202exif', kind: 'assigned', detail: { userId: null } }
      const about = { ...assigned, detail: { userId: 2 } }
      const tables = tablesOf({
        tasks: [taskRow(1, { title: 'a\u202egpj.exe' }), taskRow(2, { list: 'Garden', tags: ['\u202ex'] })],
        ...{ ...NONE, activities: [event, assigned, about] },
      })
      const archive = await archiveOf(tables)
      const upload = await uploaded(ada, archive)
      expect([upload.preview.losses, upload.me]).toEqual([[], 1])
      const first = await imported(ada, upload, { boardPerList: true, name: 'First', me: 3 })
      expect([first.boards.map(({ name }) => name), first.me]).toEqual([['First', 'Garden'], 3])
      expect(first.losses).toEqual([
        {
          what: 'activity entries about the board itself or about deleted tasks, which belong to no list: left out',
          count: 1,
          examples: ['board_described'],
        },
      ])
      const [unlisted, garden] = first.boards.map(({ id }) => id)
      expect(await ada.tasks(unlisted ?? 0)).toMatchObject([{ title: 'agpj.exe' }])
      expect(await ada.tasks(garden ?? 0)).toMatchObject([{ tags: ['Garden', 'x'] }])
      const { activities } = await ada.api.activity.board.query({ boardId: garden ?? 0 })
      const events = activities.slice(1).map(({ kind, taskTitle, detail, whom }) => [kind, taskTitle, detail, whom])
      expect(events).toEqual(Array(2).fill(['assigned', 'xif', { userId: null }, null]))
      const [stored] = await server.db.select().from(imports).where(eq(imports.id, upload.id))
      const { boards: made = [], losses } = (stored?.result ?? {}) as { boards?: { list: string | null }[]; losses?: object[] }
      expect(made.map(({ list }) => list)).toEqual([null, 'Garden'])
      const again = await uploaded(ada, archive)
      const result = { losses, boards: made.slice(0, 1) }
      await server.db.update(imports).set({ state: 'failed', result }).where(eq(imports.id, again.id))
      const rest = await imported(ada, again, { boardPerList: true, name: 'Second' })
      expect(rest.boards.map(({ name }) => name)).toEqual(['First', 'Garden'])
      expect([rest.boards[0], rest.losses]).toEqual([first.boards[0], first.losses])
    })

    test('is one of 20, of which lists with closed tasks alone are none and the tasks without a list are one', async () => {
      const { ada, eve } = await people()
      const uploadedOf = async (by: typeof ada, given: Parameters<typeof taskRow>[1][]) =>
        uploaded(by, await archiveOf(tablesOf({ tasks: given.map((one, nth) => taskRow(nth + 1, one)), ...NONE })))
      const startOf = (by: typeof ada, { id }: { id: number }, given = {}) =>
        by.http('POST', `/api/imports/${id}/start`, { choices: { name: 'All', boardPerList: true, ...given } })
      const closed = { closed: true }
      const full = Array.from({ length: 20 }, (_, nth) => ({ list: `List ${nth}` }))
      const upload = await uploadedOf(ada, [...full, { ...closed, list: 'Over' }, closed])
      expect((await startOf(ada, upload, closed)).status).toBe(400)
      expect((await startOf(ada, await uploadedOf(ada, [...full, { list: null }]))).status).toBe(400)
      const withOne = await uploadedOf(ada, [...full, { list: null }])
      expect((await imported(ada, withOne, { boardPerList: true, columns: { 'List 0': 'leave' } })).boards).toHaveLength(20)
      expect((await imported(ada, upload, { boardPerList: true })).boards).toHaveLength(20)
      expect((await startOf(eve, await uploadedOf(eve, [{ list: 'One' }, {}]))).status).toBe(403)
      const one = await uploadedOf(eve, [{ list: 'One' }, { ...closed, list: 'Over' }, closed])
      expect((await startOf(eve, one, closed)).status).toBe(403)
      expect((await imported(eve, one, { boardPerList: true })).boards).toMatchObject([{ name: 'One' }])
    })

    test('that was to be split before an update is split after it', async () => {
      const { ada, eve } = await people()
      const csv =
        'User,Project,Task,Start date,Duration,Start time\nAda,One,A,2026-03-02,1:00,9:00\nAda,Two,B,2026-03-02,2:00,9:00\n'
      const upload = await uploaded(ada, csv, 'toggl.csv')
      const choices = { name: 'Hours', columns: {}, closed: false, each: true, me: null }
      await server.db.update(imports).set({ state: 'running', choices }).where(eq(imports.id, upload.id))
      await boardOf(eve, await uploaded(eve, csv, 'toggl.csv'))
      const { boards: made } = await ended(ada, upload.id)
      expect(made.map(({ name }) => name)).toEqual(['One', 'Two'])
    })

    test('of hours may be one for each client, of which each has its own people and hours', async () => {
      const { ada, eve } = await people()
      const header = 'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags\n'
      const row = (user: string, client: string, hours: number) =>
        `${user},,${client},Site,Build,,Yes,2026-03-02,09:00:00,2026-03-02,1${hours}:00:00,0${hours}:00:00,\n`
      const csv = `${header}${row('Ada L', 'Acme', 1)}${row('Robert', 'Orchard', 2)}${row('Robert', 'Acme', 3)}${row('Carl', 'Left', 1)}`
      const upload = await uploaded(ada, csv, 'toggl.csv')
      await ada.api.imports.reread.mutate({ importId: upload.id, reading: { listedBy: 'client' } })
      const { preview } = await ada.api.imports.get.query({ importId: upload.id })
      expect(preview.lists.map(({ name }) => name)).toEqual(['Acme', 'Orchard', 'Left'])
      const done = await imported(ada, { ...upload, preview }, { boardPerList: true, columns: { Left: 'leave' } })
      expect(done).toMatchObject({ state: 'done', boardId: null, boards: [{ name: 'Acme' }, { name: 'Orchard' }] })
      const found = await Promise.all(
        done.boards.map(async ({ id: boardId }) => {
          const board = await ada.api.boards.get.query({ boardId })
          const { minutes } = await ada.api.time.report.query({ boardId })
          return [board.name, minutes, board.members.map(({ name, username }) => name ?? username)]
        }),
      )
      expect(found).toEqual([
        ['Acme', 240, ['ada', 'Ada L', 'Robert']],
        ['Orchard', 120, ['ada', 'Robert']],
      ])
      const free = await uploaded(eve, csv, 'toggl.csv')
      await eve.api.imports.reread.mutate({ importId: free.id, reading: { listedBy: 'client' } })
      const start = (choices: object) =>
        eve.http('POST', `/api/imports/${free.id}/start`, { choices: { name: 'Hours', boardPerList: true, ...choices } })
      expect((await start({})).status).toBe(403)
      expect((await start({ columns: { Left: 'leave', Acme: 'leave' } })).status).toBe(200)
      expect((await ended(eve, free.id)).state).toBe('done')
    })

    test('is one of five at most, is one’s own, and once under a key', async () => {
      const { ada, bob } = await people()
      const body = await archiveOf(tablesOf())
      const key = { 'idempotency-key': 'one' }
      const first = await send(ada, body, 'a.zip', key)
      expect((await send(ada, body, 'a.zip', key)).text).toBe(first.text)
      const { id: importId } = first.body as { id: number }
      for (let n = 0; n < 4; n++) await uploaded(ada, body)
      expect((await send(ada, body)).status).toBe(409)
      const list = await ada.api.imports.list.query()
      expect(list.map(({ name, state }) => [name, state])).toEqual(Array(5).fill(['Orchard', 'ready']))
      expect(JSON.stringify(list)).not.toContain('preview')
      expect((await bob.http('GET', `/api/imports/${importId}`)).status).toBe(404)
      expect((await bob.http('DELETE', `/api/imports/${importId}`)).status).toBe(404)
      expect((await ada.http('DELETE', `/api/imports/${importId}`)).status).toBe(200)
      await uploaded(ada, body)
    })

    test('is no other process’s while its archive comes from a store, and soon where it stops later', async () => {
      const { ada } = await people()
      const { id } = await uploaded(ada, await archiveOf(tablesOf()))
      const held = await server.db.transaction(async (db) => {
        await db
          .update(imports)
          .set({ state: 'running', choices: { name: 'Held' } })
          .where(eq(imports.id, id))
        return claimOldest(db)
      })
      const seconds = async () => {
        const [row] = await server.db.select({ left: sql<number>`extract(epoch from held_until - now())::int` }).from(imports)
        return row?.left
      }
      if (held?.id !== id) throw new Error('another import is held')
      expect(await seconds()).toBeGreaterThan(120)
      await renewLease(server.db, held)
      expect(await seconds()).toBeGreaterThan(120)
      await noteProgress(server.db, held, { done: 1 })
      expect(await seconds()).toBeLessThanOrEqual(30)
      await server.db.update(imports).set({ heldUntil: sql`now() - interval '1 second'` })
      await renewLease(server.db, held)
      expect(await seconds()).toBeGreaterThan(20)
      await releaseLease(server.db, held)
      await renewLease(server.db, held)
      expect(await seconds()).toBeNull()
    })

    test('is taken though others send theirs for ever', async () => {
      const { ada } = await people()
      const { hostname, port } = new URL(server.origin)
      const sockets = await Promise.all(
        Array.from({ length: 4 }, async (_, n) => {
          const { setCookie } = await createAccount(server.db, { username: `slow${n}`, email: `slow${n}@example.com` })
          const head = `POST /api/imports?name=x HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 9000\r\n`
          const socket = connect(Number(port), hostname)
          socket.write(`${head}Cookie: ${setCookie.split(';')[0]}\r\n\r\nPK`)
          return socket
        }),
      )
      await until('all of them', async () => (await filesIn('incoming')).length === 4)
      await uploaded(ada, await archiveOf(tablesOf()))
      for (const socket of sockets) socket.destroy()
      await until('none of them', async () => (await filesIn('incoming')).length === 0)
    })

    test('is read from one Planka at a time', async () => {
      const { ada, bob } = await people()
      const access = { url: `http://${allowed}`, apiKey: 'key', boardId: '1' }
      const first = ada.http('POST', '/api/imports/planka', access)
      await asked.promise
      expect((await ada.http('POST', '/api/imports/planka', access)).status).toBe(429)
      const other = bob.http('POST', '/api/imports/planka/boards', access)
      answered.resolve(new Response('none', { status: 500 }))
      expect([(await first).status, (await other).status]).toEqual([400, 400])
      expect((await ada.http('POST', '/api/imports/planka', access)).status).toBe(400)
    })

    test('waits for a slow Planka without making others wait, and none is asked for somebody who has gone', async () => {
      const { ada, bob, person } = await people()
      const [open, gone] = [new Set<string>(), new AbortController()]
      const slow = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch({ headers, signal }) {
          const key = headers.get('x-api-key') ?? ''
          open.add(key)
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              open.delete(key)
              resolve(new Response())
            }),
          )
        },
      })
      const others = await Promise.all(['dora', 'fred', 'gwen', 'hugo', 'iris'].map(person))
      const waiting = others.map((one) =>
        fetch(`${server.origin}/api/imports/planka`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie: one.cookie() },
          body: JSON.stringify({ url: `http://planka.test:${slow.port}`, apiKey: one.user.username, boardId: '1' }),
          signal: gone.signal,
        }).catch(() => null),
      )
      await until('all of them', () => open.size === others.length)
      const access = { url: `http://${allowed}`, apiKey: 'key', boardId: '1' }
      expect((await ada.http('POST', '/api/imports/planka', access)).status).toBe(400)
      await uploaded(bob, await archiveOf(tablesOf()))
      gone.abort()
      await until('none of them', () => open.size === 0)
      await Promise.all([...waiting, slow.stop()])
      await until('nothing of it', async () => (await filesIn('incoming')).length === 0)
    })

    test('is refused to a Free user with a board before anything runs, and stays ready', async () => {
      const { ada, eve } = await server.people()
      const upload = await uploaded(ada, await archiveOf(tablesOf()))
      const choices = { name: 'Second' }
      const answer = await ada.http('POST', `/api/imports/${upload.id}/start`, { choices })
      expect([answer.status, answer.body]).toMatchObject([403, { requiresUpgrade: true }])
      expect((await ada.api.imports.get.query({ importId: upload.id })).state).toBe('ready')
      const own = await uploaded(eve, await archiveOf(tablesOf()))
      await boardOf(eve, own)
      const again = await eve.http('POST', `/api/imports/${own.id}/start`, { choices })
      expect(again.status).toBe(409)
    })

    test('goes with all that it has when it is cancelled, and when its days are over', async () => {
      const { ada } = await people()
      const many = Array.from({ length: 3_000 }, (_, n) => taskRow(n + 1))
      const [big, small] = [
        await uploaded(ada, await archiveOf(tablesOf({ tasks: many }))),
        await uploaded(ada, await archiveOf(tablesOf())),
      ]
      await ada.api.imports.start.mutate({ importId: big.id, choices: { name: 'Big' } })
      const own = (await server.db.select().from(imports)).map(({ file }) => file)
      await until('some of it', async () => (await ada.api.imports.get.query({ importId: big.id })).done > 50)
      await ada.api.imports.cancel.mutate({ importId: big.id })
      await server.db.update(imports).set({ changedAt: sql`now() - interval '3 days'` }).where(eq(imports.id, small.id))
      await server.clean()
      await until('no half board', async () => (await server.db.$count(boards, isNotNull(boards.deletedAt))) === 0)
      expect(await server.db.$count(imports)).toBe(0)
      expect(await server.db.$count(users, isNotNull(users.importedOn))).toBe(0)
      await until('no file of it', async () => !(await filesIn('uploads')).some((name) => own.includes(name)))
    })

    test('has names that nobody can sign in with, find, or write to', async () => {
      const { ada, eve, nobody } = await people()
      const boardId = await boardOf(ada, await uploaded(ada, await archiveOf(tablesOf())))
      const [name] = await names(boardId)
      if (!name) throw new Error('there is no name')
      expect(name).toMatchObject({ name: 'Robert', importedEmail: 'bob@example.com', password: null })
      await server.db.update(users).set({ operator: true }).where(eq(users.id, eve.id))
      for (const username of [name.username, name.email, name.username.toLowerCase()]) {
        expect((await nobody.http('POST', '/api/auth/login', { username, password: PASSWORD })).status).toBe(401)
        expect((await ada.http('GET', `/api/users/${username}`)).status).toBe(404)
        expect((await ada.http('POST', `/api/boards/${boardId}/members`, { username })).status).toBeGreaterThanOrEqual(400)
      }
      expect((await eve.api.operator.users.query({ search: 'Robert' })).rows).toEqual([])
      await expect(eve.api.operator.user.query({ userId: name.id })).rejects.toThrow()
      await expect(eve.api.operator.handOver.mutate({ boardId, userId: name.id })).rejects.toThrow()
      expect((await ada.api.finder.find.query({ text: 'Robert' })).people).toEqual([])
      const [task] = await ada.tasks(boardId)
      await ada.api.tasks.unassign.mutate({ taskId: task?.id ?? 0, userId: name.id })
      await ada.api.tasks.assign.mutate({ taskId: task?.id ?? 0, userId: name.id })
      expect(await server.db.$count(sql`notifications`, sql`user_id = ${name.id}`)).toBe(0)
      const given = { password: PASSWORD, handOver: [{ boardId, userId: name.id }] }
      expect((await ada.http('DELETE', '/api/account', given)).status).toBe(409)
      expect(await ada.api.imports.names.query({ boardId })).toMatchObject([{ email: 'bob@example.com' }, { email: null }])
      await server.db.delete(boards).where(eq(boards.id, boardId))
      expect(await server.db.$count(users, and(eq(users.importedOn, boardId)))).toBe(0)
    })

    test('takes no address that a name was imported with from whoever registers with it', async () => {
      const { ada } = await people()
      await boardOf(
        ada,
        await uploaded(
          ada,
          await archiveOf(
            tablesOf({
              people: [
                { id: 1, name: 'Ada', email: 'ada@example.com', member: true },
                { id: 2, name: 'Zoe', email: 'zoe@example.com', member: true },
                { id: 3, name: 'Carl', email: null, member: false },
              ],
            }),
          ),
        ),
      )
      const { user } = await createAccount(server.db, { username: 'zoe', email: 'zoe@example.com' })
      expect(user.name).toBeNull()
    })
  },
  { DATA_DIR: folder.path, IMPORT_ALLOW: allowed },
)
