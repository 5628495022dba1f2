import { afterAll, describe, expect, test } from 'bun:test'
import { eq, getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../../src/db/tables'
import { accountBytes, countedTables } from '../../src/server/accountQuota/store'
import { deleteBeyond } from '../../src/server/idempotency.store'
import { purgeRowsEarly } from '../../src/tasks/server/deletedRows.store'
import { onEachDatabase, type Server } from '../support/databases'
import { formWith } from '../support/files'
import { archiveOf, imported, send, tablesOf, taskRow, uploaded } from '../support/imports'
import { PASSWORD, type Person } from '../support/people'
import { dataFolder } from '../support/process'
import { until } from '../support/until'

const { boards, idempotencyKeys, imports, mails, sessions, users } = schema

const folder = await dataFolder()
afterAll(folder.remove)

const MIB = 2 ** 20
const MAX = 2 * MIB
/** What those who write at the same moment may be over: each counts before it is stored. */
const OVER = MAX / 20

/** Why no account can grow them without end. */
const EXEMPT: Record<string, string> = {
  billing: 'one row an account',
  departed_customers: 'one row an account that was deleted, until the payment provider has heard of it',
  oauth_accounts: 'one row an account with a provider',
  magic_links: 'five an hour to one address, gone when they are over',
  installation: 'one row',
  first_account: 'one row',
  operator_acts: 'made by operators, gone after 30 days',
  backups: 'a hundred rows at most, and no account makes them',
  unwanted_files: 'files on their way out, gone within a minute',
  finder_texts: 'made of tasks and comments, which count',
}

describe('what an account takes', () => {
  test('is counted in every table, but in those that cannot grow without end', () => {
    const all = Object.values(schema)
      .filter((one) => is(one, PgTable))
      .map((table) => getTableName(table))
    const counted = countedTables.map((table) => getTableName(table))
    expect([...counted, ...Object.keys(EXEMPT)].toSorted()).toEqual(all.toSorted())
  })
})

/** As large as it is long, for what repeats is stored packed. */
const text = (length: number) =>
  crypto
    .getRandomValues(Buffer.alloc(length * 0.75))
    .toString('base64')
    .slice(0, length)
const USED = {
  message: 'You have used all 2 MB of your storage. Delete tasks, boards or files to free up space.',
  code: 'INSUFFICIENT_STORAGE',
}

onEachDatabase(
  'an account with a quota',
  (server: Server) => {
    const create = (person: Person, boardId: number, given: object = {}, headers = {}) =>
      person.http('POST', `/api/boards/${boardId}/tasks`, { title: 'Dig', description: text(18_000), ...given }, headers)
    const taskOf = (answer: { body: unknown }) => answer.body as { id: number }

    /** With a file, so that nothing more fits; answers its id. */
    async function fill(person: Person, taskId: number): Promise<number> {
      const left = MAX - (await accountBytes(server.db, person.id))
      const file = await person.http('POST', `/api/attachments/${taskId}`, formWith(text(left - 3_000), 'full.txt'))
      expect(file.status).toBe(201)
      return taskOf(file).id
    }

    test('is told once it has used it, whichever way it writes, and goes on once it has deleted something', async () => {
      const { ada, bob, board, task, path } = await server.peopleWithTask()
      const second = taskOf(await create(ada, board.id)).id
      await fill(ada, task.id)
      // Together, for each waits until what the account takes is added up again.
      const page = ada.http('POST', '/trpc/tasks.update', { taskId: task.id, description: text(20_000) })
      const refused = await Promise.all([
        create(ada, board.id),
        ada.http('PATCH', path, { description: text(20_000) }),
        ada.http('POST', `${path}/comments`, { content: text(10_000) }),
        ada.http('POST', `/api/attachments/${task.id}`, formWith(text(50_000), 'a.txt')),
      ])
      for (const { status, body } of refused) expect([status, body]).toEqual([507, USED])
      const { status, body } = await page
      expect([status, body]).toMatchObject([507, { error: { message: USED.message, data: USED } }])
      // It is hers alone.
      expect((await create(bob, board.id)).status).toBe(201)
      // What keeps an account its owner's passes.
      const newPassword = 'correct donkey'
      expect((await ada.http('POST', '/api/auth/password', { newPassword, currentPassword: PASSWORD })).status).toBe(200)

      expect((await ada.http('DELETE', path)).status).toBe(200)
      expect((await ada.http('POST', `${path}/restore`)).status).toBe(200)
      expect((await ada.http('DELETE', path)).status).toBe(200)
      expect((await ada.http('DELETE', `/api/tasks/${second}`)).status).toBe(200)
      expect((await create(ada, board.id)).status).toBe(201)
      // The room was needed.
      expect((await ada.http('POST', `${path}/restore`)).status).toBe(404)
      expect((await ada.http('DELETE', `/api/boards/${board.id}`)).status).toBe(200)
      expect((await ada.http('POST', '/api/boards', { name: 'Meadow' })).status).toBe(201)
    })

    test('has the hours of others on its deleted tasks, whatever it needs', async () => {
      const { ada, bob, board, task, path } = await server.peopleWithTask()
      await bob.http('POST', '/api/time-entries', { taskId: task.id, duration: 90 })
      await fill(ada, task.id)
      expect((await ada.http('DELETE', path)).status).toBe(200)
      expect((await create(ada, board.id)).status).toBe(507)
      expect((await ada.http('POST', `${path}/restore`)).body).toMatchObject({ minutes: 90 })
    })

    test('has its deleted boards until it needs their room', async () => {
      const { ada, board, task } = await server.peopleWithTask()
      await fill(ada, task.id)
      expect((await ada.http('DELETE', `/api/boards/${board.id}`)).status).toBe(200)
      const next = await ada.http('POST', '/api/boards', { name: 'Meadow', description: text(2_000) })
      expect(next.status).toBe(201)
      expect((await create(ada, taskOf(next).id)).status).toBe(201)
      expect(await server.db.select({ id: boards.id }).from(boards).where(eq(boards.id, board.id))).toEqual([])
      expect(await accountBytes(server.db, ada.id)).toBeLessThan(MAX / 10)
    })

    test('has the hours of others on its deleted boards, whatever it needs', async () => {
      const { ada, bob, board, task } = await server.peopleWithTask()
      await bob.http('POST', '/api/time-entries', { taskId: task.id, duration: 90 })
      await fill(ada, task.id)
      expect((await ada.http('DELETE', `/api/boards/${board.id}`)).status).toBe(200)
      expect((await ada.http('POST', '/api/boards', { name: 'Meadow', description: text(2_000) })).status).toBe(507)
      expect((await bob.http('GET', '/api/boards/deleted')).body).toMatchObject([{ id: board.id, minutes: 90 }])
    })

    test('loses nothing that it deleted to what could never fit', async () => {
      const { ada, board } = await server.people()
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
      expect((await ada.http('DELETE', `/api/boards/${board.id}`)).status).toBe(200)
      expect((await ada.http('POST', '/api/imports?name=large.csv', `Title\n${text(3 * MAX)}`)).status).toBe(507)
      expect((await ada.http('POST', `/api/boards/${board.id}/restore`)).status).toBe(200)
    })

    test('stays within it when many write at the same moment', async () => {
      const { ada, board, task } = await server.peopleWithTask()
      const file = await ada.http('POST', `/api/attachments/${task.id}`, formWith(text(MAX - 300_000), 'a.txt'))
      expect(file.status).toBe(201)
      const answers = await Promise.all(Array.from({ length: 40 }, () => create(ada, board.id)))
      const made = answers.filter(({ status }) => status === 201).length
      expect(made).toBeGreaterThan(8)
      expect(answers.filter(({ status }) => status === 507)).toHaveLength(40 - made)
      expect(await accountBytes(server.db, ada.id)).toBeLessThan(MAX + OVER)
    })

    test('has files in it, whose room is there again as soon as they are deleted', async () => {
      const { ada, task } = await server.peopleWithTask()
      const upload = () => ada.http('POST', `/api/attachments/${task.id}`, formWith(text(600_000), 'a.txt'))
      const answers = await Promise.all(Array.from({ length: 6 }, upload))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 507, 507, 507])
      expect((await upload()).body).toEqual(USED)
      const [file] = await ada.api.attachments.list.query({ taskId: task.id })
      expect((await ada.http('DELETE', `/api/attachments/${file?.id}`)).status).toBe(200)
      expect((await upload()).status).toBe(201)
    })

    test('has the same answer under the same key though it has used all meanwhile', async () => {
      const { ada, board, task } = await server.peopleWithTask()
      const given = { description: 'Once' }
      const key = { 'idempotency-key': crypto.randomUUID() }
      const first = await create(ada, board.id, given, key)
      await fill(ada, task.id)
      const again = await create(ada, board.id, given, key)
      expect([again.status, again.text]).toEqual([201, first.text])
      expect((await create(ada, board.id, {}, { 'idempotency-key': crypto.randomUUID() })).status).toBe(507)
    })

    test('is told before anything of a board is kept that it would not fit', async () => {
      const { ada } = await server.people()
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
      // It repeats, so that the file is small.
      const event = {
        task: 1,
        taskTitle: 'Plant',
        person: 1,
        kind: 'renamed',
        detail: { from: 'Dig', to: 'Plant' },
        createdAt: '2026-01-05T08:30:00.000Z',
      }
      const body = await archiveOf(tablesOf({ activities: Array(10_000).fill(event) }))
      expect(body.length).toBeLessThan(MAX / 10)
      const refused = await send(ada, body)
      expect([refused.status, refused.body]).toEqual([
        507,
        {
          message: expect.stringMatching(
            /^This board needs [34] MB, which is more than you have left of your 2 MB of storage\. Delete tasks, boards or files first\.$/,
          ),
          code: 'INSUFFICIENT_STORAGE',
        },
      ])
      expect(await server.db.select({ id: imports.id }).from(imports)).toEqual([])
      await imported(ada, await uploaded(ada, await archiveOf(tablesOf({ activities: Array(50).fill(event) }))))
    })

    test('has an import stopped and undone that finds less room than when it was uploaded', async () => {
      const { ada, task } = await server.peopleWithTask()
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
      const rows = Array.from({ length: 60 }, (_, n) => taskRow(n + 1, { description: text(18_000) }))
      const upload = await uploaded(ada, await archiveOf(tablesOf({ tasks: rows })))
      await fill(ada, task.id)
      const { state, error, boardId } = await imported(ada, upload)
      expect({ state, error, boardId }).toEqual({ state: 'failed', error: USED.message, boardId: null })
      await until('what it wrote is gone', async () => (await server.db.$count(boards)) === 1)
      expect(await server.db.$count(users, sql`${users.importedOn} is not null`)).toBe(0)
    })

    test('has the file of an import in it once, however often that is read again', async () => {
      const { ada } = await server.people()
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
      // With what is read of it, and with a board that is made of it, it fills the account.
      const rows = Array.from({ length: 43 }, (_, n) => `Dig ${n},${text(18_000)}`)
      const upload = await uploaded(ada, `Title,Description\n${rows.join('\n')}\n`, 'tasks.csv')
      for (const field of ['line', 'description'] as const)
        await ada.api.imports.reread.mutate({ importId: upload.id, reading: { columns: ['title', field] } })
      expect(await accountBytes(server.db, ada.id)).toBeLessThan(MAX)
    })

    test('has what bears imported names, and what it causes for others', async () => {
      const { ada, bob, board } = await server.people()
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
      const before = await accountBytes(server.db, ada.id)
      const rows = Array.from({ length: 20 }, (_, n) => taskRow(n + 1, { createdBy: 3, description: text(18_000) }))
      const { state } = await imported(ada, await uploaded(ada, await archiveOf(tablesOf({ tasks: rows }))))
      expect(state).toBe('done')
      expect((await accountBytes(server.db, ada.id)) - before).toBeGreaterThan(20 * 18_000)

      const task = taskOf(await create(ada, board.id, { description: '' }))
      const others = await accountBytes(server.db, bob.id)
      await ada.http('POST', `/api/tasks/${task.id}/assignees`, { userId: bob.id })
      await ada.http('POST', `/api/boards/${board.id}/members`, { email: 'carl@example.com' })
      expect(await server.db.$count(mails, eq(mails.causedBy, ada.id))).toBeGreaterThan(0)
      expect(await accountBytes(server.db, bob.id)).toBe(others)
    })

    test('is not filled by a board that is handed over: that is refused by the name of both, and nothing changes', async () => {
      const { ada, bob, board, person } = await server.people()
      const olga = await person('olga')
      await server.db.update(users).set({ operator: true }).where(eq(users.id, olga.id))
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
      const rows = Array.from({ length: 20 }, (_, n) => taskRow(n + 1, { createdBy: 3, description: text(18_000) }))
      const { boardId } = await imported(ada, await uploaded(ada, await archiveOf(tablesOf({ tasks: rows }))))
      await ada.http('POST', `/api/boards/${boardId}/members`, { username: 'bob' })
      const bobs = taskOf(await create(bob, board.id, { description: '' }))
      const fileId = await fill(bob, bobs.id)

      const refusal = {
        message:
          '“Orchard” does not fit in bob’s storage (2 MB). Nothing was changed. Hand it over to someone else, or delete some of its tasks or files first.',
        code: 'CONFLICT',
      }
      const handOver = [
        { boardId, userId: bob.id },
        { boardId: board.id, userId: bob.id },
      ]
      const leave = (given: unknown) => ada.http('DELETE', '/api/account', { password: PASSWORD, handOver: given })
      const give = () => olga.http('POST', `/api/operator/boards/${boardId}/hand-over`, { userId: bob.id, password: PASSWORD })
      expect(await leave(handOver)).toMatchObject({
        status: 409,
        body: { message: expect.stringMatching(/^“Garden” and “Orchard” do not fit in .* them /) },
      })
      expect(await give()).toMatchObject({ status: 409, body: refusal })
      expect(await ada.api.boards.list.query()).toMatchObject([{ createdBy: ada.id }, { createdBy: ada.id }])
      expect((await ada.http('GET', '/api/boards/deleted')).body).toEqual([])

      expect((await bob.http('DELETE', `/api/attachments/${fileId}`)).status).toBe(200)
      await server.db.delete(schema.deletedRows)
      expect((await give()).status).toBe(200)
      expect((await leave(handOver.slice(1))).status).toBe(200)
      expect(await bob.api.boards.list.query()).toMatchObject([{ createdBy: bob.id }, { createdBy: bob.id }])
    })

    test('has what it wrote on boards of others until it is removed from them, and again once it is back', async () => {
      const { ada, bob, board, task } = await server.peopleWithTask()
      const before = [await accountBytes(server.db, ada.id), await accountBytes(server.db, bob.id)]
      const bobs = taskOf(await create(bob, board.id))
      await bob.http('POST', `/api/tasks/${task.id}/comments`, { content: text(10_000) })
      await bob.http('POST', `/api/attachments/${bobs.id}`, formWith(text(50_000), 'a.txt'))
      await bob.http('POST', '/api/time-entries', { taskId: task.id, duration: 30, note: text(2_000) })
      const wrote = 18_000 + 10_000 + 50_000 + 2_000
      const more = async () => [
        (await accountBytes(server.db, ada.id)) - (before[0] ?? 0),
        (await accountBytes(server.db, bob.id)) - (before[1] ?? 0),
      ]
      const isNear = (bytes = 0, expected: number) => Math.abs(bytes - expected) < 6_000
      const remove = (who: Person) => who.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`)
      const shares = async () => (await more()).map((bytes) => (isNear(bytes, wrote) ? 'all' : isNear(bytes, 0) ? 'none' : bytes))
      expect(await shares()).toEqual(['none', 'all'])
      expect((await remove(ada)).status).toBe(200)
      expect(await shares()).toEqual(['all', 'none'])
      expect((await ada.http('POST', `/api/boards/${board.id}/members`, { username: 'bob' })).status).toBe(201)
      expect(await shares()).toEqual(['none', 'all'])
      // Else a member could fill the creator's account by leaving.
      expect((await remove(bob)).status).toBe(200)
      expect(await shares()).toEqual(['none', 'all'])
    })

    test('is not passed by the files of people whom it removes, for boards of a full account take none of others', async () => {
      const { ada, bob, board, task } = await server.peopleWithTask()
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, ada.id))
      const second = await ada.api.boards.create.mutate({ name: 'Meadow' })
      await ada.api.boards.addMember.mutate({ boardId: second.id, username: 'bob' })
      const other = await ada.api.tasks.create.mutate({ boardId: second.id, title: 'Mow' })
      await fill(bob, task.id)
      await ada.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`)
      const upload = () => bob.http('POST', `/api/attachments/${other.id}`, formWith(text(100_000), 'a.txt'))
      expect(await upload()).toMatchObject({
        status: 507,
        body: { message: expect.stringContaining('board creator’s storage is full') },
      })
      const [file] = await ada.api.attachments.list.query({ taskId: task.id })
      expect((await ada.http('DELETE', `/api/attachments/${file?.id}`)).status).toBe(200)
      await purgeRowsEarly(server.db, ada.id)
      expect((await upload()).status).toBe(201)
    })

    test('has the file of a deleted attachment until it is gone, so that nothing is brought back beside what took its place', async () => {
      const { ada, task } = await server.peopleWithTask()
      const upload = () => ada.http('POST', `/api/attachments/${task.id}`, formWith(text(600_000), 'a.txt'))
      const { id } = taskOf(await upload())
      const bytes = await accountBytes(server.db, ada.id)
      expect((await ada.http('DELETE', `/api/attachments/${id}`)).status).toBe(200)
      expect(await accountBytes(server.db, ada.id)).toBeGreaterThan(bytes)
      expect((await ada.http('POST', `/api/attachments/restore/${id}`)).status).toBe(200)
    })

    test('brings back what it deleted while it is full, but not once it is far over', async () => {
      const { ada, task, path } = await server.peopleWithTask()
      await fill(ada, task.id)
      const restore = async () => {
        expect((await ada.http('DELETE', path)).status).toBe(200)
        return ada.http('POST', `${path}/restore`)
      }
      expect((await restore()).status).toBe(200)
      await server.db
        .update(users)
        .set({ description: text(60_000) })
        .where(eq(users.id, ada.id))
      expect((await restore()).body).toEqual(USED)
    })

    test('keeps answers up to a bound, of which the oldest go, and signs in with a hundred browsers', async () => {
      const { ada, board } = await server.people()
      const answers = []
      const keys = Array.from({ length: 12 }, () => ({ 'idempotency-key': crypto.randomUUID() }))
      for (const [n, key] of keys.entries())
        answers.push(await create(ada, board.id, { title: `Dig ${n}`, description: 'x' }, key))
      const sizes = await server.db
        .select({ bytes: sql<number>`400 + octet_length(${idempotencyKeys.body})` })
        .from(idempotencyKeys)
      const room = 5 * Math.max(...sizes.map(({ bytes }) => bytes))
      await deleteBeyond(server.db, ada.id, room)
      expect(await server.db.$count(idempotencyKeys)).toBe(5)
      for (const [n, key] of [...keys.entries()].slice(-5)) {
        const again = await create(ada, board.id, { title: `Dig ${n}`, description: 'x' }, key)
        expect(again.text).toBe(answers[n]?.text ?? '')
      }

      const rows = Array.from({ length: 150 }, (_, n) => ({
        id: `old ${n}`,
        userId: ada.id,
        expiresAt: new Date(Date.now() + 86_400_000),
        createdAt: new Date(Date.now() - 86_400_000 - n),
      }))
      await server.db.insert(sessions).values(rows)
      expect((await ada.http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD })).status).toBe(200)
      expect(await server.db.$count(sessions, eq(sessions.userId, ada.id))).toBe(100)
      expect((await ada.http('GET', '/api/auth/me')).status).toBe(200)
    })
  },
  { DATA_DIR: folder.path, ACCOUNT_MAX_MB: '2' },
)
