import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { z } from 'zod'
import { browser } from '../support/browser'
import { scratchDatabase } from '../support/databases'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { create, expectKept, workUntilKilled } from '../support/kill'
import { dataFolder, startServer } from '../support/process'

setDefaultTimeout(300_000)

/** Each costs a start, which is a second or two of work: KILL_ROUNDS=20 for all that one has time for. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3)
/** Acknowledged writes before the process is killed, more in each round, so that it dies at different moments. */
const writesBefore = (round: number) => 5 + round * 3

const made = z.object({ id: z.number() })

describe('killed in the middle of writes, again and again', () => {
  test.concurrent('the embedded database keeps every write that was acknowledged', async () => {
    const folder = await dataFolder()
    await putEmptyDatabase(folder.path)
    await killAgainAndAgain({ DATA_DIR: folder.path })
    await folder.remove()
  })

  test.concurrent.skipIf(!process.env.TEST_DATABASE_URL)(
    'a Postgres server keeps every write that was acknowledged',
    async () => {
      const scratch = await scratchDatabase()
      await killAgainAndAgain({ DATABASE_URL: scratch.url, DATA_DIR: '/nowhere' })
      await scratch.drop()
    },
  )
})

async function killAgainAndAgain(env: Record<string, string>) {
  let cookie = ''
  let boardId = 0
  const acknowledged = new Map<number, string>()
  for (let round = 0; round <= ROUNDS; round++) {
    const { child, origin } = await startServer(env)
    const ada = browser(origin, cookie)
    if (round === 0) {
      await ada.http('POST', '/api/auth/dev-login-json')
      boardId = made.parse((await ada.http('POST', '/api/boards', { name: 'Garden' })).body).id
      cookie = ada.cookie()
    }
    await expectKept(ada, boardId, acknowledged)
    const kill = () => child.kill('SIGKILL')
    const isWritten = async () => {
      const status = await create(ada, boardId, acknowledged)
      expect([201, undefined]).toContain(status)
      return status === 201
    }
    if (round < ROUNDS) await workUntilKilled(writesBefore(round), kill, isWritten)
    else child.kill('SIGTERM')
    await child.exited
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * 5)
}
