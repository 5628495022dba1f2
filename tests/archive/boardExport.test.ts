import { afterAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { type BoardTable, boardRows } from '../../src/archive/schema'
import { openBoardArchive } from '../../src/archive/server/openBoardArchive'
import { runOn } from '../../src/db/statements'
import { attachments, boards, taskAssignees, tasks, timeEntries } from '../../src/db/tables'
import { onEachDatabase, onOneDatabase, onServer, type Server } from '../support/databases'
import { attach, PNG, uploadsFolder, WEBP } from '../support/files'
import { heldDownload } from '../support/heldDownload'
import { type Person, withoutProof } from '../support/people'
import { passTime } from '../support/time'
import { until } from '../support/until'

const uploads = await uploadsFolder()
afterAll(uploads.remove)
const spool = join(uploads.env.DATA_DIR, 'incoming')
const MINUTE = 60_000

const download = (person: Pick<Person, 'http'>, { id }: { id: number }) => person.http('GET', `/api/boards/${id}/archive`)

/** All that is in an archive, read as an import does. */
async function contents(bytes: Uint8Array) {
  const path = join(uploads.env.DATA_DIR, `${crypto.randomUUID()}.zip`)
  await Bun.write(path, bytes)
  const archive = await openBoardArchive(path)
  const tables: Record<string, object[]> = {}
  for (const table of Object.keys(boardRows) as BoardTable[]) tables[table] = await Array.fromAsync(archive.rows(table))
  const names = ['1.png', '1-thumbnail.webp', '2.txt']
  const files = await Promise.all(names.map((name) => archive.file(name).catch((error: Error) => error.message)))
  archive.close()
  return { tables, files, manifest: archive.manifest }
}

async function exported(person: Person, board: { id: number }) {
  const answer = await download(person, board)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return contents(answer.bytes)
}

const settled = async () => until('nothing is left of it', async () => (await readdir(spool)).length === 0)

/** Ada's board, with something of hers, of Bob's, of Cleo's, who has left, and of Dora's, who only was there. */
async function fullBoard(server: Server) {
  const people = await server.people()
  const { ada, bob, board, member } = people
  const [cleo, dora] = [await member('cleo'), await member('dora')]
  await withoutProof(server.db, bob)
  await ada.api.users.update.mutate({ name: 'Ada Lovelace', showEmail: false })
  await ada.api.time.setRate.mutate({ boardId: board.id, userId: bob.id, from: null, cents: 9_500 })
  const [plan, dig, gone] = [
    await ada.api.tasks.create.mutate({
      boardId: board.id,
      title: 'Plan',
      status: 'done',
      tags: ['soon'],
      dueDate: '2026-12-24',
    }),
    await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig', description: '- [x] deep' }),
    await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Gone' }),
  ]
  await ada.api.tasks.assign.mutate({ taskId: dig.id, userId: bob.id })
  await cleo.api.comments.create.mutate({ taskId: plan.id, content: 'How?' })
  await ada.api.comments.create.mutate({ taskId: gone.id, content: 'Away' })
  await attach(bob, plan.id, 'Garden.PNG', PNG, WEBP)
  await attach(bob, dig.id, 'notes.txt', 'lost')
  await bob.api.time.create.mutate({ taskId: dig.id, duration: 30, note: 'Deep', timeZone: 'Asia/Tokyo' })
  for (const person of [ada, cleo]) await person.api.time.create.mutate({ taskId: plan.id, status: 'ACTIVE' })
  await passTime(server.db, plan, 7 * MINUTE)
  const timer = await bob.api.time.create.mutate({ taskId: plan.id, status: 'ACTIVE' })
  for (const { id } of [cleo, dora]) await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: id })
  await bob.api.tasks.delete.mutate({ taskId: gone.id })
  return { ...people, plan, dig, timer }
}

