import { afterAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { Activity } from '../../src/activity/schema'
import { activities, boards, tasks } from '../../src/db/tables'
import { purgeDeletedTasks } from '../../src/tasks/server/store'
import { onEachDatabase } from '../support/databases'
import { attach } from '../support/files'
import { PASSWORD, type Person } from '../support/people'
import { dataFolder } from '../support/process'

const folder = await dataFolder()
afterAll(folder.remove)

onEachDatabase(
  'activity',
  (server) => {
    async function peopleWithTask() {
      const given = await server.peopleWithTask()
      return { ...given, taskId: given.task.id, boardId: given.board.id }
    }
    type Setting = Awaited<ReturnType<typeof peopleWithTask>>
    const said = ({ user, kind, detail, whom, taskTitle }: Activity) =>
      [user.username, kind, detail, ...(whom ? [whom.username] : []), ...(taskTitle === null ? [] : [taskTitle])] as const
    const ofBoard = async (person: Person, boardId: number) => (await person.api.activity.board.query({ boardId })).activities
    const newest = async ({ bob, boardId }: Setting) => (await ofBoard(bob, boardId)).map(said)[0]
    const count = (boardId: number) => server.db.$count(activities, eq(activities.boardId, boardId))

    /** What is done, and what the newest entry says of it then. */
    type Deed = [name: string, act: (given: Setting) => Promise<unknown>, says: (given: Setting) => unknown[]]
    const change = (name: string, changes: object, ...says: unknown[]): Deed => [
      name,
      ({ bob, taskId }) => bob.http('PATCH', `/api/tasks/${taskId}`, changes),
      () => ['bob', ...says],
    ]
    const changeBoard = (name: string, changes: { name?: string; description?: string }, ...says: unknown[]): Deed => [
      name,
      ({ ada, boardId }) => ada.api.boards.update.mutate({ boardId, ...changes }),
      () => ['ada', ...says],
    ]
    const deeds: Deed[] = [
      change('a move', { status: 'done' }, 'moved', { from: 'todo', to: 'done' }, 'Dig'),
      change('another title', { title: 'Dug' }, 'renamed', { from: 'Dig', to: 'Dug' }, 'Dug'),
      change('another description, without its text', { description: 'Secret' }, 'described', {}, 'Dig'),
      change('a due date', { dueDate: '2031-03-09' }, 'due', { from: null, to: '2031-03-09' }, 'Dig'),
      changeBoard("the board's name", { name: 'Park' }, 'board_renamed', { from: 'Garden', to: 'Park' }),
      changeBoard("the board's description", { description: 'Green' }, 'board_described', {}),
      [
        'a new task',
        ({ bob, boardId }) => bob.api.tasks.create.mutate({ boardId, title: 'Sow' }),
        () => ['bob', 'created', {}, 'Sow'],
      ],
      [
        'tags',
        async ({ bob, taskId }) => {
          await bob.api.tasks.update.mutate({ taskId, tags: ['ink', 'print'] })
          await bob.api.tasks.update.mutate({ taskId, tags: ['print', 'web'] })
        },
        () => ['bob', 'tagged', { added: ['web'], removed: ['ink'] }, 'Dig'],
      ],
      [
        'an assignment',
        ({ bob, ada, taskId }) => bob.api.tasks.assign.mutate({ taskId, userId: ada.id }),
        ({ ada }) => ['bob', 'assigned', { userId: ada.id }, 'ada', 'Dig'],
      ],
      [
        'the end of one',
        async ({ bob, ada, taskId }) => {
          await bob.api.tasks.assign.mutate({ taskId, userId: ada.id })
          await ada.api.tasks.unassign.mutate({ taskId, userId: ada.id })
        },
        ({ ada }) => ['ada', 'unassigned', { userId: ada.id }, 'ada', 'Dig'],
      ],
      [
        'a comment, without its text, and nothing of what becomes of it',
        async ({ bob, taskId }) => {
          const { id: commentId } = await bob.api.comments.create.mutate({ taskId, content: 'Secret' })
          await bob.api.comments.update.mutate({ commentId, content: 'Better' })
          await bob.api.comments.delete.mutate({ commentId })
        },
        () => ['bob', 'commented', {}, 'Dig'],
      ],
      [
        'a file',
        ({ bob, taskId }) => attach(bob, taskId, 'plan “1”.png'),
        () => ['bob', 'file', { did: 'added', name: 'plan “1”.png' }, 'Dig'],
      ],
      [
        'a file that is taken away',
        async ({ bob, taskId }) => {
          const { id: attachmentId } = await attach(bob, taskId)
          await bob.api.attachments.delete.mutate({ attachmentId })
        },
        () => ['bob', 'file', { did: 'removed', name: 'dot.png' }, 'Dig'],
      ],
      [
        'time, and not of what is only noted anew',
        async ({ bob, taskId }) => {
          const { id: entryId } = await bob.api.time.create.mutate({ taskId, duration: 60 })
          await bob.api.time.update.mutate({ entryId, note: 'Secret', duration: 60 })
        },
        () => ['bob', 'time', { did: 'logged', minutes: 60 }, 'Dig'],
      ],
      [
        'time that is corrected',
        async ({ bob, taskId }) => {
          const { id: entryId } = await bob.api.time.create.mutate({ taskId, duration: 60 })
          await bob.api.time.update.mutate({ entryId, duration: 45 })
        },
        () => ['bob', 'time', { did: 'changed', minutes: 45 }, 'Dig'],
      ],
      ['a deleted task', ({ ada, taskId }) => ada.api.tasks.delete.mutate({ taskId }), () => ['ada', 'deleted', {}, 'Dig']],
      [
        'a task brought back',
        async ({ ada, taskId }) => {
          await ada.api.tasks.delete.mutate({ taskId })
          await ada.api.tasks.restore.mutate({ taskId })
        },
        () => ['ada', 'restored', {}, 'Dig'],
      ],
      [
        'a new member',
        ({ bob, boardId }) => bob.api.boards.addMember.mutate({ boardId, username: 'eve' }),
        ({ eve }) => ['bob', 'member_added', { userId: eve.id }, 'eve'],
      ],
      [
        'a member who is removed',
        async ({ ada, eve, boardId }) => {
          await ada.api.boards.addMember.mutate({ boardId, username: 'eve' })
          await ada.api.boards.removeMember.mutate({ boardId, userId: eve.id })
        },
        ({ eve }) => ['ada', 'member_removed', { userId: eve.id }, 'eve'],
      ],
      [
        'a member who leaves',
        async ({ ada, eve, boardId }) => {
          await ada.api.boards.addMember.mutate({ boardId, username: 'eve' })
          await eve.api.boards.removeMember.mutate({ boardId, userId: eve.id })
        },
        () => ['eve', 'member_left', {}],
      ],
      [
        'no change',
        async ({ bob, ada, boardId, taskId }) => {
          const other = await ada.api.tasks.create.mutate({ boardId, title: 'Sow', tags: ['a', 'b'] })
          await bob.api.tasks.update.mutate({ taskId: other.id, title: 'Sow', status: 'todo', tags: ['b', 'a'] })
          // A place in the same column is none either.
          await bob.api.tasks.update.mutate({ taskId, after: other.id })
          await ada.api.boards.update.mutate({ boardId, name: 'Garden' })
        },
        () => ['ada', 'created', {}, 'Sow'],
      ],
    ]
    for (const [name, act, says] of deeds)
      test(`tells of ${name}`, async () => {
        const given = await peopleWithTask()
        await act(given)
        expect<unknown>(await newest(given)).toEqual(says(given))
        expect(JSON.stringify(await ofBoard(given.bob, given.boardId))).not.toContain('Secret')
      })

    test('begins with the board, and tells each thing that one change did', async () => {
      const { ada, bob, eve, boardId, taskId } = await peopleWithTask()
      await ada.api.boards.addMember.mutate({ boardId, username: 'eve' })
      await bob.api.tasks.update.mutate({ taskId, title: 'Dug', status: 'done', description: 'Deep' })
      expect((await ofBoard(ada, boardId)).map(said)).toEqual([
        ['bob', 'moved', { from: 'todo', to: 'done' }, 'Dug'],
        ['bob', 'described', {}, 'Dug'],
        ['bob', 'renamed', { from: 'Dig', to: 'Dug' }, 'Dug'],
        ['ada', 'member_added', { userId: eve.id }, 'eve'],
        ['ada', 'created', {}, 'Dig'],
        ['ada', 'board_created', {}],
      ])
    })

    test('of a task is its own, by either way of asking', async () => {
      const { ada, bob, boardId, taskId } = await peopleWithTask()
      const other = await bob.api.tasks.create.mutate({ boardId, title: 'Sow' })
      await bob.api.tasks.update.mutate({ taskId, status: 'done' })
      const { activities: listed } = await ada.api.activity.task.query({ taskId })
      expect(listed.map(said)).toEqual([
        ['bob', 'moved', { from: 'todo', to: 'done' }, 'Dig'],
        ['ada', 'created', {}, 'Dig'],
      ])
      const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const user = { id: bob.id, username: 'bob', name: null, avatar: bob.user.avatar }
      const entry = { id: expect.any(Number), boardId, taskId: other.id, taskTitle: 'Sow', whom: null, createdAt: iso }
      expect(await ada.http('GET', `/api/tasks/${other.id}/activity`)).toMatchObject({
        status: 200,
        body: { activities: [{ ...entry, user, kind: 'created', detail: {} }], nextCursor: null },
      })
      const byRest = await ada.http('GET', `/api/boards/${boardId}/activity`)
      expect(byRest.body).toEqual(await ada.api.activity.board.query({ boardId }))
    })

    test('is for members only, and no longer for one who was removed', async () => {
      const { ada, bob, eve, nobody, boardId, taskId } = await peopleWithTask()
      const paths = [`/api/boards/${boardId}/activity`, `/api/tasks/${taskId}/activity`]
      const answers = (person: Pick<Person, 'http'>) =>
        Promise.all(paths.map(async (path) => (await person.http('GET', path)).status))
      expect(await Promise.all([nobody, eve, bob, ada].map(answers))).toEqual([
        [401, 401],
        [404, 404],
        [200, 200],
        [200, 200],
      ])
      await ada.api.boards.removeMember.mutate({ boardId, userId: bob.id })
      expect(await answers(bob)).toEqual([404, 404])
      // What they did stays, under their name.
      expect((await ofBoard(ada, boardId)).map(said)[0]).toEqual(['ada', 'member_removed', { userId: bob.id }, 'bob'])
    })

    test('keeps nothing of a change that did not come to pass', async () => {
      const { ada, bob, eve, boardId, taskId } = await peopleWithTask()
      const before = await count(boardId)
      const refused = [
        // Announced, then refused: they are no member.
        await ada.http('DELETE', `/api/boards/${boardId}/members/${eve.id}`),
        await bob.http('DELETE', `/api/tasks/${taskId}`),
        await bob.http('POST', `/api/tasks/${taskId}/assignees`, { userId: eve.id }),
        await bob.http('PATCH', `/api/tasks/${taskId}`, { title: ' ' }),
      ]
      expect(refused.map(({ status }) => status)).toEqual([404, 403, 400, 400])
      expect(await count(boardId)).toBe(before)
    })

    test('of a task stays on the board when its rows are gone', async () => {
      const given = await peopleWithTask()
      const { ada, boardId, taskId } = given
      await ada.api.tasks.delete.mutate({ taskId })
      expect((await ada.http('GET', `/api/tasks/${taskId}/activity`)).status).toBe(404)
      await server.db.update(tasks).set({ deletedAt: sql`now() - interval '31 days'` })
      await purgeDeletedTasks(server.db)
      expect(await server.db.$count(tasks)).toBe(0)
      expect((await ofBoard(ada, boardId)).slice(0, 2).map(said)).toEqual([
        ['ada', 'deleted', {}, 'Dig'],
        ['ada', 'created', {}, 'Dig'],
      ])
    })

    test('goes with its board', async () => {
      const { ada, bob, boardId, taskId } = await peopleWithTask()
      await bob.api.tasks.update.mutate({ taskId, status: 'done' })
      await ada.api.boards.delete.mutate({ boardId })
      await server.db.update(boards).set({ deletedAt: sql`now() - interval '31 days'` })
      await server.clean()
      expect(await server.db.$count(activities)).toBe(0)
    })

    test('of an account that is gone is of a former member, and has no name of whom it was done to', async () => {
      const { ada, bob, boardId, taskId } = await peopleWithTask()
      await ada.api.tasks.assign.mutate({ taskId, userId: bob.id })
      await bob.api.tasks.update.mutate({ taskId, title: 'Dug' })
      expect((await bob.http('DELETE', '/api/account', { password: PASSWORD })).status).toBe(200)
      const answer = await ada.http('GET', `/api/boards/${boardId}/activity`)
      expect(answer.body).toMatchObject({
        activities: [
          { kind: 'renamed', user: { name: 'Former member' } },
          { kind: 'assigned', whom: { name: 'Former member' }, user: { username: 'ada' } },
          { kind: 'created' },
          { kind: 'board_created' },
        ],
      })
      expect(answer.text).not.toContain('bob')
      // With her account goes her board, and its activity by either way.
      expect((await ada.http('DELETE', '/api/account', { password: PASSWORD })).status).toBe(200)
      expect(await server.db.$count(activities)).toBe(0)
    })

    test('makes pages read again that show what a deleted account did on a board it had left', async () => {
      const { ada, bob, boardId, taskId } = await peopleWithTask()
      await bob.api.tasks.update.mutate({ taskId, status: 'done' })
      await bob.api.boards.removeMember.mutate({ boardId, userId: bob.id })
      const { version } = await ada.api.boards.get.query({ boardId })
      expect((await bob.http('DELETE', '/api/account', { password: PASSWORD })).status).toBe(200)
      expect((await ada.api.boards.get.query({ boardId })).version).toBe(version + 1)
    })

    test('is listed without a gap and without repetition while more comes', async () => {
      const { ada, bob, boardId, taskId } = await peopleWithTask()
      const change = async (n: number) => bob.api.tasks.update.mutate({ taskId, title: `Dig ${n}` })
      const one = { boardId, taskId, taskTitle: 'Dig', userId: bob.id, kind: 'described', detail: {} }
      await server.db.insert(activities).values(Array.from({ length: 70 }, () => one))
      const early = (await server.db.select({ id: activities.id }).from(activities).where(eq(activities.boardId, boardId)))
        .map(({ id }) => id)
        .toSorted((a, b) => b - a)
      const others = Promise.all(Array.from({ length: 20 }, (_, n) => change(100 + n)))
      const seen: number[] = []
      const lengths: number[] = []
      let cursor: number | undefined
      do {
        const page = await ada.api.activity.board.query({ boardId, cursor })
        seen.push(...page.activities.map(({ id }) => id))
        lengths.push(page.activities.length)
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      await others
      expect(seen).toEqual(seen.toSorted((a, b) => b - a))
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter((id) => early.includes(id))).toEqual(early)
      expect(lengths.slice(0, -1).every((length) => length === 30)).toBe(true)
      // A cursor in the address is text.
      const page = await ada.http('GET', `/api/boards/${boardId}/activity?cursor=${early[40]}`)
      expect((page.body as { activities: { id: number }[] }).activities.map(({ id }) => id)).toEqual(early.slice(41, 71))
      for (const wrong of ['0', '-1', '1.5', 'x', '', '2147483648'])
        expect((await ada.http('GET', `/api/boards/${boardId}/activity?cursor=${wrong}`)).status).toBe(400)
    })

    test('is part of the data that one takes along, but for boards that one has left', async () => {
      const { ada, bob, eve, boardId, taskId } = await peopleWithTask()
      await bob.api.tasks.update.mutate({ taskId, title: 'Dug' })
      const eves = await eve.api.boards.create.mutate({ name: 'Hers' })
      await eve.api.boards.addMember.mutate({ boardId: eves.id, username: 'bob' })
      await bob.api.tasks.create.mutate({ boardId: eves.id, title: 'Left' })
      await bob.api.boards.removeMember.mutate({ boardId: eves.id, userId: bob.id })
      await ada.api.tasks.update.mutate({ taskId, status: 'done' })
      const data = await bob.http('GET', '/api/account/data')
      expect((data.body as { activities: unknown[] }).activities).toEqual([
        {
          id: expect.any(Number),
          boardId,
          taskId,
          taskTitle: 'Dug',
          userId: bob.id,
          kind: 'renamed',
          detail: { from: 'Dig', to: 'Dug' },
          createdAt: expect.any(String),
        },
      ])
    })
  },
  { DATA_DIR: folder.path },
)
