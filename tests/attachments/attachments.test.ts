import { afterAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { attachment } from '../../src/attachments/schema'
import { attachments, users } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'
import { attach, formWith, PNG, uploadsFolder } from '../support/files'
import { PASSWORD, type Person } from '../support/people'
import { SAMPLES } from './samples'

const FILE_MAX_BYTES = 5 * 2 ** 20

const uploads = await uploadsFolder()
afterAll(uploads.remove)

onEachDatabase(
  'attachments',
  (server) => {
    const send = (
      person: Pick<Person, 'http'>,
      taskId: number,
      form: FormData | string | Uint8Array<ArrayBuffer>,
      type?: string,
    ) => person.http('POST', `/api/attachments/${taskId}`, form, type === undefined ? {} : { 'content-type': type })
    const list = async (person: Person, taskId: number) => {
      const { body } = await person.http('GET', `/api/attachments/${taskId}`)
      return z.array(attachment).parse(body)
    }
    /** A form as bytes, for names that no FormData would send. */
    const raw = (disposition: string, content = 'abc') =>
      `--XBX\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n--XBX--\r\n`
    const RAW = 'multipart/form-data; boundary=XBX'

    test('are uploaded, listed oldest first, read and deleted', async () => {
      const { ada, bob, task } = await server.peopleWithTask()
      const first = await attach(bob, task.id)
      expect(first).toEqual({
        id: expect.any(Number),
        taskId: task.id,
        userId: bob.id,
        filename: expect.stringMatching(/^[\da-f-]{36}$/),
        originalFilename: 'dot.png',
        fileSize: PNG.length,
        mimeType: 'image/png',
        fileUrl: `/uploads/${first.filename}`,
        thumbnailUrl: null,
        createdAt: expect.any(String),
        user: { id: bob.id, username: 'bob', name: null, avatar: bob.user.avatar },
      })
      const second = await attach(ada, task.id, 'notes.txt', 'Spade')
      expect(await list(ada, task.id)).toEqual([first, second])
      expect(await ada.api.attachments.list.query({ taskId: task.id })).toEqual([first, second])
      expect(Buffer.from((await ada.http('GET', first.fileUrl)).bytes).equals(PNG)).toBe(true)
      const deletion = await bob.http('DELETE', `/api/attachments/${first.id}`)
      expect([deletion.status, deletion.body]).toEqual([200, { success: true }])
      await ada.api.attachments.delete.mutate({ attachmentId: second.id })
      expect(await list(bob, task.id)).toEqual([])
      expect((await ada.http('GET', first.fileUrl)).status).toBe(404)
    })

    test('are announced once each, with one step of the version, which the answer names', async () => {
      const { ada, bob, board, eve, task } = await server.peopleWithTask()
      const [socket, strangers] = await Promise.all([ada.socket(), eve.socket()])
      const { version } = await socket.join(board.id)
      const added = await send(bob, task.id, formWith(PNG, 'dot.png'))
      const file = attachment.parse(added.body)
      const deleted = await bob.http('DELETE', `/api/attachments/${file.id}`)
      const stamp = (step: number) => ({ boardId: board.id, version: version + step, by: bob.id })
      expect(await socket.heard()).toEqual([
        {
          type: 'attachment_added',
          payload: { taskId: task.id, attachment: file, fileCount: 1, updatedAt: expect.any(String), ...stamp(1) },
        },
        {
          type: 'attachment_deleted',
          payload: { taskId: task.id, attachmentId: file.id, fileCount: 0, updatedAt: expect.any(String), ...stamp(2) },
        },
      ])
      expect([added, deleted].map(({ headers }) => headers.get('x-board-version'))).toEqual([`${version + 1}`, `${version + 2}`])
      expect(await strangers.heard()).toEqual([])
    })

    test('only who uploaded one deletes it, and nobody else learns which there are', async () => {
      const { ada, bob, eve, task } = await server.peopleWithTask()
      const file = await attach(bob, task.id)
      const asked = await Promise.all([ada, eve].map((person) => person.http('DELETE', `/api/attachments/${file.id}`)))
      expect(asked.map(({ status }) => status)).toEqual([403, 404])
      const unknown = await eve.http('DELETE', '/api/attachments/2147483647')
      expect(asked[1]?.body).toEqual(unknown.body)
      const [seen, invented] = await Promise.all([
        eve.http('GET', file.fileUrl),
        eve.http('GET', `/uploads/${crypto.randomUUID()}`),
      ])
      expect([seen.status, seen.body]).toEqual([404, invented.body])
      expect(await list(bob, task.id)).toHaveLength(1)
    })

    test('of people who are not on the board any more are deleted by its creator, and brought back as theirs', async () => {
      const { ada, bob, member, board, task } = await server.peopleWithTask()
      const cleo = await member('cleo')
      const file = await attach(bob, task.id)
      await ada.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`)
      const remove = (person: Person) => person.http('DELETE', `/api/attachments/${file.id}`)
      expect((await remove(cleo)).status).toBe(403)
      expect((await remove(ada)).status).toBe(200)
      expect((await ada.http('POST', `/api/attachments/restore/${file.id}`)).body).toMatchObject({ userId: bob.id })
      expect((await remove(ada)).status).toBe(200)
      expect((await bob.http('DELETE', '/api/account', { password: PASSWORD })).status).toBe(200)
      expect(await ada.http('POST', `/api/attachments/restore/${file.id}`)).toMatchObject({
        status: 404,
        body: { message: 'This file can no longer be restored.' },
      })
      expect(await list(ada, task.id)).toEqual([])
    })

    test('whoever leaves the board sees them no more; they stay for the others', async () => {
      const { ada, bob, board, task } = await server.peopleWithTask()
      const file = await attach(bob, task.id)
      await bob.api.boards.removeMember.mutate({ boardId: board.id, userId: bob.id })
      expect((await bob.http('GET', file.fileUrl)).status).toBe(404)
      expect((await bob.http('DELETE', `/api/attachments/${file.id}`)).status).toBe(404)
      expect((await send(bob, task.id, formWith(PNG, 'dot.png'))).status).toBe(404)
      expect((await ada.http('GET', file.fileUrl)).status).toBe(200)
    })

    test('on a board that is locked for its creator, they look and change nothing, and others work on', async () => {
      const { ada, bob } = await server.peopleWithTask()
      const setPro = (isPro: boolean) => server.db.update(users).set({ isPro }).where(eq(users.id, ada.id))
      await setPro(true)
      const board = await ada.api.boards.create.mutate({ name: 'Second' })
      await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'bob' })
      const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
      const own = await attach(ada, task.id)
      await setPro(false)
      const changes = await Promise.all([
        send(ada, task.id, formWith(PNG, 'dot.png')),
        ada.http('DELETE', `/api/attachments/${own.id}`),
      ])
      for (const { status, body } of changes) expect([status, body]).toMatchObject([403, { requiresUpgrade: true }])
      expect((await ada.http('GET', own.fileUrl)).status).toBe(200)
      await attach(bob, task.id)
      expect(await list(ada, task.id)).toHaveLength(2)
    })

    test('find room on a board up to a gigabyte, and at a task up to five hundred', async () => {
      const { ada, bob, board, task } = await server.peopleWithTask()
      const other = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Plant' })
      const rows = (count: number, taskId: number, fileSize: number) =>
        Array.from({ length: count }, () => ({
          ...{ taskId, fileSize, userId: bob.id, filename: crypto.randomUUID() },
          ...{ originalFilename: 'a.txt', mimeType: 'text/plain', fileUrl: '/uploads/none' },
        }))
      const upload = (taskId: number) => send(ada, taskId, formWith(PNG, 'dot.png'))
      await server.db.insert(attachments).values(rows(499, task.id, 1))
      expect((await upload(task.id)).status).toBe(201)
      expect(await upload(task.id)).toMatchObject({
        status: 409,
        body: { message: 'A task can have at most 500 files. Remove some first.' },
      })
      await server.db.insert(attachments).values(rows(204, other.id, FILE_MAX_BYTES))
      expect((await upload(other.id)).status).toBe(201)
      await server.db.insert(attachments).values(rows(1, other.id, 4 * 1024 * 1024))
      expect(await upload(other.id)).toMatchObject({
        status: 409,
        body: { message: 'This board has reached its limit of 1 GB of files. Remove some first.' },
      })
      await server.db.delete(attachments)
    })

    test('twice at once, a deletion is done once', async () => {
      const { ada, bob, board, task } = await server.peopleWithTask()
      const socket = await ada.socket(board)
      for (let round = 0; round < 8; round++) {
        const { id } = await attach(bob, task.id)
        const answers = await Promise.all([1, 2, 3].map(() => bob.http('DELETE', `/api/attachments/${id}`)))
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
      }
      expect((await socket.heard()).map(({ type }) => type)).toEqual(
        Array(8).fill(['attachment_added', 'attachment_deleted']).flat(),
      )
    })

    test('uploaded by several at once, all are there, and told in order', async () => {
      const { ada, bob, board, task } = await server.peopleWithTask()
      const socket = await ada.socket()
      const { version } = await socket.join(board.id)
      const files = await Promise.all(
        Array.from({ length: 12 }, (_, i) => attach(i % 2 ? ada : bob, task.id, `${i}.txt`, `content ${i}`)),
      )
      expect((await list(ada, task.id)).map(({ id }) => id)).toEqual(files.map(({ id }) => id).toSorted((a, b) => a - b))
      const heard = await socket.heard()
      expect(heard.map(({ payload }) => 'version' in payload && payload.version)).toEqual(files.map((_, i) => version + 1 + i))
      for (const { fileUrl, originalFilename } of files)
        expect((await bob.http('GET', fileUrl)).text).toBe(`content ${originalFilename.replace('.txt', '')}`)
    })

    describe('of a kind', () => {
      for (const [name, mimeType, bytes] of SAMPLES)
        test(`${name}: are taken, and served as ${mimeType}`, async () => {
          const { ada, bob, task } = await server.peopleWithTask()
          const file = await attach(bob, task.id, name, bytes)
          expect(file).toMatchObject({ mimeType, originalFilename: name, fileSize: bytes.length })
          const { headers, bytes: got, status } = await ada.http('GET', file.fileUrl)
          expect(status).toBe(200)
          expect(Buffer.from(got).equals(bytes)).toBe(true)
          expect(headers.get('content-type')?.split(';')[0]).toBe(mimeType)
          expect(headers.get('x-content-type-options')).toBe('nosniff')
          expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; sandbox;/)
          expect(headers.get('cache-control')).toBe('private, no-cache')
          const shown = /image\/(png|jpeg|gif|webp|avif|bmp|x-icon)|pdf/.test(mimeType)
          expect(headers.get('content-disposition')).toStartWith(shown ? 'inline;' : 'attachment;')
        })

      const refused: [string, string, string][] = [
        ['a page', 'page.html', '<script>alert(1)</script>'],
        ['a page that says that it is a picture', 'page.png', '<script>alert(1)</script>'],
        ['a program', 'setup.exe', 'MZ\0\0'],
        ['an archive', 'all.zip', 'PK\x03\x04'],
        ['no kind at all', 'README', 'Read me'],
      ]
      for (const [what, name, content] of refused)
        test(`${what} are refused, whatever type the sender gives them`, async () => {
          const { bob, task } = await server.peopleWithTask()
          const form = new FormData()
          form.append('file', new File([content], name, { type: 'image/png' }))
          const answer = await send(bob, task.id, form)
          expect([answer.status, answer.body]).toEqual([
            415,
            { message: 'Only images, PDF, Word, Excel and plain text files are accepted.', code: 'UNSUPPORTED_MEDIA_TYPE' },
          ])
        })
    })

    describe('of a size', () => {
      const TOO_LARGE = { message: 'The file exceeds the 5MB size limit.', code: 'PAYLOAD_TOO_LARGE' }

      test('of 5 MB to the byte are taken, of one more refused', async () => {
        const { bob, task } = await server.peopleWithTask()
        const file = await attach(bob, task.id, 'a.txt', Buffer.alloc(FILE_MAX_BYTES, 'a'))
        expect(file.fileSize).toBe(5_242_880)
        const answer = await send(bob, task.id, formWith(Buffer.alloc(FILE_MAX_BYTES + 1, 'a'), 'a.txt'))
        expect([answer.status, answer.body]).toEqual([413, TOO_LARGE])
      })

      test('much larger are refused before they are read', async () => {
        const { bob, task } = await server.peopleWithTask()
        const answer = await send(bob, task.id, formWith(Buffer.alloc(20 * 2 ** 20, 'a'), 'a.txt'))
        expect([answer.status, answer.body]).toEqual([413, TOO_LARGE])
      })

      test('that would never end are refused on the way', async () => {
        const { bob, task } = await server.peopleWithTask()
        const { port } = new URL(server.origin)
        const { promise, resolve, reject } = Promise.withResolvers<string>()
        const socket = connect(Number(port), '127.0.0.1')
        socket.on('data', (data) => resolve(data.toString())).on('error', reject)
        socket.write(
          `POST /api/attachments/${task.id} HTTP/1.1\r\nHost: ${new URL(server.origin).host}\r\nCookie: ${bob.cookie()}\r\nContent-Type: ${RAW}\r\nTransfer-Encoding: chunked\r\n\r\n`,
        )
        const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
        const write = () => void (socket.destroyed || socket.write(chunk, write))
        write()
        expect(await promise).toMatch(/^HTTP\/1\.1 413 .*The file exceeds the 5MB size limit\./s)
        socket.destroy()
      })

      test('of nothing are refused', async () => {
        const { bob, task } = await server.peopleWithTask()
        const answer = await send(bob, task.id, formWith('', 'a.txt'))
        expect([answer.status, answer.body]).toEqual([400, { message: 'This file is empty.', code: 'BAD_REQUEST' }])
      })

      test('too many of one person at once are refused, and afterwards taken again', async () => {
        const { ada, bob, task } = await server.peopleWithTask()
        const slow = Array.from({ length: 9 }, () => slowUpload(server.origin, task.id, bob.cookie()))
        // Nothing is answered before the whole file is there, but to the one that came ninth.
        const { refused, answer } = await Promise.race(slow.map(async (one) => ({ refused: one, answer: await one.answer })))
        expect(answer).toContain('Too many uploads at once.')
        expect(await send(bob, task.id, formWith(PNG, 'dot.png'))).toMatchObject({ status: 429 })
        expect((await send(ada, task.id, formWith(PNG, 'dot.png'))).status).toBe(201)
        for (const one of slow) if (one !== refused) expect(await one.finish()).toStartWith('HTTP/1.1 201')
        expect((await send(bob, task.id, formWith(PNG, 'dot.png'))).status).toBe(201)
      })
    })

    describe('of a name', () => {
      const kept = [
        '日本語 の 名前.png',
        'Ærø – "the island" (2).png',
        "it's; a=b, 100%.png",
        ' spaces .png',
        'مرحبا.png',
        '👩‍🌾.PNG',
        'e\u0301.png',
        '.png',
        'con.png',
        '<b>&amp;.png',
        `${'x'.repeat(251)}.png`,
      ]
      for (const name of kept)
        test(`${JSON.stringify(name.slice(0, 40))} is kept exactly, and given back`, async () => {
          const { ada, bob, task } = await server.peopleWithTask()
          const file = await attach(bob, task.id, name)
          expect(file.originalFilename).toBe(name)
          const disposition = (await ada.http('GET', file.fileUrl)).headers.get('content-disposition') ?? ''
          expect(decodeURIComponent(/filename\*=UTF-8''([\w%.~!&+^`|$#-]*)$/.exec(disposition)?.[1] ?? '')).toBe(name)
          expect(disposition).toMatch(/^inline; filename="[ -~]*"; filename\*=/)
          expect(await uploads.names()).toContain(file.filename)
        })

      const refused = [
        'name="file"; filename="../../../etc/passwd.png"',
        'name="file"; filename="a/b.png"',
        'name="file"; filename="C:\\dir\\a.png"',
        'name="file"; filename="a\0b.png"',
        'name="file"; filename="a.png\0.html"',
        'name="file"; filename="a\nb.png"',
        'name="file"; filename="a%0D%0ASet-Cookie: a=b.png"',
        'name="file"; filename="photo\u202egnp.png"',
        'name="file"; filename="a\u2028b.png"',
        'name="file"; filename="a\x7f.png"',
        'name="file"; filename=""',
        'name="file"; filename="   "',
        `name="file"; filename="${'x'.repeat(252)}.png"`,
        `name="file"; filename="${'x'.repeat(1_000_000)}.png"`,
        'name="file"',
        'name="other"; filename="a.png"',
        'filename="a.png"',
      ]
      for (const disposition of refused)
        test(`${JSON.stringify(disposition.slice(0, 60))} is refused cleanly`, async () => {
          const { bob, task } = await server.peopleWithTask()
          const before = await uploads.names()
          const answer = await send(bob, task.id, Buffer.from(raw(disposition, PNG.toString('latin1')), 'utf8'), RAW)
          expect([answer.status, answer.body]).toEqual([400, { message: expect.any(String), code: 'BAD_REQUEST' }])
          expect(await list(bob, task.id)).toEqual([])
          expect(await uploads.names()).toEqual(before)
        })

      test('that is no UTF-8 is refused', async () => {
        const { bob, task } = await server.peopleWithTask()
        const form = Buffer.from(raw('name="file"; filename="a\xe9.txt"'), 'latin1')
        expect((await send(bob, task.id, form, RAW)).status).toBe(400)
      })
    })

    test('whatever else is sent is refused cleanly', async () => {
      const { bob, task } = await server.peopleWithTask()
      const two = formWith(PNG, 'a.png')
      two.append('file', new Blob([PNG]), 'b.png')
      const more = formWith(PNG, 'a.png')
      more.append('title', 'A title')
      const bodies: [FormData | string | Uint8Array<ArrayBuffer>, string | undefined, number][] = [
        [two, undefined, 400],
        [more, undefined, 400],
        [formWith(PNG, 'a.png', 'files'), undefined, 400],
        [new FormData(), undefined, 400],
        ['', RAW, 400],
        ['--XBX', RAW, 400],
        [raw('name="file"; filename="a.txt"').slice(0, -12), RAW, 400],
        [raw('name="file"; filename="a.txt"'), 'multipart/form-data', 415],
        [raw('name="file"; filename="a.txt"'), 'multipart/mixed; boundary=XBX', 415],
        ['{"file":"abc"}', 'application/json', 415],
        [PNG, 'image/png', 415],
        ['file=abc', 'application/x-www-form-urlencoded', 415],
        ['abc', '', 415],
      ]
      for (const [body, type, status] of bodies) {
        const answer = await send(bob, task.id, body, type)
        expect([type, answer.status, answer.body]).toEqual([
          type,
          status,
          { message: expect.any(String), code: status === 400 ? 'BAD_REQUEST' : 'UNSUPPORTED_MEDIA_TYPE' },
        ])
      }
      expect(await list(bob, task.id)).toEqual([])
    })

    test('no id, path or method is a fault', async () => {
      const { bob, nobody, task } = await server.peopleWithTask()
      const { filename } = await attach(bob, task.id)
      const ids = ['0', '-1', '1.5', '2147483648', '9'.repeat(400), 'word', '%00', '%', '%F0%9F%8C%B1', '1%2F..']
      for (const given of ids)
        expect([400, 404]).toContain((await bob.http('POST', `/api/attachments/${given}`, formWith(PNG, 'a.png'))).status)
      const names = ['', '%00', '%', '..%2f..%2fetc%2fpasswd', '%2e%2e', `${filename}.part`, `${filename}%00`]
      for (const name of names) expect([400, 404]).toContain((await bob.http('GET', `/uploads/${name}`)).status)
      for (const method of ['PUT', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND'])
        expect([method, (await bob.http(method, `/uploads/${filename}`)).status]).toEqual([method, 404])
      expect((await nobody.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'a.png'))).status).toBe(401)
      const foreign = await bob.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'a.png'), {
        origin: 'https://evil.example',
      })
      expect(foreign.status).toBe(403)
    })

    test('that a browser has are not sent again, and parts of them can be asked for', async () => {
      const { bob, eve, task } = await server.peopleWithTask()
      const { fileUrl } = await attach(bob, task.id, 'a.txt', 'abcdefghij')
      const etag = (await bob.http('GET', fileUrl)).headers.get('etag') ?? ''
      const again = await bob.http('GET', fileUrl, undefined, { 'if-none-match': etag })
      expect([again.status, again.text]).toEqual([304, ''])
      expect((await eve.http('GET', fileUrl, undefined, { 'if-none-match': etag })).status).toBe(404)
      const part = await bob.http('GET', fileUrl, undefined, { range: 'bytes=2-4' })
      expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, 'cde', 'bytes 2-4/10'])
      expect(part.headers.get('content-disposition')).toStartWith('attachment;')
      const head = await bob.http('HEAD', fileUrl)
      expect([head.status, head.headers.get('content-disposition')?.slice(0, 10), head.text]).toEqual([200, 'attachment', ''])
    })
  },
  uploads.env,
)

/** An upload whose file is announced, and sent when `finish` is called; that answers the status. */
function slowUpload(origin: string, taskId: number, cookie: string) {
  const { host, port } = new URL(origin)
  const body = '--XBX\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc\r\n--XBX--\r\n'
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST /api/attachments/${taskId} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nContent-Type: multipart/form-data; boundary=XBX\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  )
  const { promise: answer, resolve, reject } = Promise.withResolvers<string>()
  socket.on('data', (data) => resolve(data.toString())).on('error', reject)
  return {
    answer,
    finish() {
      socket.write(body.slice(10))
      return answer.finally(() => socket.destroy())
    },
  }
}
