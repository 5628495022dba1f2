import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readConfig } from '../../src/config'
import { type Envelope, openRelay } from '../../src/server/live/relay'
import { serve } from '../../src/site/serve'
import { deleteEverybody, openInMemory } from '../support/databases'
import { peopleOf } from '../support/people'
import { dataFolder, run } from '../support/process'
import { canStartRedis, freePort, ownRedis } from '../support/redis'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)

describe.skipIf(!canStartRedis)('when Redis is killed and started again', () => {
  let redis: Awaited<ReturnType<typeof ownRedis>>
  beforeEach(async () => {
    redis = await ownRedis()
  })
  afterEach(() => redis.kill())

  test('what one process says is heard by the others once, as before', async () => {
    const [here, there] = [await listening(redis.url), await listening(redis.url)]
    here.say('before')
    await there.hears('before')

    await redis.kill()
    here.say('meanwhile')
    expect(here.heard()).toContain('close meanwhile')
    await redis.startAgain()
    await here.hears('reconnect')
    await there.hears('reconnect')
    // A line may be open before the other one is, so one asks until there is an answer.
    await until('both lines are open', () => {
      here.say('again')
      there.say('again')
      return here.count('again') > 1 && there.count('again') > 1
    })

    here.say('after')
    there.say('last')
    await there.hears('close after')
    await here.hears('close last')
    expect([here, there].flatMap((one) => [one.count('after'), one.count('last')])).toEqual([1, 1, 1, 1])
    expect(there.heard()).not.toContain('close meanwhile')
    here.bus.close()
    there.bus.close()
  })

  test('pages hear of changes in their own process meanwhile, and join anew afterwards', async () => {
    const database = await openInMemory()
    await deleteEverybody(database.db)
    const server = await serve(readConfig({ PORT: '0', DATA_DIR: '/nowhere', REDIS_URL: redis.url }), database, 'none')
    const { bob, board } = await peopleOf({ origin: `http://127.0.0.1:${server.port}`, db: database.db })
    const socket = await bob.socket(board)
    await redis.kill()
    await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    expect((await socket.next('new_task')).task.title).toBe('Dig')
    await redis.startAgain()
    expect((await socket.closed()).code).toBe(1012)
    const again = await bob.socket(board)
    await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
    expect((await again.next('new_task')).task.title).toBe('Sow')
    await again.close()
    await server.stop()
  })
})

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

/** One process's end of the bus, and all that came out of it. */
async function listening(url: string) {
  const bus = openRelay({ url, installation: Promise.resolve('site') })
  const envelopes: string[] = []
  await bus.receive((envelope: Envelope) => {
    envelopes.push(envelope.do === 'closeSession' ? `close ${envelope.sessionKey}` : envelope.do)
  })
  return {
    bus,
    say: (sessionKey: string) => bus.send([{ do: 'closeSession', sessionKey }]),
    heard: () => envelopes,
    count: (said: string) => envelopes.filter((one) => one === `close ${said}`).length,
    hears: (wanted: string) => until(`“${wanted}” is heard`, () => envelopes.some((one) => one.endsWith(wanted))),
  }
}
