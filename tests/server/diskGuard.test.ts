import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { readConfig } from '../../src/config'
import type { Database } from '../../src/db/database'
import { mails, sessions } from '../../src/db/tables'
import { createDiskGuard } from '../../src/server/diskGuard'
import { createMailer } from '../../src/server/mail/mailer'
import { writeMail } from '../../src/server/mail/store'
import { serve } from '../../src/site/serve'
import { browser } from '../support/browser'
import { deleteEverybody, openInMemory } from '../support/databases'
import { attach, formWith, PNG, uploadAvatar } from '../support/files'
import { mailbox } from '../support/mail'
import { PASSWORD, peopleWithTask } from '../support/people'
import { dataFolder } from '../support/process'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)

const MIB = 2 ** 20
const post = await mailbox()
afterAll(() => post.stop())

let database: Database
let folder: Awaited<ReturnType<typeof dataFolder>>
let running: Awaited<ReturnType<typeof serve>>
let disk: { free: number; size: number }
let warned: ReturnType<typeof spyOn<Console, 'warn'>>

beforeAll(async () => {
  database = await openInMemory()
})
beforeEach(async () => {
  folder = await dataFolder()
  disk = { free: 100_000 * MIB, size: 200_000 * MIB }
  warned = spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(async () => {
  warned.mockRestore()
  await running.stop()
  await deleteEverybody(database.db)
  await database.db.delete(mails)
  await folder.remove()
})

async function open(env: Record<string, string> = {}): Promise<string> {
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder.path,
    TRUST_PROXY: '1',
    SMTP_URL: post.url,
    MAIL_FROM: 'wrk@example.com',
    ...env,
  })
  running = await serve(config, database, 'none', { measure: () => disk })
  return `http://127.0.0.1:${running.port}`
}

async function start(env: Record<string, string> = {}) {
  const origin = await open(env)
  await deleteEverybody(database.db)
  return { origin, ...(await peopleWithTask({ origin, db: database.db })) }
}

const said = () => warned.mock.calls.map(([line]) => String(line))
const FULL = {
  message: 'The server’s disk is full: nothing can be added or changed until space is freed.',
  code: 'INSUFFICIENT_STORAGE',
}
const NO_FILES = { message: 'This server has no space left for files.', code: 'INSUFFICIENT_STORAGE' }

test('below the reserve, changes are refused whichever way they come, and reading goes on', async () => {
  const { ada, board, task, path, origin } = await start()
  disk.free = 64 * MIB - 1
  const upload = () => ada.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'dot.png'))
  const refused = [
    await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Sow' }),
    await ada.http('PATCH', path, { title: 'Sow' }),
    await upload(),
    await ada.http('POST', '/api/upload/avatar', formWith(PNG, 'me.png', 'avatar')),
    await browser(origin).http('POST', '/api/auth/dev-login-json'),
    await ada.http('POST', '/api/get-or-create-subscription'),
  ]
  for (const { status, body } of refused) expect([status, body]).toEqual([507, FULL])
  const page = await ada.http('POST', '/trpc/tasks.update', { taskId: task.id, title: 'Sow' })
  expect([page.status, page.body]).toMatchObject([507, { error: { data: { ...FULL, httpStatus: 507 } } }])
  expect((await ada.http('GET', path)).body).toMatchObject({ title: 'Dig' })
  expect((await ada.http('GET', `/api/boards/${board.id}/snapshot`)).status).toBe(200)

  const health = await browser(origin).http('GET', '/health')
  expect([health.status, health.body]).toMatchObject([503, { status: 'the disk is nearly full: changes are refused' }])

  const askLink = () => ada.http('POST', '/api/auth/magic-link', { email: 'ada@example.com' })
  for (let n = 0; n < 6; n++) expect((await askLink()).status).toBe(507)

  disk.free = 64 * MIB
  expect((await ada.http('PATCH', path, { title: 'Sow' })).status).toBe(200)
  expect((await askLink()).status).toBe(200)
  expect((await upload()).status).toBe(507)
  disk.free = disk.size
  expect((await upload()).status).toBe(201)
  expect((await browser(origin).http('GET', '/health')).status).toBe(200)
  expect(said().filter((line) => line.includes('DISK_RESERVE_MB'))).toEqual([
    `less than 64 MB (DISK_RESERVE_MB) is free for DATA_DIR, ${folder.path}: changes are refused and emails wait until space is freed`,
  ])
  expect(said().filter((line) => line.includes('has enough space again'))).toEqual([
    `DATA_DIR, ${folder.path}, has enough space again`,
  ])
})

