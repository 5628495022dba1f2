import { afterAll, afterEach, expect, test } from 'bun:test'
import { rename, rm, writeFile } from 'node:fs/promises'
import { isNotNull, sql } from 'drizzle-orm'
import { attachments, boards, deletedRows, tasks, unwantedFiles } from '../../src/db/tables'
import { bucket } from '../support/bucket'
import { deleteEverybody, onServer, type Server } from '../support/databases'
import { takeFaults } from '../support/faults'
import { attach, formWith, PNG, uploadsFolder } from '../support/files'
import { PASSWORD } from '../support/people'
import { random } from '../support/random'
import { onceAnswered } from '../support/until'

const folder = await uploadsFolder()
const s3 = bucket()
afterAll(() => Promise.all([folder.remove(), s3.remove()]))

/** The store is one for all databases: each takes along what it put there. */
async function leavesNothing(server: Server) {
  await deleteEverybody(server.db)
  await server.clean()
  expect([await folder.names(), await s3.names()]).toEqual([[], []])
}

const isEmpty = (names: string[]) => names.length === 0

for (const [where, store] of [
  ['a folder', folder],
  ['a bucket', s3],
] as const)
  onServer(
    `files in ${where}`,
    (server) => {
      afterEach(() => leavesNothing(server))
      const rows = async () => (await server.db.select().from(attachments)).map(({ filename }) => filename)
      /** As when the time is over in which what was deleted can be brought back. */
      async function letGo() {
        const deleted = isNotNull(tasks.deletedAt)
        await server.db.update(unwantedFiles).set({ dueAt: sql`now()` })
        await server.db.delete(deletedRows)
        await server.db.update(tasks).set({ deletedAt: sql`now() - interval '31 days'` }).where(deleted)
        await server.clean()
      }
      /** Each row has its file, and each file its row, once everything is done that is to be done at once. */
      async function expectNothingLeft() {
        await letGo()
        expect((await store.names()).toSorted()).toEqual((await rows()).toSorted())
        expect(await server.db.$count(unwantedFiles)).toBe(0)
      }

      test('are there when their attachment is, under a name of their own', async () => {
        const { ada, bob, task } = await server.peopleWithTask()
        const file = await attach(bob, task.id, 'a plan.txt', 'Dig here')
        expect(await store.names()).toEqual([file.filename])
        expect((await ada.http('GET', file.fileUrl)).text).toBe('Dig here')
        await expectNothingLeft()
      })

      test('go with their attachment, their task, their board, or the account of who uploaded them', async () => {
        const { ada, bob, board, task } = await server.peopleWithTask()
        const more = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
        const { id } = await attach(bob, task.id)
        await bob.api.attachments.delete.mutate({ attachmentId: id })
        await letGo()
        await store.until(isEmpty)
        await Promise.all([attach(bob, task.id), attach(ada, task.id)])
        const kept = await attach(ada, more.id)
        await ada.api.tasks.delete.mutate({ taskId: task.id })
        expect(await store.names()).toHaveLength(3)
        await letGo()
        expect(await store.names()).toEqual([kept.filename])
        await attach(bob, more.id)
        expect((await bob.http('DELETE', '/api/account', { password: PASSWORD, deleteContent: true })).status).toBe(200)
        await store.until((names) => names.length === 1)
        expect(await store.names()).toEqual([kept.filename])
        await ada.api.boards.delete.mutate({ boardId: board.id })
        await server.db.update(boards).set({ deletedAt: sql`now() - interval '31 days'` })
        await server.clean()
        await store.until(isEmpty)
        await expectNothingLeft()
      })

      test('of the boards that somebody created go with their account, whoever uploaded them', async () => {
        const { ada, bob, task } = await server.peopleWithTask()
        await Promise.all([attach(bob, task.id), attach(ada, task.id)])
        expect((await ada.http('DELETE', '/api/account', { password: PASSWORD })).status).toBe(200)
        await store.until(isEmpty)
        await expectNothingLeft()
      })

      test('go too where many rows go by hand', async () => {
        const { ada, task } = await server.peopleWithTask()
        for (let i = 0; i < 45; i++) await attach(ada, task.id)
        await server.db.delete(attachments)
        await expectNothingLeft()
        expect(await store.names()).toEqual([])
      })

      test('are not left by an upload that is refused', async () => {
        const { bob, eve, task } = await server.peopleWithTask()
        const path = `/api/attachments/${task.id}`
        await bob.http('POST', path, formWith('MZ\0', 'a.exe'))
        await bob.http('POST', path, formWith(Buffer.alloc(6 * 2 ** 20), 'a.txt'))
        await eve.http('POST', path, formWith(PNG, 'a.png'))
        expect(await store.names()).toEqual([])
        await expectNothingLeft()
      })

      test('are not left by uploads to a task that is deleted meanwhile', async () => {
        const { ada, bob, board } = await server.peopleWithTask()
        const { below } = random('moments amid uploads')
        const statuses = new Set<number>()
        for (let round = 0; round < 12; round++) {
          const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
          const uploads = Array.from({ length: 4 }, () => bob.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'a.png')))
          // Turns of the event loop, which the server shares: it falls into any moment.
          for (let turns = below(80); turns > 0; turns--) await new Promise(setImmediate)
          expect((await onceAnswered(() => ada.http('DELETE', `/api/tasks/${task.id}`))).status).toBe(200)
          for (const { status } of await Promise.all(uploads)) statuses.add(status)
        }
        expect([...statuses].every((status) => status === 201 || status === 404)).toBe(true)
        await expectNothingLeft()
        expect(await store.names()).toEqual([])
      })

      test('are not left by uploads of somebody who deletes the account, or loses the board, meanwhile', async () => {
        const { ada, board, person, task } = await server.peopleWithTask()
        for (let round = 0; round < 6; round++) {
          const guest = await person(`guest${round}`)
          await ada.api.boards.addMember.mutate({ boardId: board.id, username: guest.user.username })
          const uploads = Array.from({ length: 4 }, () =>
            guest.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'a.png')),
          )
          await (round % 2
            ? guest.http('DELETE', '/api/account', { password: PASSWORD })
            : ada.http('DELETE', `/api/boards/${board.id}/members/${guest.id}`))
          // On a busy machine, 503: deleting an account may hold its lock for longer than an upload waits.
          for (const { status } of await Promise.all(uploads)) expect([201, 401, 404, 503]).toContain(status)
        }
        await expectNothingLeft()
      })

      test('are safe from the sweep while they are being uploaded', async () => {
        const { ada, bob, task } = await server.peopleWithTask()
        const uploads = Array.from({ length: 16 }, (_, i) => attach(i % 2 ? ada : bob, task.id))
        await Promise.all([...uploads, ...Array.from({ length: 8 }, server.clean)])
        for (const { fileUrl } of await Promise.all(uploads)) expect((await ada.http('GET', fileUrl)).status).toBe(200)
        await expectNothingLeft()
      })
    },
    store.env,
  )

