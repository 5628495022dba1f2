import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { z } from 'zod'
import { type Browser, browser } from '../support/browser'
import { scratchDatabase } from '../support/databases'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { workUntilKilled } from '../support/kill'
import { dataFolder, startServer } from '../support/process'

setDefaultTimeout(300_000)

/** Each costs a start, which is a second or two of work: KILL_ROUNDS=20 for all that one has time for. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3)
/** Acknowledged writes before the process is killed, more in each round, so that it dies at different moments. */
const writesBefore = (round: number) => 5 + round * 3

const list = z.array(z.object({ id: z.number(), title: z.string() }))
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
    const tasks = list.parse((await ada.http('GET', `/api/boards/${boardId}/tasks`)).body)
    const kept = new Map(tasks.map(({ id, title }) => [id, title]))
    const lost = [...acknowledged].filter(([id]) => !kept.has(id))
    expect(lost).toEqual([])
    const kill = () => child.kill('SIGKILL')
    if (round < ROUNDS) await workUntilKilled(writesBefore(round), kill, () => isWritten(ada, boardId, acknowledged))
    else child.kill('SIGTERM')
    await child.exited
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * 5)
}

async function isWritten(ada: Browser, boardId: number, acknowledged: Map<number, string>): Promise<boolean> {
  const title = crypto.randomUUID()
  const answer = await ada.http('POST', `/api/boards/${boardId}/tasks`, { title }).catch(() => null)
  if (!answer) return false
  expect(answer.status).toBe(201)
  acknowledged.set(made.parse(answer.body).id, title)
  return true
}