test('what makes room, or ends access, passes down to half of the reserve', async () => {
  const { ada, bob, board, task } = await start()
  const [first, second] = [await attach(ada, task.id), await attach(ada, task.id)]
  disk.free = 32 * MIB - 1
  for (let n = 0; n < 6; n++) expect((await bob.http('DELETE', '/api/account', { password: PASSWORD })).status).toBe(507)
  expect((await ada.http('DELETE', `/api/attachments/${first.id}`)).body).toEqual(FULL)
  disk.free = 32 * MIB
  expect((await ada.http('DELETE', `/api/attachments/${second.id}`)).status).toBe(200)
  await until('its file is gone', async () => (await ada.http('GET', second.fileUrl)).status === 404)
  expect((await ada.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`)).status).toBe(200)
  expect((await bob.http('POST', '/api/auth/logout')).status).toBe(200)
  expect((await bob.http('GET', '/api/auth/me')).status).toBe(401)
  expect((await ada.http('DELETE', `/api/tasks/${task.id}`)).status).toBe(200)
  expect((await ada.http('DELETE', `/api/boards/${board.id}`)).status).toBe(200)
})

test('with as much room within the database, changes go on down to three quarters of the reserve, and files do not', async () => {
  const { ada, task, path } = await start()
  const change = async () => (await ada.http('PATCH', path, { title: 'Sow' })).status
  disk.free = 48 * MIB
  running.services.diskGuard.countReusable(64 * MIB - 1)
  expect(await change()).toBe(507)
  running.services.diskGuard.countReusable(64 * MIB)
  expect(await change()).toBe(200)
  expect((await ada.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'dot.png'))).body).toEqual(FULL)
  disk.free -= 1
  expect(await change()).toBe(507)
})

test('nothing is written in the background: sessions stay as last seen, and emails wait', async () => {
  const { ada, board } = await start()
  const lastSeen = async () =>
    (await database.db.select().from(sessions).where(eq(sessions.userId, ada.id)))[0]?.lastSeenAt.getTime() ?? 0
  await database.db.update(sessions).set({ lastSeenAt: sql`now() - interval '1 day'` })
  const before = await lastSeen()
  disk.free = 0
  await ada.http('GET', `/api/boards/${board.id}`)
  expect(await lastSeen()).toBe(before)

  await writeMail(database.db, { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: 'Hello' })
  const config = readConfig({ DATA_DIR: folder.path, SMTP_URL: post.url, MAIL_FROM: 'wrk@example.com' })
  const send = async () => {
    const mailer = createMailer(database.db, config, createDiskGuard(config, () => disk).mayMail)
    mailer.sendSoon()
    await mailer.stop(10_000)
    return (await database.db.select().from(mails)).map(({ state, tries }) => [state, tries])
  }
  expect(await send()).toEqual([['waiting', 0]])
  disk.free = disk.size
  expect(await send()).toEqual([['sent', 1]])
})

test('a reserve of 0 watches nothing', async () => {
  const { ada, path } = await start({ DISK_RESERVE_MB: '0' })
  disk.free = 0
  expect((await ada.http('PATCH', path, { title: 'Sow' })).status).toBe(200)
})

test('with a Postgres server only what goes to the disk is refused', async () => {
  const { ada, task, path, origin } = await start({ DATABASE_URL: 'postgres://elsewhere/wrk' })
  disk.free = 0
  expect((await ada.http('PATCH', path, { title: 'Sow' })).status).toBe(200)
  expect((await ada.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'dot.png'))).body).toEqual(FULL)
  expect((await browser(origin).http('GET', '/health')).status).toBe(200)
})

test('files leave a tenth of the disk to others, unless a quota is set', async () => {
  const { ada, task } = await start()
  disk = { free: 10_000 * MIB, size: 100_000 * MIB }
  const upload = () => ada.http('POST', `/api/attachments/${task.id}`, formWith(PNG, 'dot.png'))
  expect((await upload()).body).toEqual(NO_FILES)
  expect((await ada.http('POST', '/api/upload/avatar', formWith(PNG, 'me.png', 'avatar'))).body).toEqual(NO_FILES)
  disk.free += MIB
  expect((await upload()).status).toBe(201)
  await running.stop()
  disk.free = 1_000 * MIB
  await deleteEverybody(database.db)
  const again = await start({ FILES_MAX_MB: '10' })
  await attach(again.ada, again.task.id)
})

test('all files together stay within the quota, also when many come at once, and room that is made counts at once', async () => {
  const { ada, bob, task } = await start({ FILES_MAX_MB: '2' })
  const text = 'x'.repeat(300 * 1024)
  const upload = async (n: number) => (await ada.http('POST', `/api/attachments/${task.id}`, formWith(text, `${n}.txt`))).status
  // Avatars count as 64 KiB each.
  await uploadAvatar(bob)
  const statuses = await Promise.all(Array.from({ length: 8 }, (_, n) => upload(n)))
  expect(statuses.filter((status) => status === 201)).toHaveLength(6)
  expect(statuses.filter((status) => status === 507)).toHaveLength(2)
  const refused = await bob.http('POST', `/api/attachments/${task.id}`, formWith(text, 'a.txt'))
  expect([refused.status, refused.body]).toEqual([507, NO_FILES])
  const [gone] = await ada.api.attachments.list.query({ taskId: task.id })
  await ada.http('DELETE', `/api/attachments/${gone?.id}`)
  expect(await upload(9)).toBe(201)
  expect(said().filter((line) => line.startsWith('FILES_MAX_MB is reached'))).toHaveLength(2)
})

test('accounts that remove each other get room for more than their own quotas, but not beyond that of all files', async () => {
  const { ada, bob, eve, board, task } = await start({ FILES_MAX_MB: '2', ACCOUNT_MAX_MB: '1' })
  const text = 'x'.repeat(300 * 1024)
  const upload = (who: typeof ada, taskId: number) => who.http('POST', `/api/attachments/${taskId}`, formWith(text, 'a.txt'))
  const ownTask = async (who: typeof ada) => {
    const { id: boardId } = await who.api.boards.create.mutate({ name: 'Own' })
    return (await who.api.tasks.create.mutate({ boardId, title: 'Sow' })).id
  }
  const [bobs, eves] = [await ownTask(bob), await ownTask(eve)]
  const statuses = async (who: typeof ada, taskId: number) => {
    const all: number[] = []
    for (let n = 0; n < 3; n++) all.push((await upload(who, taskId)).status)
    return all
  }
  expect(await statuses(bob, task.id)).toEqual([201, 201, 201])
  expect((await upload(bob, bobs)).status).toBe(507)
  expect((await ada.http('DELETE', `/api/boards/${board.id}/members/${bob.id}`)).status).toBe(200)
  expect(await statuses(bob, bobs)).toEqual([201, 201, 201])
  expect((await upload(eve, eves)).body).toEqual(NO_FILES)
})
