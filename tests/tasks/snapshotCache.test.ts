import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { grantBoardReading } from '../../src/boards/server/grants'
import { boards, tasks } from '../../src/db/tables'
import type { ServerMessage } from '../../src/protocol'
import { createHub } from '../../src/server/live/hub'
import type { Relay } from '../../src/server/live/relay'
import type { SignedIn } from '../../src/server/signedIn'
import { STATUSES, snapshot } from '../../src/tasks/schema'
import { createSnapshotCache } from '../../src/tasks/server/snapshotCache'
import { onEachDatabase, onServer } from '../support/databases'
import { random } from '../support/random'

const UNHEARD = { listen() {} }
const textIn = (gzip: Uint8Array<ArrayBuffer>) => Buffer.from(Bun.gunzipSync(gzip)).toString()

onEachDatabase('the snapshot of a board of many tasks', (server) => {
  async function filled(count: number) {
    const people = await server.people()
    const rows = Array.from({ length: count }, (_, n) => ({
      ...{
        title: `Task ${n}`,
        description: `What ${n} is about. `.repeat(40),
        boardId: people.board.id,
        createdBy: people.ada.id,
      },
      ...{ position: `a${n.toString(36).padStart(3, '0')}V`, status: STATUSES[n % 3] ?? 'todo' },
    }))
    const made = await server.db.insert(tasks).values(rows).returning({ id: tasks.id })
    return { ...people, taskIds: made.map(({ id }) => id) }
  }
  const grantTo = (person: { user: unknown }, boardId: number) => grantBoardReading(server.db, person.user as SignedIn, boardId)

  /** A cache that hears only what it is told. */
  function listening() {
    const listeners: ((message: ServerMessage) => void)[] = []
    const read = createSnapshotCache({ listen: (listener) => void listeners.push(listener) })
    const hear = (message: ServerMessage) => {
      for (const listener of listeners) listener(message)
    }
    return { read, hear }
  }

  test('is read again only where tasks changed, and equals what is read whole', async () => {
    const { ada, board, taskIds } = await filled(400)
    const { read, hear } = listening()
    async function change(nth: number) {
      const task = await ada.api.tasks.update.mutate({ taskId: taskIds[nth] ?? 0, title: `Another ${nth}`, status: 'done' })
      const grant = await grantTo(ada, board.id)
      hear({ type: 'task_updated', payload: { task, boardId: board.id, version: grant.board.version, by: ada.id } })
      return grant
    }
    await read(server.db, await grantTo(ada, board.id))
    for (let nth = 0; nth < 12; nth++) await change(10 + nth * 30)
    // Unheard, as no process would leave it: shows that this task is not read again.
    await server.db
      .update(tasks)
      .set({ title: 'Unheard' })
      .where(eq(tasks.id, taskIds[0] ?? 0))
    const kept = textIn((await read(server.db, await change(3))).gzip)
    expect(kept).toContain('Another 3"')
    expect(kept).not.toContain('Unheard')
    await server.db
      .update(tasks)
      .set({ title: 'Task 0' })
      .where(eq(tasks.id, taskIds[0] ?? 0))
    const last = await change(4)
    expect(textIn((await read(server.db, last)).gzip)).toBe(textIn((await createSnapshotCache(UNHEARD)(server.db, last)).gzip))
  })

  test('is read whole where a change was not heard, or more than tasks changed', async () => {
    const { ada, board, taskIds } = await filled(3)
    const { read, hear } = listening()
    await read(server.db, await grantTo(ada, board.id))
    const taskId = taskIds[0] ?? 0
    await ada.api.tasks.update.mutate({ taskId, title: 'Unheard' })
    const task = await ada.api.tasks.update.mutate({ taskId: taskIds[1] ?? 0, title: 'Heard' })
    const grant = await grantTo(ada, board.id)
    hear({ type: 'task_updated', payload: { task, boardId: board.id, version: grant.board.version, by: ada.id } })
    expect(textIn((await read(server.db, grant)).gzip)).toContain('Unheard')
    await ada.api.boards.update.mutate({ boardId: board.id, name: 'Orchard' })
    const renamed = await grantTo(ada, board.id)
    hear({ type: 'BOARD_UPDATED', payload: { boardId: board.id, version: renamed.board.version, by: ada.id } as never })
    expect(textIn((await read(server.db, renamed)).gzip)).toContain('Orchard')
  })

  test('is read anew once the line was lost: the database may be another since, of the same versions', async () => {
    const { ada, board } = await filled(3)
    const lines: ((isAgain: boolean) => Promise<void>)[] = []
    const receive: Relay['receive'] = async ({ catchUp }) => void lines.push(catchUp)
    const hub = await createHub({ echoes: true, write: async () => {}, say() {}, ask: async () => ({}), receive, close() {} })
    const read = createSnapshotCache(hub)
    const grant = await grantTo(ada, board.id)
    const before = await read(server.db, grant)
    await server.db.update(tasks).set({ title: 'As in the copy' })
    expect(await read(server.db, grant)).toBe(before)
    for (const openAgain of lines) await openAgain(true)
    hub.closeAll()
    expect(textIn((await read(server.db, grant)).gzip)).toContain('As in the copy')
  })

  test('is sent as it is read to whoever does not take it packed', async () => {
    const { ada, board } = await filled(400)
    const plain = await ada.http('GET', `/api/boards/${board.id}/snapshot`, undefined, { 'accept-encoding': 'gzip;q=0' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(snapshot.parse(plain.body).tasks).toHaveLength(400)
  })

  test('has the timers of a task that changed once more after they did, before anybody read the board', async () => {
    const { ada, board, taskIds } = await filled(50)
    const [taskId = 0] = taskIds
    const read = async () => (await ada.http('GET', `/api/boards/${board.id}/snapshot`)).text
    const isAsReadAnew = async () => {
      const { gzip } = await createSnapshotCache(UNHEARD)(server.db, await grantTo(ada, board.id))
      expect(await read()).toBe(textIn(gzip))
    }
    await read()
    const entry = await ada.api.time.create.mutate({ taskId, status: 'ACTIVE' })
    await ada.api.tasks.update.mutate({ taskId, title: 'With a timer' })
    await isAsReadAnew()
    expect(await read()).toContain(`"entryId":${entry.id}`)
    await ada.api.time.update.mutate({ entryId: entry.id, status: 'PAUSED' })
    await ada.api.tasks.update.mutate({ taskId, status: 'done' })
    await isAsReadAnew()
    await ada.api.time.update.mutate({ entryId: entry.id, status: 'ACTIVE' })
    await read()
    await ada.api.tasks.delete.mutate({ taskId })
    await ada.api.tasks.restore.mutate({ taskId })
    await isAsReadAnew()
  })

  test('equals what is read anew, whatever people do at the same time', async () => {
    const { ada, bob, board, member, taskIds } = await filled(200)
    const dan = await member('dan')
    const lot = random('changes of a board')
    const people = [ada, bob, dan]
    // A few are changed again and again, by changes of all kinds.
    const task = () => lot.oneOf(lot.below(2) ? taskIds : taskIds.slice(0, 4))
    const comments = [(await ada.api.comments.create.mutate({ taskId: task(), content: 'Said' })).id]
    const changes: ((who: typeof ada) => Promise<unknown>)[] = [
      async ({ api }) => taskIds.push((await api.tasks.create.mutate({ boardId: board.id, title: 'New' })).id),
      async ({ api, id }) =>
        taskIds.push((await api.tasks.create.mutate({ boardId: board.id, title: 'Ours', assigneeIds: [id, ada.id] })).id),
      ({ api }) => api.tasks.update.mutate({ taskId: task(), title: `Title ${lot.below(99)}` }),
      ({ api }) => api.tasks.update.mutate({ taskId: task(), description: '- [x] Of it 😀\n'.repeat(lot.below(80)) }),
      ({ api }) => api.tasks.update.mutate({ taskId: task(), status: lot.oneOf(STATUSES), before: task() }),
      ({ api }) => api.tasks.update.mutate({ taskId: task(), status: lot.oneOf(STATUSES), after: task() }),
      () => ada.api.tasks.delete.mutate({ taskId: task() }),
      () => ada.api.tasks.restore.mutate({ taskId: task() }),
      ({ api }) => api.tasks.assign.mutate({ taskId: task(), userId: lot.oneOf(people).id }),
      async ({ api }) =>
        comments.push((await api.comments.create.mutate({ taskId: task(), content: `Said ${lot.below(1e6)}` })).id),
      ({ api }) => api.comments.delete.mutate({ commentId: lot.oneOf(comments) }),
      ({ api }) => api.time.create.mutate({ taskId: task(), duration: 1 + lot.below(90) }),
      ({ api }) => api.time.create.mutate({ taskId: task(), status: 'ACTIVE' }),
      async ({ api }) => {
        const { timers } = await api.time.timers.query()
        await api.time.update.mutate({ entryId: timers[0]?.id ?? 0, status: 'PAUSED' })
      },
      ({ api }) => api.users.update.mutate({ name: `Name ${lot.below(99)}` }),
      () => ada.api.boards.update.mutate({ boardId: board.id, name: `Board ${lot.below(99)}` }),
      () => ada.api.boards.removeMember.mutate({ boardId: board.id, userId: dan.id }),
      () => ada.api.boards.addMember.mutate({ boardId: board.id, username: 'dan' }),
    ]
    for (let step = 0; step < 25; step++) {
      const some = Array.from({ length: 1 + lot.below(8) }, () => lot.oneOf(changes)(lot.oneOf(people)))
      const [sent] = await Promise.all([ada.http('GET', `/api/boards/${board.id}/snapshot`), Promise.allSettled(some)])
      expect(sent.status).toBe(200)
      const { text } = await ada.http('GET', `/api/boards/${board.id}/snapshot`)
      const { gzip } = await createSnapshotCache(UNHEARD)(server.db, await grantTo(ada, board.id))
      expect(text).toBe(textIn(gzip))
    }
  })
})

onServer('a board that is read whole', (server) => {
  const grant = (person: { user: unknown }, boardId: number) => grantBoardReading(server.db, person.user as SignedIn, boardId)

  test('has the timers of the version that it says, whoever reads it while they change', async () => {
    const { ada, board } = await server.people()
    const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
    const entry = await ada.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE' })
    const seen = new Map<number, Set<string>>()
    let isOver = false
    const readers = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { version, timers } = await createSnapshotCache(UNHEARD)(server.db, await grant(ada, board.id))
        const running = timers.map(({ entryId, runningSince }) => `${entryId} ${runningSince}`)
        seen.set(version, (seen.get(version) ?? new Set()).add(running.join()))
      }
    })
    for (let nth = 0; nth < 80; nth++)
      await ada.api.time.update.mutate({ entryId: entry.id, status: nth % 2 ? 'ACTIVE' : 'PAUSED' })
    isOver = true
    await Promise.all(readers)
    expect(seen.size).toBeGreaterThan(5)
    expect([...seen].filter(([, timers]) => timers.size > 1)).toEqual([])
  })

  test('is whoever’s it is by then, though it was another’s when it was asked for', async () => {
    const { ada, bob, board } = await server.people()
    const asked = await grant(ada, board.id)
    await server.db.update(boards).set({ createdBy: bob.id }).where(eq(boards.id, board.id))
    const read = await createSnapshotCache(UNHEARD)(server.db, asked)
    expect([read.board.createdBy, read.board.creator]).toEqual([bob.id, { id: bob.id }])
  })
})
