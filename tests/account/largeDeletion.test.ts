import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { readConfig } from '../../src/config'
import type { Db } from '../../src/db/database'
import { openDatabase } from '../../src/db/openDatabase'
import { boards, comments, leftBoards, tasks, timeEntries, users } from '../../src/db/tables'
import { serve } from '../../src/site/serve'
import { browser } from '../support/browser'
import { onEachDatabase } from '../support/databases'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { createAccount, PASSWORD } from '../support/people'
import { dataFolder, startServer } from '../support/process'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)

/** Several times what is deleted at once. */
const ENTRIES = 5_000
const MINUTES = 5

/** So many hours, and half as many comments, of one account on a task. */
async function fill(db: Db, { taskId, boardId, userId }: { taskId: number; boardId: number; userId: number }) {
  const nth = sql`from generate_series(1, ${ENTRIES}) n`
  await db.execute(sql`insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes)
    select ${taskId}, ${boardId}, ${userId}, now(), '2026-11-20', ${MINUTES} ${nth}`)
  await db.execute(
    sql`insert into comments (task_id, user_id, content) select ${taskId}, ${userId}, 'Mine' ${nth} where n % 2 = 0`,
  )
}

type Report = { minutes: number; byUser: { user: { name: string | null }; minutes: number }[] }
type Reader = Pick<ReturnType<typeof browser>, 'http'>
const reportOf = async ({ http }: Reader, boardId: number) =>
  (await http('GET', `/api/boards/${boardId}/time-report`)).body as Report
/** Some of it is a former member's already, some is not. */
const isPartly = ({ byUser }: Report) => byUser.length > 1
const ONE_FORMER = [{ user: { name: 'Former member' }, minutes: ENTRIES * MINUTES }]

onEachDatabase('deleting an account with much work', (server) => {
  test('lets others go on meanwhile, for whom its hours are never less, and answers once all is gone', async () => {
    const { ada, bob, board, task } = await server.peopleWithTask()
    await fill(server.db, { taskId: task.id, boardId: board.id, userId: bob.id })
    const { username, email } = bob.user
    const socket = await ada.socket(board)
    let isOver = false
    const answer = bob.http('DELETE', '/api/account', { password: PASSWORD }).finally(() => {
      isOver = true
    })
    await socket.next('board_member_removed')
    const seen: Report[] = []
    while (!isOver) seen.push(await reportOf(ada, board.id))
    expect((await answer).status).toBe(200)
    expect(seen.filter(isPartly).length).toBeGreaterThan(0)
    expect(new Set(seen.map(({ minutes }) => minutes))).toEqual(new Set([ENTRIES * MINUTES]))
    expect(new Set(seen.flatMap(({ byUser }) => byUser.map(({ user }) => user.name)))).toEqual(new Set(['Former member']))
    expect([await server.db.$count(users, eq(users.id, bob.id)), await server.db.$count(leftBoards)]).toEqual([0, 0])
    expect(await reportOf(ada, board.id)).toMatchObject({ byUser: ONE_FORMER })
    // The page hears of the last step, and reads the board again.
    const { version } = await socket.next('user_profile_updated')
    expect((await ada.http('GET', `/api/boards/${board.id}/snapshot`)).body).toMatchObject({
      board: { version, members: [{ id: ada.id }] },
      tasks: [{ minutes: ENTRIES * MINUTES, commentCount: ENTRIES / 2 }],
    })
    const { notifications } = await ada.api.notifications.list.query({})
    expect(notifications.filter(({ kind }) => kind === 'account_deleted')).toHaveLength(1)
    const again = await browser(server.origin).http('POST', '/api/auth/register', { username, email, password: PASSWORD })
    expect(again.status).toBe(201)
  })

  test('takes its comments along where it says so, and all on its own boards', async () => {
    const { ada, bob, board, task } = await server.peopleWithTask()
    await fill(server.db, { taskId: task.id, boardId: board.id, userId: bob.id })
    const own = await bob.api.boards.create.mutate({ name: "Bob's" })
    const ownTask = await bob.api.tasks.create.mutate({ boardId: own.id, title: 'Own' })
    await fill(server.db, { taskId: ownTask.id, boardId: own.id, userId: bob.id })
    expect((await bob.http('DELETE', '/api/account', { password: PASSWORD, deleteContent: true })).status).toBe(200)
    const left = [comments, timeEntries, boards, tasks].map((table) => server.db.$count(table))
    expect(await Promise.all(left)).toEqual([0, ENTRIES, 1, 1])
    expect(await ada.api.tasks.get.query({ taskId: task.id })).toMatchObject({ commentCount: 0, minutes: ENTRIES * MINUTES })
  })
})

const folder = await dataFolder()
afterAll(folder.remove)

test('a deletion whose server is killed in the middle has ended the account, and the next server goes on with it', async () => {
  await putEmptyDatabase(folder.path)
  const { db, close } = await openDatabase({ dataDir: folder.path })
  const ada = await createAccount(db, { username: 'ada', email: 'ada@example.com' })
  const bob = await createAccount(db, { username: 'bob', email: 'bob@example.com' })
  const [board] = await db.insert(boards).values({ name: 'Garden', createdBy: ada.user.id }).returning()
  const boardId = board?.id ?? 0
  for (const { user } of [ada, bob])
    await db.execute(sql`insert into board_members (board_id, user_id) values (${boardId}, ${user.id})`)
  const [task] = await db.insert(tasks).values({ title: 'Dig', position: 'a', boardId }).returning()
  await fill(db, { taskId: task?.id ?? 0, boardId, userId: bob.user.id })
  await close()

  const first = await startServer({ DATA_DIR: folder.path })
  const [adas, bobs] = [browser(first.origin, ada.setCookie), browser(first.origin, bob.setCookie)]
  const answer = bobs.http('DELETE', '/api/account', { password: PASSWORD }).catch(() => 'no answer')
  await until('the middle of it', async () => isPartly(await reportOf(adas, boardId)))
  first.child.kill('SIGKILL')
  await first.child.exited
  expect(await answer).toBe('no answer')

  const config = readConfig({ PORT: '0', DATA_DIR: folder.path })
  const database = await openDatabase(config)
  expect(await database.db.$count(timeEntries, eq(timeEntries.userId, bob.user.id))).toBeGreaterThan(0)
  const second = await serve(config, database, 'none')
  const [again, bobAgain] = [browser(second.origin, ada.setCookie), browser(second.origin, bob.setCookie)]
  expect((await bobAgain.http('GET', '/api/auth/me')).status).toBe(401)
  expect((await again.http('GET', '/api/users/bob')).status).toBe(404)
  expect((await again.http('GET', `/api/boards/${boardId}`)).body).toMatchObject({ members: [{ id: ada.user.id }] })
  await until('its end', async () => (await database.db.$count(users, eq(users.id, bob.user.id))) === 0)
  expect(await reportOf(again, boardId)).toMatchObject({ byUser: ONE_FORMER })
  expect([await database.db.$count(comments), await database.db.$count(leftBoards)]).toEqual([ENTRIES / 2, 0])
  await second.stop()
})
