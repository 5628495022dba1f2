import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { z } from 'zod'
import { entriesOf } from '../archive/forged'
import { onOneDatabase } from '../support/databases'
import { attach, PNG, uploadAvatar, uploadsFolder } from '../support/files'
import type { Person } from '../support/people'

const uploads = await uploadsFolder()
afterAll(uploads.remove)

onOneDatabase(
  'the archive of one’s account',
  (server) => {
    async function archiveOf({ http }: Person) {
      const answer = await http('GET', '/api/account/archive')
      const path = join(uploads.env.DATA_DIR, 'own.zip')
      await Bun.write(path, answer.bytes)
      return { answer, entries: await entriesOf(path) }
    }
    const rowsOf = (text: unknown): { [column: string]: unknown }[] =>
      String(text)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))

    test('holds what the document does, a table a list, with one’s own files', async () => {
      const { ada, bob, eve, board, task } = await server.peopleWithTask()
      const eves = await eve.api.boards.create.mutate({ name: 'Hers' })
      await eve.api.boards.addMember.mutate({ boardId: eves.id, username: 'bob' })
      const left = await eve.api.tasks.create.mutate({ boardId: eves.id, title: 'Left' })
      const gone = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Gone' })
      const [mine] = [await attach(bob, task.id, 'Mine.TXT', 'mine'), await attach(ada, task.id, 'hers.txt', 'hers')]
      for (const { id } of [left, gone]) await attach(bob, id)
      await bob.api.time.create.mutate({ taskId: task.id, duration: 5 })
      await uploadAvatar(bob, PNG)
      await bob.api.boards.removeMember.mutate({ boardId: eves.id, userId: bob.id })
      await bob.api.tasks.delete.mutate({ taskId: gone.id })
      const document = z
        .looseObject({ format: z.string(), exportedAt: z.string() })
        .parse((await bob.http('GET', '/api/account/data')).body)
      const { answer, entries } = await archiveOf(bob)
      expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
        'application/zip',
        `attachment; filename="wrk-bob.zip"; filename*=UTF-8''wrk-bob.zip`,
      ])
      const { format: _, exportedAt: __, user, ...lists } = document
      const withoutFiles = (name: string) => rowsOf(entries.get(`tables/${name}.ndjson`)).map(({ file, ...row }) => row)
      for (const [name, rows] of Object.entries({ user: [user], ...lists }))
        expect({ name, rows: withoutFiles(name) as unknown }).toEqual({ name, rows })
      expect(rowsOf(entries.get('tables/attachments.ndjson')).map(({ file }) => file)).toEqual([`${mine?.id}.txt`, null, null])
      expect(rowsOf(entries.get('tables/user.ndjson'))[0]?.file).toBe('avatar.webp')
      const files = [...entries].filter(([name]) => name.startsWith('files/'))
      expect(files).toEqual([
        ['files/avatar.webp', expect.anything()],
        [`files/${mine?.id}.txt`, Buffer.from('mine')],
      ])
      expect(files[0]?.[1].subarray(8, 12).toString()).toBe('WEBP')
      expect(JSON.parse(String(entries.get('manifest.json')))).toMatchObject({ format: 1, kind: 'account', files: { count: 2 } })
    })

    test('counts with the document: one at a time, ten an hour', async () => {
      const { bob } = await server.people()
      for (let n = 0; n < 5; n++)
        for (const path of ['archive', 'data']) expect((await bob.http('GET', `/api/account/${path}`)).status).toBe(200)
      expect(await bob.http('GET', '/api/account/archive')).toMatchObject({
        status: 429,
        body: { message: expect.stringMatching(/^Too many downloads of your data/) },
      })
    })
  },
  uploads.env,
)