onEachDatabase(
  'the archive of a board',
  (server) => {
    test('holds all that is on it, and whose it is', async () => {
      const { ada, bob, board } = await fullBoard(server)
      const [lost] = await server.db.select().from(attachments).where(eq(attachments.originalFilename, 'notes.txt'))
      await Bun.file(join(uploads.env.DATA_DIR, 'uploads', lost?.filename ?? '')).delete()
      await bob.api.comments.create.mutate({ taskId: lost?.taskId ?? 0, content: '日本語' })
      const { tables, files, manifest } = await exported(ada, board)
      const AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(tables.board).toEqual([{ name: 'Garden', description: null, createdAt: AT }])
      expect(tables.people).toEqual([
        { id: 1, name: 'Ada Lovelace', email: 'ada@example.com', member: true },
        { id: 2, name: 'bob', email: null, member: true },
        { id: 3, name: 'cleo', email: null, member: false },
        { id: 4, name: 'dora', email: null, member: false },
      ])
      const task = { list: null, closed: false, createdAt: AT, updatedAt: AT }
      expect(tables.tasks).toEqual([
        {
          ...task,
          id: 1,
          title: 'Dig',
          description: '- [x] deep',
          status: 'todo',
          dueDate: null,
          tags: [],
          createdBy: 2,
          doneAt: null,
        },
        {
          ...task,
          id: 2,
          title: 'Plan',
          description: null,
          status: 'done',
          dueDate: '2026-12-24',
          tags: ['soon'],
          createdBy: 1,
          doneAt: AT,
        },
      ])
      expect(tables.assignees).toEqual([{ task: 1, person: 2 }])
      expect(tables.comments).toEqual([
        { task: 2, person: 3, content: 'How?', createdAt: AT },
        { task: 1, person: 2, content: '日本語', createdAt: AT },
      ])
      expect(tables.attachments).toEqual([
        { task: 2, person: 2, name: 'Garden.PNG', file: '1.png', thumbnail: '1-thumbnail.webp', url: null, createdAt: AT },
        { task: 1, person: 2, name: 'notes.txt', file: '2.txt', thumbnail: null, url: null, createdAt: AT },
      ])
      expect(files).toEqual([Buffer.from(PNG), Buffer.from(WEBP), null])
      const entry = {
        startTime: AT,
        endTime: null,
        day: expect.any(String),
        timeZone: 'UTC',
        note: null,
        billable: true,
        createdAt: AT,
      }
      expect(tables.entries).toEqual([
        { ...entry, task: 1, person: 2, timeZone: 'Asia/Tokyo', minutes: 30, note: 'Deep' },
        { ...entry, task: 2, person: 1, minutes: 7 },
        { ...entry, task: 2, person: 3, endTime: AT, minutes: 7 },
      ])
      expect(tables.rates).toEqual([{ person: 2, from: null, cents: 9_500 }])
      expect(tables.activities).toContainEqual({
        task: 1,
        taskTitle: 'Dig',
        person: 1,
        kind: 'assigned',
        detail: { userId: 2 },
        createdAt: AT,
      })
      expect(tables.activities).toContainEqual({
        task: null,
        taskTitle: 'Gone',
        person: 2,
        kind: 'deleted',
        detail: {},
        createdAt: AT,
      })
      expect(manifest).toMatchObject({ kind: 'board', files: { count: 2, missing: 1 } })
      expect(manifest.tables.map(({ name }) => name)).toEqual(Object.keys(boardRows))
      await settled()
    })
  },
  uploads.env,
)

