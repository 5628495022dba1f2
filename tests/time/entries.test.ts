import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { mails, tasks, timeEntries, users } from '../../src/db/tables'
import { timeEntry } from '../../src/time/schema'
import { onEachDatabase } from '../support/databases'
import type { Person } from '../support/people'
import { log } from '../support/time'

const PATH = '/api/time-entries'

onEachDatabase(
  'a time entry',
  (server) => {
    const minutesOf = async ({ api }: Person, taskId: number) => (await api.tasks.get.query({ taskId })).minutes

    test('is created as the specification sends it, told and listed, and adds to the task', async () => {
      const { ada, bob, board, task } = await server.peopleWithTask()
      const socket = await ada.socket(board)
      const sent = { startTime: '2026-11-20T14:00:00.000Z', endTime: null, duration: 90, note: ' Deeper ', notify: false }
      const ignored = { userId: ada.id, boardId: 7, createdAt: '2020-01-01' }
      const created = await bob.http('POST', PATH, { ...sent, ...ignored, taskId: task.id })
      const entry = {
        ...{ taskId: task.id, boardId: board.id, userId: bob.id, task: 'Dig' },
        user: { id: bob.id, username: 'bob', name: null, avatar: bob.user.avatar },
        ...{ startTime: sent.startTime, endTime: null, day: '2026-11-20', duration: 90, note: 'Deeper' },
        ...{ status: 'completed', runningSince: null, billable: true },
      }
      expect(created).toMatchObject({ status: 201, body: entry })
      expect(await socket.next('time_entry_added')).toMatchObject({ taskId: task.id, entry, minutes: 90, by: bob.id })
      for (const path of [`${PATH}/task/${task.id}`, `${PATH}/board/${board.id}`])
        expect((await ada.http('GET', path)).body).toEqual([created.body])
      const snapshot = await ada.http('GET', `/api/boards/${board.id}/snapshot`)
      expect(snapshot.body).toMatchObject({ tasks: [{ minutes: 90 }] })
      expect(await minutesOf(ada, task.id)).toBe(90)
    })

    test('is changed as the specification sends it, and deleted, by whoever did the work', async () => {
      const { ada, bob, board, task } = await server.peopleWithTask()
      const entry = await log(bob, task, { note: 'Deeper', startTime: '2026-11-20T14:00:00.000Z' })
      const socket = await ada.socket(board)
      const sent = { duration: 45, note: '', startTime: '2026-11-19T14:00:00.000Z', endTime: null, notify: false }
      const changed = { ...entry, duration: 45, note: null, startTime: sent.startTime, day: '2026-11-19', revision: 2 }
      expect(await bob.http('PATCH', `${PATH}/${entry.id}`, { ...sent, taskId: 1, userId: ada.id })).toMatchObject({
        status: 200,
        body: changed,
      })
      expect(await socket.next('time_entry_updated')).toMatchObject({ taskId: task.id, entry: changed, minutes: 45 })
      expect(await bob.http('PATCH', `${PATH}/${entry.id}`, { note: 'Only this' })).toMatchObject({
        body: { ...changed, note: 'Only this', revision: 3 },
      })
      expect(await bob.http('DELETE', `${PATH}/${entry.id}`)).toMatchObject({ status: 200, body: { success: true } })
      await socket.next('time_entry_updated')
      expect(await socket.next('time_entry_deleted')).toMatchObject({ taskId: task.id, entryId: entry.id, minutes: 0 })
      expect([await minutesOf(ada, task.id), await ada.api.time.ofTask.query({ taskId: task.id })]).toEqual([0, []])
      for (const method of ['PATCH', 'DELETE'])
        expect((await bob.http(method, `${PATH}/${entry.id}`, { note: 'x' })).status).toBe(404)
    })

    test("is nobody else's to change, not even the creator of the board's; to a stranger it is not there", async () => {
      const { ada, bob, eve, nobody, task } = await server.peopleWithTask()
      const entry = await log(bob, task)
      const missing = `${PATH}/${entry.id + 1000}`
      const calls = [
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/confirm'],
      ] as const
      for (const [method, more] of calls) {
        const ask = (who: Pick<Person, 'http'>, path = `${PATH}/${entry.id}`) => who.http(method, path + more, { duration: 5 })
        expect(await ask(ada)).toMatchObject({ status: 403, body: { message: 'You can only edit your own time entries' } })
        const [hidden, none] = [await ask(eve), await ask(eve, missing)]
        expect([hidden.status, hidden.body]).toEqual([404, none.body])
        expect((await ask(nobody)).status).toBe(401)
      }
      expect((await eve.http('POST', PATH, { taskId: task.id, duration: 5 })).status).toBe(404)
      expect((await eve.http('POST', PATH, { taskId: task.id, status: 'ACTIVE' })).status).toBe(404)
      expect(await ada.api.time.ofTask.query({ taskId: task.id })).toEqual([entry])
    })

    test('of a member who was removed stays, and is theirs no more', async () => {
      const { ada, bob, board, task } = await server.peopleWithTask()
      const entry = await log(bob, task)
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
      for (const [method, path] of [
        ['PATCH', `/${entry.id}`],
        ['DELETE', `/${entry.id}`],
        ['GET', `/task/${task.id}`],
        ['GET', `/board/${board.id}`],
      ] as const)
        expect((await bob.http(method, PATH + path, method === 'GET' ? undefined : { duration: 5 })).status).toBe(404)
      expect(await ada.api.time.ofTask.query({ taskId: task.id })).toEqual([entry])
      expect(await ada.api.time.report.query({ boardId: board.id })).toMatchObject({
        minutes: 30,
        byUser: [{ user: { id: bob.id } }],
      })
    })

    test('lasts from a minute to a month', async () => {
      const { ada, task } = await server.peopleWithTask()
      const ask = (body: object) => ada.http('POST', PATH, { taskId: task.id, ...body })
      for (const duration of [0, -1, 1.5, 44_641, 2 ** 40, 1e300, '60', null, undefined, [60], true])
        expect([duration, (await ask({ duration })).status]).toEqual([duration, 400])
      for (const duration of [1, 44_640]) expect((await ask({ duration })).status).toBe(201)
      expect((await ask({ duration: 0 })).body).toMatchObject({ message: 'Please enter a valid duration (greater than 0)' })
      const { id } = await log(ada, task)
      const change = async (given: object) => (await ada.http('PATCH', `${PATH}/${id}`, given)).status
      for (const duration of [0, 44_641, 1.5, null]) expect(await change({ duration })).toBe(400)
    })

    test('cannot be resumed once it is completed', async () => {
      const { ada, task } = await server.peopleWithTask()
      const { id } = await log(ada, task)
      const change = async (status: string) => (await ada.http('PATCH', `${PATH}/${id}`, { status })).status
      for (const [status, answer] of Object.entries({ ACTIVE: 409, PAUSED: 409, completed: 200 }))
        expect([status, await change(status)]).toEqual([status, answer])
    })

    test('takes nothing else that does not fit', async () => {
      const { ada, task } = await server.peopleWithTask()
      const { id } = await log(ada, task)
      const notes = ['x'.repeat(2_001), 'a\0b', '\ud800'].map((note) => ({ note }))
      const bad = [...notes, { status: 'done' }, { status: 'active' }, { billable: 'yes' }, { notify: 1 }]
      for (const given of [...bad, { status: 'PAUSED' }])
        expect([given, (await ada.http('POST', PATH, { taskId: task.id, duration: 5, ...given })).status]).toEqual([given, 400])
      for (const given of bad) expect([given, (await ada.http('PATCH', `${PATH}/${id}`, given)).status]).toEqual([given, 400])
      for (const taskId of [0, -1, 2 ** 31, '7', null, undefined])
        expect((await ada.http('POST', PATH, { taskId, duration: 5 })).status).toBe(400)
      for (const path of ['x', '0', '99999999999', '1.5'])
        expect((await ada.http('PATCH', `${PATH}/${path}`, { duration: 5 })).status).toBe(400)
      expect((await ada.http('POST', PATH, { taskId: task.id, duration: 5, note: 'x'.repeat(2_000) })).status).toBe(201)
    })

    test('goes into the trash with its task, and comes back with it', async () => {
      const { ada, bob, board, task } = await server.peopleWithTask()
      const entry = await log(bob, task)
      const other = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
      const stays = await log(bob, other, { duration: 5 })
      const seen = async () => {
        const report = await ada.api.time.report.query({ boardId: board.id })
        const csv = await ada.http('GET', `/api/boards/${board.id}/time.csv`)
        const { minutes, entries, rows, byTask } = report
        const listed = await ada.api.time.ofBoard.query({ boardId: board.id })
        return [listed, minutes, entries, rows.length, byTask.length, csv.text.split('\r\n').length - 2]
      }
      await ada.api.tasks.delete.mutate({ taskId: task.id })
      expect(await seen()).toEqual([[stays], 5, 1, 1, 1, 1])
      for (const [method, path] of [
        ['PATCH', `/${entry.id}`],
        ['DELETE', `/${entry.id}`],
        ['GET', `/task/${task.id}`],
      ] as const)
        expect((await bob.http(method, PATH + path, method === 'GET' ? undefined : { duration: 7 })).status).toBe(404)
      await ada.api.tasks.restore.mutate({ taskId: task.id })
      expect(await seen()).toEqual([expect.arrayContaining([entry, stays]), 35, 2, 2, 2, 2])
      await ada.api.tasks.delete.mutate({ taskId: task.id })
      await server.db.update(tasks).set({ deletedAt: sql`now() - interval '31 days'` }).where(eq(tasks.id, task.id))
      await server.clean()
      expect(await server.db.$count(timeEntries)).toBe(1)
    })

    test('is mailed to the members who want it, where its author wished it, and not to the author', async () => {
      const { ada, bob, board, task, person } = await server.peopleWithTask()
      for (const name of ['cleo', 'dan', 'fay']) {
        await person(name)
        await ada.api.boards.addMember.mutate({ boardId: board.id, username: name })
      }
      await server.gather()
      await server.db.delete(mails)
      await server.db.update(users).set({ notifiedAt: null })
      await server.db.update(users).set({ emailNotifications: false }).where(eq(users.username, 'cleo'))
      await server.db.update(users).set({ notifyTimeEntries: false }).where(eq(users.username, 'dan'))
      const written = async () => {
        await server.gather()
        const all = await server.db.select().from(mails).orderBy(mails.id)
        await server.db.delete(mails)
        return all.map(({ recipient, subject }) => `${recipient}: ${subject}`).toSorted()
      }
      const both = (subject: string) => [`ada@example.com: ${subject}`, `fay@example.com: ${subject}`]
      const entry = timeEntry.parse((await bob.http('POST', PATH, { taskId: task.id, duration: 95, notify: true })).body)
      expect(await written()).toEqual(both('bob logged 1h 35m on “Dig”'))
      const path = `${PATH}/${entry.id}`
      await bob.http('PATCH', path, { duration: 60, notify: true })
      expect(await written()).toEqual(both('bob changed a time entry on “Dig” to 1h 0m'))
      await bob.http('PATCH', path, { duration: 60, notify: true })
      await bob.http('PATCH', path, { duration: 0, notify: true })
      await ada.http('PATCH', path, { duration: 5, notify: true })
      await bob.http('PATCH', path, { duration: 61 })
      await bob.http('POST', PATH, { taskId: task.id, duration: 5 })
      expect(await written()).toEqual([])
      await bob.http('POST', PATH, { taskId: task.id, status: 'ACTIVE', notify: true })
      expect(await written()).toEqual(both('bob started a timer on “Dig”'))
    })

    test('is listed with the newest work first, in parts, none missing and none twice', async () => {
      const { bob, board, task } = await server.peopleWithTask()
      // Several begin at the same moment, and none is in the order of its id.
      await server.db.execute(sql`
      insert into time_entries (task_id, board_id, user_id, start_time, day, duration_minutes)
      select ${task.id}, ${board.id}, ${bob.id}, t, t::date, i
      from (select i, timestamptz '2026-11-01 12:00Z' + ((i * 7) % 40) / 4 * interval '5 hours' as t from generate_series(1, 40) i) one`)
      for (const path of [`${PATH}/task/${task.id}`, `${PATH}/board/${board.id}`]) {
        const whole = await bob.http('GET', path)
        const listed = z.array(timeEntry).parse(whole.body)
        const order = listed.map(({ startTime, id }) => [Date.parse(startTime), id] as const)
        expect(order).toEqual(order.toSorted((a, b) => b[0] - a[0] || b[1] - a[1]))
        expect([listed.length, whole.headers.get('x-next-cursor')]).toEqual([40, null])
        const parts: unknown[] = []
        let cursor: string | null = ''
        while (cursor !== null) {
          const part = await bob.http('GET', `${path}?limit=7${cursor && `&cursor=${cursor}`}`)
          parts.push(...z.array(timeEntry).parse(part.body))
          cursor = part.headers.get('x-next-cursor')
        }
        expect(parts).toEqual(listed)
        const limits = ['limit=0', 'limit=1001', 'limit=x']
        for (const bad of [...limits, 'cursor=', 'cursor=1', 'cursor=1-0', 'cursor=2026-13-01-1-1', "cursor=1-1'"])
          expect([bad, (await bob.http('GET', `${path}?${bad}`)).status]).toEqual([bad, 400])
      }
    })
  },
  { MAIL_GATHER_SECONDS: '0' },
)
