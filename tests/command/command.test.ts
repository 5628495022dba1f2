import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { entriesOf } from '../archive/forged'
import { type Browser, browser } from '../support/browser'
import { attach } from '../support/files'
import { type Place, placeOn, QUICKER } from '../support/places'
import { dataFolder, run, startServerIn } from '../support/process'
import { PATIENCE, until } from '../support/until'

setDefaultTimeout(PATIENCE)

const MAIN = 'src/site/cli/main.ts'
const made = z.object({ id: z.number() })
const BIG = new Uint8Array(4 * 2 ** 20).fill(97)

const folder = await dataFolder()
const place = (name: string) => join(folder.path, name)
const env = { DATA_DIR: place('data') }
const wrk = (...args: string[]) => run(MAIN, env, ...args)
const start = (given = env) => startServerIn('.', given, { script: MAIN, options: ['start', '--no-page'] })

let server: Awaited<ReturnType<typeof start>>
let ada: Browser
let board: { id: number }
let file: { fileUrl: string }
let emptyPlace: Place | undefined
beforeAll(async () => {
  server = await start()
  ada = browser(server.origin)
  await ada.http('POST', '/api/auth/dev-login-json')
  board = made.parse((await ada.http('POST', '/api/boards', { name: 'Garden' })).body)
})
afterAll(async () => {
  server.child.kill()
  await server.child.exited
  await Promise.all([folder.remove(), emptyPlace?.remove()])
})

test('a command that is given wrongly says so, and how it is used', async () => {
  expect(await wrk('backup').end()).toEqual({ code: 2, out: '', error: 'FILE is missing: see "wrk help"\n' })
  expect(await wrk('nonsense', '--json').end()).toMatchObject({
    code: 2,
    out: expect.stringContaining('{"error":"there is no command'),
  })
  // Only the running server finds out.
  expect(await wrk('mail', 'retry').end()).toEqual({
    code: 2,
    out: '',
    error: 'give the id of an email, or --all: see "wrk help"\n',
  })
  expect(await wrk('export', 'x', place('x.zip')).end()).toMatchObject({
    code: 2,
    error: expect.stringContaining('"x" is not a number'),
  })
  const long = 'x'.repeat(121)
  expect(await wrk('import', place('x.zip'), '--user', 'developer', '--board', long).end()).toEqual({
    code: 2,
    out: '',
    error: `"${long}" cannot name a board: Must be at most 120 characters: see "wrk help"\n`,
  })
  const { out: words } = await wrk('help').end()
  expect(words).toMatch(/--search TEXT +Lists only/)
  expect(words).toMatch(/--mail ADDRESS +Sends/)
  expect(words).toMatch(/--force +Overwrites/)
  const { code, out } = await wrk('--json', 'help').end()
  expect([code, JSON.parse(out)]).toEqual([0, expect.arrayContaining([expect.objectContaining({ usage: 'wrk backup FILE' })])])
})

test('--help explains the command that it stands behind, and without one lists them all', async () => {
  const said = async (...args: string[]) => (await wrk(...args).end()).out
  expect(await said('--help')).toBe(await said('help'))
  expect(await said('user', '-h')).toContain('wrk user list')
  expect(await said('backup', '--help')).toBe(await said('help', 'backup'))
  expect(await wrk('nonsense', '--help').end()).toMatchObject({ code: 2, error: expect.stringContaining('there is no command') })
})

test('a command makes no database where a folder is named wrongly', async () => {
  const { code, error } = await run(MAIN, { DATA_DIR: place('mistyped') }, 'user', 'list').end()
  expect([code, error]).toEqual([1, expect.stringContaining(`(${place('mistyped')}) has no database`)])
  expect(await readdir(folder.path)).not.toContain('mistyped')
})

test('only its owner may ask a running server', async () => {
  expect((await stat(place('data/command'))).mode & 0o777).toBe(0o700)
  expect((await stat(place('data/command/socket'))).mode & 0o777).toBe(0o600)
})

test('a board leaves and enters beside a running server, for whoever may have another one', async () => {
  const eve = browser(server.origin)
  const given = { username: 'eve', email: 'eve@example.com', password: 'correct horse' }
  expect((await eve.http('POST', '/api/auth/register', given)).status).toBe(201)
  expect((await wrk('export', String(board.id), place('board.zip')).end()).code).toBe(0)
  const { code, out } = await wrk('import', place('board.zip'), '--user', 'eve', '--board', 'Copy', '--json').end()
  expect([code, JSON.parse(out)]).toMatchObject([0, { name: 'Copy', losses: [] }])
  expect((await eve.http('GET', '/api/boards')).body).toMatchObject([{ name: 'Copy', id: JSON.parse(out).boardId }])
  const again = await wrk('import', place('board.zip'), '--user', 'eve').end()
  expect([again.code, again.error]).toEqual([1, 'Free users can only create 1 board\n'])
  expect((await eve.http('GET', '/api/imports')).body).toMatchObject([{ state: 'done' }])
})

