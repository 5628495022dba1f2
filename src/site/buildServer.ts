import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { BunPlugin } from 'bun'
import { ENTRY, fingerprintOf, SERVER, writeMadeOf } from './builtServer'
import { listSource, SOURCE_FILES } from './sourceFiles'

const ROOT = join(import.meta.dir, '../..')

/** Puts the server together as one compiled file: finding, reading and compiling hundreds is most of a start. */
export async function buildServer(folder = SERVER, entry = join(ROOT, 'src/start.ts')): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const { success, logs, metafile, outputs } = await Bun.build({
    entrypoints: [entry],
    outdir: folder,
    naming: { entry: ENTRY },
    target: 'bun',
    // Modules would have to be within an executable to be compiled ahead.
    format: 'cjs',
    bytecode: true,
    // Half as much is read before the compiled code is known to be of it.
    minify: { whitespace: true, syntax: true, identifiers: true, keepNames: true },
    // Else it is the source's folder, wherever the built server lies.
    define: { 'import.meta.dir': 'module.path' },
    sourcemap: 'linked',
    metafile: true,
    plugins: [apart, trpcSource],
  })
  if (!success || !metafile) throw new AggregateError(logs, 'the server could not be built')
  // Missing without a word where something in it is only for modules, as `import.meta` is.
  if (!outputs.some(({ kind }) => kind === 'bytecode')) throw new Error('the server could not be compiled')
  const files = Object.keys(metafile.inputs).map((path) => relative(ROOT, join(process.cwd(), path)))
  const madeOf = fingerprintOf([...files.filter((path) => !path.startsWith('node_modules/')), 'bun.lock'].toSorted())
  // After what it is made of was noted: what is changed from now on differs from that.
  await dropSources(join(folder, `${ENTRY}.map`))
  await Bun.write(join(folder, SOURCE_FILES), JSON.stringify(await listSource(ROOT)))
  await writeMadeOf(folder, madeOf)
}

type SourceMap = { sources: string[]; sourcesContent: string[] }

/**
 * `Bun.serve` reads the map, and takes the longer for the texts in it; what it names by them lies where it says. Throws where
 * that is another text by now: the server would be taken for one of a source that it is not made of.
 */
async function dropSources(path: string) {
  const map: SourceMap = await Bun.file(path).json()
  const paths = map.sources.map((source) => resolve(dirname(path), source))
  const changed = paths.find((path, nth) => textOf(path) !== map.sourcesContent[nth])
  if (changed) throw new Error(`${relative(ROOT, changed)} was changed while the server was built: run "bun run build" again`)
  // Without any, stack traces would name lines of the built file.
  await Bun.write(path, JSON.stringify({ ...map, sourcesContent: map.sources.map(() => '') }))
}

const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

/** What only development loads, and what finds its own files by where it lies. */
const APART = /^@electric-sql\/pglite|^\.\/(build|developmentPage|entrance|public\/pages)$|\.html$/

/** Half of what would be read at each start, and few starts ever run it. */
const SELDOM = /^(@zxcvbn-ts\/language-common|arctic|csv-parse|file-type|jose|nodemailer|stripe|yauzl|yazl)(\/|$)/

const apart: BunPlugin = {
  name: 'apart',
  setup(build) {
    for (const filter of [APART, SELDOM]) build.onResolve({ filter }, ({ path }) => ({ path, external: true }))
  },
}

/** What tRPC publishes was compiled for old browsers and copies each object property by property, in every call. */
const trpcSource: BunPlugin = {
  name: 'tRPC of its source',
  setup(build) {
    const folder = join(ROOT, 'node_modules/@trpc/server/src')
    build.onResolve({ filter: /^@trpc\/server/ }, ({ path }) => ({
      path: Bun.resolveSync(path.replace('@trpc/server', '.'), folder),
    }))
  },
}

if (import.meta.main) await buildServer()
