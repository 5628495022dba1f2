import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { type BoardRow, type BoardTable, boardRows } from '../../src/archive/schema'
import { openBoardArchive } from '../../src/archive/server/openBoardArchive'
import { users } from '../../src/db/tables'
import { onOneDatabase } from '../support/databases'
import { attach, PNG, WEBP } from '../support/files'
import { AT, archiveOf, boardOf, imported, tablesOf, taskRow, uploaded } from '../support/imports'
import { PASSWORD, type Person } from '../support/people'
import { dataFolder } from '../support/process'

const folder = await dataFolder()
afterAll(folder.remove)

/** Whoever imported it, joined, or said which name is theirs, is news of this board. */
const NEWS = ['board_imported', 'member_added', 'name_accepted']

async function exported(person: Person, boardId: number) {
  const { status, bytes } = await person.http('GET', `/api/boards/${boardId}/archive`)
  expect(status).toBe(200)
  const path = join(folder.path, `${crypto.randomUUID()}.zip`)
  await Bun.write(path, bytes)
  const archive = await openBoardArchive(path)
  try {
    const tables: Record<string, unknown[]> = {}
    for (const table of Object.keys(boardRows) as BoardTable[])
      tables[table] = (await Array.fromAsync<object>(archive.rows(table))).filter(
        (row) => !('kind' in row) || !NEWS.includes(String(row.kind)),
      )
    const files = await Promise.all(
      (tables.attachments ?? []).map(async (row) => {
        const { file, thumbnail } = row as { file: string; thumbnail: string }
        return [await archive.file(file), await archive.file(thumbnail)]
      }),
    )
    return { bytes: Buffer.from(bytes), contents: { ...tables, files }, people: tables.people }
  } finally {
    archive.close()
  }
}

onOneDatabase(
  'a board that leaves',
  (server) => {
    /** Something of everything, by two people. */
    async function filled() {
      const { ada, bob, board } = await server.people()
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
      const add = (person: Person, title: string) =>
        person.api.tasks.create.mutate({ boardId: board.id, title, tags: ['spring'] })
      const [plant, prune] = [await add(ada, 'Plant'), await add(bob, 'Prune')]
      await ada.api.tasks.update.mutate({ taskId: plant.id, status: 'done', dueDate: '2026-02-01', description: '- [x] dig' })
      await bob.api.tasks.update.mutate({ taskId: prune.id, before: (await add(ada, 'Graft')).id })
      await ada.api.tasks.assign.mutate({ taskId: plant.id, userId: bob.id })
      await bob.api.comments.create.mutate({ taskId: plant.id, content: 'Where, @ada?' })
      await ada.api.comments.create.mutate({ taskId: plant.id, content: 'By the fence' })
      await attach(bob, plant.id, 'dot.png', PNG, WEBP)
      await ada.api.time.create.mutate({ taskId: plant.id, duration: 30, note: 'Digging' })
      await bob.api.time.create.mutate({ taskId: plant.id, duration: 45, billable: false })
      await ada.api.time.setRate.mutate({ boardId: board.id, userId: bob.id, from: null, cents: 9_000 })
      return { ada, bob, board }
    }

    test('and enters again is equal but for ids, also once its second person has joined and said who they are', async () => {
      const { ada, bob, board } = await filled()
      const first = await exported(ada, board.id)
      const boardId = await boardOf(ada, await uploaded(ada, first.bytes))
      expect((await exported(ada, boardId)).contents).toEqual(first.contents)
      expect(boardId).not.toBe(board.id)
      await ada.api.boards.addMember.mutate({ boardId, username: 'bob' })
      const [name] = await bob.api.imports.names.query({ boardId })
      await bob.api.imports.answerName.mutate({ boardId, nameId: name?.user.id ?? 0, isMine: true })
      expect((await exported(ada, boardId)).contents).toEqual(first.contents)
      const { members } = await bob.api.boards.get.query({ boardId })
      expect(members.map(({ username }) => username)).toEqual(['ada', 'bob'])
    })

    test.each([false, true])('has every kind of row when it enters again (a board for each list: %p)', async (boardPerList) => {
      const { ada } = await filled()
      const list = boardPerList ? 'Beds' : null
      const tables = tablesOf({ tasks: [1, 2, 3].map((id) => taskRow(id, { list })) })
      const upload = await uploaded(ada, await archiveOf(tables))
      const { boardId, boards } = await imported(ada, upload, { boardPerList, columns: { Beds: 'todo' } })
      const { contents } = await exported(ada, boardId ?? boards[0]?.id ?? 0)
      for (const table of Object.keys(boardRows) as BoardTable[])
        expect([table, contents[table as 'files']?.length]).toEqual([table, [...(tables[table] as unknown[])].length])
    })

    test('has its former members when it enters again: as many, with their hours, and nobody can be one of them', async () => {
      const { ada, bob, board } = await filled()
      const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Rake' })
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
      await bob.http('DELETE', '/api/account', { password: PASSWORD })
      const report = async (boardId: number) =>
        (await ada.api.time.report.query({ boardId })).byUser.map(({ user, minutes, cents }) => [user.name, minutes, cents])
      const before = await report(board.id)
      expect(before).toEqual([
        ['Former member', 45, 0],
        [null, 30, 0],
      ])
      const first = await exported(ada, board.id)
      expect(first.people).toContainEqual({
        id: expect.any(Number),
        name: 'Former member',
        email: null,
        member: false,
        former: true,
      })
      const upload = await uploaded(ada, first.bytes)
      const former = upload.preview.people.find((person) => person.former)
      const boardId = await boardOf(ada, upload, { me: former?.id })
      expect((await exported(ada, boardId)).people).toContainEqual(expect.objectContaining({ former: true, member: false }))
      expect((await report(boardId))[0]).toEqual(['Former member', 45, 0])
      expect((await ada.api.imports.names.query({ boardId })).map(({ user }) => user.name)).not.toContain('Former member')
    })

    test('gives a forged former member no name, address, membership or task', async () => {
      const { ada } = await filled()
      const forged = { id: 4, name: 'Eve', email: 'eve@example.com', member: true, former: true }
      const tables = tablesOf()
      const people = [...(tables.people as Iterable<BoardRow<'people'>>), forged, { ...forged, id: 5 }]
      const work = {
        task: 1,
        startTime: AT,
        endTime: null,
        day: '2026-01-05',
        timeZone: 'UTC',
        note: null,
        billable: true,
        createdAt: AT,
      }
      const entries = [4, 5].map((person) => ({ ...work, person, minutes: person }))
      const assignees = [4, 5].map((person) => ({ task: 1, person }))
      const boardId = await boardOf(ada, await uploaded(ada, await archiveOf({ ...tables, people, entries, assignees })))
      const { byUser } = await ada.api.time.report.query({ boardId })
      expect(byUser.map(({ user, minutes }) => [user.name, minutes])).toEqual([
        ['Former member 2', 5],
        ['Former member', 4],
      ])
      const { members } = await ada.api.boards.get.query({ boardId })
      expect(members.map(({ name }) => name)).not.toContain('Former member')
      expect((await ada.tasks(boardId)).flatMap(({ assignees }) => assignees)).toEqual([])
      expect(await server.db.$count(users, eq(users.importedEmail, 'eve@example.com'))).toBe(0)
    })
  },
  { DATA_DIR: folder.path },
)
