import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { version } from '../../package.json'
import { readConfig } from '../../src/config'
import { openDatabase } from '../../src/db/openDatabase'
import { migratedDb, openPGlite } from '../../src/db/pglite'
import { serve } from '../../src/site/serve'
import { scratchDatabase } from '../support/databases'
import { emptyDatabase } from '../support/emptyDatabase'
import { lineTo } from '../support/line'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)
const config = readConfig({ PORT: '0', DATA_DIR: '/nowhere' })

test('health is well while the embedded database answers, and 503 when it does not', async () => {
  const client = await openPGlite({ loadDataDir: await emptyDatabase() })
  const server = await serve(config, { db: await migratedDb(client), close: async () => {} }, 'none')
  const health = () => fetch(`http://127.0.0.1:${server.port}/health`)
  const well = await health()
  expect([well.status, await well.json()]).toEqual([200, { status: 'ok', version }])
  await client.close()
  const ill = await health()
  expect([ill.status, await ill.json()]).toEqual([503, { status: 'the database does not answer', version }])
  await server.stop()
})

describe.skipIf(!process.env.TEST_DATABASE_URL)('on Postgres', () => {
  let scratch: Awaited<ReturnType<typeof scratchDatabase>>
  beforeAll(async () => {
    scratch = await scratchDatabase()
  })
  afterAll(() => scratch.drop())

  for (const failure of ['cut', 'silent'] as const)
    test(`health is 503 while the line to the database is ${failure}, and well again afterwards`, async () => {
      const line = await lineTo(scratch.url)
      const database = await openDatabase({ databaseUrl: line.url, dataDir: '/nowhere' })
      const server = await serve(config, database, 'none')
      const health = async () => (await fetch(`http://127.0.0.1:${server.port}/health`)).status
      expect(await health()).toBe(200)
      line.fail(failure)
      expect(await health()).toBe(503)
      line.mend()
      // The pool finds out at its own pace that the line is there again.
      await until('health is well again', async () => (await health()) === 200)
      await server.stop()
      line.close()
    })
})
