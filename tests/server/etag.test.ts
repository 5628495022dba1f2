import { expect, test } from 'bun:test'
import { z } from 'zod'
import { isKnown } from '../../src/server/etag'
import { onEachDatabase, onServer } from '../support/databases'
import type { Person } from '../support/people'

const made = z.object({ id: z.number(), revision: z.number() })
const match = (tags: string) => ({ 'if-match': tags })

onEachDatabase('an ETag', (server) => {
  /** Of each kind one, which is Ada's; how to change it, and what each change leaves there. */
  async function three() {
    const people = await server.peopleWithTask()
    const { ada, task } = people
    const comment = made.parse((await ada.http('POST', `/api/tasks/${task.id}/comments`, { content: 'Why?' })).body)
    const entry = made.parse((await ada.http('POST', '/api/time-entries', { taskId: task.id, duration: 5 })).body)
    const kinds = [
      { path: `/api/tasks/${task.id}`, by: 'tasks', id: { taskId: task.id }, one: { title: 'a' }, other: { title: 'b' } },
      {
        path: `/api/comments/${comment.id}`,
        by: 'comments',
        id: { commentId: comment.id },
        one: { content: 'a' },
        other: { content: 'b' },
      },
      { path: `/api/time-entries/${entry.id}`, by: 'time', id: { entryId: entry.id }, one: { note: 'a' }, other: { note: 'b' } },
    ]
    return { ...people, kinds }
  }

  test('is that of a new row, and of what each change made of it', async () => {
    const { ada, kinds, path } = await three()
    for (const { path, one } of kinds) {
      const changed = await ada.http('PATCH', path, one)
      expect([changed.headers.get('etag'), made.parse(changed.body).revision]).toEqual(['"2"', 2])
      expect((await ada.http('PATCH', path, one)).headers.get('etag')).toBe('"2"')
    }
    expect((await ada.http('GET', path)).headers.get('etag')).toBe('"2"')
    expect((await ada.http('GET', '/api/auth/me')).headers.get('etag')).toBeNull()
  })

  test('that does not match keeps a change from being made, and what is there is answered', async () => {
    const { ada, kinds } = await three()
    // The task last, which takes the others along.
    for (const { path, by, id, one, other } of kinds.toReversed()) {
      const current = (await ada.http('PATCH', path, one)).body
      const refused = { message: 'This was changed in the meantime', code: 'PRECONDITION_FAILED', current }
      for (const tags of ['"1"', 'W/"2"', '"22", "3" ,W/"2"', '""']) {
        expect(await ada.http('PATCH', path, other, match(tags))).toMatchObject({ status: 412, body: refused })
        expect(await ada.http('DELETE', path, undefined, match(tags))).toMatchObject({ status: 412, body: refused })
      }
      const byPage = await ada.http('POST', `/trpc/${by}.update`, { ...id, ...other }, match('"1"'))
      expect(byPage).toMatchObject({ status: 412, body: { error: { data: refused } } })
      expect((await ada.http('PATCH', path, other, match('W/"2", "2"'))).headers.get('etag')).toBe('"3"')
      expect((await ada.http('PATCH', path, one, match('*'))).headers.get('etag')).toBe('"4"')
      expect((await ada.http('POST', `/trpc/${by}.delete`, id, match('"3"'))).status).toBe(412)
      expect((await ada.http('POST', `/trpc/${by}.delete`, id, match('"4"'))).status).toBe(200)
      expect((await ada.http('PATCH', path, other, match('*'))).status).toBe(404)
    }
  })

  test('is no way to see what one may not see, nor to learn what one may not change', async () => {
    const { bob, eve, nobody, kinds } = await three()
    for (const { path, other } of kinds) {
      const of = async (who: Pick<Person, 'http'>) => (await who.http('PATCH', path, other, match('"9"'))).body
      expect(await of(nobody)).not.toHaveProperty('current')
      expect(await of(eve)).toEqual({ message: expect.stringContaining('not found'), code: 'NOT_FOUND' })
      expect(await of(bob)).toHaveProperty('code', path.includes('tasks') ? 'PRECONDITION_FAILED' : 'FORBIDDEN')
    }
  })

  test('that is none is refused, and so is one where there is none', async () => {
    const { ada, board, path } = await three()
    for (const tags of ['7', '', '"a" "b"', '*, "1"', '"1', 'w/"1"'])
      expect([tags, (await ada.http('PATCH', path, { title: 'x' }, match(tags))).status]).toEqual([tags, 400])
    for (const [method, to] of [
      ['PATCH', `/api/boards/${board.id}`],
      ['POST', `${path}/comments`],
      ['POST', '/api/upload/avatar'],
    ] as const)
      expect([to, (await ada.http(method, to, { name: 'x', content: 'x' }, match('"1"'))).body]).toEqual([
        to,
        { message: 'What this call changes has no ETag: send the request without If-Match', code: 'BAD_REQUEST' },
      ])
    expect((await ada.http('GET', path, undefined, match('nonsense'))).status).toBe(200)
  })

  test('of a task changes with what one can change there, and with nothing else', async () => {
    const { ada, bob, board, task, path } = await server.peopleWithTask()
    const etag = async () => (await ada.http('GET', path)).headers.get('etag')
    const sow = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
    await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
    await bob.api.comments.create.mutate({ taskId: task.id, content: 'Why?' })
    await bob.api.time.create.mutate({ taskId: task.id, duration: 5 })
    await ada.api.tasks.delete.mutate({ taskId: task.id })
    await ada.api.tasks.restore.mutate({ taskId: task.id })
    expect(await etag()).toBe('"1"')
    const changes = [
      { title: 'a' },
      { description: 'b' },
      { status: 'done' },
      { dueDate: '2028-02-29' },
      { tags: ['c'] },
      { status: 'todo', after: sow.id },
      { before: sow.id },
    ]
    for (const [n, change] of changes.entries())
      expect((await ada.http('PATCH', path, change)).headers.get('etag')).toBe(`"${n + 2}"`)
    expect(await etag()).toBe('"8"')
  })

  test('of a timer changes whenever it starts, pauses, is confirmed or ends, also where another one pauses it', async () => {
    const { ada, board, task } = await server.peopleWithTask()
    const sow = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
    const start = (taskId: number) => ada.api.time.create.mutate({ taskId, status: 'ACTIVE' })
    const { id } = await start(task.id)
    const revision = async () => (await ada.api.time.ofTask.query({ taskId: task.id }))[0]?.revision
    const turn = async (given: object) => made.parse((await ada.http('PATCH', `/api/time-entries/${id}`, given)).body).revision
    await start(sow.id)
    expect(await revision()).toBe(2)
    expect(await turn({ status: 'PAUSED' })).toBe(2)
    expect(await turn({ status: 'ACTIVE' })).toBe(3)
    await ada.http('POST', `/api/time-entries/${id}/confirm`)
    expect(await revision()).toBe(4)
    expect(await turn({ status: 'completed' })).toBe(5)
    expect(await turn({ status: 'completed', billable: true })).toBe(5)
  })
})

