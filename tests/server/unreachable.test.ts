import { expect, setDefaultTimeout, test } from 'bun:test'
import { dataFolder, run } from '../support/process'
import { freePort } from '../support/redis'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

test('a Redis or a Postgres that cannot be reached stops the start with a line that names the variable', async () => {
  const folder = await dataFolder()
  const nowhere = `127.0.0.1:${await freePort()}`
  const start = (env: Record<string, string>) =>
    run('src/main.ts', { PORT: '0', DATA_DIR: folder.path, ...env }, '--no-page').end()
  expect(await start({ REDIS_URL: `redis://:secret@${nowhere}` })).toEqual({
    code: 1,
    out: '',
    error: 'REDIS_URL names a Redis that cannot be reached: Connection closed\n',
  })
  expect(await start({ DATABASE_URL: `postgres://wrk:secret@${nowhere}/wrk` })).toEqual({
    code: 1,
    out: '',
    error: `DATABASE_URL names a database that cannot be reached: Failed to connect\n`,
  })
  await folder.remove()
})
