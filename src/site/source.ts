import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../server/context'

const ROOT = join(import.meta.dir, '../..')

/** Of what lies there, all that one needs to build and change it. */
const FOLDERS = ['docs', 'drizzle', 'public', 'src', 'tests']
const FILES =
  'biome.json bun.lock bunfig.toml CHANGELOG.md CONTRIBUTING.md Dockerfile drizzle.config.ts knip.json LICENSE package.json ' +
  'README.md SECURITY.md tsconfig.json'

/** Where people write passwords. */
const PRIVATE = /(^|\/)(\.|compose\b)/
const DATA = /\.(sql|zip)$/
const OWN_DATA = /^drizzle\/|^tests\/archive\/released\//

let archive: Promise<Blob> | undefined

/** Whoever uses a server may have the source of what it runs: at SOURCE_URL, or from this very server. */
export async function sendSource({ config }: Services): Promise<Response> {
  if (config.sourceUrl) return new Response(null, { status: 302, headers: { Location: config.sourceUrl } })
  archive ??= packed().catch((error) => {
    archive = undefined
    throw error
  })
  const headers = { 'Content-Type': 'application/gzip', 'Content-Disposition': 'attachment; filename="wrk-source.tar.gz"' }
  return new Response(await archive, { headers })
}

async function packed(): Promise<Blob> {
  const folders = await Promise.all(FOLDERS.map(filesIn))
  const paths = [...FILES.split(' '), ...folders.flat()]
  const files = await Promise.all(paths.map((path) => read(path)))
  return new Bun.Archive(Object.fromEntries(files.flat()), { compress: 'gzip' }).blob()
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1))
  return paths.filter((path) => !PRIVATE.test(path) && (!DATA.test(path) || OWN_DATA.test(path)))
}

async function read(path: string): Promise<[string, Uint8Array][]> {
  const file = Bun.file(join(ROOT, path))
  return (await file.exists()) ? [[`wrk/${path}`, await file.bytes()]] : []
}
