import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { browser } from '../support/browser'
import { deleteEverybody } from '../support/databases'
import { type Failure, lineTo } from '../support/line'
import type { People } from '../support/people'
import { startServer } from '../support/process'
import { twoServers } from '../support/site'
import { openSocket, type TestSocket } from '../support/socket'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)

const WITHIN_MS = 5_000
const KILLS = Number(process.env.KILL_ROUNDS ?? 2)

describe.skipIf(!process.env.TEST_DATABASE_URL)('two processes on one Postgres', () => {
  let site: Awaited<ReturnType<typeof twoServers>>
  let people: People
  beforeAll(async () => {
    site = await twoServers()
  })
  afterAll(() => site.stop())
  beforeEach(async () => {
    await deleteEverybody(site.here.db)
    people = await site.people()
  })

  const socketThere = async ({ cookie }: { cookie(): string }) => {
    const socket = await openSocket(site.there.origin, { cookie: cookie() })
    const { version } = await socket.join(people.board.id)
    return { ...socket, version }
  }
  const createAt = (origin: string, title: string, description?: string) =>
    browser(origin, people.ada.cookie()).http('POST', `/api/boards/${people.board.id}/tasks`, { title, description })
  async function inTime<T>(work: Promise<T>): Promise<T> {
    const began = performance.now()
    const done = await work
    expect(performance.now() - began).toBeLessThan(WITHIN_MS)
    return done
  }
  async function versionsOf(socket: TestSocket, changes: number) {
    const versions: number[] = []
    while (versions.length < changes) versions.push((await socket.next('new_task')).version)
    return versions
  }

  test('changes made through both are heard through both, each once, in the order of their versions', async () => {
    const { bob, board } = people
    const sockets = [await bob.socket(board), await socketThere(bob)]
    const { version } = await bob.api.boards.get.query({ boardId: board.id })
    const origins = [site.here.origin, site.there.origin]
    const changes = Array.from({ length: 40 }, (_, n) => createAt(origins[n % 2] ?? '', `Task ${n}`))
    for (const { status } of await Promise.all(changes)) expect(status).toBe(201)
    const expected = changes.map((_, n) => version + 1 + n)
    for (const socket of sockets) {
      expect(await versionsOf(socket, changes.length)).toEqual(expected)
      expect(await socket.heard()).toEqual([])
    }
  })

  test('a change of any length goes through', async () => {
    const socket = await socketThere(people.bob)
    for (const letter of ['日', '🌱', 'a']) {
      const description = letter.repeat(20_000 / letter.length)
      expect((await createAt(site.here.origin, letter, description)).status).toBe(201)
      expect((await socket.next('new_task')).task.description).toBe(description)
    }
  })

  test('who is removed through one stops hearing through the other, and who signs out is cut off there', async () => {
    const { ada, board, member } = people
    const dan = await member('dan')
    const [socket, other] = [await socketThere(dan), await socketThere(ada)]
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: dan.id })
    await socket.next('board_member_removed')
    await createAt(site.here.origin, 'Secret')
    await other.next('new_task')
    expect(await socket.heard()).toEqual([])
    await dan.http('POST', '/api/auth/logout')
    expect((await socket.closed()).code).toBe(4001)
  })

  describe('of which one is killed when a change is stored, before it knows', () => {
    type At = (person: { cookie(): string }) => ReturnType<typeof browser>
    const changes: [name: string, statement: string, (own: People, at: At) => Promise<unknown>][] = [
      [
        'a new task',
        'insert into "tasks"',
        ({ ada, board }, at) => at(ada).http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' }),
      ],
      [
        'a removal',
        'delete from "board_members"',
        ({ ada, bob, board }, at) => at(ada).http('DELETE', `/api/boards/${board.id}/members/${bob.id}`),
      ],
      ['signing out', 'delete from "sessions"', ({ bob }, at) => at(bob).http('POST', '/api/auth/logout')],
    ]
    for (const [name, statement, change] of changes.flatMap((one) => Array<(typeof changes)[number]>(KILLS).fill(one)))
      test(`has the others hear of ${name}`, async () => {
        const [adas, bobs] = [await socketThere(people.ada), await socketThere(people.bob)]
        const line = await lineTo(site.url)
        const { child, origin } = await startServer({ DATABASE_URL: line.url, DATA_DIR: '/nowhere' })
        line.atCommit(statement, () => child.kill('SIGKILL'))
        await change(people, ({ cookie }) => browser(origin, cookie())).catch(() => {})
        await child.exited
        line.close()
        if (name === 'a new task') await Promise.all([adas, bobs].map((socket) => inTime(socket.next('new_task'))))
        if (name === 'signing out') expect((await inTime(bobs.closed())).code).toBe(4001)
        if (name !== 'a removal') return
        await inTime(bobs.next('board_member_removed'))
        await createAt(site.there.origin, 'Secret')
        await adas.next('new_task')
        expect((await bobs.heard()).map(({ type }) => type)).not.toContain('new_task')
      })
  })

  describe.each<Failure>(['cut', 'forgotten', 'silent'])('of which one has its line to the database %s', (failure) => {
    test('catches up with what it missed, and cuts off who may hear no more', async () => {
      const { ada, bob, board, member } = people
      const dan = await member('dan')
      const [adas, bobs, dans] = [await socketThere(ada), await socketThere(bob), await socketThere(dan)]
      site.line.fail(failure)
      await Promise.all([
        ada.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`),
        dan.http('POST', '/api/auth/logout'),
        createAt(site.here.origin, 'Secret'),
      ])
      if (failure !== 'forgotten') site.line.mend()
      const refused = { code: 'NOT_FOUND', message: 'Board not found', boardId: board.id }
      expect(await inTime(bobs.next('error'))).toEqual(refused)
      // 1013 where the line failed while the server still asked whether Dan is signed in.
      expect([4001, 1013]).toContain((await inTime(dans.closed())).code)
      const { version } = await ada.api.boards.get.query({ boardId: board.id })
      await adas.next('messages_missed')
      expect(await adas.next('joined_board')).toEqual({ boardId: board.id, version })
      await createAt(site.here.origin, 'Last')
      expect((await adas.next('new_task')).task.title).toBe('Last')
      expect((await bobs.heard()).filter(({ type }) => type === 'new_task')).toEqual([])
    })
  })

  test('of which one hears nothing of the others tells nothing of boards, until it knows again who is a member', async () => {
    const { ada, bob, board } = people
    const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    const [adas, bobs] = [await socketThere(ada), await socketThere(bob)]
    site.line.fail('deaf')
    const typing = async () => {
      await site.there.reconcile().catch(() => {})
      adas.send('typing_started', { taskId: task.id })
      return (await adas.heard()).some(({ type, payload }) => type === 'error' && payload.code === 'SERVICE_UNAVAILABLE')
    }
    await until('it is refused', typing)
    await bobs.heard()
    await ada.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`)
    await typing()
    expect((await createAt(site.there.origin, 'Secret')).status).toBe(201)
    adas.send('viewing', { boardId: board.id, taskId: task.id })
    await adas.next('presence')
    expect([await bobs.heard(), await adas.heard()]).toEqual([[], []])
    site.line.mend()
    expect(await inTime(bobs.next('error'))).toMatchObject({ code: 'NOT_FOUND', boardId: board.id })
    await adas.next('messages_missed')
    const { version } = await ada.api.boards.get.query({ boardId: board.id })
    expect(await adas.next('joined_board')).toEqual({ boardId: board.id, version })
    expect((await adas.next('presence')).people).toEqual([{ userId: ada.id, taskId: task.id }])
  })
})
