import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { ENTRANCES, type Entrance } from '../auth/basics'
import { log } from '../log'
import { lazy } from '../schema'
import { plainCookieIn } from '../server/cookies'
import { acceptsEncoding } from '../server/headers'
import { note } from '../server/requests'
import type { Beginning } from './beginnings'
import { entranceHtml } from './entranceHtml'
import { firstReads, type RouteName, type Routes, routeAt } from './firstScripts'
import { themeOf, zoneOf } from './pageCookies'
import { type Page, withSite } from './pageRoutes'
import type { Skeletons } from './skeletons'
import { SOURCE_FILES } from './sourceFiles'
import { withRoot } from './withRoot'

export const DIST = join(import.meta.dir, '../../dist')
const PUBLIC = join(import.meta.dir, '../../public')
const PAGES = '/pages/'

type Bytes = Uint8Array<ArrayBuffer>
type Compressed = { br: Bytes; gzip: Bytes }
type StaticFile = {
  bytes: Bytes
  compressed(): Compressed | null
  type: string
  etag: string
  immutable: boolean
}

/** By route, the scripts that it loads at first. */
export const ROUTES = 'routes.json'
/** Renders what these begin with. */
export const SKELETONS = 'skeletons.js'
export const GZIP = '.gz'
export const BROTLI = '.br'

const COMPRESSIBLE = /^text\/|javascript|json|svg/

/** The app, the public pages and public/, all in memory, for a later build is not for this server. Throws when they are not built. */
export function loadPage(): Page {
  if (!existsSync(join(DIST, 'index.html'))) throw new Error('the page is not built: run "bun run build" first')
  const files = new Map([...filesOf(PUBLIC), ...filesOf(DIST)])
  const take = (name: string) => {
    const bytes = files.get(name)?.bytes
    files.delete(name)
    return new TextDecoder().decode(bytes)
  }
  const app = take('/index.html')
  const publicPages = new Map(
    [...files.keys()].filter((name) => name.startsWith(PAGES)).map((name) => [pathOf(name), take(name)]),
  )
  const entrances = new Map(ENTRANCES.map((entrance) => [entrance, take(`/${entranceFile(entrance)}`)]))
  const routes = JSON.parse(take(`/${ROUTES}`)) as Routes
  files.delete(`/${SKELETONS}`)
  files.delete(`/${basename(SOURCE_FILES)}`)
  const themed = new Map<string, StaticFile>()
  const sendThemed = (request: Request, name: string, make: () => string) => {
    const theme = themeOf(request)
    const key = `${name} ${theme}`
    const cached = themed.get(key) ?? toStaticFile(name, Buffer.from(withTheme(make(), theme)), 'text/html;charset=utf-8')
    themed.set(key, cached)
    return send(request, cached)
  }

  const openApp = async (request: Request, given: Beginning | undefined) => {
    const { pathname } = new URL(request.url)
    const route = isSignedIn(request) ? routeAt(pathname) : undefined
    const skeleton = route && given && (await render(given).catch(tellFailed))
    const answer =
      route && skeleton
        ? sendOnce(request, withTheme(withScripts(app, { ...routes[route], skeleton }, 'later'), themeOf(request)))
        : sendThemed(request, `app ${route}`, () => (route ? withScripts(app, routes[route]) : app))
    if (route) answer.headers.set('Link', firstReads(pathname, zoneOf(request)).map(preloading).join(', '))
    return answer
  }

  return {
    paths: [...publicPages.keys()],
    app: openApp,
    publicPage: (request, path, site) =>
      sendThemed(request, `${path} ${site.mayRegister} ${site.isSignedIn}`, () => withSite(publicPages.get(path) ?? '', site)),
    entrance: (request, entrance, options, isRendered) =>
      sendThemed(request, JSON.stringify([entrance, isRendered, options]), () =>
        entranceHtml(entrances.get(entrance) ?? '', options, isRendered),
      ),
    file(request) {
      const { pathname } = new URL(request.url)
      const file = files.get(pathname)
      if (file) return send(request, file)
      // A missing script, picture or font must not be answered with the page.
      return /^\/(assets|images|fonts)\//.test(pathname) ? missing() : null
    },
  }
}

/** As far as can be seen without asking: who it is, and what they may see, the preloaded answers say. */
const isSignedIn = (request: Request) => plainCookieIn(request, 'session') !== undefined

/** As `later` they wait until the page is painted: app/loadAfterPaint.ts. */
const withScripts = (html: string, { scripts, skeleton }: Routes[RouteName], rel = 'modulepreload') =>
  withRoot(html, skeleton).replace(
    '</head>',
    `${scripts.map((path) => `<link rel="${rel}" crossorigin href="${path}">`).join('')}</head>`,
  )

