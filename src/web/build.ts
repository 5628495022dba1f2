import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import tailwind from 'bun-plugin-tailwind'
import { DIST } from '../server/page'

const ROOT = join(import.meta.dir, '../..')

/** Builds the page into dist/: hashed names, one entry, code split at dynamic imports. */
export async function buildPage(): Promise<void> {
  await rm(DIST, { recursive: true, force: true })
  const result = await Bun.build({
    entrypoints: [join(import.meta.dir, 'index.html')],
    outdir: DIST,
    publicPath: '/',
    naming: { chunk: 'assets/[name]-[hash].[ext]', asset: 'assets/[name]-[hash].[ext]', entry: '[name].[ext]' },
    splitting: true,
    minify: true,
    sourcemap: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [tailwind],
  })
  if (!result.success) throw new AggregateError(result.logs, 'the page could not be built')
}

/** Builds where something that the page is made of is newer than the last build. */
export async function buildIfStale(): Promise<void> {
  const built = join(DIST, 'index.html')
  if (existsSync(built) && (await newest(['src', 'public', 'bun.lock', 'package.json'])) < (await stat(built)).mtimeMs) return
  await buildPage()
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

if (import.meta.main) await buildPage()
