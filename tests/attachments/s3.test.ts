import { afterAll, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { sql } from 'drizzle-orm'
import { imports, unwantedFiles, users } from '../../src/db/tables'
import { openFiles } from '../../src/server/files/storage'
import { onOneDatabase } from '../support/databases'
import { attach, PNG } from '../support/files'
import { archiveOf, boardOf, tablesOf, uploaded } from '../support/imports'
import { dataFolder } from '../support/process'
import { until } from '../support/until'

/** Somebody else's server, which checks signatures; it knows this key alone. */
const KEY = 'S3RVER'
const [folder, data] = await Promise.all([dataFolder(), dataFolder()])
const store = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: folder.path,
  configureBuckets: [{ name: 'wrk-files', configs: [] }],
})
const { port } = await store.run()
afterAll(() => Promise.all([store.close(), folder.remove(), data.remove()]))

const env = { S3_BUCKET: 'wrk-files', S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_ACCESS_KEY_ID: KEY, S3_SECRET_ACCESS_KEY: KEY }
const opened = (secretAccessKey = KEY) =>
  openFiles({ dataDir: data.path, s3: { bucket: env.S3_BUCKET, endpoint: env.S3_ENDPOINT, accessKeyId: KEY, secretAccessKey } })

onOneDatabase(
  'in a store that speaks S3',
  (server) => {
    test('a file is kept, read and deleted', async () => {
      const { ada, task } = await server.peopleWithTask()
      const large = crypto.getRandomValues(new Uint8Array(65_536))
      const name = 'Größe & 日本.txt'
      const [picture, text] = [await attach(ada, task.id), await attach(ada, task.id, name, Buffer.from(large.toBase64()))]
      expect(Buffer.from((await ada.http('GET', picture.fileUrl)).bytes).equals(PNG)).toBe(true)
      expect((await ada.http('GET', text.fileUrl)).text).toBe(large.toBase64())
      expect(await opened().get(picture.filename)).not.toBeNull()

      await ada.api.attachments.delete.mutate({ attachmentId: picture.id })
      await server.db.update(unwantedFiles).set({ dueAt: sql`now()` })
      await server.clean()
      expect(await opened().get(picture.filename)).toBeNull()
      expect(await opened().get(text.filename)).not.toBeNull()
    })

    test('nothing is kept, read or deleted with a wrong key, and what is not there is no fault', async () => {
      const wrong = opened('wrong')
      await opened().put('here', PNG, 'image/png')
      await expect(wrong.put('there', PNG, 'image/png')).rejects.toThrow()
      await expect(wrong.get('here')).rejects.toThrow()
      await expect(wrong.delete('here')).rejects.toThrow()
      expect(await opened().get('there')).toBeNull()
      await opened().delete('there')
      await opened().delete('here')
    })

    test('a file of many parts is taken, and lent as long as the work takes', async () => {
      const large = Buffer.alloc(17 * 2 ** 20, 'many parts ')
      const path = join(data.path, 'large')
      await Bun.write(path, large)
      await opened().putFile('large', path)
      expect(await Bun.file(path).exists()).toBe(false)
      const isSame = opened().withLocalFile('large', async (lent) => large.equals(await Bun.file(lent).bytes()))
      expect(await isSame).toBe(true)
      await expect(opened().withLocalFile('large', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
      expect(await readdir(join(data.path, 'incoming'))).toEqual([])
      expect(await opened().withLocalFile('nothing', async () => true)).toBeNull()
    })

    test('a board is imported from an archive that lies in it, which goes', async () => {
      const { ada } = await server.people()
      await server.db.update(users).set({ isPro: true })
      const upload = await uploaded(ada, await archiveOf(tablesOf()))
      const [row] = await server.db.select().from(imports)
      const boardId = await boardOf(ada, upload)
      const [task] = await ada.tasks(boardId)
      const [file] = await ada.api.attachments.list.query({ taskId: task?.id ?? 0 })
      expect(Buffer.from((await ada.http('GET', file?.fileUrl ?? '')).bytes).equals(PNG)).toBe(true)
      await until('no archive', async () => (await opened().get(row?.file ?? '')) === null)
    })
  },
  { ...env, DATA_DIR: data.path },
)
