import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config'
import { openDatabase } from '../../src/db/client'
import { serve } from '../../src/site/serve'
import { scratchDatabase } from '../support/databases'
import { type People, peopleOf } from '../support/people'
import { openSocket } from '../support/socket'

const redisUrl = process.env.TEST_REDIS_URL

/** Two servers of one site, on one Postgres database and one Redis. */
describe.skipIf(!redisUrl || !process.env.TEST_DATABASE_URL)('two processes of one site', () => {
  let scratch: Awaited<ReturnType<typeof scratchDatabase>>
  let servers: Awaited<ReturnType<typeof serve>>[] = []
  let there: string
  let people: People

  beforeAll(async () => {
    scratch = await scratchDatabase()
    const config = readConfig({ PORT: '0', DATA_DIR: '/dev/null/nowhere', REDIS_URL: redisUrl, DATABASE_URL: scratch.url })
    const databases = await Promise.all([openDatabase(config), openDatabase(config)])
    servers = await Promise.all(databases.map((database) => serve(config, database, 'none')))
    const [here, other] = servers.map(({ port }) => `http://127.0.0.1:${port}`)
    there = other ?? ''
    const [database] = databases
    if (!here || !database) throw new Error('the servers did not start')
    people = await peopleOf({ origin: here, db: database.db })
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await scratch.drop()
  })

  test('a change made through one is heard through the other, in the order of its versions', async () => {
    const { ada, bob, board } = people
    const socket = await openSocket(there, { cookie: bob.cookie() })
    const { version } = await socket.join(board.id)
    const titles = Array.from({ length: 20 }, (_, index) => `Task ${index}`)
    await Promise.all(titles.map((title) => ada.api.tasks.create.mutate({ boardId: board.id, title })))
    const heard: number[] = []
    for (const _ of titles) heard.push((await socket.next('new_task')).version)
    expect(heard).toEqual(titles.map((_, index) => version + 1 + index))
    await socket.close()
  })

  test('who is removed through one stops hearing through the other, and who signs out is cut off there', async () => {
    const { ada, board, person } = people
    const dan = await person('dan')
    await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'dan' })
    const socket = await openSocket(there, { cookie: dan.cookie() })
    await socket.join(board.id)
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: dan.id })
    await socket.next('board_member_removed')
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Without Dan' })
    const listener = await openSocket(there, { cookie: ada.cookie() })
    await listener.join(board.id)
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Without Dan, again' })
    await listener.next('new_task')
    // That Dan was added may come by Redis after the socket was opened, but of tasks nothing comes.
    expect((await socket.heard()).map(({ type }) => type).filter((type) => type !== 'board_member_added')).toEqual([])
    await dan.http('POST', '/api/auth/logout')
    expect((await socket.closed()).code).toBe(4001)
    await listener.close()
  })
})
