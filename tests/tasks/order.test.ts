import { expect, test } from 'bun:test'
import { asc, eq, isNull } from 'drizzle-orm'
import { tasks } from '../../src/db/tables'
import { STATUSES, snapshot, type Task } from '../../src/tasks/schema'
import { onServer, type Server } from '../support/databases'
import type { Person } from '../support/people'
import type { TestSocket } from '../support/socket'

onServer('the order of tasks', (server) => {
  async function column(...titles: string[]) {
    const people = await server.people()
    const made: Task[] = []
    for (const title of titles) made.push(await people.ada.api.tasks.create.mutate({ boardId: people.board.id, title }))
    const idOf = (title: string) => made.find((task) => task.title === title)?.id ?? 0
    const move = (title: string, place: object) => people.bob.http('PATCH', `/api/tasks/${idOf(title)}`, place)
    const order = async () => (await people.bob.tasks(people.board.id)).map(({ status, title }) => `${status} ${title}`)
    return { ...people, made, idOf, move, order }
  }

  test('new tasks go to the end of their column, and columns come as todo, inprogress, done', async () => {
    const { ada, board, order } = await column('a', 'b')
    for (const status of ['done', 'inprogress', 'todo'] as const)
      await ada.api.tasks.create.mutate({ boardId: board.id, title: 'c', status })
    expect(await order()).toEqual(['todo a', 'todo b', 'todo c', 'inprogress c', 'done c'])
  })

  test('a status alone puts it at the end of that column', async () => {
    const { move, order } = await column('a', 'b', 'c')
    await move('b', { status: 'done' })
    await move('a', { status: 'done' })
    expect(await order()).toEqual(['todo c', 'done b', 'done a'])
    await move('b', { status: 'todo' })
    expect(await order()).toEqual(['todo c', 'todo b', 'done a'])
  })

  test('its own status moves it nowhere', async () => {
    const { move, order } = await column('a', 'b', 'c')
    await move('a', { status: 'todo' })
    expect(await order()).toEqual(['todo a', 'todo b', 'todo c'])
  })

  test('before and after name the neighbour, within a column and across', async () => {
    const { move, idOf, order } = await column('a', 'b', 'c', 'd')
    await move('d', { before: idOf('a') })
    expect(await order()).toEqual(['todo d', 'todo a', 'todo b', 'todo c'])
    await move('d', { after: idOf('b') })
    expect(await order()).toEqual(['todo a', 'todo b', 'todo d', 'todo c'])
    await move('a', { after: idOf('c') })
    expect(await order()).toEqual(['todo b', 'todo d', 'todo c', 'todo a'])
    await move('b', { status: 'done' })
    await move('d', { status: 'done', before: idOf('b') })
    await move('c', { status: 'done', after: idOf('d') })
    expect(await order()).toEqual(['todo a', 'done d', 'done c', 'done b'])
  })

  test('a neighbour that left the column, or is gone, is no reason to refuse: the task goes to the end', async () => {
    const { move, idOf, order, ada } = await column('a', 'b', 'c')
    await move('b', { status: 'done' })
    expect((await move('a', { before: idOf('b') })).status).toBe(200)
    expect(await order()).toEqual(['todo c', 'todo a', 'done b'])
    await ada.api.tasks.delete.mutate({ taskId: idOf('b') })
    expect((await move('c', { status: 'done', after: idOf('b') })).status).toBe(200)
    expect(await order()).toEqual(['todo a', 'done c'])
  })

  test('a task is no neighbour of its own', async () => {
    const { move, idOf, order } = await column('a', 'b')
    expect((await move('a', { after: idOf('a') })).status).toBe(200)
    expect(await order()).toEqual(['todo a', 'todo b'])
  })

  test('positions that grow long are evened out, which takes an extra step of the version', async () => {
    const { ada, bob, board, idOf, move, order } = await column('a', 'b', 'c', 'd')
    const place = (title: string, position: string) =>
      server.db
        .update(tasks)
        .set({ position })
        .where(eq(tasks.id, idOf(title)))
    await place('a', `a0${'V'.repeat(120)}`)
    await place('b', `a0${'V'.repeat(119)}W`)
    const socket = await bob.socket()
    const { version } = await socket.join(board.id)
    await move('d', { after: idOf('a') })
    expect(await order()).toEqual(['todo a', 'todo d', 'todo b', 'todo c'])
    const message = await socket.next('task_updated')
    expect(message.version).toBe(version + 2)
    const stored = await server.db.select().from(tasks).orderBy(asc(tasks.position))
    expect(stored.map((task) => task.title)).toEqual(['a', 'd', 'b', 'c'])
    for (const { position } of stored) expect(position.length).toBeLessThan(10)
    expect(message.task.position).toBe(stored[1]?.position ?? '')
    await ada.api.tasks.create.mutate({ boardId: board.id, title: 'e' })
    expect(await order()).toEqual(['todo a', 'todo d', 'todo b', 'todo c', 'todo e'])
  })

  test('a task that was deleted before its column was evened out comes back to its place', async () => {
    const { ada, idOf, move, order } = await column('a', 'b', 'c', 'd')
    await ada.api.tasks.delete.mutate({ taskId: idOf('c') })
    const long = `a0${'V'.repeat(120)}`
    await server.db
      .update(tasks)
      .set({ position: long })
      .where(eq(tasks.id, idOf('a')))
    await move('b', { after: idOf('a') })
    await ada.api.tasks.restore.mutate({ taskId: idOf('c') })
    expect(await order()).toEqual(['todo a', 'todo b', 'todo c', 'todo d'])
  })

  test('sixty moves to one gap keep the order', async () => {
    const { made, board, bob } = await column('a', 'b', 'c', 'd')
    let expected = made.map((task) => task.id)
    for (let i = 0; i < 60; i++) {
      const [first = 0, , third = 0, last = 0] = expected
      const moved = i % 2 ? third : last
      await bob.api.tasks.update.mutate({ taskId: moved, after: first })
      expected = [first, moved, ...expected.filter((id) => id !== first && id !== moved)]
    }
    const listed = await bob.tasks(board.id)
    expect(listed.map((task) => task.id)).toEqual(expected)
    for (const { position } of listed) expect(position.length).toBeLessThanOrEqual(101)
  })

  test('five people who move fifty tasks at once lose none, double none, and see one order', async () => {
    const { ada, board, person } = await server.people()
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ada.api.tasks.create.mutate({ boardId: board.id, title: `Task ${i}` })),
    )
    const ids = made.map((task) => task.id)
    const movers = await Promise.all(['m1', 'm-2', 'm-3', 'm-4', 'm-5'].map((name) => person(`mover-${name}`)))
    for (const mover of movers) await ada.api.boards.addMember.mutate({ boardId: board.id, username: mover.user.username })
    const watching = await Promise.all(movers.map((mover) => watch(mover, board.id)))

    await Promise.all(
      movers.map(async (mover, m) => {
        for (let i = 0; i < 20; i++) {
          const taskId = ids[(m * 7 + i * 11) % ids.length] ?? 0
          const anchor = ids[(m * 13 + i * 17 + 1) % ids.length] ?? 0
          const status = STATUSES[(m + i) % 5] // Beyond the three: stays in its column.
          const change = i % 2 ? { before: anchor } : { after: anchor }
          await mover.api.tasks.update.mutate({ taskId, status, ...change })
        }
      }),
    )

    const stored = await storedOrder(server, board.id)
    expect(stored.flat().toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
    for (const { mover, socket, start } of watching) {
      const read = await readBoard(mover, board.id)
      expect(byColumn(read.tasks)).toEqual(stored)
      const followed = await follow(socket, start)
      expect(followed.version).toBe(read.board.version)
      expect(byColumn(followed.tasks)).toEqual(stored)
    }
  })

  test('a move of a task that is being deleted succeeds before or is not found after, and never brings it back', async () => {
    const { ada, bob, board } = await server.people()
    for (let round = 0; round < 25; round++) {
      const { id } = await ada.api.tasks.create.mutate({ boardId: board.id, title: `Task ${round}` })
      const moves = Array.from({ length: 4 }, (_, i) =>
        bob.http('PATCH', `/api/tasks/${id}`, { status: i % 2 ? 'done' : 'inprogress' }),
      )
      const deleting = ada.http('DELETE', `/api/tasks/${id}`)
      for (const { status } of await Promise.all(moves)) expect([200, 404]).toContain(status)
      expect((await deleting).status).toBe(200)
      expect((await ada.http('GET', `/api/tasks/${id}`)).status).toBe(404)
    }
    expect(await server.db.$count(tasks, isNull(tasks.deletedAt))).toBe(0)
  })
})

