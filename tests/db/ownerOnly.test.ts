import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { browser } from '../support/browser'
import { attach } from '../support/files'
import { dataFolder, startServer } from '../support/process'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

let folder: Awaited<ReturnType<typeof dataFolder>>
beforeEach(async () => {
  folder = await dataFolder()
})
afterEach(() => folder.remove())

/** What others may read or change, below a folder and itself. */
async function openIn(dataDir: string): Promise<string[]> {
  const paths = [dataDir, ...(await readdir(dataDir, { recursive: true })).map((name) => join(dataDir, name))]
  const modes = await Promise.all(paths.map(async (path) => ({ path, mode: (await stat(path)).mode })))
  return modes.filter(({ mode }) => mode & 0o077).map(({ path }) => path)
}

async function work(dataDir: string) {
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
  const dataDir = join(folder.path, 'data')
  await work(dataDir)
  expect(await openIn(dataDir)).toEqual([])
})

test('what others could read of an older one is closed at the start', async () => {
  const dataDir = join(folder.path, 'data')
  await mkdir(dataDir, { mode: 0o755 })
  await work(dataDir)
  for (const name of await readdir(dataDir, { recursive: true })) {
    const path = join(dataDir, name)
    await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o666)
  }
  await chmod(dataDir, 0o755)
  // Uploads are too many to look at each; their folder is closed.
  await work(dataDir)
  const open = await openIn(dataDir)
  expect(open.filter((path) => !/\/(uploads|mail)\/./.test(path))).toEqual([])
})
