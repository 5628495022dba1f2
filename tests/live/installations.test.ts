import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config'
import { openDatabase } from '../../src/db/client'
import type { Database } from '../../src/db/database'
import { installationId } from '../../src/db/installation'
import { installation } from '../../src/db/schema'
import { serve } from '../../src/site/serve'
import { onEachDatabase } from '../support/databases'
import { peopleOf } from '../support/people'
import { placeOn, QUICKER } from '../support/places'
import { PATIENCE } from '../support/until'

const redisUrl = process.env.TEST_REDIS_URL

/** Messages ignore the number of a Redis database. */
const inDatabase = (number: number) => Object.assign(new URL(redisUrl ?? ''), { pathname: `/${number}` }).href

describe.skipIf(!redisUrl)(`installations that share a Redis (${QUICKER})`, () => {
  let places: Awaited<ReturnType<typeof placeOn>>[]
  let servers: { stop(): Promise<void>; origin: string; database: Database }[]

  beforeAll(async () => {
    places = await Promise.all([placeOn(QUICKER), placeOn(QUICKER), placeOn(QUICKER)])
    const configs = places.map(({ env }, n) => readConfig({ PORT: '0', ...env, REDIS_URL: inDatabase(n === 2 ? 1 : 0) }))
    const databases = await Promise.all(configs.map(openDatabase))
    servers = []
    for (const [n, database] of databases.entries()) {
      const { stop, port } = await serve(configs[n] ?? readConfig({}), database, 'none')
      servers.push({ stop, origin: `http://127.0.0.1:${port}`, database })
    }
  }, PATIENCE)
  afterAll(async () => {
    await Promise.all(servers.map(({ stop }) => stop()))
    await Promise.all(places.map((place) => place.remove()))
  }, PATIENCE)

  test(
    'do not hear each other, although their boards have the same numbers',
    async () => {
      const worlds = await Promise.all(servers.map(({ origin, database }) => peopleOf({ origin, db: database.db })))
      const sockets = await Promise.all(worlds.map(({ ada, board }) => ada.socket(board)))
      expect(new Set(worlds.map(({ board }) => board.id)).size).toBe(1)
      for (const [n, { ada, board }] of worlds.entries())
        for (const title of ['Dig', 'Sow']) await ada.api.tasks.create.mutate({ boardId: board.id, title: `${title} ${n}` })
      for (const [n, { bob, board }] of worlds.entries()) {
        await bob.api.tasks.create.mutate({ boardId: board.id, title: `Last ${n}` })
        const heard: string[] = []
        while (!heard.at(-1)?.startsWith('Last')) heard.push((await sockets[n]?.next('new_task'))?.task.title ?? '')
        expect(heard).toEqual([`Dig ${n}`, `Sow ${n}`, `Last ${n}`])
      }
      await Promise.all(sockets.map((socket) => socket.close()))
    },
    PATIENCE,
  )
})

onEachDatabase('an installation', (server) => {
  test('has one name, also when many ask for it at once', async () => {
    await server.db.delete(installation)
    const asked = await Promise.all(Array.from({ length: 20 }, () => installationId(server.db)))
    expect(new Set(asked).size).toBe(1)
    expect(await server.db.select().from(installation)).toEqual([{ id: asked[0] ?? '' }])
    await server.db.delete(installation)
    expect(await installationId(server.db)).not.toBe(asked[0] ?? '')
  })
})
