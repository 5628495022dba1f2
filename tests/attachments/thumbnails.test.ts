import { afterAll, afterEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { attachment, BOARD_FILES_MAX_BYTES, BOARD_FULL, THUMBNAIL_MAX_BYTES } from '../../src/attachments/schema'
import { attachments, boards, deletedRows, tasks, unwantedFiles } from '../../src/db/tables'
import { bytesOfFiles } from '../../src/server/files/store'
import { deleteEverybody, onEachDatabase } from '../support/databases'
import { attach, formWith, PNG, uploadsFolder } from '../support/files'
import { PASSWORD } from '../support/people'

const folder = await uploadsFolder()
afterAll(folder.remove)

const webp = async (width: number, height: number) => Buffer.from(await new Bun.Image(PNG).resize(width, height).webp().bytes())
const SMALL = await webp(320, 200)

/** A WebP with anything after its pixels; its length is right. */
function padded(length: number) {
  const bytes = Buffer.concat([SMALL, Buffer.alloc(length - SMALL.length)])
  bytes.writeUInt32LE(length - 8, 4)
  return bytes
}
const hugeInItsHeader = Buffer.from('524946461600000057454250565038580a000000000000000f27000f2700', 'hex')
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

onEachDatabase(
  'thumbnails',
  (server) => {
    afterEach(async () => {
      await deleteEverybody(server.db)
      await server.clean()
      expect(await folder.names()).toEqual([])
    })
    const make = async () => {
      const people = await server.peopleWithTask()
      return { ...people, file: await attach(people.bob, people.task.id, 'plan.png', PNG, SMALL) }
    }
    const namesOf = ({ filename }: { filename: string }) => [filename, `${filename}-thumbnail`]
    const letGo = async () => {
      await server.db.update(unwantedFiles).set({ dueAt: sql`now()` })
      await server.db.delete(deletedRows)
      await server.clean()
    }
    const only = async (...files: { filename: string }[]) =>
      expect((await folder.names()).toSorted()).toEqual(files.flatMap(namesOf).toSorted())

    test('are served beside their attachment, to whom it is, and can run nothing', async () => {
      const { ada, eve, nobody, task, file } = await make()
      expect(file).toMatchObject({ thumbnailUrl: `${file.fileUrl}-thumbnail`, fileSize: PNG.length })
      expect(file).not.toHaveProperty('thumbnailSize')
      expect(await ada.api.attachments.list.query({ taskId: task.id })).toEqual([file])
      const { status, headers, bytes } = await ada.http('GET', `${file.thumbnailUrl}`)
      expect([status, Buffer.from(bytes).equals(SMALL)]).toEqual([200, true])
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; sandbox;/),
        'cache-control': 'private, no-cache',
        'content-disposition': expect.stringMatching(/^inline; filename="plan\.png\.webp"/),
      })
      const known = { 'if-none-match': headers.get('etag') ?? '' }
      expect((await ada.http('GET', `${file.thumbnailUrl}`, undefined, known)).status).toBe(304)
      expect((await ada.http('GET', file.fileUrl, undefined, known)).status).toBe(200)
      expect((await eve.http('GET', `${file.thumbnailUrl}`)).status).toBe(404)
      expect((await nobody.http('GET', `${file.thumbnailUrl}`)).status).toBe(401)
      const without = await attach(ada, task.id)
      const guessed = { 'if-none-match': `"${without.filename}-thumbnail"` }
      expect((await ada.http('GET', `${without.fileUrl}-thumbnail`, undefined, guessed)).status).toBe(404)
    })

    test('that are anything but small WebP of a picture are left away, and the file is kept', async () => {
      const { bob, task } = await server.peopleWithTask()
      const hostile: [string, string | Uint8Array<ArrayBuffer>][] = [
        ['a PNG', PNG],
        ['an SVG', SVG],
        ['nothing', ''],
        ['a beginning', SMALL.subarray(0, 10)],
        ['a WebP that was cut', SMALL.subarray(0, -4)],
        ['a WebP with no pixels', Buffer.from('524946460400000057454250', 'hex')],
        ['321 pixels', await webp(321, 1)],
        ['10,000 pixels that are only said', hugeInItsHeader],
        ['a byte too much', padded(THUMBNAIL_MAX_BYTES + 1)],
        ['5 MB', padded(5 * 2 ** 20)],
      ]
      for (const [what, thumbnail] of hostile)
        expect([what, (await attach(bob, task.id, 'a.png', PNG, thumbnail)).thumbnailUrl]).toEqual([what, null])
      for (const [name, content] of [['a.txt', 'Dig'] as const, ['a.svg', SVG] as const])
        expect((await attach(bob, task.id, name, content, SMALL)).thumbnailUrl).toBeNull()
      expect(await folder.names()).toHaveLength(hostile.length + 2)
      expect((await attach(bob, task.id, 'a.png', PNG, padded(THUMBNAIL_MAX_BYTES))).thumbnailUrl).toBeString()
      const largest = Buffer.concat([PNG, Buffer.alloc(5 * 2 ** 20 - PNG.length)])
      expect((await attach(bob, task.id, 'a.png', largest, padded(THUMBNAIL_MAX_BYTES))).thumbnailUrl).toBeString()
    })

    test('go with their attachment, their task, their board and the account', async () => {
      const { ada, bob, board, task, file } = await make()
      const own = await attach(ada, task.id, 'a.png', PNG, SMALL)
      await bob.api.attachments.delete.mutate({ attachmentId: file.id })
      expect((await ada.http('GET', `${file.thumbnailUrl}`)).status).toBe(404)
      await server.clean()
      await only(file, own)
      await letGo()
      await only(own)
      const bobs = await attach(bob, task.id, 'a.png', PNG, SMALL)
      await only(own, bobs)
      expect((await bob.http('DELETE', '/api/account', { password: PASSWORD, deleteContent: true })).status).toBe(200)
      await letGo()
      await only(own)
      await ada.api.tasks.delete.mutate({ taskId: task.id })
      await server.db.update(tasks).set({ deletedAt: sql`now() - interval '31 days'` })
      await letGo()
      await only()
      const other = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
      await attach(ada, other.id, 'a.png', PNG, SMALL)
      await ada.api.boards.delete.mutate({ boardId: board.id })
      await server.db.update(boards).set({ deletedAt: sql`now() - interval '31 days'` })
      await letGo()
      await letGo()
      await only()
      expect(await server.db.$count(unwantedFiles)).toBe(0)
    })

    test('come back with their attachment', async () => {
      const { bob, file } = await make()
      await bob.api.attachments.delete.mutate({ attachmentId: file.id })
      expect(await bob.api.attachments.restore.mutate({ attachmentId: file.id })).toEqual(file)
      await letGo()
      await only(file)
      expect((await bob.http('GET', `${file.thumbnailUrl}`)).status).toBe(200)
    })

    test('count in the room of the board and of all files, and stand in the data of their account', async () => {
      const { bob, task, file } = await make()
      expect(await bytesOfFiles(server.db)).toBe(PNG.length + SMALL.length)
      const { body } = await bob.http('GET', '/api/account/data')
      expect(body).toMatchObject({ attachments: [{ fileUrl: file.fileUrl, thumbnailUrl: file.thumbnailUrl }] })
      const taken = { taskId: task.id, userId: bob.id, originalFilename: 'a.txt', mimeType: 'text/plain', fileUrl: '/a' }
      const left = 2 * PNG.length + SMALL.length
      const each = 5 * 2 ** 20
      const full = BOARD_FILES_MAX_BYTES - left - PNG.length - SMALL.length
      const rows = Array.from({ length: Math.ceil(full / each) }, (_, n) => ({
        ...{ ...taken, filename: `${task.id}-${n}`, fileSize: Math.min(each, full - n * each) },
      }))
      await server.db.insert(attachments).values(rows)
      await attach(bob, task.id, 'b.png', PNG, SMALL)
      const upload = (thumbnail?: Uint8Array<ArrayBuffer>) =>
        bob.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'c.png', 'file', thumbnail))
      expect(await upload(SMALL)).toMatchObject({ status: 409, body: { message: BOARD_FULL } })
      expect(await upload()).toMatchObject({ status: 201 })
    })

    test('are stored once where an upload is sent again, also where they are drawn otherwise', async () => {
      const { bob, task } = await server.peopleWithTask()
      const key = { 'idempotency-key': crypto.randomUUID() }
      const drawings = [SMALL, SMALL, await webp(32, 20), undefined]
      const answers = await Promise.all(
        drawings.map((drawn) => bob.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'a.png', 'file', drawn), key)),
      )
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      const [first, ...others] = answers.map(({ body }) => body)
      const { thumbnailUrl } = attachment.parse(first)
      expect(others).toEqual([first, first, first])
      await letGo()
      expect(await folder.names()).toHaveLength(thumbnailUrl ? 2 : 1)
    })
  },
  folder.env,
)
