import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { grantBoardReading } from '../../src/boards/server/grants'
import type { Checkbox } from '../../src/checklist'
import { tasks } from '../../src/db/tables'
import { checkboxesIn } from '../../src/markdown'
import type { SignedIn } from '../../src/server/signedIn'
import { snapshot, type Task, taskFields } from '../../src/tasks/schema'
import { listTasks } from '../../src/tasks/server/boardTasks.store'
import '../../src/tasks/page/TaskDescription'
import { kindOf } from '../../src/web/live/changeKinds'
import { tickOnRevision } from '../../src/web/live/revisions'
import { refusalOf } from '../../src/web/refusal'
import { onEachDatabase } from '../support/databases'

onEachDatabase('tasks', (server) => {
  /** A task that Bob has put on Ada's board. */
  async function bobsTask() {
    const people = await server.people()
    const task = await people.bob.api.tasks.create.mutate({ boardId: people.board.id, title: 'Dig', description: 'Deep' })
    return { ...people, task, path: `/api/tasks/${task.id}` }
  }

  test('a new task is a todo of whoever makes it', async () => {
    const { ada, bob, board } = await server.people()
    const answer = await bob.http('POST', `/api/boards/${board.id}/tasks`, {
      title: ' Dig ',
      createdBy: ada.id,
      boardId: 0,
      id: 7,
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      title: 'Dig',
      description: null,
      status: 'todo',
      dueDate: null,
      tags: [],
      boardId: board.id,
      createdBy: bob.id,
      updatedAt: null,
      assignees: [],
      commentCount: 0,
      fileCount: 0,
      minutes: 0,
    })
    const { createdAt } = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Now' })
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(60_000)
  })

  test('are not listed on to a slow reader who was removed', async () => {
    const { ada, bob, board } = await server.people()
    await server.db.execute(sql`
      insert into tasks (board_id, created_by, title, status, tags, position)
      select ${board.id}, ${ada.id}, 'Dig', 'todo', '{}', 'a' || i from generate_series(1000, 1600) i`)
    const grant = () => grantBoardReading(server.db, bob.user as SignedIn, board.id)
    const batches = listTasks(server.db, await grant(), grant)
    expect((await batches.next()).value).toHaveLength(200)
    await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
    expect(await batches.next().catch(({ code }) => code)).toBe('NOT_FOUND')
  })

  for (const [given, made] of [
    ['inprogress', 'inprogress'],
    ['done', 'done'],
    ['blocked', 'todo'],
    ['', 'todo'],
    [null, 'todo'],
    [7, 'todo'],
    ['constructor', 'todo'],
  ])
    test(`a new task with the status ${JSON.stringify(given)} becomes ${made}`, async () => {
      const { ada, board } = await server.people()
      const answer = await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig', status: given })
      expect(answer).toMatchObject({ status: 201, body: { status: made } })
    })

  const fields: [string, unknown, unknown][] = [
    ['title', ' Dig more ', 'Dig more'],
    ['description', 'Wide', 'Wide'],
    ['description', '', null],
    ['description', null, null],
    ['status', 'done', 'done'],
    ['dueDate', '2028-02-29', '2028-02-29'],
    ['tags', ['soil', ' soil ', '日本語', 'a "b", {c}\\', 'NULL', "'"], ['soil', '日本語', 'a "b", {c}\\', 'NULL', "'"]],
  ]
  test('each field that people set is tried below', () => {
    expect(new Set(fields.map(([field]) => field))).toEqual(new Set(taskFields))
  })

  for (const [field, given, stored] of fields)
    test(`changing ${field} to ${JSON.stringify(given)} changes that alone`, async () => {
      const { ada, task, path } = await bobsTask()
      const answer = await ada.http('PATCH', path, { [field]: given })
      expect(answer.status).toBe(200)
      const { attachments: _, ...now } = await ada.api.tasks.get.query({ taskId: task.id })
      expect(answer.body).toEqual(now)
      const { position, updatedAt, doneAt, ...rest } = now
      const changed = { position: undefined, updatedAt: undefined, doneAt: undefined, revision: 2, [field]: stored }
      expect(rest).toEqual({ ...rest, ...task, ...changed } as typeof rest)
      expect(updatedAt).not.toBeNull()
    })

  test('the boxes of a list are counted, in whatever of it one reads', async () => {
    const { ada, bob, board, task, path } = await bobsTask()
    expect(task).not.toHaveProperty('checklist')
    const socket = await bob.socket(board)
    const whole = `${'A long beginning. '.repeat(40)}\n\n- [x] roots\n- [ ] stones`
    const cut = { description: whole.slice(0, 300), cut: true }
    const read = async () => [
      (await bob.http('GET', path)).body,
      ...(await bob.tasks(board.id)),
      ...snapshot.parse((await bob.http('GET', `/api/boards/${board.id}/snapshot`)).body).tasks,
    ]
    for (const [description, checklist] of [
      [whole, { done: 1, all: 2 }],
      [whole.replace('[ ]', '[x]'), { done: 2, all: 2 }],
      ['- [ ] stones', { done: 0, all: 1 }],
      [whole.replaceAll(/\[.\] /g, ''), undefined],
      [null, undefined],
    ] as const) {
      const { body } = await ada.http('PATCH', path, { description })
      const told = (await socket.next('task_updated')).task
      const renamed = await ada.api.tasks.update.mutate({ taskId: task.id, title: `${Math.random()}` })
      await socket.next('task_updated')
      const counted = [body, told, renamed, ...(await read())].map((one) => (one as { checklist?: object }).checklist)
      expect(counted).toEqual(Array(6).fill(checklist))
    }
    await ada.http('PATCH', path, { description: whole })
    expect(await read()).toMatchObject([{ description: whole }, { description: whole }, cut])
    const { body } = await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'New', description: whole })
    expect(body).toMatchObject({ checklist: { done: 1, all: 2 } })
  })

  test('the count is stored with the task; what is older than the counting is counted as it is read, and later stored', async () => {
    const { bob, board, task, path } = await bobsTask()
    const list = `${'A long beginning. '.repeat(40)}\n\n- [x] roots\n- [ ] stones`
    const seen = async () => {
      const given = { ...(await server.db.select().from(tasks).where(eq(tasks.id, task.id)))[0] }
      const [listed] = await bob.tasks(board.id)
      const one = (await bob.api.tasks.get.query({ taskId: task.id })).checklist
      return [given.checklistDone, given.checklistAll, listed?.checklist, one]
    }
    const counted = { done: 1, all: 2 }
    await bob.http('PATCH', path, { description: list })
    expect(await seen()).toEqual([1, 2, counted, counted])
    await server.db.update(tasks).set({ checklistDone: 5, checklistAll: 7 })
    expect(await seen()).toEqual([5, 7, { done: 5, all: 7 }, { done: 5, all: 7 }])
    await server.db.update(tasks).set({ checklistDone: null, checklistAll: null })
    const { body } = await bob.http('GET', `/api/boards/${board.id}/snapshot`)
    expect(snapshot.parse(body).tasks).toMatchObject([{ description: list.slice(0, 300), cut: true, checklist: counted }])
    expect(await seen()).toEqual([null, null, counted, counted])
    await server.clean()
    expect(await seen()).toEqual([1, 2, counted, counted])
  })

  test('ticks of two people at the same moment all count, each on its own line, wherever that is by now', async () => {
    const { ada, bob, task, path } = await bobsTask()
    const list = Array.from({ length: 8 }, (_, nth) => `- [ ] No. ${nth}`).join('\n')
    const tick = ({ api }: typeof ada, box: Checkbox, revision: number) => {
      const call = { context: { key: crypto.randomUUID(), ifMatch: revision } }
      const send = (description: string) => api.tasks.update.mutate({ taskId: task.id, description }, call)
      return tickOnRevision<Task>({ box, base: { revision, text: list }, send, textOf: (now) => now.description ?? '' }, call)
    }
    for (let round = 0; round < 3; round++) {
      const { revision } = await ada.api.tasks.update.mutate({ taskId: task.id, description: list })
      if (round > 1) await bob.http('PATCH', path, { description: `Mind these:\n\n${list}` })
      const boxes = checkboxesIn(list).map((box) => ({ ...box, done: true }))
      await Promise.all(boxes.map((box) => tick(box.line % 2 ? ada : bob, box, revision)))
      expect(await ada.api.tasks.get.query({ taskId: task.id })).toMatchObject({ checklist: { done: 8, all: 8 } })
    }
    const [first = { line: 0, words: '', done: true }] = checkboxesIn(list)
    const { revision } = await ada.api.tasks.update.mutate({ taskId: task.id, description: list })
    const mine = await tick(ada, { ...first, done: true }, revision)
    const others = await tick(bob, { ...first, done: true }, revision)
    expect([mine?.checklist?.done, others]).toEqual([1, null])
    const undoOf = kindOf('tasks.tick')?.undo?.({ taskId: task.id, box: first } as never, undefined as never, task.boardId)
    expect([undoOf?.(mine as never)?.description, undoOf?.(others as never)]).toEqual(['No. 0', null])
    const refused = await tick(ada, { line: 1, words: 'No. 9', done: true }, 0).catch(refusalOf)
    expect(refused).toMatchObject({ code: 'PRECONDITION_FAILED' })
  })

  test('a due day and tags can be taken away again', async () => {
    const { ada, path } = await bobsTask()
    await ada.http('PATCH', path, { dueDate: '2026-12-24', tags: ['a'] })
    expect((await ada.http('PATCH', path, { dueDate: null, tags: [] })).body).toMatchObject({ dueDate: null, tags: [] })
  })

  test('two people who change different fields at once both win', async () => {
    const { ada, bob, task, path } = await bobsTask()
    for (let round = 0; round < 20; round++) {
      const title = `Title ${round}`
      const description = `Text ${round}`
      await Promise.all([ada.http('PATCH', path, { title }), bob.http('PATCH', path, { description })])
      expect(await ada.api.tasks.get.query({ taskId: task.id })).toMatchObject({ title, description })
    }
  })

  const wrong: [string, object][] = [
    ['a blank title', { title: '  ' }],
    ['no title', { title: null }],
    ['a title of 256 characters', { title: 't'.repeat(256) }],
    ['a description of 20,001 characters', { description: 'd'.repeat(20_001) }],
    ['an unknown status', { status: 'blocked' }],
    ['a day that is none', { dueDate: '2026-02-30' }],
    ['a day before the calendar', { dueDate: '0000-01-01' }],
    ['a moment for a day', { dueDate: '2026-02-20T10:00:00Z' }],
    ['21 tags', { tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }],
    ['a tag of 41 characters', { tags: ['t'.repeat(41)] }],
    ['a blank tag', { tags: [' '] }],
    ['tags that are text', { tags: 'soil' }],
    ['two neighbours', { before: 1, after: 2 }],
    ['a neighbour that is a word', { before: 'first' }],
  ]
  for (const [what, changes] of wrong)
    test(`${what} is refused and changes nothing`, async () => {
      const { ada, task, path } = await bobsTask()
      expect(await ada.http('PATCH', path, { title: 'Changed', ...changes })).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST', issues: [{}] },
      })
      expect(await ada.api.tasks.get.query({ taskId: task.id })).toEqual({ ...task, attachments: [] })
    })

  test('the missing title is asked for in the words of the specification', async () => {
    const { ada, board } = await server.people()
    expect((await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: ' ' })).body).toMatchObject({
      message: 'Please enter a title for the task.',
    })
  })

  test('the longest texts fit', async () => {
    const { ada, path } = await bobsTask()
    const changes = {
      title: 't'.repeat(255),
      description: 'd'.repeat(20_000),
      tags: Array.from({ length: 20 }, (_, i) => `${i}`.padEnd(40, 't')),
    }
    expect(await ada.http('PATCH', path, changes)).toMatchObject({ status: 200, body: changes })
  })

  test('a task is deleted by its creator, or by the creator of the board', async () => {
    const { ada, bob, board, path } = await bobsTask()
    expect(await bob.http('DELETE', path)).toMatchObject({ status: 200, body: { success: true } })
    expect((await bob.http('GET', path)).status).toBe(404)
    const another = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
    expect((await ada.http('DELETE', `/api/tasks/${another.id}`)).status).toBe(200)
  })

  test('another member may not delete it', async () => {
    const { ada, eve, board, path } = await bobsTask()
    await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'eve' })
    expect(await eve.http('DELETE', path)).toMatchObject({
      status: 403,
      body: { message: "You don't have permission to delete this task.", code: 'FORBIDDEN' },
    })
    expect((await eve.http('PATCH', path, { title: 'Mine' })).status).toBe(200)
  })

  test('to a stranger a task does not exist', async () => {
    const { bob, eve, path } = await bobsTask()
    const answers = [
      await eve.http('GET', path),
      await eve.http('PATCH', path, { title: 'Mine' }),
      await eve.http('DELETE', path),
      await eve.http('POST', `${path}/assignees`, { userId: eve.id }),
    ]
    for (const { status, body } of answers)
      expect([status, body]).toEqual([404, { message: 'Task not found', code: 'NOT_FOUND' }])
    expect((await bob.http('GET', path)).status).toBe(200)
  })

  test('a task of another board is no neighbour', async () => {
    const { ada, bob, task } = await bobsTask()
    const own = await bob.api.boards.create.mutate({ name: 'Shed' })
    const foreign = await bob.api.tasks.create.mutate({ boardId: own.id, title: 'Saw' })
    await ada.api.tasks.update.mutate({ taskId: task.id, before: foreign.id })
    expect(await bob.tasks(own.id)).toEqual([foreign])
  })
})
