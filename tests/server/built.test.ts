import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { buildServer } from '../../src/site/buildServer'
import { builtServer, ENTRY, fingerprintOf, SERVER, writeMadeOf } from '../../src/site/builtServer'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { dataFolder, startServer } from '../support/process'
import { until } from '../support/until'

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

test('a server that was put together answers as one of the source does, and its faults name lines of the source', async () => {
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
  }

  const broken = join(built, 'broken.js')
  await Bun.write(broken, `process.once = () => { throw new Error('broken') }; (await import('./${ENTRY}')).start()`)
  const env = { ...process.env, DATA_DIR: data.path, PORT: '0', DATABASE_URL: '' }
  const { stderr } = Bun.spawnSync([process.execPath, broken, '--no-page'], { env })
  expect(String(stderr)).toMatch(/Error: broken[\s\S]*src\/start\.ts:\d+/)

  // Its parts come in another order than those of the source.
  const nowhere = { ...env, DATA_DIR: broken, LOG_LEVEL: 'error' }
  const refused = Bun.spawnSync([process.execPath, run, '--no-page'], { env: nowhere })
  expect([refused.exitCode, String(refused.stderr)]).toEqual([1, expect.stringMatching(/^DATA_DIR, which is .*\n$/)])
  await data.remove()
})

test('one that was put together of another source is not started, nor half of one', async () => {
  const built = await folder()
  const source = join(built, 'source.ts')
  await Bun.write(source, 'export {}')
  await Bun.write(join(built, ENTRY), 'export const start = () => {}')
  expect(await builtServer(built)).toBeUndefined()
  await writeMadeOf(built, fingerprintOf([source]))
  expect(await builtServer(built)).toBeDefined()
  await Bun.write(source, 'export { changed }')
  expect(await builtServer(built)).toBeUndefined()
  await Bun.write(join(built, 'source.json'), '{"files":[')
  expect(await builtServer(built)).toBeUndefined()
})

test('a source that nobody touched since is not read, and one that was written again may be the same', async () => {
  const built = await folder()
  const source = join(built, 'source.ts')
  const madeOf = join(built, 'source.json')
  await Bun.write(source, 'export {}')
  await Bun.write(join(built, ENTRY), 'export const start = () => {}')
  const { stamp, ...rest } = await stamped(built, source)
  await Bun.write(madeOf, JSON.stringify({ ...rest, stamp, hash: 'of another' }))
  expect(await builtServer(built)).toBeDefined()

  const { atime, mtime } = await stat(source)
  await Bun.write(source, 'export [')
  await utimes(source, atime, mtime)
  await Bun.write(madeOf, JSON.stringify({ ...rest, stamp }))
  expect(await builtServer(built)).toBeUndefined()
  await Bun.write(source, 'export {}')
  expect(await builtServer(built)).toBeDefined()
})

/** Once the file system's clock has gone on. */
async function stamped(built: string, source: string): Promise<{ stamp: string; files: string[]; hash: string }> {
  await writeMadeOf(built, fingerprintOf([source]))
  const madeOf = await Bun.file(join(built, 'source.json')).json()
  return madeOf.stamp === undefined ? stamped(built, source) : madeOf
}

test('a stamp is not taken of what was changed this very moment', async () => {
  const built = await folder()
  const source = join(built, 'source.ts')
  // On a busy machine the moment may be over.
  await until('there is no stamp', async () => {
    await Bun.write(source, 'export {}')
    await writeMadeOf(built, fingerprintOf([source]))
    return (await Bun.file(join(built, 'source.json')).json()).stamp === undefined
  })
})

test('one whose source was changed while it was put together is not finished', async () => {
  const [built, source] = [await folder(), await folder()]
  const entry = join(source, 'entry.ts')
  await Bun.write(entry, `import { change } from './change' with { type: 'macro' }\nexport const start = () => change()`)
  // Runs in the build, once the entry was read.
  const change = (text: string) => `import { writeFileSync } from 'node:fs'
    export const change = () => void writeFileSync(${JSON.stringify(entry)}, ${JSON.stringify(text)})`
  await Bun.write(join(source, 'change.ts'), change('export const start = () => "another"'))
  await expect(buildServer(built, entry)).rejects.toThrow('entry.ts was changed while the server was built')
  expect(await builtServer(built)).toBeUndefined()
  await buildServer(built, entry)
  expect(await builtServer(built)).toBeDefined()
})
