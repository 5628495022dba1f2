import { existsSync } from 'node:fs'
import { cp, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { BuildArtifact, BunPlugin } from 'bun'
import { DIST, GZIP, pageFile } from './builtPage'
import { PLACEHOLDERS } from './pageRoutes'

const ROOT = join(import.meta.dir, '../..')
const FONTS = join(ROOT, 'node_modules/@fontsource-variable/geist/files')

export async function buildPage(): Promise<void> {
  await rm(DIST, { recursive: true, force: true })
  await bundle('app/index.html')
  await buildPublicPages()
  await cp(FONTS, join(DIST, 'fonts'), { recursive: true, filter: (path) => !/italic/.test(path) })
}

/** Separate from the app and rendered to HTML, so that serving them needs no React. */
async function buildPublicPages() {
  await bundle('site/public/page.html')
  const template = join(DIST, 'page.html')
  const { renderPages } = await import('./public/pages')
  const pages = renderPages(await Bun.file(template).text(), PLACEHOLDERS)
  await Promise.all([...pages].map(([path, html]) => Bun.write(join(DIST, pageFile(path)), html)))
  await rm(template)
}

async function bundle(entry: string): Promise<void> {
  const result = await Bun.build({
    entrypoints: [join(ROOT, 'src', entry)],
    outdir: DIST,
    publicPath: '/',
    naming: { chunk: 'assets/[name]-[hash].[ext]', asset: 'assets/[name]-[hash].[ext]', entry: '[name].[ext]' },
    splitting: true,
    minify: true,
    sourcemap: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Only where it is needed: every start of a built page would load it otherwise.
    plugins: [(await import('./tailwind')).default, externalFonts],
  })
  if (!result.success) throw new AggregateError(result.logs, `${entry} could not be built`)
  await Promise.all(result.outputs.filter(({ path }) => /\.(js|css)$/.test(path)).map(compress))
  await preloadFont(join(DIST, basename(entry)))
}

const compress = async (output: BuildArtifact) =>
  Bun.write(output.path + GZIP, Bun.gzipSync(await output.arrayBuffer(), { level: 9 }))

const FONT = 'geist-latin-wght-normal.woff2'

/** Found only in the stylesheet, the font comes late and the page is laid out again. */
async function preloadFont(page: string) {
  const html = await Bun.file(page).text()
  const [styles] = /<link rel="stylesheet"/.exec(html) ?? []
  if (!styles || !existsSync(join(FONTS, FONT))) throw new Error(`${page} has no styles, or ${FONTS} no ${FONT}`)
  const preload = `<link rel="preload" as="font" type="font/woff2" href="/fonts/${FONT}" crossorigin>`
  await Bun.write(page, html.replace(styles, preload + styles))
}

/** Bun would inline fonts into the stylesheet, where they delay the first paint. */
const externalFonts: BunPlugin = {
  name: 'fonts apart',
  setup(build) {
    build.onResolve({ filter: /\.woff2$/ }, ({ path }) => ({ path: `/fonts/${basename(path)}`, external: true }))
  },
}

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
