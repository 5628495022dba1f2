import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildServer } from '../../src/site/buildServer'
import { builtServer, ENTRY, SERVER, writeMadeOf } from '../../src/site/builtServer'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { dataFolder, startServer } from '../support/process'

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** Beside the real one, as paths in it begin where it lies. */
async function folder() {
  const made = await mkdtemp(`${SERVER}-`)
  folders.push(made)
  return made
}

test('a server that was put together answers as one of the source does', async () => {
  const [built, data] = [await folder(), await dataFolder()]
  await putEmptyDatabase(data.path)
  await buildServer(built)
  expect(await builtServer(built)).toBeDefined()
  const run = join(built, 'run.js')
  await Bun.write(run, `(await import('./${ENTRY}')).start()`)
  const { child, origin } = await startServer({ DATA_DIR: data.path }, run)
  try {
    const given = { username: 'ada', email: 'ada@example.com', password: 'correct horse battery' }
    const register = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(given) }
    expect((await fetch(`${origin}/api/auth/register`, register)).status).toBe(201)
    expect((await fetch(`${origin}/api/docs/openapi.json`)).status).toBe(200)
  } finally {
    child.kill()
    await child.exited
    await data.remove()
  }
})

test('one that was put together of another source is not started, nor half of one', async () => {
  const built = await folder()
  const source = join(built, 'source.ts')
  await Bun.write(source, 'export {}')
  await Bun.write(join(built, ENTRY), 'export const start = () => {}')
  expect(await builtServer(built)).toBeUndefined()
  await writeMadeOf(built, [source])
  expect(await builtServer(built)).toBeDefined()
  await Bun.write(source, 'export { changed }')
  expect(await builtServer(built)).toBeUndefined()
  await Bun.write(join(built, 'source.json'), '{"files":[')
  expect(await builtServer(built)).toBeUndefined()
})
