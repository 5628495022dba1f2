import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { browser } from '../support/browser'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { dataFolder, run, startServer } from '../support/process'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

let folder: Awaited<ReturnType<typeof dataFolder>>
beforeEach(async () => {
  folder = await dataFolder()
  await putEmptyDatabase(folder.path)
})
afterEach(() => folder.remove())

test('a second process on a data directory stops at once with a line that says so, and the data is unharmed', async () => {
  const env = { DATA_DIR: folder.path }
  const first = await startServer(env)
  const ada = browser(first.origin)
  await ada.http('POST', '/api/auth/dev-login-json')
  await ada.http('POST', '/api/boards', { name: 'Garden' })
  const opener = join(folder.path, 'open.ts')
  await Bun.write(
    opener,
    `import { openDatabase } from ${JSON.stringify(join(import.meta.dir, '../../src/db/openDatabase.ts'))}
     await openDatabase({ dataDir: ${JSON.stringify(folder.path)} }).catch((error) => {
       console.error(error.message)
       process.exit(1)
     })`,
  )
  const others = await Promise.all([
    run('src/main.ts', { PORT: '0', ...env }, '--no-page').end(),
    run(opener, env).end(),
    run('src/site/demonstration/seed.ts', env).end(),
  ])
  for (const { code, error } of others) {
    expect(code).toBe(1)
    expect(error.trim()).toBe(
      `${folder.path} is in use by another wrk process: stop that one first, or set DATA_DIR to another folder`,
    )
  }
  expect((await ada.http('GET', '/api/boards')).body).toMatchObject([{ name: 'Garden' }])

  // And a lock that a killed process held is in nobody's way.
  first.child.kill('SIGKILL')
  await first.child.exited
  const next = await startServer(env)
  const again = browser(next.origin, ada.cookie())
  expect((await again.http('GET', '/api/boards')).body).toMatchObject([{ name: 'Garden' }])
  next.child.kill('SIGTERM')
  expect(await next.child.exited).toBe(0)
})
