import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readConfig } from '../../src/config'
import { openDatabase } from '../../src/db/client'
import { users } from '../../src/db/schema'
import { serve } from '../../src/site/serve'
import { browser } from '../support/browser'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { archiveOf, tablesOf, taskRow, uploaded } from '../support/imports'
import { PASSWORD } from '../support/people'
import { dataFolder, startServer } from '../support/process'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)

const folder = await dataFolder()
afterAll(folder.remove)

const TASKS = 600
type Now = { state: string; done: number; boardId: number | null }

test('an import whose server is killed in the middle is there once, and whole', async () => {
  const env = { DATA_DIR: folder.path, TRUST_PROXY: '1' }
  await putEmptyDatabase(folder.path)
  const first = await startServer(env)
  const ada = browser(first.origin)
  const given = { username: 'ada', email: 'ada@example.com', password: PASSWORD }
  expect((await ada.http('POST', '/api/auth/register', given)).status).toBe(201)
  const tasks = Array.from({ length: TASKS }, (_, n) => taskRow(n + 1))
  const { id } = await uploaded(ada, await archiveOf(tablesOf({ tasks })))
  const now = async (from: typeof ada) => (await from.http('GET', `/api/imports/${id}`)).body as Now
  await ada.http('POST', `/api/imports/${id}/start`, { choices: { name: 'Orchard' } })
  await until('the middle of it', async () => (await now(ada)).done > 60)
  first.child.kill('SIGKILL')
  await first.child.exited
  const config = readConfig({ PORT: '0', ...env })
  const second = await serve(config, await openDatabase(config), 'none')
  const again = browser(second.origin, ada.cookie())
  const done = await until('its end', async () => {
    const one = await now(again)
    return one.state !== 'running' && one
  })
  expect(done.state).toBe('done')
  expect((await again.http('GET', '/api/boards')).body).toMatchObject([{ id: done.boardId, name: 'Orchard' }])
  expect((await again.http('GET', `/api/boards/${done.boardId}/tasks`)).body).toHaveLength(TASKS)
  // Ada and three names: what the killed one had filled goes.
  await until('no half board', async () => (await second.services.db.$count(users)) === 4)
  await second.stop()
})
