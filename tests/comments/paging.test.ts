import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { comment, commentsCursor, mayHaveMore } from '../../src/comments/schema'
import { comments } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'
import type { Person } from '../support/people'

onEachDatabase('a long list of comments', (server) => {
  async function discussion(count: number) {
    const given = await server.peopleWithTask()
    // Several in each millisecond.
    await server.db.execute(sql`
      insert into comments (task_id, user_id, content, created_at)
      select ${given.task.id}, ${given.bob.id}, 'Comment ' || i, now() - interval '1 hour' + i / 3 * interval '1 millisecond'
      from generate_series(1, ${count}) i`)
    return { ...given, path: `${given.path}/comments` }
  }

  async function read(person: Person, path: string) {
    const answer = await person.http('GET', path)
    expect(answer.status).toBe(200)
    return { listed: z.array(comment).parse(answer.body), next: answer.headers.get('x-next-cursor') }
  }
  const contents = (listed: { content: string }[]) => listed.map(({ content }) => content)
  const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `Comment ${from + i}`)

  test('comes whole up to 1,000, and then says where it goes on', async () => {
    const { bob, path } = await discussion(1_000)
    const { listed, next } = await read(bob, path)
    expect([contents(listed), next]).toEqual([numbered(1, 1_000), null])
    await bob.http('POST', path, { content: 'Comment 1001' })
    const first = await read(bob, path)
    expect(contents(first.listed)).toEqual(numbered(1, 1_000))
    const rest = await read(bob, `${path}?cursor=${first.next}`)
    expect([contents(rest.listed), rest.next]).toEqual([['Comment 1001'], null])
  })

  test('comes in parts of half a megabyte where the comments are long, none missing and none twice', async () => {
    const { bob, task, path } = await discussion(0)
    await server.db.execute(sql`
      insert into comments (task_id, user_id, content, created_at)
      select ${task.id}, ${bob.id}, lpad(i::text, 9999, '漢') || 'x', now() - interval '1 hour' + i / 3 * interval '1 millisecond'
      from generate_series(1, 80) i`)
    const seen: string[] = []
    let next: string | null = null
    do {
      const part = await read(bob, `${path}${next ? `?cursor=${next}` : ''}`)
      expect(mayHaveMore(part.listed)).toBe(part.next !== null)
      expect(mayHaveMore(part.listed.slice(0, -1))).toBe(false)
      seen.push(...contents(part.listed))
      next = part.next
    } while (next)
    expect(seen.map((content) => Number(content.replace(/\D/g, '')))).toEqual(Array.from({ length: 80 }, (_, i) => i + 1))
    // A full part may be the last one.
    await server.db.execute(sql`delete from comments where task_id = ${task.id} and content > lpad('', 9990, '漢') and id > (
      select min(id) + 17 from comments where task_id = ${task.id})`)
    const last = await read(bob, path)
    expect([last.listed.length, mayHaveMore(last.listed), last.next]).toEqual([18, true, null])
  })

  test('comes in parts, none missing and none twice', async () => {
    const { bob, path } = await discussion(25)
    let cursor = ''
    const parts: string[][] = []
    do {
      const { listed, next } = await read(bob, `${path}?limit=10${cursor}`)
      parts.push(contents(listed))
      cursor = next ? `&cursor=${next}` : ''
    } while (cursor)
    expect(parts).toEqual([numbered(1, 10), numbered(11, 20), numbered(21, 25)])
    expect((await read(bob, `${path}?limit=25`)).next).toBeNull()
  })

  test('comes whole while others write and delete', async () => {
    const { ada, bob, path } = await discussion(60)
    const writing = Promise.all(Array.from({ length: 30 }, (_, i) => ada.http('POST', path, { content: `Late ${i}` })))
    const seen: string[] = []
    let next: string | null = null
    let pages = 0
    do {
      const page = await read(bob, `${path}?limit=7${next ? `&cursor=${next}` : ''}`)
      seen.push(...contents(page.listed))
      next = page.next
      // The last one that was read goes, and with it what the cursor was made of.
      const last = page.listed.at(-1)
      if (last?.userId === bob.id && pages++ % 2 === 0)
        expect((await bob.http('DELETE', `/api/comments/${last.id}`)).status).toBe(200)
    } while (next)
    await writing
    const early = seen.filter((content) => content.startsWith('Comment'))
    expect(early).toEqual(numbered(1, 60))
    expect(new Set(seen).size).toBe(seen.length)
    // What came later is listed without a gap, from where the reading ended.
    const late = contents((await read(ada, path)).listed).filter((content) => content.startsWith('Late'))
    expect(late.slice(0, seen.length - 60)).toEqual(seen.slice(60))
    expect(late.length).toBe(30)
  })

  test('goes on after a comment by its place alone', async () => {
    const { bob, task } = await discussion(5)
    const [first] = await bob.api.comments.list.query({ taskId: task.id, limit: 1 })
    if (!first) throw new Error('no comment')
    await server.db.delete(comments).where(sql`id = ${first.id}`)
    const rest = await bob.api.comments.list.query({ taskId: task.id, cursor: commentsCursor(first) })
    expect(contents(rest)).toEqual(numbered(2, 5))
  })

  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=ten',
    'limit=99999999999999999999',
    'cursor=',
    'cursor=7',
    'cursor=1-0',
    'cursor=1-2147483648',
    'cursor=999999999999999-1',
    'cursor=1-1%00',
    "cursor=1-1'",
  ])
    test(`${query} is refused`, async () => {
      const { bob, path } = await discussion(1)
      expect(await bob.http('GET', `${path}?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST', issues: [{}] },
      })
    })
})