test('a backup beside a running server is of one moment, though people write', async () => {
  let acknowledged = 0
  let isOver = false
  const write = async () => {
    while (!isOver) {
      const { status } = await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Dig' })
      if (status === 201) acknowledged += 1
    }
  }
  const writers = [write(), write(), write()]
  await until('some tasks are written', () => acknowledged > 20)
  const before = acknowledged
  const { code, out, error } = await wrk('backup', place('a.zip'), '--json').end()
  isOver = true
  await Promise.all(writers)
  expect([code, error]).toEqual([0, ''])
  expect(JSON.parse(out)).toMatchObject({ file: place('a.zip'), bytes: (await stat(place('a.zip'))).size, missing: 0 })
  const entries = await entriesOf(place('a.zip'))
  const rows = (table: string) =>
    String(entries.get(`tables/${table}.ndjson`))
      .trim()
      .split('\n')
  expect(rows('tasks').length).toBeGreaterThanOrEqual(before)
  expect(rows('tasks').length).toBeLessThanOrEqual(acknowledged)
  expect(JSON.parse(rows('boards')[0] ?? '')).toMatchObject({ version: 1 + rows('tasks').length })
})

test('a file that is there is not written over, unless it is wished', async () => {
  const before = await Bun.file(place('a.zip')).bytes()
  expect(await wrk('backup', place('a.zip')).end()).toMatchObject({ code: 1, error: expect.stringContaining('already exists') })
  expect(await Bun.file(place('a.zip')).bytes()).toEqual(before)
  expect((await wrk('backup', place('a.zip'), '--force').end()).code).toBe(0)
  expect((await stat(place('a.zip'))).mode & 0o777).toBe(0o600)
})

test('a backup that is killed leaves no half of a file, and the next one succeeds', async () => {
  const task = made.parse((await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Plan' })).body)
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) file = await attach(ada, task.id, name, BIG)
  const { child } = wrk('backup', place('killed.zip'))
  await until('it is begun', async () => (await readdir(folder.path)).some((name) => name.endsWith('.part')))
  child.kill('SIGKILL')
  await child.exited
  expect(await readdir(folder.path)).not.toContain('killed.zip')
  await until('the server heard of it', async () => (await wrk('backup', place('whole.zip')).end()).code === 0)
  expect((await entriesOf(place('whole.zip'))).get(file.fileUrl.replace('/uploads/', 'files/'))?.length).toBe(BIG.length)
})

test('where the server is killed, its backup fails; after the next start another one succeeds', async () => {
  const { child } = wrk('backup', '-')
  const reader = child.stdout.getReader()
  await reader.read()
  server.child.kill('SIGKILL')
  await server.child.exited
  while (!(await reader.read()).done);
  expect(await new Response(child.stderr).text()).toBe('the server did not complete this command; see its log\n')
  expect(await child.exited).toBe(1)
  await Bun.write(place('data/spool/tasks'), 'rows that nobody takes any more')
  server = await start()
  expect(await readdir(place('data'))).not.toContain('spool')
  expect((await wrk('backup', place('again.zip')).end()).code).toBe(0)
})

test('a restore that is killed leaves an installation that says what to do, and is done again', async () => {
  emptyPlace = await placeOn(QUICKER)
  const other = emptyPlace.env
  const restore = () => run(MAIN, other, 'restore', place('whole.zip'))
  const { child } = restore()
  await child.stderr.getReader().read()
  child.kill('SIGKILL')
  await child.exited
  const stopped = {
    code: 1,
    error: 'a restore is running, or was interrupted: wait for it to finish, or run it again (wrk restore FILE)\n',
  }
  expect(await run(MAIN, other, 'start', '--no-page').end()).toMatchObject(stopped)
  expect(await run(MAIN, other, 'backup', place('none.zip')).end()).toMatchObject(stopped)
  expect(await restore().end()).toMatchObject({
    code: 0,
    out: expect.stringMatching(/rows and 4 files\. Everyone must sign in again\n$/),
  })
  const restored = await start(other)
  const again = browser(restored.origin, ada.cookie())
  expect((await again.http('GET', '/api/boards')).status).toBe(401)
  await again.http('POST', '/api/auth/dev-login-json')
  expect((await again.http('GET', '/api/boards')).body).toMatchObject([{ name: 'Garden' }])
  expect(
    (await fetch(restored.origin + file.fileUrl, { headers: { cookie: again.cookie() } }).then((one) => one.bytes())).length,
  ).toBe(BIG.length)
  restored.child.kill()
  await restored.child.exited
})
