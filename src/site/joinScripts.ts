import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildMetafile } from 'bun'
import { rolldown } from 'rolldown'
import { groupsOf, type Joined, outputOf } from './firstScripts'

/** What loads later joins the nearest where it is smaller; at 20 kB, a change of one part moved others into scripts that nobody expects. */
const MERGED_BELOW_BYTES = 4_000

/** Joins the scripts that load together: Bun makes a file of each part that several share, some 160. */
export async function joinScripts(folder: string, metafile: BuildMetafile, entries: Record<string, string>): Promise<Joined> {
  const pathOf = (output: string) => join(folder, output)
  const groups = new Map([...groupsOf(metafile)].map(([output, name]) => [pathOf(output), name]))
  const input = Object.fromEntries(Object.entries(entries).map(([name, module]) => [name, pathOf(outputOf(metafile, module))]))
  // In a group they would be made ready, and not run.
  const isPart = (id: string) => !Object.values(input).includes(id)
  const bundle = await rolldown({
    input,
    plugins: [{ name: 'paths of the site', resolveId: (path) => (path.startsWith('/assets/') ? pathOf(path) : null) }],
    preserveEntrySignatures: 'allow-extension',
    treeshake: false,
  })
  const { output } = await bundle.generate({
    minify: true,
    strictExecutionOrder: true,
    entryFileNames: 'assets/[name]-[hash].js',
    chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: (id) => groups.get(id) ?? null, test: isPart, debugName: 'what loads first', priority: 1 },
        { name: 'later', test: isPart, entriesAware: true, entriesAwareMergeThreshold: MERGED_BELOW_BYTES },
      ],
    },
  })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  const before = Object.keys(metafile.outputs).filter((path) => path.endsWith('.js'))
  await Promise.all(before.map((path) => rm(pathOf(path))))
  await Promise.all(chunks.map(({ fileName, code }) => Bun.write(pathOf(fileName), code)))
  const files = new Map(chunks.flatMap(({ fileName, moduleIds }) => moduleIds.map((id) => [id, `/${fileName}`])))
  const imports = new Map(chunks.map(({ fileName, imports }) => [`/${fileName}`, imports.map((name) => `/${name}`)]))
  return {
    paths: [...imports.keys()],
    fileOf(output) {
      const file = files.get(pathOf(output))
      if (!file) throw new Error(`no script has what was in ${output}`)
      return file
    },
    importsOf: (path) => imports.get(path) ?? [],
  }
}