const readBoard = async (person: Person, boardId: number) =>
  snapshot.parse((await person.http('GET', `/api/boards/${boardId}/snapshot`)).body)

async function watch(mover: Person, boardId: number) {
  const socket = await mover.socket()
  await socket.join(boardId)
  return { mover, socket, start: await readBoard(mover, boardId) }
}

/** The board as somebody has it who read it once and then only listened. */
async function follow(socket: TestSocket, start: Awaited<ReturnType<typeof readBoard>>) {
  const known = new Map(start.tasks.map((task) => [task.id, task]))
  let { version } = start.board
  for (const message of await socket.heard()) {
    if (message.type !== 'task_updated' || message.payload.version <= version) continue
    expect(message.payload.version).toBe(version + 1)
    version = message.payload.version
    known.set(message.payload.task.id, message.payload.task)
  }
  return { version, tasks: [...known.values()] }
}

const byColumn = (all: Task[]) =>
  STATUSES.map((status) =>
    all
      .filter((task) => task.status === status)
      .toSorted((a, b) => (a.position < b.position ? -1 : 1))
      .map((task) => task.id),
  )

function storedOrder({ db }: Server, boardId: number) {
  const columns = STATUSES.map(async (status) => {
    const rows = await db.select().from(tasks).where(eq(tasks.boardId, boardId)).orderBy(asc(tasks.position))
    return rows.filter((row) => row.status === status).map((row) => row.id)
  })
  return Promise.all(columns)
}
