import { afterAll, beforeAll, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readConfig } from '../../src/config'
import { openDatabase } from '../../src/db/openDatabase'
import { boardMembers, boards, tasks } from '../../src/db/tables'
import { createVacuum } from '../../src/db/vacuum'
import { serve } from '../../src/site/serve'
import { browser } from '../support/browser'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { createAccount, PASSWORD, peopleWithTask } from '../support/people'
import { dataFolder, startServer } from '../support/process'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(10 * PATIENCE)

const MIB = 2 ** 20
/** Without a vacuum their rows would take 32 MB, more than is allowed; `bun run attack` sends more. */
const CHANGES = Number(process.env.INPUTS ?? 1_600)
/** Fewer than one person may send in a minute. */
const CHANGES_EACH = 500
/** Half of it is what a fast disk takes before the next look. */
const LOG_BYTES = 96 * MIB
/** A table is rewritten once it has grown by 8 MiB; as much again, twice, may be written before and during that. */
const GROWN_BYTES = 24 * MIB
/** With which a first run erases what was deleted. */
const SHORT = { isShort: true, spare: Number.POSITIVE_INFINITY }

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

const sizeOf = (folder: string) =>
  filesIn(folder).reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)

describe('one task that is changed at full speed', () => {
  let folder: Awaited<ReturnType<typeof dataFolder>>
  const log = () => sizeOf(join(folder.path, 'postgres/pg_wal'))
  const tables = () => sizeOf(join(folder.path, 'postgres')) - log()
  beforeAll(async () => {
    folder = await dataFolder()
    await putEmptyDatabase(folder.path)
  })
  afterAll(() => folder.remove())

  /** A task, and as many members of its board as the changes take. */
  async function fill() {
    const { db, close } = await openDatabase({ dataDir: folder.path })
    const cookies: string[] = []
    const ids: number[] = []
    for (let n = 0; n < CHANGES / CHANGES_EACH; n++) {
      const { user, setCookie } = await createAccount(db, { username: `member${n}`, email: `member${n}@example.com` })
      cookies.push(setCookie)
      ids.push(user.id)
    }
    const [createdBy = 0] = ids
    const [board] = await db.insert(boards).values({ name: 'Garden', createdBy }).returning()
    const boardId = board?.id ?? 0
    await db.insert(boardMembers).values(ids.map((userId) => ({ boardId, userId })))
    const [task] = await db.insert(tasks).values({ title: 'Dig', position: 'a0', boardId, createdBy }).returning()
    await close()
    return { cookies, taskId: task?.id ?? 0 }
  }

  test('takes no more of the disk than twice what it holds, beside the log', async () => {
    const { cookies, taskId } = await fill()
    const empty = tables()
    const { child, origin } = await startServer({ DATA_DIR: folder.path, TRUST_PROXY: '1' })
    const members = cookies.map((cookie) => browser(origin, cookie))
    let next = 0
    const most = { tables: 0, log: 0 }
    const look = () => {
      most.tables = Math.max(most.tables, tables())
      most.log = Math.max(most.log, log())
    }
    const change = async () => {
      for (let n = next++; n < CHANGES; n = next++) {
        const answer = await members[Math.floor(n / CHANGES_EACH)]?.http('PATCH', `/api/tasks/${taskId}`, {
          description: words(),
        })
        expect(answer?.status).toBe(200)
        if (n % 20 === 0) look()
      }
    }
    await Promise.all([change(), change(), change(), change()])
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    const live = (await afterErasing()) - empty
    const [took, held, logged] = [most.tables - empty, live, most.log].map(mib)
    console.info(
      `${CHANGES} changes of ${mib(CHANGES * 20_000)} MiB: tables ${took} MiB at most, ${held} of them live; log ${logged}`,
    )
    expect(most.tables).toBeLessThan(empty + 2 * Math.max(0, live) + GROWN_BYTES)
    expect(most.log).toBeLessThanOrEqual(LOG_BYTES)
  })

  async function afterErasing() {
    const { vacuum, close } = await openDatabase({ dataDir: folder.path })
    await vacuum?.run(() => SHORT)
    await close()
    return tables()
  }
})

