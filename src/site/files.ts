import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { lazy } from '../lazy'
import { isKnown } from '../server/etag'
import { acceptsEncoding } from '../server/headers'
import { note } from '../server/requests'

type Bytes = Uint8Array<ArrayBuffer>
type Compressed = { br: Bytes; gzip: Bytes }
export type StaticFile = {
  bytes: Bytes
  compressed(): Compressed | null
  type: string
  etag: string
  immutable: boolean
}

/** Next to each file that the build compressed. */
export const GZIP = '.gz'
export const BROTLI = '.br'
export const HTML = 'text/html;charset=utf-8'

const COMPRESSIBLE = /^text\/|javascript|json|svg/

/** All in memory, by path; later builds do not affect this server. */
export function filesOf(folder: string): [string, StaticFile][] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = new Set(entries.map((entry) => join(entry.parentPath, entry.name)))
  return [...paths]
    .filter((path) => !path.endsWith(GZIP) && !path.endsWith(BROTLI))
    .map((path) => {
      const name = path.slice(folder.length)
      const isBuilt = paths.has(path + GZIP) && paths.has(path + BROTLI)
      const compressed = isBuilt ? { br: readFileSync(path + BROTLI), gzip: readFileSync(path + GZIP) } : null
      const file = toStaticFile(readFileSync(path), Bun.file(path).type, compressed)
      // Only these have a content hash in their names.
      return [name, { ...file, immutable: name.startsWith('/assets/') }]
    })
}

export function toStaticFile(bytes: Bytes, type: string, built: Compressed | null = null): StaticFile {
  return {
    bytes,
    compressed: lazy(() => built ?? (COMPRESSIBLE.test(type) ? { br: pack.br(bytes), gzip: pack.gzip(bytes) } : null)),
    type,
    etag: `"${Bun.hash(bytes).toString(36)}"`,
    immutable: false,
  }
}

export function send(request: Request, file: StaticFile): Response {
  const headers = new Headers({
    'Content-Type': file.type,
    ETag: file.etag,
    'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    // The app's files are the same for everyone, so a browser keeps them after signing in.
    Vary: file.immutable ? 'Accept-Encoding' : 'Accept-Encoding, Cookie',
  })
  if (isKnown(request, file.etag)) return new Response(null, { status: 304, headers })
  const coding = codingOf(request)
  const compressed = coding && file.compressed()
  const bytes = coding && compressed ? compressed[coding] : file.bytes
  note({ bytes: bytes.byteLength })
  if (coding && compressed) headers.set('Content-Encoding', coding)
  return new Response(bytes, { headers })
}

/** HTML for one viewer, never cached. */
export function sendOnce(request: Request, html: string): Response {
  const headers = { 'Content-Type': HTML, 'Cache-Control': 'no-store', Vary: 'Accept-Encoding, Cookie' }
  const coding = codingOf(request)
  const plain = Buffer.from(html)
  const bytes = coding ? pack[coding](plain) : plain
  note({ bytes: bytes.byteLength })
  return new Response(bytes, { headers: { ...headers, ...(coding && { 'Content-Encoding': coding }) } })
}

const CODINGS = ['br', 'gzip'] as const
const codingOf = (request: Request) => CODINGS.find((coding) => acceptsEncoding(request, coding))

/** Quality 5, because someone is waiting. */
const pack = {
  br(bytes: Bytes): Bytes {
    return Uint8Array.from(brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
  },
  gzip: (bytes: Bytes): Bytes => Bun.gzipSync(bytes),
}