onServer('an ETag that several send at once', (server) => {
  test('lets one of them through, and shows the others what that one made', async () => {
    const { ada, bob, task, path } = await server.peopleWithTask()
    for (let revision = task.revision; revision < 20; revision++) {
      const answers = await Promise.all(
        [ada, bob, ada, bob].map(({ http }, n) => http('PATCH', path, { title: `${revision} ${n}` }, match(`"${revision}"`))),
      )
      const [winner, ...more] = answers.filter(({ status }) => status === 200)
      expect([more.length, winner?.headers.get('etag')]).toEqual([0, `"${revision + 1}"`])
      for (const { status, body } of answers.filter((answer) => answer !== winner))
        expect([status, body]).toEqual([412, expect.objectContaining({ current: winner?.body })])
    }
  })
})

test('If-None-Match is a list, of weak ETags as well', () => {
  const known = (given: string | null, etag = '"b"') =>
    isKnown(new Request('http://wrk', { headers: given === null ? {} : { 'if-none-match': given } }), etag)
  for (const given of ['"b"', 'W/"b"', '"a", "b"', '"a,c" ,\tW/"b","d"', '*', ' "b" '])
    expect([given, known(given)]).toEqual([given, true])
  for (const given of [null, '', '"a"', 'b', '"B"', '"ab"', '"a b"', '"*"', 'W/"a"'])
    expect([given, known(given)]).toEqual([given, false])
  expect(known('"b"', 'W/"b"')).toBe(true)
})
