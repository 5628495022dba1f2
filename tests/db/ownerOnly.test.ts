import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { browser } from '../support/browser'
import { attach } from '../support/files'
import { dataFolder, startServer } from '../support/process'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

const folder = await dataFolder()
const dataDir = join(folder.path, 'data')
beforeAll(work, PATIENCE)
afterAll(() => folder.remove())

/** What others may read or change, below a folder and itself. */
async function openIn(): Promise<string[]> {
  const paths = [dataDir, ...(await readdir(dataDir, { recursive: true })).map((name) => join(dataDir, name))]
  const modes = await Promise.all(paths.map(async (path) => ({ path, mode: (await stat(path)).mode })))
  return modes.filter(({ mode }) => mode & 0o077).map(({ path }) => path)
}

async function work() {
  const { child, origin } = await startServer({ DATA_DIR: dataDir })
  const ada = browser(origin)
  await ada.http('POST', '/api/auth/dev-login-json')
  const boards = await ada.http('GET', '/api/boards')
  const { id } =
    (boards.body as { id: number }[])[0] ?? ((await ada.http('POST', '/api/boards', { name: 'Garden' })).body as { id: number })
  const task = (await ada.http('POST', `/api/boards/${id}/tasks`, { title: 'Dig' })).body as { id: number }
  await attach(ada, task.id)
  await ada.http('POST', '/api/auth/magic-link', { email: 'developer@wrk.example' })
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
}

test('nobody else on the machine can read a data folder', async () => {
  expect(await openIn()).toEqual([])
})

test('what others could read of an older one is closed at the start', async () => {
  for (const name of await readdir(dataDir, { recursive: true })) {
    const path = join(dataDir, name)
    await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o666)
  }
  await chmod(dataDir, 0o755)
  // Uploads are too many to look at each; their folder is closed.
  await work()
  const open = await openIn()
  expect(open.filter((path) => !/\/(uploads|mail)\/./.test(path))).toEqual([])
})
