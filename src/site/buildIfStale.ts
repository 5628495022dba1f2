import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DIST, ROOT } from './bundle'

/** In its own process, because the server needs none of it afterwards. Throws if it fails. */
export async function buildIfStale(): Promise<void> {
  // Written last, except for compressed files, which a server makes itself if they are missing.
  const built = join(DIST, 'sw.js')
  if (existsSync(built) && newestSource() < statSync(built).mtimeMs) return
  const { exited } = Bun.spawn([process.execPath, join(import.meta.dir, 'build.ts')], {
    cwd: ROOT,
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await exited) !== 0) throw new Error('the page could not be built')
}

/** Folders count too, because they reveal deleted files. */
function newestSource(): number {
  const within = new Bun.Glob('{src,public}/**').scanSync({ cwd: ROOT, onlyFiles: false, dot: true })
  return Math.max(...['src', 'public', 'bun.lock', 'package.json', ...within].map((path) => statSync(join(ROOT, path)).mtimeMs))
}
