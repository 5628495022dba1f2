import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config'
import { openDatabase } from '../../src/db/openDatabase'
import type { Presence } from '../../src/protocol'
import { serve } from '../../src/site/serve'
import { onServer, scratchDatabase } from '../support/databases'
import { HASTE } from '../support/hastyServer'
import { type People, type Person, peopleOf } from '../support/people'
import { startServer } from '../support/process'
import { openSocket, type TestSocket } from '../support/socket'

const on = ({ id: userId }: Person): Presence => ({ userId, taskId: null })
const within = ({ id: userId }: Person, { id: taskId }: { id: number }): Presence => ({ userId, taskId })

const inOrder = (people: Presence[]) => people.toSorted((a, b) => a.userId - b.userId || (a.taskId ?? 0) - (b.taskId ?? 0))

/** Waits until a socket is told that just these are there. */
async function sees(socket: TestSocket, ...people: Presence[]): Promise<void> {
  const wanted = inOrder(people)
  for (;;) if (Bun.deepEquals((await socket.next('presence')).people, wanted)) return
}

onServer('who is there', (server) => {
  async function open() {
    const people = await server.peopleWithTask()
    const { ada, bob, board } = people
    const [adas, bobs] = await Promise.all([ada.socket(board), bob.socket(board)])
    const view = (socket: TestSocket, taskId: number | null = null) => socket.send('viewing', { boardId: board.id, taskId })
    return { ...people, adas, bobs, view }
  }

  async function openBoth() {
    const opened = await open()
    const { ada, bob, adas, bobs, view } = opened
    view(adas)
    view(bobs)
    await sees(adas, on(ada), on(bob))
    await sees(bobs, on(ada), on(bob))
    return opened
  }

  test('is told to everyone who has the board open, with the task that one is in', async () => {
    const { ada, bob, board, task, adas, bobs, view } = await open()
    view(adas)
    await sees(adas, on(ada))
    view(bobs, task.id)
    await sees(bobs, on(ada), within(bob, task))
    await sees(adas, on(ada), within(bob, task))
    view(bobs)
    await sees(adas, on(ada), on(bob))
    const { version } = await ada.api.boards.get.query({ boardId: board.id })
    view(bobs)
    expect(await bobs.next('presence')).toMatchObject({ boardId: board.id, version })
  })

  test('ends what someone began to edit without ever being seen there', async () => {
    const { ada, bob, board, adas, bobs, view } = await open()
    view(bobs)
    await sees(bobs, on(bob))
    adas.send('editing_status', { boardId: board.id, element: 'board_name', status: 'started' })
    expect(await bobs.next('editing_status')).toMatchObject({ userId: ada.id, status: 'started' })
    await bobs.heard()
    adas.close()
    await sees(bobs, on(bob))
  })

  test('is answered whenever it is said, and tells the others nothing where nothing changed', async () => {
    const { ada, bob, adas, bobs, view } = await openBoth()
    await Promise.all([adas.heard(), bobs.heard()])
    for (let beat = 0; beat < 3; beat++) {
      view(bobs)
      expect((await bobs.next('presence')).people).toEqual(inOrder([on(ada), on(bob)]))
    }
    expect(await adas.heard()).toEqual([])
  })

  test('is taken from the session, and needs a membership and the board joined', async () => {
    const { ada, bob, eve, board, adas, bobs, view } = await open()
    bobs.send('viewing', { boardId: board.id, taskId: null, userId: ada.id })
    await sees(bobs, on(bob))
    const [eves, other] = await Promise.all([eve.socket(), ada.socket()])
    view(eves)
    expect(await eves.next('error')).toMatchObject({ code: 'NOT_FOUND', boardId: board.id })
    view(other)
    expect(await other.next('error')).toMatchObject({ code: 'CONFLICT', boardId: board.id })
    view(adas)
    await sees(adas, on(ada), on(bob))
  })

  test('a task of another board, or one that is gone, counts as none', async () => {
    const { ada, bob, task, adas, view } = await open()
    const own = await bob.api.boards.create.mutate({ name: 'Shed' })
    const foreign = await bob.api.tasks.create.mutate({ boardId: own.id, title: 'Paint' })
    await ada.api.tasks.delete.mutate({ taskId: task.id })
    for (const { id } of [foreign, task]) {
      view(adas, id)
      expect((await adas.next('presence')).people).toEqual([on(ada)])
    }
  })

  test('somebody with several pages is there once, and in each task that they have open', async () => {
    const { ada, bob, board, task, adas, bobs, view } = await open()
    const second = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
    const [one, two] = await Promise.all([bob.socket(board), bob.socket(board)])
    view(bobs)
    view(one, task.id)
    view(two, second.id)
    await sees(adas, within(bob, task), within(bob, second))
    await one.close()
    await two.close()
    await sees(adas, on(bob))
  })

  test('whoever leaves the board, closes the page, signs out or is removed is gone at once', async () => {
    const { ada, bob, board, member, adas, bobs, view } = await open()
    const [cleo, dan, fay] = await Promise.all(['cleo', 'dan', 'fay'].map(member))
    if (!cleo || !dan || !fay) throw new Error('nobody came')
    const [cleos, dans, fays] = await Promise.all([cleo, dan, fay].map((one) => one.socket(board)))
    for (const socket of [adas, bobs, cleos, dans, fays]) if (socket) view(socket)
    await sees(adas, ...[ada, bob, cleo, dan, fay].map(on))
    bobs.send('leave_board', { boardId: board.id })
    await cleos?.close()
    await dan.http('POST', '/api/auth/logout')
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: fay.id })
    await sees(adas, on(ada))
  })

  test('two hundred pages that open are told in a few messages, of a hundred people at most', async () => {
    const { ada, board, member, adas, view } = await open()
    view(adas)
    await sees(adas, on(ada))
    const crowd: Awaited<ReturnType<typeof member>>[] = []
    while (crowd.length < 100)
      crowd.push(...(await Promise.all(Array.from({ length: 10 }, (_, nth) => member(`dan-${crowd.length + nth}`)))))
    const sockets = await Promise.all(crowd.flatMap((one) => [one.socket(board), one.socket(board)]))
    const began = performance.now()
    for (const socket of sockets) view(socket)
    const shown = [ada, ...crowd.toSorted((a, b) => a.id - b.id)].slice(0, 100).map(on)
    let messages = 1
    while (!Bun.deepEquals((await adas.next('presence')).people, shown)) messages += 1
    expect(messages).toBeLessThanOrEqual(2 + (2 * (performance.now() - began)) / 1000)
    await Promise.all(sockets.map((socket) => socket.close()))
  })
})

