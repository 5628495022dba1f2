import { expect, test } from 'bun:test'
import { LIST_TASKS_MAX, tasksIn } from '../../src/boardStarters/list'
import { addDays } from '../../src/days'
import { onEachDatabase } from '../support/databases'

test('a list is read by its lines: marks are left out, and what is ticked is done', () => {
  const list =
    '\n- [ ] Call the movers\r\n* Pack\n  1. Sell the piano\n2) Notice\n- [x] Boxes\n- [X]\n[x] Tea\n1.5 l milk\n-5 °C\n-\n• [] Keys'
  expect(tasksIn(list).map(({ row, title, status }) => [row, title, status])).toEqual([
    [2, 'Call the movers', 'todo'],
    [3, 'Pack', 'todo'],
    [4, 'Sell the piano', 'todo'],
    [5, 'Notice', 'todo'],
    [6, 'Boxes', 'done'],
    [8, 'Tea', 'done'],
    [9, '1.5 l milk', 'todo'],
    [10, '-5 °C', 'todo'],
    [12, 'Keys', 'todo'],
  ])
})

test('lines have no title where nothing of them can be seen, and lose what turns their direction', () => {
  expect(tasksIn('\u200b\n- [x] \u2800\n\u202e- [x] Gnp\n- a\u202egpj.exe\n\u2067\u2069')).toEqual([
    { row: 3, title: 'Gnp', status: 'done' },
    { row: 4, title: 'agpj.exe', status: 'todo' },
  ])
})

onEachDatabase('boards that begin with tasks', (server) => {
  test('the example is made for whoever asks: tasks in all columns, due by their day, with a comment and time of their own', async () => {
    const { eve } = await server.people()
    const timeZone = 'Pacific/Kiritimati'
    const answer = await eve.http('POST', '/api/boards/example', { timeZone })
    expect([answer.status, answer.headers.get('X-Board-Version')]).toEqual([201, '1'])
    const board = answer.body as { id: number }
    expect(board).toMatchObject({ createdBy: eve.id, memberCount: 1, version: 1 })
    const tasks = (await eve.http('GET', `/api/boards/${board.id}/tasks`)).body as {
      status: string
      dueDate: string | null
      tags: string[]
      assignees: { id: number }[]
      commentCount: number
      minutes: number
      doneAt: string | null
    }[]
    expect(tasks.map(({ status }) => status)).toEqual(['todo', 'todo', 'inprogress', 'inprogress', 'done', 'done'])
    const today = new Date().toLocaleDateString('en-CA', { timeZone })
    expect(tasks.map(({ dueDate }) => dueDate)).toEqual([
      ...[addDays(today, 2), addDays(today, 6), today, addDays(today, 1), addDays(today, -2)],
      null,
    ])
    expect(tasks[2]).toMatchObject({ assignees: [{ id: eve.id }], commentCount: 1, minutes: 45 })
    expect(tasks.every(({ status, doneAt }) => (status === 'done') === (doneAt !== null))).toBe(true)
    expect((await eve.http('GET', `/api/time-entries/board/${board.id}`)).body).toMatchObject([
      { userId: eve.id, duration: 45, status: 'completed' },
    ])
    expect((await eve.http('GET', '/api/today')).body).toMatchObject({ tasks: [{}, {}] })
  })

  test('a list makes a board with its tasks in their order, or nothing at all', async () => {
    const { eve } = await server.people()
    const list = ['- [x] No\u202etice', ...Array.from({ length: LIST_TASKS_MAX - 1 }, (_, nth) => `${nth + 1}. Box ${nth + 1}`)]
    const path = '/api/boards/from-list'
    const refused = async (given: string[], message: string) =>
      expect((await eve.http('POST', path, { name: 'Moving', list: given.join('\n') })).body).toMatchObject({ message })
    await refused([...list, 'One more'], 'A list can have at most 1,000 tasks; this one has 1,001.')
    await refused(['Fine', 'x'.repeat(256)], 'Line 2 has 256 characters; a title can have at most 255.')
    await refused(['', '', 'x'.repeat(256)], 'Line 3 has 256 characters; a title can have at most 255.')
    await refused(['-', ' '], 'Paste a list with one task per line.')
    await refused(['\u200b', '\u202e'], 'Paste a list with one task per line.')
    expect((await eve.http('GET', '/api/boards')).body).toEqual([])

    const board = (await eve.http('POST', path, { name: 'Moving', list: list.join('\n') })).body as { id: number }
    const tasks = (await eve.http('GET', `/api/boards/${board.id}/tasks`)).body as { title: string; status: string }[]
    expect(tasks.map(({ title }) => title)).toEqual([...list.slice(1).map((_, nth) => `Box ${nth + 1}`), 'Notice'])
    expect(tasks.at(-1)).toMatchObject({ title: 'Notice', status: 'done' })
  })

  test('a Free user with a board gets no further one this way, also when several are asked for at once', async () => {
    const { eve } = await server.people()
    const asked = ['example', 'from-list', 'example', 'from-list'].map((way) =>
      eve.http('POST', `/api/boards/${way}`, { name: 'Moving', list: 'Pack' }),
    )
    const answers = await Promise.all(asked)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403, 403])
    expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({ requiresUpgrade: true })
    expect((await eve.http('GET', '/api/boards')).body).toHaveLength(1)
  })
})