const mib = (bytes: number) => Math.round(bytes / MIB)

/** As much as a description takes, and none a second time; few words, as each is sorted into the index of searches. */
const words = () =>
  Array.from({ length: 20 }, () => crypto.getRandomValues(Buffer.alloc(740)).toString('base64url').replaceAll(/[-_]/g, 'x')).join(
    ' ',
  )

describe('what was deleted', () => {
  let folder: Awaited<ReturnType<typeof dataFolder>>
  let database: Awaited<ReturnType<typeof openDatabase>>
  let running: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    folder = await dataFolder()
    await putEmptyDatabase(folder.path)
    database = await openDatabase({ dataDir: folder.path })
    const config = readConfig({ PORT: '0', DATA_DIR: folder.path, TRUST_PROXY: '1' })
    running = await serve(config, database, 'none')
  })
  afterAll(async () => {
    await running.stop()
    await folder.remove()
  })

  const postgres = () => join(folder.path, 'postgres')
  const isInFiles = (text: string) => filesIn(postgres()).some((path) => readFileSync(path).includes(text))
  const within = (texts: Record<string, string>) => Object.keys(texts).filter((name) => isInFiles(texts[name] ?? ''))
  /** Letters that no text has, and that a search keeps as one word. */
  const secret = () => `zq${crypto.randomUUID().replaceAll('-', '').replaceAll(/\d/g, 'x')}`

  test('is in none of the files any more once it was purged and the tables were rewritten', async () => {
    const { db } = database
    const { ada, eve, board, task } = await peopleWithTask({ origin: `http://127.0.0.1:${running.port}`, db })
    const texts = { comment: secret(), description: secret(), long: secret(), title: secret(), name: secret(), board: secret() }
    const { id: commentId } = await ada.api.comments.create.mutate({ taskId: task.id, content: `So ${texts.comment} it is` })
    const gone = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow', description: texts.description })
    await ada.api.tasks.update.mutate({ taskId: gone.id, description: `${words().slice(0, 18_000)} ${texts.long}` })
    await eve.api.users.update.mutate({ name: texts.name })
    const own = await eve.api.boards.create.mutate({ name: texts.board })
    await eve.api.tasks.create.mutate({ boardId: own.id, title: texts.title })
    await db.execute(sql`checkpoint`)
    expect(within(texts)).toEqual(Object.keys(texts))

    await ada.api.comments.delete.mutate({ commentId })
    await ada.api.tasks.delete.mutate({ taskId: gone.id })
    expect((await eve.http('DELETE', '/api/account', { password: PASSWORD })).status).toBe(200)
    await db.execute(sql`update deleted_rows set deleted_at = now() - interval '1 hour'`)
    await db.execute(sql`update tasks set deleted_at = now() - interval '31 days' where deleted_at is not null`)
    await running.clean()
    // Postgres counts what was changed a second late.
    const deleted = sql`select n_tup_del::int from pg_stat_user_tables where relname in ('comments', 'tasks', 'users') and n_tup_del = 0`
    await until('its statistics have it', async () => ((await db.execute(deleted)) as unknown as { rows: [] }).rows.length === 0)
    const warned = spyOn(console, 'warn').mockImplementation(() => {})
    await createVacuum(db).run(() => ({ isShort: true, spare: 0 }))
    const told = warned.mock.calls.map(([text]) => String(text))
    warned.mockRestore()
    expect(told).toContainEqual(expect.stringMatching(/to rewrite the table comments \(\d+ MB\), so deleted data stays/))
    await database.vacuum?.run(() => SHORT)
    expect(within(texts)).toEqual([])
    expect(isInFiles('Garden')).toBe(true)
  })
})