describe.skipIf(!process.env.TEST_DATABASE_URL)('who is there on several processes', () => {
  let scratch: Awaited<ReturnType<typeof scratchDatabase>>
  let env: Record<string, string>
  let people: People
  const servers: Awaited<ReturnType<typeof serve>>[] = []

  async function startHere() {
    const config = readConfig(env)
    const database = await openDatabase(config)
    const server = await serve(config, database, 'none', { presenceTimes: HASTE })
    servers.push(server)
    return { origin: `http://127.0.0.1:${server.port}`, db: database.db }
  }

  async function openAt(origin: string, person: Person) {
    const socket = await openSocket(origin, { cookie: person.cookie() })
    await socket.join(people.board.id)
    socket.send('viewing', { boardId: people.board.id, taskId: null })
    return socket
  }

  beforeAll(async () => {
    scratch = await scratchDatabase()
    env = { PORT: '0', DATA_DIR: '/dev/null/nowhere', DATABASE_URL: scratch.url }
    people = await peopleOf(await startHere())
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await scratch.drop()
  })

  test('is known to all, to one that starts later too, and of one that is killed soon forgotten', async () => {
    const { ada, bob, member, board } = people
    const dan = await member('dan')
    const adas = await openAt(`http://127.0.0.1:${servers[0]?.port}`, ada)
    await sees(adas, on(ada))
    const there = await startServer(env, 'tests/support/hastyServer.ts')
    const bobs = await openAt(there.origin, bob)
    await sees(bobs, on(ada), on(bob))
    await sees(adas, on(ada), on(bob))

    const dans = await openAt(there.origin, dan)
    await sees(adas, on(ada), on(bob), on(dan))
    await dans.close()
    await sees(adas, on(ada), on(bob))
    await openAt(there.origin, dan)
    await sees(adas, on(ada), on(bob), on(dan))
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: dan.id })
    await sees(adas, on(ada), on(bob))

    const later = await startHere()
    await sees(await openAt(later.origin, ada), on(ada), on(bob))
    there.child.kill('SIGKILL')
    await sees(adas, on(ada))
    // A process that stops takes its people along.
    const gone = await openAt(later.origin, bob)
    await sees(adas, on(ada), on(bob))
    await gone.close()
    await sees(adas, on(ada))
  })
})
