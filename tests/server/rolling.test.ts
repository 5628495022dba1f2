import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openDatabase } from '../../src/db/openDatabase'
import { scratchDatabase } from '../support/databases'
import { type Person, peopleOf } from '../support/people'
import { dataFolder, startServer } from '../support/process'
import { proxy } from '../support/proxy'
import { freePort } from '../support/redis'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)
const LOOK_EVERY_MS = 50
const PACE_MS = 40

/** Asks each server whether it is ready, as a proxy does, and names those that are in turns. */
function readiness() {
  const origins: string[] = []
  const ready = new Set<string>()
  let turn = 0
  let isDone = false
  const isReady = (origin: string) =>
    fetch(`${origin}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  const look = async (origin: string) => void ((await isReady(origin)) ? ready.add(origin) : ready.delete(origin))
  const looking = (async () => {
    while (!isDone) {
      await Promise.all(origins.map(look))
      await Bun.sleep(LOOK_EVERY_MS)
    }
  })()
  return {
    add: (origin: string) => origins.push(origin),
    has: (origin: string) => ready.has(origin),
    next(tried: string[]) {
      const all = origins.filter((origin) => ready.has(origin) && !tried.includes(origin))
      return all[turn++ % all.length]
    },
    async stop() {
      isDone = true
      await looking
    },
  }
}

describe.skipIf(!process.env.TEST_DATABASE_URL)('three processes on one Postgres', () => {
  test('that are stopped and started one after the other under load lose no request', async () => {
    const [scratch, folder, balance] = [await scratchDatabase(), await dataFolder(), readiness()]
    const front = proxy(balance.next)
    const database = await openDatabase({ databaseUrl: scratch.url, dataDir: folder.path })
    const env = { NODE_ENV: 'production', PUBLIC_URL: front.origin, HOST: '127.0.0.1', TRUST_PROXY: '1', DRAIN_SECONDS: '1' }
    async function start() {
      const PORT = `${await freePort()}`
      const { child } = await startServer({ ...env, PORT, DATA_DIR: folder.path, DATABASE_URL: scratch.url, DATABASE_POOL: '4' })
      const origin = `http://127.0.0.1:${PORT}`
      balance.add(origin)
      await until('it is ready', () => balance.has(origin))
      return child
    }
    const children = [await start(), await start(), await start()]
    const { ada, bob, board, member } = await peopleOf({ origin: front.origin, db: database.db })
    const people = [ada, bob, await member('cleo'), await member('dora')]

    let isOver = false
    const seen: Record<number, number> = {}
    const titles: string[] = []
    async function work(person: Person) {
      while (!isOver) {
        const title = crypto.randomUUID()
        expect(
          (await again(() => person.http('POST', `/api/boards/${board.id}/tasks`, { title }, { 'idempotency-key': title })))
            .status,
        ).toBe(201)
        titles.push(title)
        expect((await again(() => person.http('GET', `/api/boards/${board.id}`))).status).toBe(200)
        await Bun.sleep(PACE_MS)
      }
    }
    /** What the page does where there was no answer, or one that says to come again. */
    async function again(ask: () => ReturnType<Person['http']>) {
      for (;;) {
        const answer = await ask()
        seen[answer.status] = (seen[answer.status] ?? 0) + 1
        if (answer.status !== 502 && answer.status !== 503) return answer
        await Bun.sleep(PACE_MS)
      }
    }
    const working = people.map(work)
    for (const [n, child] of children.entries()) {
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
      children[n] = await start()
    }
    isOver = true
    await Promise.all(working)
    expect(titles.length).toBeGreaterThan(10)
    expect((await ada.tasks(board.id)).map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
    expect(Object.keys(seen)).toEqual(['200', '201'])

    await balance.stop()
    front.stop()
    for (const child of children) child.kill('SIGKILL')
    await database.close()
    await Promise.all([scratch.drop(), folder.remove()])
  })
})