const tellFailed = (error: unknown) => log.error('the HTML of a page could not be rendered, so it comes without', {}, error)

/** A board's beginning is the same object for all its members until it changes; by it, what most of them see. */
const rendered = new WeakMap<object, string>()

/** Loaded when it is first needed, for it brings React. */
async function render(given: Beginning): Promise<string> {
  const { skeletons }: { skeletons: Skeletons } = await import(join(DIST, SKELETONS))
  if ('dashboard' in given) return skeletons.dashboard(given.dashboard, given.unconfirmed)
  const { board, locked, unconfirmed } = given
  if (locked || unconfirmed) return skeletons.board(board, { locked, unconfirmed })
  const html = rendered.get(board) ?? skeletons.board(board)
  rendered.set(board, html)
  return html
}

const preloading = (path: string) => `<${path}>; rel=preload; as=fetch; crossorigin`

const missing = () => new Response('Not found', { status: 404, headers: { 'Content-Type': 'text/plain;charset=utf-8' } })

export const pageFile = (path: string) => `${PAGES}${path === '/' ? 'index' : path.slice(1)}.html`
export const entranceFile = (entrance: Entrance) => `entrances/${entrance}.html`
const pathOf = (name: string) => `/${name.slice(PAGES.length, -'.html'.length)}`.replace(/^\/index$/, '/')

export const publicFile = (request: Request) => new Response(Bun.file(join(PUBLIC, new URL(request.url).pathname)))

const withTheme = (html: string, theme: string) => (theme ? html.replace('<html ', `<html data-theme="${theme}" `) : html)

const CODINGS = ['br', 'gzip'] as const

function send(request: Request, file: StaticFile): Response {
  const headers = new Headers({
    'Content-Type': file.type,
    ETag: file.etag,
    'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    // The app's files are the same for everyone: who has signed in keeps what came with the login.
    Vary: file.immutable ? 'Accept-Encoding' : 'Accept-Encoding, Cookie',
  })
  if (request.headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers })
  const coding = CODINGS.find((coding) => acceptsEncoding(request, coding))
  const compressed = coding && file.compressed()
  const bytes = coding && compressed ? compressed[coding] : file.bytes
  note({ bytes: bytes.byteLength })
  if (coding && compressed) headers.set('Content-Encoding', coding)
  return new Response(bytes, { headers })
}

/** What is one viewer's, which nobody keeps. */
function sendOnce(request: Request, html: string): Response {
  const headers = { 'Content-Type': 'text/html;charset=utf-8', 'Cache-Control': 'no-store', Vary: 'Accept-Encoding, Cookie' }
  const coding = CODINGS.find((coding) => acceptsEncoding(request, coding))
  const plain = Buffer.from(html)
  const bytes = coding ? pack[coding](plain) : plain
  note({ bytes: bytes.byteLength })
  return new Response(bytes, { headers: { ...headers, ...(coding && { 'Content-Encoding': coding }) } })
}

/** By name. */
function filesOf(folder: string): [string, StaticFile][] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = new Set(entries.map((entry) => join(entry.parentPath, entry.name)))
  return [...paths]
    .filter((path) => !path.endsWith(GZIP) && !path.endsWith(BROTLI))
    .map((path) => {
      const name = path.slice(folder.length)
      const isBuilt = paths.has(path + GZIP) && paths.has(path + BROTLI)
      const compressed = isBuilt ? { br: readFileSync(path + BROTLI), gzip: readFileSync(path + GZIP) } : null
      return [name, toStaticFile(name, readFileSync(path), Bun.file(path).type, compressed)]
    })
}

function toStaticFile(path: string, bytes: Bytes, type: string, built: Compressed | null = null): StaticFile {
  return {
    bytes,
    compressed: lazy(() => built ?? (COMPRESSIBLE.test(type) ? compress(bytes) : null)),
    type,
    etag: `"${Bun.hash(bytes).toString(36)}"`,
    // Only these have a hash of their content in their name.
    immutable: path.startsWith('/assets/'),
  }
}

/** What was not compressed by the build, when it is first asked for: quickly, for somebody waits. */
const pack = {
  br(bytes: Bytes): Bytes {
    return Uint8Array.from(brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
  },
  gzip: (bytes: Bytes): Bytes => Bun.gzipSync(bytes),
}

const compress = (bytes: Bytes): Compressed => ({ br: pack.br(bytes), gzip: pack.gzip(bytes) })
