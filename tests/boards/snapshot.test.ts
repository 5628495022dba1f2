import { expect, test } from 'bun:test'
import { z } from 'zod'
import { type Snapshot, snapshot } from '../../src/boards/inputs'
import type { Browser } from '../support/browser'
import { onEachDatabase } from '../support/databases'

onEachDatabase('the snapshot of a board', (server) => {
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
    const [one, two] = [await get(ada, board.id), await get(bob, board.id)]
    expect(one.text).toBe(two.text)
    expect(one.body).toEqual({
      board: await ada.api.boards.get.query({ boardId: board.id }),
      tasks: [await ada.api.tasks.get.query({ taskId: first.id }), done],
    })
    expect(snapshot.parse(one.body).tasks).toEqual(await ada.api.tasks.list.query({ boardId: board.id }))
  })

  test('is sent compressed to whoever takes that', async () => {
    const { ada, board } = await server.people()
    const zipped = await fetch(`${server.origin}/api/boards/${board.id}/snapshot`, {
      headers: { cookie: ada.cookie(), 'accept-encoding': 'gzip' },
      decompress: false,
    })
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    const plain = await get(ada, board.id, { 'accept-encoding': 'identity' })
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

  test('is never older than what was acknowledged before it was asked for', async () => {
    const { ada, bob, board } = await server.people()
    const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: '0' })
    let acknowledged = 0
    let writing = true
    const readers = [ada, bob].map(async (reader) => {
      while (writing) {
        const least = acknowledged
        const { board: seen, tasks } = await read(reader, board.id)
        const title = Number(z.string().parse(tasks[0]?.title))
        expect(title).toBeGreaterThanOrEqual(least)
        // What it says it is, and what is in it, are of one version.
        expect(seen.version - title).toBe(2)
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
