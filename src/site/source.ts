import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../server/context'
import { listSource, SOURCE_FILES } from './sourceFiles'

const ROOT = join(import.meta.dir, '../..')

let archive: Promise<Blob> | undefined

/** Whoever uses a server may have the source of what it runs: at SOURCE_URL, or from this very server. */
export async function sendSource({ config }: Services): Promise<Response> {
  if (config.sourceUrl) return new Response(null, { status: 302, headers: { Location: config.sourceUrl } })
  archive ??= packed(config.production).catch((error) => {
    archive = undefined
    throw error
  })
  const headers = { 'Content-Type': 'application/gzip', 'Content-Disposition': 'attachment; filename="wrk-source.tar.gz"' }
  return new Response(await archive, { headers })
}

/** In production what its build has listed: what was put there since is not what runs. */
async function packed(production: boolean): Promise<Blob> {
  const built = Bun.file(join(ROOT, SOURCE_FILES))
  const paths: string[] = production && (await built.exists()) ? await built.json() : await listSource(ROOT)
  const files = await Promise.all(paths.map(read))
  return new Bun.Archive(Object.fromEntries(files.flat()), { compress: 'gzip' }).blob()
}

/** Nothing where it is gone, or a link to what lies elsewhere. */
async function read(path: string): Promise<[string, Uint8Array][]> {
  const found = await lstat(join(ROOT, path)).catch(() => undefined)
  return found?.isFile() ? [[`wrk/${path}`, await Bun.file(join(ROOT, path)).bytes()]] : []
}
