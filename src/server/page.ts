import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export const DIST = join(import.meta.dir, '../../dist')
const PUBLIC = join(import.meta.dir, '../../public')

type Kept = {
  bytes: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer> | null
  type: string
  etag: string
  immutable: boolean
}
export type Page = Awaited<ReturnType<typeof loadPage>>

/** What the build compresses already lies beside it, for compressing it took a fifth of a start. */
export const GZIP = '.gz'

const COMPRESSIBLE = /^text\/|javascript|json|svg/

/** The built page and public/, held in memory. Throws where the page was not built. */
export async function loadPage() {
  if (!existsSync(join(DIST, 'index.html'))) throw new Error('the page is not built: run "bun run build" first')
  const files = new Map([...(await loadFolder(PUBLIC)), ...(await loadFolder(DIST))])
  const index = files.get('/index.html')
  if (!index) throw new Error('the built page has no index.html')
  files.delete('/index.html')
  const html = new TextDecoder().decode(index.bytes)
  const themed = (theme: string) => asKept('/index.html', Buffer.from(withTheme(html, theme)), 'text/html;charset=utf-8')
  const pages = { light: themed('light'), dark: themed('dark'), '': themed('') }

  /** A file by its path; any other path is the page's own affair. */
  return {
    answer(request: Request): Response {
      const path = new URL(request.url).pathname
      const file = files.get(path)
      if (file) return send(request, file)
      // A missing script, picture or font must not be answered with the page.
      if (/^\/(assets|images|fonts)\//.test(path)) return new Response('Not found', { status: 404 })
      return send(request, pages[themeOf(request)])
    },
  }
}

/** A file of public/ as it is on disk, for development. */
export const publicFile = (request: Request) => new Response(Bun.file(join(PUBLIC, new URL(request.url).pathname)))

/** The theme that was chosen, so that the first paint has it already. */
function themeOf(request: Request) {
  const [, theme] = /(?:^|;\s*)theme=(light|dark)\b/.exec(request.headers.get('cookie') ?? '') ?? []
  return theme === 'light' || theme === 'dark' ? theme : ''
}

const withTheme = (html: string, theme: string) => (theme ? html.replace('<html ', `<html data-theme="${theme}" `) : html)

function send(request: Request, file: Kept): Response {
  const headers = new Headers({
    'Content-Type': file.type,
    ETag: file.etag,
    'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding, Cookie',
  })
  if (request.headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers })
  if (!file.gzip || !/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return new Response(file.bytes, { headers })
  headers.set('Content-Encoding', 'gzip')
  return new Response(file.gzip, { headers })
}

async function loadFolder(folder: string): Promise<[string, Kept][]> {
  if (!existsSync(folder)) return []
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = new Set(names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)))
  return Promise.all(
    [...paths]
      .filter((path) => !path.endsWith(GZIP))
      .map(async (path): Promise<[string, Kept]> => {
        const file = Bun.file(path)
        const gzip = paths.has(path + GZIP) ? await Bun.file(path + GZIP).bytes() : undefined
        const name = path.slice(folder.length)
        return [name, asKept(name, await file.bytes(), file.type, gzip)]
      }),
  )
}

const asKept = (path: string, bytes: Uint8Array<ArrayBuffer>, type: string, gzip?: Uint8Array<ArrayBuffer>): Kept => ({
  bytes,
  gzip: gzip ?? (COMPRESSIBLE.test(type) ? Bun.gzipSync(bytes, { level: 9 }) : null),
  type,
  etag: `"${Bun.hash(bytes).toString(36)}"`,
  // Only these have names that change with what is in them.
  immutable: path.startsWith('/assets/'),
})
