import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { BunPlugin } from 'bun'
import { ENTRY, SERVER, writeMadeOf } from './builtServer'

const ROOT = join(import.meta.dir, '../..')

/** Puts the server together as one compiled file: finding, reading and compiling hundreds is most of a start. */
export async function buildServer(folder = SERVER): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const { success, logs, metafile, outputs } = await Bun.build({
    entrypoints: [join(ROOT, 'src/start.ts')],
    outdir: folder,
    naming: { entry: ENTRY },
    target: 'bun',
    // Modules would have to be within an executable to be compiled ahead.
    format: 'cjs',
    bytecode: true,
    // Else it is the source's folder, wherever the built server lies.
    define: { 'import.meta.dir': 'module.path' },
    sourcemap: 'linked',
    metafile: true,
    plugins: [apart],
  })
  if (!success || !metafile) throw new AggregateError(logs, 'the server could not be built')
  // Missing without a word where something in it is only for modules, as `import.meta` is.
  if (!outputs.some(({ kind }) => kind === 'bytecode')) throw new Error('the server could not be compiled')
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
