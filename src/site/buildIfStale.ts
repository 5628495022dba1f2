import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DIST } from './bundle'

const ROOT = join(import.meta.dir, '../..')

/** In its own process, because the server needs nothing of it afterwards. Throws when that fails. */
export async function buildIfStale(): Promise<void> {
  // Comes last, but for compressed files, which a server makes itself where they are missing.
  const built = join(DIST, 'sw.js')
  if (existsSync(built) && (await newest(['src', 'public', 'bun.lock', 'package.json'])) < (await stat(built)).mtimeMs) return
  const { exited } = Bun.spawn([process.execPath, join(import.meta.dir, 'build.ts')], {
    cwd: ROOT,
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await exited) !== 0) throw new Error('the page could not be built')
}

async function newest(names: string[]): Promise<number> {
  const times = await Promise.all(names.map((name) => newestUnder(join(ROOT, name))))
  return Math.max(...times)
}

async function newestUnder(path: string): Promise<number> {
  const own = await stat(path)
  if (!own.isDirectory()) return own.mtimeMs
  const times = await Promise.all((await readdir(path)).map((name) => newestUnder(join(path, name))))
  return Math.max(own.mtimeMs, ...times)
}
