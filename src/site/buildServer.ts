import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { BunPlugin } from 'bun'
import { ENTRY, SERVER, writeMadeOf } from './builtServer'

const ROOT = join(import.meta.dir, '../..')

/** Puts the server together as a few files: finding and reading hundreds takes much of a start. */
export async function buildServer(folder = SERVER): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const { success, logs, metafile } = await Bun.build({
    entrypoints: [join(ROOT, 'src/start.ts')],
    outdir: folder,
    naming: { entry: ENTRY, chunk: '[name]-[hash].[ext]' },
    target: 'bun',
    splitting: true,
    sourcemap: 'linked',
    metafile: true,
    plugins: [apart],
  })
  if (!success || !metafile) throw new AggregateError(logs, 'the server could not be built')
  const files = Object.keys(metafile.inputs).map((path) => relative(ROOT, join(process.cwd(), path)))
  await writeMadeOf(folder, [...files.filter((path) => !path.startsWith('node_modules/')), 'bun.lock'].toSorted())
}

/** What only development loads, and what finds its own files by where it lies. */
const APART = /^@electric-sql\/pglite|^\.\/(build|developmentPage|entrance|public\/pages)$|\.html$/

const apart: BunPlugin = {
  name: 'apart',
  setup(build) {
    build.onResolve({ filter: APART }, ({ path }) => ({ path, external: true }))
  },
}

if (import.meta.main) await buildServer()
