import { afterAll, afterEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { unwantedFiles, users } from '../../src/db/tables'
import { DEFAULT_AVATAR } from '../../src/users/schema'
import { bucket } from '../support/bucket'
import { deleteEverybody, onServer } from '../support/databases'
import { takeFaults } from '../support/faults'
import { attach, formWith, PNG, uploadAvatar, uploadsFolder } from '../support/files'
import { PASSWORD, type Person } from '../support/people'

const folder = await uploadsFolder()
const s3 = bucket()
afterAll(() => Promise.all([folder.remove(), s3.remove()]))

const send = (person: Pick<Person, 'http'>, bytes: string | Uint8Array<ArrayBuffer>, field = 'avatar') =>
  person.http('POST', '/api/upload/avatar', formWith(bytes, 'me.png', field))

for (const [where, store] of [
  ['a folder', folder],
  ['a bucket', s3],
] as const)
  onServer(
    `avatars in ${where}`,
    (server) => {
      afterEach(async () => {
        await deleteEverybody(server.db)
        await server.clean()
        expect(await store.names()).toEqual([])
      })
      const nameOf = (url: string) => url.replace('/uploads/avatars/', 'avatar-')

      test('are shown to everyone who is signed in, and may be kept, but by nothing that others share', async () => {
        const { ada, eve, nobody } = await server.people()
        const url = await uploadAvatar(ada)
        expect(url).toMatch(/^\/uploads\/avatars\/[\da-f-]{36}$/)
        const picture = await eve.http('GET', url)
        expect([picture.status, picture.headers.get('content-type'), picture.headers.get('cache-control')]).toEqual([
          200,
          'image/webp',
          'private, max-age=31536000, immutable',
        ])
        expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
        expect(await new Bun.Image(picture.bytes).metadata()).toEqual({ width: 256, height: 256, format: 'webp' })
        expect((await nobody.http('GET', url)).status).toBe(401)
        expect((await eve.http('GET', `/uploads/avatars/${crypto.randomUUID()}`)).status).toBe(404)
        expect((await eve.http('GET', '/uploads/avatars/..%2f..%2fpackage.json')).status).toBe(404)
        expect((await eve.http('GET', '/api/users/ada')).body).toMatchObject({ avatar: url })
      })

      test('are no way to the files of boards, nor these to them', async () => {
        const { ada, eve, task } = await server.peopleWithTask()
        const { filename } = await attach(ada, task.id)
        expect((await eve.http('GET', `/uploads/avatars/${filename}`)).status).toBe(404)
        expect((await eve.http('GET', `/uploads/${nameOf(await uploadAvatar(ada))}`)).status).toBe(404)
      })

      test('leave no file behind when they are replaced, removed, or go with their account', async () => {
        const { ada, bob } = await server.people()
        const first = await uploadAvatar(ada)
        const second = await uploadAvatar(ada)
        await store.until((names) => names.length === 1)
        expect(await store.names()).toEqual([nameOf(second)])
        expect((await bob.http('GET', first)).status).toBe(404)
        expect(await ada.http('DELETE', '/api/upload/avatar')).toMatchObject({
          status: 200,
          body: { success: true, url: DEFAULT_AVATAR },
        })
        await store.until((names) => names.length === 0)
        expect((await ada.http('DELETE', '/api/upload/avatar')).status).toBe(200)
        await uploadAvatar(bob)
        expect((await bob.http('DELETE', '/api/account', { password: PASSWORD })).status).toBe(200)
        await store.until((names) => names.length === 0)
        await server.clean()
        expect(await server.db.$count(unwantedFiles)).toBe(0)
      })

      test('uploaded at the same time leave the file of one', async () => {
        const { ada } = await server.people()
        await Promise.all(Array.from({ length: 5 }, () => uploadAvatar(ada)))
        await server.clean()
        const [row] = await server.db.select({ avatar: users.avatar }).from(users).where(eq(users.id, ada.id))
        expect(await store.names()).toEqual([nameOf(row?.avatar ?? '')])
        expect(await server.db.$count(unwantedFiles)).toBe(0)
      })

      test('reach the boards that show them', async () => {
        const { ada, bob } = await server.people()
        const [adas, bobs] = await Promise.all([ada.socket(), bob.socket()])
        const avatar = await uploadAvatar(ada)
        expect(await adas.next('current_user_updated')).toMatchObject({ user: { avatar } })
        expect(await bobs.next('user_profile_updated')).toMatchObject({ user: { id: ada.id, avatar } })
      })

      test('are refused where they are too large or no picture; what was there stays', async () => {
        const { ada, nobody } = await server.people()
        const avatar = await uploadAvatar(ada)
        const large = new Uint8Array(5 * 2 ** 20 + 1)
        large.set(PNG)
        expect(await send(ada, large)).toMatchObject({
          status: 413,
          body: { message: 'Please select an image smaller than 5MB.' },
        })
        expect(await send(ada, '<svg xmlns="http://www.w3.org/2000/svg"/>')).toMatchObject({
          status: 415,
          body: { message: 'Please select an image file (JPEG, PNG, etc.).' },
        })
        expect((await send(ada, new Uint8Array(PNG.subarray(0, 40)))).status).toBe(400)
        expect(await send(ada, PNG, 'file')).toMatchObject({
          status: 400,
          body: { message: 'Send one file, as the field "avatar".' },
        })
        expect((await ada.http('POST', '/api/upload/avatar', {})).status).toBe(415)
        expect((await send(nobody, PNG)).status).toBe(401)
        expect(await store.names()).toEqual([nameOf(avatar)])
        expect((await ada.http('GET', '/api/auth/me')).body).toMatchObject({ avatar })
      })
    },
    store.env,
  )

onServer(
  'a bucket for avatars',
  (server) => {
    test('that is down refuses them as a fault of ours, and the old one stays', async () => {
      const { ada } = await server.people()
      s3.behave('is down')
      expect((await send(ada, PNG)).status).toBe(500)
      expect(takeFaults()).toHaveLength(1)
      s3.behave('works')
      expect((await ada.http('GET', '/api/auth/me')).body).toMatchObject({ avatar: DEFAULT_AVATAR })
    })

    test('that answers more than an hour later finds the upload given up', async () => {
      const { ada } = await server.people()
      s3.behave('hangs')
      const upload = send(ada, PNG)
      await s3.until((names) => names.length === 1)
      await server.db.update(unwantedFiles).set({ dueAt: sql`now()` })
      await server.clean()
      s3.behave('works')
      expect(await upload).toMatchObject({ status: 409, body: { message: 'The upload took too long. Please try again.' } })
      expect(await s3.names()).toEqual([])
    })
  },
  s3.env,
)
