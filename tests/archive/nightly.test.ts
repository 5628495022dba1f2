import { afterAll, beforeEach, expect, test } from 'bun:test'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backUpNightly } from '../../src/archive/server/nightly'
import { readManifest } from '../../src/archive/server/restore'
import { lastBackup, lastGoodBackup } from '../../src/archive/server/store'
import { readConfig } from '../../src/config'
import { attachments, backups } from '../../src/db/tables'
import { bucket } from '../support/bucket'
import { onServer } from '../support/databases'
import { dataFolder } from '../support/process'

const folder = await dataFolder()
const store = bucket()
afterAll(() => Promise.all([folder.remove(), store.remove()]))

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Of today, at half past two, whatever it is now: rows of backups have the database's own time. */
const NIGHT = new Date().setUTCHours(2, 30, 0, 0)

onServer('nightly backups', (server) => {
  beforeEach(async () => {
    await server.db.delete(backups)
  })

  const backUp = (env: Record<string, string>, at = Date.now()) =>
    backUpNightly(
      { config: readConfig({ DATA_DIR: folder.path, ...env }), database: { db: server.db, close: async () => {} } },
      new Date(at),
    )
  const places = async (name: string) => readdir(join(folder.path, name))

  test('are made once, though several processes would, and are for their owner only', async () => {
    const env = { BACKUP_DIR: join(folder.path, 'once') }
    await server.people()
    await Promise.all([backUp(env), backUp(env), backUp(env)])
    await backUp(env, Date.now() + 1_000)
    const [name = '', ...others] = await places('once')
    expect([name, others]).toEqual([expect.stringMatching(/^wrk-.{19}Z\.zip$/), []])
    const file = join(env.BACKUP_DIR, name)
    expect((await readManifest(file)).tables.find((table) => table.name === 'users')).toMatchObject({ rows: 3 })
    const { size, mode } = await stat(file)
    expect(mode & 0o777).toBe(0o600)
    expect(await lastBackup(server.db)).toEqual({ at: expect.any(Date), ok: true, bytes: size, error: null })
  })

  test('keep the newest, and nothing else in the folder is touched', async () => {
    const env = { BACKUP_DIR: join(folder.path, 'kept'), BACKUP_KEEP: '2' }
    await Bun.write(join(env.BACKUP_DIR, 'wrk-by-hand.zip'), '')
    for (const day of [1, 2, 3]) {
      await backUp(env, NIGHT + day * DAY)
      await server.db.update(backups).set({ begunAt: new Date(NIGHT - DAY) })
    }
    expect((await places('kept')).toSorted()).toEqual([nameOf(NIGHT + 2 * DAY), nameOf(NIGHT + 3 * DAY), 'wrk-by-hand.zip'])
  })

  test('that failed are told, and tried again an hour later, not before', async () => {
    await Bun.write(join(folder.path, 'full'), 'no folder')
    const [broken, works] = [{ BACKUP_DIR: join(folder.path, 'full') }, { BACKUP_DIR: join(folder.path, 'works') }]
    await backUp(broken)
    expect(await lastBackup(server.db)).toMatchObject({ ok: false, bytes: null, error: expect.stringContaining('full') })
    expect(await lastGoodBackup(server.db)).toBeNull()
    await backUp(works)
    await expect(places('works')).rejects.toThrow('ENOENT')
    await server.db.update(backups).set({ begunAt: new Date(Date.now() - HOUR - 1_000) })
    await backUp(works)
    expect(await places('works')).toHaveLength(1)
    expect(await lastBackup(server.db)).toMatchObject({ ok: true })
  })

  test('go into the bucket', async () => {
    const env = { ...store.env, BACKUP_S3: '1', BACKUP_KEEP: '1' }
    // More than the store lists at once.
    for (let day = 1; day <= 7; day++)
      store.objects.set(`backups/${nameOf(NIGHT - day * DAY)}`, { bytes: new Uint8Array(), type: null })
    for (const day of [1, 2]) {
      await backUp(env, NIGHT + day * DAY)
      await server.db.update(backups).set({ begunAt: new Date(NIGHT - DAY) })
    }
    expect(await store.names()).toEqual([`backups/${nameOf(NIGHT + 2 * DAY)}`])
    const file = join(folder.path, 'from the bucket.zip')
    await Bun.write(file, store.objects.get(`backups/${nameOf(NIGHT + 2 * DAY)}`)?.bytes ?? '')
    expect(await readManifest(file)).toMatchObject({ format: 1 })
    store.behave('is down')
    await server.db.delete(backups)
    await backUp(env)
    expect(await lastBackup(server.db)).toMatchObject({ ok: false })
    expect(store.objects.size).toBe(1)
    store.behave('works')
  })

  test('that fail midway leave nothing in the bucket but the older ones, and are told', async () => {
    const { ada, task } = await server.peopleWithTask()
    const file = { taskId: task.id, userId: ada.id, originalFilename: 'a.bin', mimeType: 'application/octet-stream', fileUrl: '' }
    await server.db.insert(attachments).values(['1.bin', '2.bin'].map((filename) => ({ ...file, filename, fileSize: 1 })))
    store.objects.clear()
    // Together more than one part.
    for (const name of ['1.bin', '2.bin'])
      store.objects.set(name, { bytes: crypto.getRandomValues(new Uint8Array(12 * 2 ** 20)), type: null })
    const before = [...store.objects.keys(), `backups/${nameOf(NIGHT - DAY)}`]
    store.objects.set(before[2] ?? '', { bytes: new Uint8Array(), type: null })
    for (const refused of ['GET 2.bin', `PUT backups/${nameOf(NIGHT + DAY)}`]) {
      let parts = 0
      store.refuse((asked) => asked === refused && (!asked.startsWith('PUT') || ++parts > 1))
      await server.db.delete(backups)
      await backUp({ ...store.env, BACKUP_S3: '1', BACKUP_KEEP: '1' }, NIGHT + DAY)
      await store.until(() => store.unfinished.size === 0)
      expect(await store.names()).toEqual(before)
      expect(await lastBackup(server.db)).toMatchObject({ ok: false, error: expect.stringContaining('SlowDown') })
    }
    store.refuse(() => false)
    await server.db.delete(backups)
    await backUp({ ...store.env, BACKUP_S3: '1', BACKUP_KEEP: '1' }, NIGHT + DAY)
    expect(await store.names()).toEqual(['1.bin', '2.bin', `backups/${nameOf(NIGHT + DAY)}`])
    const archive = join(folder.path, 'of many parts.zip')
    await Bun.write(archive, store.objects.get(`backups/${nameOf(NIGHT + DAY)}`)?.bytes ?? '')
    expect(await readManifest(archive)).toMatchObject({ files: { count: 2 } })
  })
})

const nameOf = (at: number) => `wrk-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.zip`
