import { expect, test } from 'bun:test'
import { z } from 'zod'
import { grantBoardReading } from '../../src/boards/server/grants'
import { boards } from '../../src/db/tables'
import type { SignedIn } from '../../src/server/signedIn'
import { type Snapshot, snapshot } from '../../src/tasks/schema'
import { createSnapshotCache } from '../../src/tasks/server/snapshotCache'
import type { Browser } from '../support/browser'
import { onServer } from '../support/databases'

onServer('the snapshot of a board', (server) => {
  const get = (person: Pick<Browser, 'http'>, boardId: number | string, headers = {}) =>
    person.http('GET', `/api/boards/${boardId}/snapshot`, undefined, headers)

  async function read(person: Pick<Browser, 'http'>, boardId: number): Promise<Snapshot> {
    return snapshot.parse((await get(person, boardId)).body)
  }

  test('is the board with its tasks, the same bytes for every member', async () => {
    const { ada, bob, board } = await server.people()
    const first = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig', tags: ['soil', 'a "b", {c}\\'] })
    await bob.api.tasks.assign.mutate({ taskId: first.id, userId: bob.id })
    const done = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Buy', status: 'done' })
    const { attachments: _, ...assigned } = await ada.api.tasks.get.query({ taskId: first.id })
    const [one, two] = [await get(ada, board.id), await get(bob, board.id)]
    expect(one.text).toBe(two.text)
    expect(one.body).toEqual({
      board: await ada.api.boards.get.query({ boardId: board.id }),
      timers: [],
      tasks: [assigned, done],
    })
    expect(snapshot.parse(one.body).tasks).toEqual(await ada.tasks(board.id))
  })

  test('has the timers that run on its tasks, and no other', async () => {
    const { ada, bob, board, member } = await server.people()
    const dan = await member('dan')
    const [dig, sow] = await Promise.all(['Dig', 'Sow'].map((title) => ada.api.tasks.create.mutate({ boardId: board.id, title })))
    if (!dig || !sow) throw new Error('there are no tasks')
    const start = (person: typeof ada, taskId: number) => person.api.time.create.mutate({ taskId, status: 'ACTIVE' })
    const first = await start(ada, dig.id)
    await ada.api.time.update.mutate({ entryId: first.id, status: 'PAUSED' })
    const { id: entryId, runningSince, counted } = await ada.api.time.update.mutate({ entryId: first.id, status: 'ACTIVE' })
    const elsewhere = await bob.api.boards.create.mutate({ name: 'Shed' })
    await start(bob, (await bob.api.tasks.create.mutate({ boardId: elsewhere.id, title: 'Paint' })).id)
    await start(dan, sow.id)
    expect((await read(bob, board.id)).timers).toMatchObject([
      { entryId, taskId: dig.id, userId: ada.id, runningSince, counted },
      { taskId: sow.id, userId: dan.id },
    ])
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: dan.id })
    await ada.api.tasks.delete.mutate({ taskId: dig.id })
    expect((await read(bob, board.id)).timers).toEqual([])
  })

  test('follows each timer that starts, goes on to another task, and stops', async () => {
    const { ada, bob, board } = await server.people()
    const make = async (title: string) => (await ada.api.tasks.create.mutate({ boardId: board.id, title })).id
    const [dig, sow, weed] = [await make('Dig'), await make('Sow'), await make('Weed')]
    const running = async () => (await read(bob, board.id)).timers.map(({ taskId, userId }) => [taskId, userId])
    expect(await running()).toEqual([])
    await ada.api.time.create.mutate({ taskId: dig, status: 'ACTIVE' })
    expect(await running()).toEqual([[dig, ada.id]])
    await bob.api.time.create.mutate({ taskId: sow, status: 'ACTIVE' })
    expect(await running()).toEqual([
      [dig, ada.id],
      [sow, bob.id],
    ])
    const { id: entryId } = await ada.api.time.create.mutate({ taskId: weed, status: 'ACTIVE' })
    expect(await running()).toEqual([
      [sow, bob.id],
      [weed, ada.id],
    ])
    await ada.api.time.update.mutate({ entryId, status: 'completed' })
    await ada.api.tasks.delete.mutate({ taskId: sow })
    expect(await running()).toEqual([])
  })

  test('is sent compressed to whoever takes that', async () => {
    const { ada, board } = await server.people()
    const zipped = await fetch(`${server.origin}/api/boards/${board.id}/snapshot`, {
      headers: { cookie: ada.cookie(), 'accept-encoding': 'gzip' },
      decompress: false,
    })
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    const plain = await get(ada, board.id, { 'accept-encoding': 'br, gzip; q=0' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(new TextDecoder().decode(Bun.gunzipSync(await zipped.bytes()))).toBe(plain.text)
  })

  test('is not sent again to whoever has it, until it changes', async () => {
    const { ada, bob, board } = await server.people()
    const first = await get(ada, board.id)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^".+"$/)
    const again = await get(ada, board.id, { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    expect((await get(ada, board.id, { 'if-none-match': etag })).status).toBe(200)
  })

  test('is sent anew where another database holds another board of the same id and version', async () => {
    const { ada, board } = await server.people()
    const before = await grantBoardReading(server.db, ada.user as SignedIn, board.id)
    const first = await createSnapshotCache({ listen() {} })(server.db, before)
    await server.db.update(boards).set({ description: 'As it was last week' })
    const restored = await createSnapshotCache({ listen() {} })(
      server.db,
      await grantBoardReading(server.db, ada.user as SignedIn, board.id),
    )
    expect(restored.version).toBe(first.version)
    expect(restored.etag).not.toBe(first.etag)
    expect((await get(ada, board.id, { 'if-none-match': first.etag })).status).toBe(200)
  })

  test('is made once for all who ask at the same time, and is of one version, while changes go on', async () => {
    const { ada, bob, board } = await server.people()
    const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: '0' })
    const start = (await read(ada, board.id)).board.version
    const snapshots = createSnapshotCache({ listen() {} })
    let writing = true
    const versions = new Set<number>()
    async function ask() {
      while (writing) {
        const grant = await grantBoardReading(server.db, ada.user as SignedIn, board.id)
        const answers = await Promise.all(Array.from({ length: 10 }, () => snapshots(server.db, grant)))
        expect(new Set(answers).size).toBe(1)
        for (const { version, gzip } of new Set(answers)) {
          const said = snapshot.parse(JSON.parse(new TextDecoder().decode(Bun.gunzipSync(gzip))))
          expect(version).toBeGreaterThanOrEqual(grant.board.version)
          expect([said.board.version, said.tasks.map(({ title }) => title)]).toEqual([version, [String(version - start)]])
          versions.add(version)
        }
      }
    }
    // Two, so that one of them asks while an older version is made for the other.
    const asking = Promise.all([ask(), ask()])
    try {
      for (let round = 1; round <= 100; round++) await bob.api.tasks.update.mutate({ taskId: task.id, title: String(round) })
    } finally {
      writing = false
    }
    await asking
    expect(versions.size).toBeGreaterThan(10)
  })

  test('is for members only, also when they know its ETag', async () => {
    const { ada, bob, eve, nobody, board } = await server.people()
    const etag = (await get(bob, board.id)).headers.get('etag') ?? ''
    expect((await get(eve, board.id, { 'if-none-match': etag })).status).toBe(404)
    expect((await get(nobody, board.id, { 'if-none-match': etag })).status).toBe(401)
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    expect((await get(bob, board.id, { 'if-none-match': etag })).status).toBe(404)
    for (const id of ['0', '-1', '1.5', 'x', '2147483648', '1e1', '0x1', '%20', '1%00'])
      expect([id, (await get(ada, id)).status]).toEqual([id, 400])
  })

  test('of a change after their removal is not for whoever asked before it', async () => {
    const { ada, bob, board } = await server.people()
    const snapshots = createSnapshotCache({ listen() {} })
    const grantTo = ({ user }: typeof ada) => grantBoardReading(server.db, user as SignedIn, board.id)
    const [bobs, before] = [await grantTo(bob), await snapshots(server.db, await grantTo(bob))]
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    expect(await snapshots(server.db, bobs)).toBe(before)
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Secret' })
    await snapshots(server.db, await grantTo(ada))
    expect(await snapshots(server.db, bobs).catch(({ code }) => code)).toBe('NOT_FOUND')
    expect(await createSnapshotCache({ listen() {} })(server.db, bobs).catch(({ code }) => code)).toBe('NOT_FOUND')
  })

  test('is never older than what was acknowledged before it was asked for', async () => {
    const { ada, bob, board, person } = await server.people()
    // One person may not read as often as this test does.
    const crowd = await Promise.all(Array.from({ length: 20 }, (_, i) => person(`reader${i}`)))
    for (const { user } of crowd) await ada.api.boards.addMember.mutate({ boardId: board.id, username: user.username })
    const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: '0' })
    const start = (await read(ada, board.id)).board.version
    let acknowledged = 0
    let writing = true
    const readers = Array.from({ length: 2 }, async () => {
      for (let reads = 0; writing; reads++) {
        const least = acknowledged
        const { board: seen, tasks } = await read(crowd[reads % crowd.length] ?? ada, board.id)
        const title = Number(z.string().parse(tasks[0]?.title))
        expect(title).toBeGreaterThanOrEqual(least)
        // What it says it is, and what is in it, are of one version.
        expect(seen.version - title).toBe(start)
      }
    })
    try {
      for (let round = 1; round <= 200; round++) {
        await bob.api.tasks.update.mutate({ taskId: task.id, title: String(round) })
        acknowledged = round
        expect((await read(ada, board.id)).tasks[0]?.title).toBe(String(round))
      }
    } finally {
      writing = false
    }
    await Promise.all(readers)
  })
})
