import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { BoardTables } from '../../src/archive/schema'
import { readConfig } from '../../src/config'
import { openDatabase } from '../../src/db/openDatabase'
import { users } from '../../src/db/tables'
import { serve } from '../../src/site/serve'
import { browser } from '../support/browser'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { AT, archiveOf, tablesOf, taskRow, uploaded } from '../support/imports'
import { createAccount } from '../support/people'
import { dataFolder, startServer } from '../support/process'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)

const folders: Awaited<ReturnType<typeof dataFolder>>[] = []
afterAll(() => Promise.all(folders.map(({ remove }) => remove())))

const TASKS = 600
type Now = {
  state: string
  done: number
  boardId: number | null
  boards: { id: number; name: string }[]
  losses: { what: string; count: number; examples: string[] }[]
}

const importOf = async (ada: ReturnType<typeof browser>, id: number) => (await ada.http('GET', `/api/imports/${id}`)).body as Now

/** Pro, so that boards are no matter. Answers her cookie. */
async function withAda(dataDir: string): Promise<string> {
  await putEmptyDatabase(dataDir)
  const { db, close } = await openDatabase({ dataDir })
  const { user, setCookie } = await createAccount(db, { username: 'ada', email: 'ada@example.com' })
  await db.update(users).set({ isPro: true }).where(eq(users.id, user.id))
  await close()
  return setCookie
}

/** The server is killed once `isTime`; another goes on with the import. */
async function killedInTheMiddle(tables: BoardTables, choices: object, isTime: (now: Now) => boolean) {
  const folder = await dataFolder()
  folders.push(folder)
  const env = { DATA_DIR: folder.path, TRUST_PROXY: '1' }
  const cookie = await withAda(folder.path)
  const first = await startServer(env)
  const ada = browser(first.origin, cookie)
  const { id } = await uploaded(ada, await archiveOf(tables))
  await ada.http('POST', `/api/imports/${id}/start`, { choices: { name: 'Orchard', ...choices } })
  const seen = await until('the middle of it', async () => {
    const one = await importOf(ada, id)
    return isTime(one) && one
  })
  first.child.kill('SIGKILL')
  await first.child.exited
  const config = readConfig({ PORT: '0', ...env })
  const second = await serve(config, await openDatabase(config), 'none')
  const again = browser(second.origin, cookie)
  const done = await until('its end', async () => {
    const one = await importOf(again, id)
    return one.state !== 'running' && one
  })
  return { seen, done, second, again }
}

test('an import whose server is killed in the middle is there once, and whole', async () => {
  const tasks = Array.from({ length: TASKS }, (_, n) => taskRow(n + 1))
  const { done, second, again } = await killedInTheMiddle(tablesOf({ tasks }), {}, ({ done }) => done > 60)
  expect(done.state).toBe('done')
  expect((await again.http('GET', '/api/boards')).body).toMatchObject([{ id: done.boardId, name: 'Orchard' }])
  expect((await again.http('GET', `/api/boards/${done.boardId}/tasks`)).body).toHaveLength(TASKS)
  // Ada and two names: what the killed one had filled goes.
  await until('no half board', async () => (await second.services.db.$count(users)) === 3)
  await second.stop()
})

test('of several boards those that were there stay, and what they lost is still told, once', async () => {
  const tasks = Array.from({ length: TASKS }, (_, n) => taskRow(n + 1, { list: n === 0 ? 'Small' : 'Large' }))
  const far = { task: 1, person: 1, file: null, thumbnail: null, createdAt: AT }
  const attachments = ['one.png', 'two.png'].map((name) => ({ ...far, name, url: `http://127.0.0.1:9/${name}` }))
  const isTime = ({ boards, done }: Now) => boards.length === 1 && done > 60
  const { seen, done, second, again } = await killedInTheMiddle(tablesOf({ tasks, attachments }), { boardPerList: true }, isTime)
  const lost = [{ what: 'files that could not be fetched: left out', count: 2, examples: ['one.png', 'two.png'] }]
  expect(seen).toMatchObject({ state: 'running', boards: [{ name: 'Small' }], losses: lost })
  expect(done).toMatchObject({ state: 'done', boards: [...seen.boards, { name: 'Large' }], losses: lost })
  const tasksOf = async ({ id }: { id: number }) => (await again.http('GET', `/api/boards/${id}/tasks`)).body
  const [small, large] = await Promise.all(done.boards.map(tasksOf))
  expect(small).toHaveLength(1)
  expect(large).toHaveLength(TASKS - 1)
  await second.stop()
})
