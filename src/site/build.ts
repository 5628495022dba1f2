import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { build, type Manifest } from 'vite'
import { DIST, INPUT, MANIFEST, RENDERER, ROOT } from './bundle'
import { BROTLI, GZIP } from './files'
import { PUBLIC_PATHS } from './paths'
import { listSource, SOURCE_FILES } from './sourceDownload'
import { config, firstScripts } from './vite'

async function buildPage(): Promise<void> {
  const output = { outDir: DIST, emptyOutDir: false, reportCompressedSize: false }
  await build({
    ...config,
    build: {
      ...output,
      emptyOutDir: true,
      manifest: MANIFEST,
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: INPUT,
        // tRPC's packages do not declare it: its other links would be part of the first scripts.
        treeshake: { moduleSideEffects: [{ test: /@trpc/, sideEffects: false }] },
        output: { codeSplitting: { groups: [firstScripts()], includeDependenciesRecursively: false } },
      },
    },
  })
  await build({
    ...config,
    build: { ...output, ssr: 'src/site/render.tsx', rolldownOptions: { output: { entryFileNames: RENDERER } } },
    // An installation has none of these packages.
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const shell = await offlineShell()
  await build({
    ...config,
    build: {
      ...output,
      rolldownOptions: { input: 'src/app/serviceWorker.ts', output: { format: 'iife', entryFileNames: 'sw.js' } },
    },
    define: { SHELL: JSON.stringify(shell) },
  })
  await compress(['/sw.js', ...shell.files.filter((path) => /\.(js|css)$/.test(path))])
}

/** Without hashes in their names. */
const PUBLIC_FILES = ['/favicon.svg', '/manifest.webmanifest', '/images/default-profile.png']

/** The service worker's files; each build has its own version, so that browsers keep matching files. */
async function offlineShell() {
  const manifest: Manifest = await Bun.file(join(DIST, MANIFEST)).json()
  const files = Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets])
  const version = new Bun.CryptoHasher('sha1')
  for (const path of [join(DIST, MANIFEST), join(DIST, RENDERER), ...PUBLIC_FILES.map((name) => join(ROOT, 'public', name))])
    version.update(await Bun.file(path).bytes())
  return {
    version: version.digest('hex'),
    script: `/${manifest[INPUT.index]?.file}`,
    files: [...new Set(files.map((file) => `/${file}`)), ...PUBLIC_FILES],
    publicPages: PUBLIC_PATHS.filter((path) => path !== '/'),
  }
}

const brotli = promisify<Uint8Array, Buffer>(brotliCompress)

const compress = (paths: string[]) =>
  Promise.all(
    paths.map(async (name) => {
      const path = join(DIST, name)
      const bytes = await Bun.file(path).bytes()
      await Bun.write(path + GZIP, Bun.gzipSync(bytes, { level: 9 }))
      // The best quality unless told otherwise.
      await Bun.write(path + BROTLI, await brotli(bytes))
    }),
  )

// Vite builds for development if this is anything else.
process.env.NODE_ENV = 'production'
await buildPage()
await Bun.write(join(ROOT, SOURCE_FILES), JSON.stringify(await listSource(ROOT)))
