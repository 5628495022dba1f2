import { afterAll, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { TASK_FILES_MAX, TASK_FULL } from '../../src/attachments/schema'
import { attachments, commentMentions, deletedRows, notifications, timeEntries, unwantedFiles } from '../../src/db/tables'
import { purgeDeletedRows } from '../../src/tasks/server/deletedRows.store'
import { onEachDatabase } from '../support/databases'
import { attach, uploadsFolder } from '../support/files'
import type { Person } from '../support/people'

const folder = await uploadsFolder()
afterAll(folder.remove)

onEachDatabase(
  'what was deleted from a task',
  (server) => {
    const people = async () => {
      const given = await server.peopleWithTask()
      const socket = await given.ada.socket()
      const { version } = await socket.join(given.board.id)
      return { ...given, socket, version }
    }
    type Given = Awaited<ReturnType<typeof people>>

    /** Each by Bob: what it is called in the API, what it was, and the messages of its coming and going. */
    const kinds = {
      comment: async ({ bob, task }: Given) => ({
        row: await bob.api.comments.create.mutate({ taskId: task.id, content: '@ada look, deeper' }),
        path: '/api/comments',
        list: `/api/tasks/${task.id}/comments`,
        messages: ['new_comment', 'comment_deleted'] as const,
      }),
      file: async ({ bob, task }: Given) => ({
        row: await attach(bob, task.id),
        path: '/api/attachments',
        list: `/api/attachments/${task.id}`,
        messages: ['attachment_added', 'attachment_deleted'] as const,
      }),
      'time entry': async ({ bob, task }: Given) => ({
        row: await bob.api.time.create.mutate({ taskId: task.id, duration: 90, note: 'Roots', notify: true }),
        path: '/api/time-entries',
        list: `/api/time-entries/task/${task.id}`,
        messages: ['time_entry_added', 'time_entry_deleted'] as const,
      }),
    }
    const restore = (who: Pick<Person, 'http'>, { path, row }: { path: string; row: { id: number } }) =>
      who.http('POST', path === '/api/attachments' ? `${path}/restore/${row.id}` : `${path}/${row.id}/restore`)
    const gone = (name: string) => ({ status: 404, body: { message: `This ${name} can no longer be restored.` } })
    const age = (milliseconds: number) =>
      server.db.update(deletedRows).set({ deletedAt: sql`now() - ${milliseconds} * interval '1 millisecond'` })
    /** As it was, but for when. */
    const ofTask = async ({ ada, path }: Given) => ({ ...((await ada.http('GET', path)).body as object), updatedAt: null })
    const listOf = async ({ ada }: Given, list: string) => (await ada.http('GET', list)).body

    test('a file does not come back where others have taken its room', async () => {
      const given = await people()
      const { ada, bob, task } = given
      const made = await kinds.file(given)
      expect(await bob.http('DELETE', `${made.path}/${made.row.id}`)).toMatchObject({ status: 200 })
      const others = Array.from({ length: TASK_FILES_MAX }, (_, n) => ({
        ...{ taskId: task.id, userId: ada.id, originalFilename: 'note.txt', fileSize: 1, mimeType: 'text/plain' },
        ...{ filename: `${task.id}-${n}.txt`, fileUrl: `/uploads/${task.id}-${n}.txt` },
      }))
      await server.db.insert(attachments).values(others)
      expect(await restore(bob, made)).toMatchObject({ status: 409, body: { message: TASK_FULL } })
      expect(await listOf(given, made.list)).toHaveLength(TASK_FILES_MAX)
    })

    for (const [name, make] of Object.entries(kinds)) {
      test(`a ${name} is gone at once, and comes back as it was, for everyone`, async () => {
        const given = await people()
        const { bob, socket, version } = given
        const made = await make(given)
        const before = [await ofTask(given), await listOf(given, made.list), await given.ada.api.notifications.list.query({})]
        expect(await bob.http('DELETE', `${made.path}/${made.row.id}`)).toMatchObject({ status: 200 })
        expect(await listOf(given, made.list)).toEqual([])
        expect((await given.ada.api.notifications.list.query({})).notifications).toEqual([])
        expect(await restore(bob, made)).toMatchObject({ status: 200, body: made.row })
        const after = [await ofTask(given), await listOf(given, made.list), await given.ada.api.notifications.list.query({})]
        expect(after).toEqual(before)
        const [added, deleted] = made.messages
        const first = await socket.next(added)
        expect(await socket.next(deleted)).toMatchObject({ version: version + 2, by: bob.id })
        const since = 'updatedAt' in first && { updatedAt: expect.any(String) }
        expect(await socket.next(added)).toEqual({ ...first, ...since, version: version + 3 })
        expect(await server.db.$count(deletedRows)).toBe(0)
      })

      test(`a ${name} comes back to whoever deleted it alone, once, while its time lasts`, async () => {
        const given = await people()
        const { ada, bob, eve, nobody } = given
        const made = await make(given)
        expect(await restore(bob, made)).toMatchObject(gone(name))
        await bob.http('DELETE', `${made.path}/${made.row.id}`)
        expect((await restore(nobody, made)).status).toBe(401)
        for (const who of [ada, eve]) expect(await restore(who, made)).toMatchObject(gone(name))
        const answers = await Promise.all(Array.from({ length: 10 }, () => restore(bob, made)))
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(404)])
        await bob.http('DELETE', `${made.path}/${made.row.id}`)
        await age(60_000)
        expect(await restore(bob, made)).toMatchObject(gone(name))
        await server.clean()
        expect(await server.db.$count(deletedRows)).toBe(0)
      })
    }

    test('comes back to nobody who was removed meanwhile, nor to a task that is gone', async () => {
      const given = await people()
      const { ada, bob, board, task } = given
      const [comment, entry] = [await kinds.comment(given), await kinds['time entry'](given)]
      for (const { path, row } of [comment, entry]) await bob.http('DELETE', `${path}/${row.id}`)
      await ada.api.tasks.delete.mutate({ taskId: task.id })
      expect((await restore(bob, comment)).status).toBe(404)
      await ada.api.tasks.restore.mutate({ taskId: task.id })
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
      expect((await restore(bob, entry)).status).toBe(404)
    })

    test('goes or comes back, never half, when its time ends as it is brought back', async () => {
      for (let round = 0; round < 10; round++) {
        const given = await people()
        const made = await kinds.comment(given)
        await given.bob.http('DELETE', `${made.path}/${made.row.id}`)
        await age(10_980 + 2 * round)
        const purges = Array.from({ length: 5 }, () => purgeDeletedRows(server.db))
        const [{ status }] = await Promise.all([restore(given.bob, made), ...purges])
        expect([200, 404]).toContain(status)
        expect(await listOf(given, made.list)).toHaveLength(status === 200 ? 1 : 0)
        await server.clear()
      }
    })

    test('a comment tells nobody again, and one who left meanwhile is left out', async () => {
      const given = await people()
      const { ada, bob, member } = given
      const grace = await member('grace')
      const comment = await bob.api.comments.create.mutate({ taskId: given.task.id, content: '@ada and @grace' })
      await bob.api.comments.delete.mutate({ commentId: comment.id })
      await grace.api.account.delete.mutate({ password: 'correct horse' })
      await bob.api.comments.restore.mutate({ commentId: comment.id })
      expect(await server.db.$count(commentMentions)).toBe(1)
      await bob.api.comments.update.mutate({ commentId: comment.id, content: '@ada again' })
      expect(
        await server.db.$count(notifications, and(eq(notifications.userId, ada.id), eq(notifications.kind, 'mentioned'))),
      ).toBe(1)
    })

    test('the file of an attachment outlasts its time to come back, and goes soon after', async () => {
      const given = await people()
      const { bob, task } = given
      const file = await attach(bob, task.id, 'plan.txt', 'Dig here')
      await bob.api.attachments.delete.mutate({ attachmentId: file.id })
      await server.clean()
      expect((await bob.http('GET', file.fileUrl)).status).toBe(404)
      await bob.api.attachments.restore.mutate({ attachmentId: file.id })
      expect((await bob.http('GET', file.fileUrl)).text).toBe('Dig here')
      expect(await server.db.$count(unwantedFiles)).toBe(0)
      await bob.api.attachments.delete.mutate({ attachmentId: file.id })
      const [left] = await server.db
        .select({ seconds: sql<number>`extract(epoch from ${unwantedFiles.dueAt} - now())::float8` })
        .from(unwantedFiles)
      expect(left?.seconds).toBeWithin(15, 21)
    })

    test('a timer that ran comes back paused, and beside the one that runs by now', async () => {
      const { bob, task } = await people()
      const timer = await bob.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE' })
      await bob.api.time.delete.mutate({ entryId: timer.id })
      const other = await bob.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE' })
      expect(await bob.api.time.restore.mutate({ entryId: timer.id })).toMatchObject({ id: timer.id, status: 'PAUSED' })
      const { timers } = await bob.api.time.timers.query()
      expect(timers.map(({ id, status }) => ({ id, status }))).toEqual([
        { id: other.id, status: 'ACTIVE' },
        { id: timer.id, status: 'PAUSED' },
      ])
    })

    test('sums of time are right while an entry is gone, and once it is back', async () => {
      const given = await people()
      const { bob, board, task } = given
      const entry = await bob.api.time.create.mutate({ taskId: task.id, duration: 90 })
      await bob.api.time.create.mutate({ taskId: task.id, duration: 15 })
      const minutes = async () => (await bob.api.time.report.query({ boardId: board.id })).minutes
      const before = await minutes()
      await bob.api.time.delete.mutate({ entryId: entry.id })
      expect([before, await minutes()]).toEqual([105, 15])
      await bob.api.time.restore.mutate({ entryId: entry.id })
      expect(await minutes()).toBe(105)
      expect(await server.db.$count(timeEntries)).toBe(2)
    })
  },
  folder.env,
)