onServer(
  'a folder of files',
  (server) => {
    afterEach(() => leavesNothing(server))

    test('that cannot be written to refuses uploads as a fault of ours, and what was there stays', async () => {
      const { ada, task } = await server.peopleWithTask()
      const aside = `${folder.folder}.aside`
      const { fileUrl, id } = await attach(ada, task.id)
      await rename(folder.folder, aside)
      await writeFile(folder.folder, 'in the way')
      const answer = await ada.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'a.png'))
      expect(answer).toMatchObject({ status: 500, body: { message: 'Something went wrong on our side.' } })
      expect(answer.text).not.toContain(folder.folder)
      expect(takeFaults()).toHaveLength(1)
      expect((await ada.http('GET', fileUrl)).status).toBe(404)
      expect(await ada.api.attachments.list.query({ taskId: task.id })).toHaveLength(1)
      await rm(folder.folder)
      await rename(aside, folder.folder)
      expect((await ada.http('GET', fileUrl)).status).toBe(200)
      await ada.api.attachments.delete.mutate({ attachmentId: id })
      await server.db.update(unwantedFiles).set({ dueAt: sql`now()` })
      await server.clean()
      await folder.until(isEmpty)
    })

    test('that is not there for a while, such as a volume, loses no deletion', async () => {
      const { ada, task } = await server.peopleWithTask()
      const { id } = await attach(ada, task.id)
      const aside = `${folder.folder}.aside`
      await rename(folder.folder, aside)
      await ada.api.attachments.delete.mutate({ attachmentId: id })
      await server.db.update(unwantedFiles).set({ dueAt: sql`now()` })
      await server.clean()
      expect(await server.db.$count(unwantedFiles)).toBe(1)
      await rename(aside, folder.folder)
      await server.db.update(unwantedFiles).set({ dueAt: sql`now()` })
      await server.clean()
      expect(await folder.names()).toEqual([])
      expect(await server.db.$count(unwantedFiles)).toBe(0)
    })
  },
  folder.env,
)

