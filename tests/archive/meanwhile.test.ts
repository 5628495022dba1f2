import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { backup } from '../../src/archive/server/backup'
import { saveArchive } from '../../src/archive/server/writeArchive'
import { readConfig } from '../../src/config'
import { unwantedFiles } from '../../src/db/tables'
import { onEachDatabase } from '../support/databases'
import { attach, uploadsFolder } from '../support/files'
import { dataFolder } from '../support/process'
import { entriesOf } from './forged'

const uploads = await uploadsFolder()
const folder = await dataFolder()
afterAll(() => Promise.all([uploads.remove(), folder.remove()]))

onEachDatabase(
  'while a backup is made',
  (server) => {
    const source = () => ({ config: readConfig(uploads.env), database: { db: server.db, close: async () => {} } })
    const due = () => server.db.update(unwantedFiles).set({ dueAt: sql`now() - interval '1 second'` })

    test('a file that is deleted is in it, and goes once it is done', async () => {
      const { ada, path, task } = await server.peopleWithTask()
      const file = await attach(ada, task.id)
      const name = file.fileUrl.replace('/uploads/', '')
      const chunks = backup(source())
      const first = await chunks.next()
      expect((await ada.http('DELETE', `/api/attachments/${file.id}`)).status).toBe(200)
      expect((await ada.http('DELETE', path)).status).toBe(200)
      await due()
      await server.clean()
      expect(await uploads.names()).toContain(name)
      const archive = join(folder.path, `${name}.zip`)
      await saveArchive(archive, all(first.value, chunks))
      expect((await entriesOf(archive)).has(`files/${name}`)).toBe(true)
      await due()
      await server.clean()
      expect(await uploads.names()).not.toContain(name)
    })

    test('another one is refused, until it ends or nobody takes it any more', async () => {
      const chunks = backup(source())
      await chunks.next()
      await expect(backup(source()).next()).rejects.toThrow(/^a backup is already running/)
      await chunks.return(undefined)
      const next = backup(source())
      expect((await next.next()).done).toBe(false)
      await next.return(undefined)
    })
  },
  uploads.env,
)

async function* all(first: Uint8Array | undefined, rest: AsyncIterable<Uint8Array>) {
  if (first) yield first
  yield* rest
}