onOneDatabase(
  'the download of a board’s archive',
  (server) => {
    test('is named for it, and its creator’s also while it is locked', async () => {
      const { ada, board } = await server.people()
      await server.db.update(boards).set({ name: 'a/b: "日本"' }).where(eq(boards.id, board.id))
      await server.db.insert(boards).values({ name: 'First', createdBy: ada.id })
      await server.db.execute(sql`insert into board_members (board_id, user_id, added_at)
        select id, created_by, '2020-01-01' from boards where name = 'First'`)
      expect(await ada.http('PATCH', `/api/boards/${board.id}`, { name: 'x' })).toMatchObject({ status: 403 })
      const { status, headers } = await download(ada, board)
      expect([status, headers.get('content-disposition')]).toEqual([
        200,
        `attachment; filename="a_b_ ____ - wrk.zip"; filename*=UTF-8''a_b_%20_%E6%97%A5%E6%9C%AC_%20-%20wrk.zip`,
      ])
    })

    test('is refused to members, to strangers, and to whoever was its creator', async () => {
      const { ada, bob, eve, nobody, board } = await server.people()
      expect((await download(nobody, board)).status).toBe(401)
      expect((await download(eve, board)).status).toBe(404)
      expect(await download(bob, board)).toMatchObject({
        status: 403,
        body: { message: 'Only the board creator can export this board.' },
      })
      await server.db.update(boards).set({ createdBy: bob.id }).where(eq(boards.id, board.id))
      expect((await download(ada, board)).status).toBe(403)
      expect((await download(bob, board)).status).toBe(200)
    })

    /** More than a socket takes without being read. */
    async function largeBoard() {
      const people = await server.peopleWithTask()
      for (let n = 0; n < 3; n++)
        await attach(people.ada, people.task.id, `${n}.txt`, randomBytes(4_000_000).toString('hex').slice(0, 5_000_000))
      return people
    }
    const reading = (person: Person, { id }: { id: number }) =>
      fetch(`${server.origin}/api/boards/${id}/archive`, { headers: { cookie: person.cookie() } })

    test('is given to one reader at a time, of whom nothing is left who goes', async () => {
      const { ada, board } = await largeBoard()
      const first = await reading(ada, board)
      expect(await download(ada, board)).toMatchObject({ status: 429, body: { message: 'A board is already being exported.' } })
      await first.body?.cancel()
      await until('the place is free again', async () => (await download(ada, board)).status === 200)
      await settled()
    })

    test.each([
      ['is signed out', (ada: Person) => ada.http('POST', '/api/auth/logout')],
      [
        'is its creator no more',
        (ada: Person, bob: Person) => server.db.update(boards).set({ createdBy: bob.id }).where(eq(boards.createdBy, ada.id)),
      ],
    ])('fails where its reader %s meanwhile', async (_, end) => {
      const { ada, bob, board } = await largeBoard()
      const undisturbed = await heldDownload(server.origin, `/api/boards/${board.id}/archive`, ada)
      expect(await undisturbed.rest()).toBe('whole')
      const held = await heldDownload(server.origin, `/api/boards/${board.id}/archive`, ada)
      await end(ada, bob)
      expect(await held.rest()).toBe('failed')
      await settled()
    })

    test('what a killed process left is deleted a day later', async () => {
      for (const [name, age] of [
        ['board-old', 25],
        ['board-new', 1],
      ] as const) {
        await mkdir(join(spool, name), { recursive: true })
        const then = Date.now() / 1000 - age * 3_600
        await utimes(join(spool, name), then, then)
      }
      await server.clean()
      expect(await readdir(spool)).toEqual(['board-new'])
      await Bun.$`rm -r ${join(spool, 'board-new')}`
    })
  },
  uploads.env,
)

onServer(
  'the archive of a board that people write on',
  (server) => {
    test('is of one moment', async () => {
      if (!process.env.TEST_DATABASE_URL) return
      const { ada, bob, board, task } = await server.peopleWithTask()
      let answer: ReturnType<typeof exported> | undefined
      await server.db.transaction(async (transaction) => {
        // The only table that is asked of no sooner than the tasks.
        await transaction.execute(sql`lock table task_assignees in access exclusive mode`)
        answer = exported(ada, board)
        const waits = sql`select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database()) and relation = 'task_assignees'::regclass`
        await until('it waits', async () => (await runOn(server.db)(waits)).length > 0)
        const [late] = await transaction.insert(tasks).values({ title: 'Late', position: 'z', boardId: board.id }).returning()
        for (const taskId of [task.id, late?.id ?? 0])
          await transaction.insert(taskAssignees).values({ taskId, boardId: board.id, userId: bob.id })
        await transaction.insert(timeEntries).values({
          taskId: late?.id ?? 0,
          boardId: board.id,
          userId: bob.id,
          startTime: new Date(),
          day: '2026-11-22',
          duration: 5,
        })
      })
      const { tables } = (await answer) ?? {}
      expect([tables?.tasks?.length, tables?.assignees, tables?.entries]).toEqual([1, [], []])
    })
  },
  uploads.env,
)
