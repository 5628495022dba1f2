import { existsSync } from 'node:fs'
import { cp, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { BuildMetafile, BunPlugin } from 'bun'
import { DEFAULT_AVATAR } from '../users/schema'
import { BROTLI, DIST, entranceFile, GZIP, pageFile, ROUTES, SKELETONS } from './builtPage'
import { closureOf, type Joined, outputOf, routesOf } from './firstScripts'
import { PLACEHOLDER_OPTIONS, PLACEHOLDERS } from './pageRoutes'
import { listSource, SOURCE_FILES } from './sourceFiles'

const ROOT = join(import.meta.dir, '../..')
const FONTS = join(ROOT, 'node_modules/@fontsource-variable/geist/files')

export async function buildPage(): Promise<void> {
  await rm(DIST, { recursive: true, force: true })
  const { metafile, paths } = await bundle('app/index.html', 'app/entrance.html')
  const { joinScripts } = await import('./joinScripts')
  const joined = await joinScripts(DIST, metafile, { index: 'src/app/index.html', entrance: 'src/app/entrance.html' })
  await compress(joined.paths)
  await nameScripts(metafile, joined)
  await Bun.write(join(DIST, ROUTES), JSON.stringify(routesOf(metafile, joined, (await import('./skeletons')).skeletons)))
  await buildSkeletons()
  const { renderEntrances } = await import('./entrance')
  await renderTemplate('entrance.html', entranceFile, (template) => renderEntrances(template, PLACEHOLDER_OPTIONS))
  const publicPages = await buildPublicPages()
  await cp(FONTS, join(DIST, 'fonts'), { recursive: true, filter: (path) => !/italic/.test(path) })
  const others = paths.filter((path) => path.startsWith('/assets/') && !path.endsWith('.js'))
  await buildServiceWorker([...others, ...joined.paths], publicPages)
}

/** In place of those that Bun has named. */
async function nameScripts(metafile: BuildMetafile, joined: Joined) {
  const { paths, fileOf, importsOf } = joined
  const list = `<script type="application/json" id="scripts">${JSON.stringify(paths)}</script>`
  for (const [page, inAdvance] of [
    ['index.html', list],
    ['entrance.html', ''],
  ] as const) {
    const output = outputOf(metafile, `src/app/${page}`)
    const [script = '', ...others] = closureOf([fileOf(output)], importsOf)
    const preloads = others.map((path) => `<link rel="modulepreload" crossorigin href="${path}">`).join('')
    const html = await Bun.file(join(DIST, page)).text()
    const named = output.replace(/^\./, '')
    if (!html.includes(named)) throw new Error(`${page} does not name its script`)
    await Bun.write(join(DIST, page), html.replace(named, script).replace('</head>', `${preloads}${inAdvance}</head>`))
  }
}

/** For the server, which fills them in for each viewer; without the packages of the page. */
const buildSkeletons = () =>
  Bun.build({
    ...settings,
    entrypoints: [join(ROOT, 'src/site/skeletons.tsx')],
    naming: SKELETONS,
    define: PRODUCTION,
  })

/** Separate from the app and rendered to HTML, so that serving them needs no React. */
async function buildPublicPages() {
  await bundle('site/public/page.html')
  const { renderPages } = await import('./public/pages')
  return renderTemplate('page.html', pageFile, (template) => renderPages(template, PLACEHOLDERS))
}

/** Answers the names of the pages that were made of it. */
async function renderTemplate<Name extends string>(
  name: string,
  fileOf: (name: Name) => string,
  render: (template: string) => Map<Name, string>,
): Promise<Name[]> {
  const template = join(DIST, name)
  const pages = render(await Bun.file(template).text())
  await Promise.all([...pages].map(([page, html]) => Bun.write(join(DIST, fileOf(page)), html.replace(INLINE_STYLE, ''))))
  await rm(template)
  return [...pages.keys()]
}

/** Of Radix: the security policy refuses them in HTML, and React brings what matters. */
const INLINE_STYLE = / style="[^"]*"/g

/** `paths` are of all that it made. */
async function bundle(...entries: string[]) {
  const result = await Bun.build({
    ...settings,
    entrypoints: entries.map((entry) => join(ROOT, 'src', entry)),
    naming: { chunk: 'assets/[name]-[hash].[ext]', asset: 'assets/[name]-[hash].[ext]', entry: '[name].[ext]' },
    splitting: true,
    modulePreload: false,
    metafile: true,
    define: PRODUCTION,
    // Only where it is needed: every start of a built page would load it otherwise.
    plugins: [(await import('./tailwind')).default, externalFonts],
  })
  const { metafile } = result
  if (!result.success || !metafile) throw new AggregateError(result.logs, `${entries} could not be built`)
  const paths = result.outputs.map(({ path }) => path.slice(DIST.length))
  await compress(paths.filter((path) => path.endsWith('.css')))
  for (const entry of entries) await preloadFont(join(DIST, basename(entry)))
  return { paths, metafile }
}

const PRODUCTION = { 'process.env.NODE_ENV': '"production"' }
const settings = { outdir: DIST, publicPath: '/', minify: true, sourcemap: 'none' } as const

/** Another one for each build, so that browsers keep what belongs together. */
async function buildServiceWorker(app: string[], publicPages: string[]) {
  const html = await Bun.file(join(DIST, 'index.html')).text()
  const [script] = /\/assets\/[^"]+\.js/.exec(html) ?? []
  if (!script) throw new Error('the app has no script')
  const fonts = (await readdir(join(DIST, 'fonts'))).map((name) => `/fonts/${name}`)
  const version = new Bun.CryptoHasher('sha1').update(html)
  // These have no hash in their names.
  const unversioned = [...fonts.map((path) => join(DIST, path)), join(ROOT, 'public', DEFAULT_AVATAR)]
  for (const path of unversioned) version.update(await Bun.file(path).bytes())
  const files = [...app, ...fonts, DEFAULT_AVATAR]
  const shell = { version: version.digest('hex'), script, files, publicPages: publicPages.filter((path) => path !== '/') }
  const result = await Bun.build({
    ...settings,
    entrypoints: [join(ROOT, 'src/app/worker/serviceWorker.ts')],
    naming: 'sw.js',
    format: 'iife',
    define: { SHELL: JSON.stringify(shell) },
  })
  await compress(result.outputs.map(({ path }) => path.slice(DIST.length)))
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

if (import.meta.main) {
  await buildPage()
  await Bun.write(join(ROOT, SOURCE_FILES), JSON.stringify(await listSource(ROOT)))
}