onServer(
  'a bucket',
  (server) => {
    afterEach(() => leavesNothing(server))
    /** An hour goes by. */
    const laterOn = () => server.db.update(unwantedFiles).set({ dueAt: sql`now()` })

    test('is given each file with its type', async () => {
      const { ada, task } = await server.peopleWithTask()
      const { filename } = await attach(ada, task.id, '日本語.png')
      expect(s3.objects.get(filename)).toEqual({ bytes: new Uint8Array(PNG), type: 'image/png' })
      expect(JSON.stringify([...s3.objects.keys()])).not.toContain('日本語')
    })

    test('that is down refuses uploads and files as a fault of ours; deletions are made up for when it is back', async () => {
      const { ada, task } = await server.peopleWithTask()
      const { fileUrl, filename, id } = await attach(ada, task.id)
      s3.behave('is down')
      expect((await ada.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'a.png'))).status).toBe(500)
      expect((await ada.http('GET', fileUrl)).status).toBe(500)
      expect(takeFaults()).toHaveLength(2)
      expect((await ada.http('DELETE', `/api/attachments/${id}`)).status).toBe(200)
      await server.clean()
      expect(s3.objects.has(filename)).toBe(true)
      s3.behave('works')
      await laterOn()
      await server.clean()
      expect(await s3.names()).toEqual([])
      expect(await server.db.$count(unwantedFiles)).toBe(0)
    })

    test('that is slow lets one person wait with eight files in memory, and no more', async () => {
      const { ada, bob, task } = await server.peopleWithTask()
      s3.behave('hangs')
      const uploads = Array.from({ length: 8 }, (_, n) =>
        ada.http('POST', `/api/attachments/${task.id}`, formWith(PNG, `${n}.png`)),
      )
      await s3.until((names) => names.length === 8)
      const ninth = await ada.http('POST', `/api/attachments/${task.id}`, formWith(PNG, '9.png'))
      expect(ninth).toMatchObject({ status: 429, body: { message: 'Too many uploads at once.' } })
      uploads.push(bob.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'bob.png')))
      await s3.until((names) => names.length === 9)
      s3.behave('works')
      for (const upload of uploads) expect((await upload).status).toBe(201)
    })

    test('that answers an upload more than an hour later finds it given up', async () => {
      const { ada, task } = await server.peopleWithTask()
      s3.behave('hangs')
      const upload = ada.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'a.png'))
      await s3.until((names) => names.length === 1)
      await laterOn()
      await server.clean()
      expect(await s3.names()).toEqual([])
      s3.behave('works')
      expect(await upload).toMatchObject({ status: 409, body: { message: 'The upload took too long. Please try again.' } })
      expect(await ada.api.attachments.list.query({ taskId: task.id })).toEqual([])
    })
  },
  s3.env,
)
