import { existsSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../server/context'
import { ROOT } from './bundle'

let archive: Promise<Blob> | undefined

/** Every user may get the source of the running server: at SOURCE_URL, or from the server itself. */
export async function sendSource({ config }: Services): Promise<Response> {
  if (config.sourceUrl) return new Response(null, { status: 302, headers: { Location: config.sourceUrl } })
  archive ??= packed(config.production).catch((error) => {
    archive = undefined
    throw error
  })
  const headers = { 'Content-Type': 'application/gzip', 'Content-Disposition': 'attachment; filename="wrk-source.tar.gz"' }
  return new Response(await archive, { headers })
}

/** In production the files that the build listed: later ones are not what runs. */
async function packed(production: boolean): Promise<Blob> {
  const built = Bun.file(join(ROOT, SOURCE_FILES))
  const paths: string[] = production && (await built.exists()) ? await built.json() : await listSource(ROOT)
  const files = await Promise.all(paths.map(read))
  return new Bun.Archive(Object.fromEntries(files.flat()), { compress: 'gzip' }).blob()
}

/** Nothing if it is gone, or a link out of the folder. */
async function read(path: string): Promise<[string, Uint8Array][]> {
  const found = await lstat(join(ROOT, path)).catch(() => undefined)
  return found?.isFile() ? [[`wrk/${path}`, await Bun.file(join(ROOT, path)).bytes()]] : []
}

/** Where `bun run build` lists them. */
export const SOURCE_FILES = 'dist/source.json'

/** What is needed to build and change wrk, and nothing that may hold data or passwords. */
const KINDS = [
  /^src\/.+\.(ts|tsx|css)$/,
  /^src\/.+\/tsconfig\.worker\.json$/,
  /^drizzle\/(\d{4}_\w+\.sql|meta\/(_journal|\d{4}_snapshot)\.json)$/,
  /^public\/.+\.(svg|png|webmanifest)$/,
  /^docs\/.+\.(md|webp)$|^docs\/(operating-dashboard\.json|asvs\.csv)$/,
  /^tests\/.+\.tsx?$|^tests\/imports\/fixtures\/[\w.-]+\.(csv|json)$/,
  /^tests\/(api\/tsconfig|timings)\.json$|^tests\/archive\/(board-|released\/)[\d.]+\.zip$/,
  /^(biome|knip|package|tsconfig)\.json$|^(bun\.lock|bunfig\.toml|drizzle\.config\.ts|Dockerfile|LICENSE)$/,
  /^(AGENTS|CHANGELOG|CODE_OF_CONDUCT|CONTRIBUTING|README|SECURITY)\.md$/,
  /^\.(ci\/run|dockerignore|gitignore)$|^\.github\/.+\.yml$/,
]

/** The source's paths: in a checkout, tracked files and untracked ones that run, but nothing else. */
export async function listSource(root: string): Promise<string[]> {
  const paths = inCheckout(root) ?? (await filesIn(root))
  return paths.filter((path) => KINDS.some((kind) => kind.test(path))).toSorted()
}

function inCheckout(root: string): string[] | undefined {
  const git = existsSync(join(root, '.git')) ? Bun.which('git') : null
  if (!git) return undefined
  const listed = [[], ['--others', '--exclude-standard', 'src']].map((which) =>
    Bun.spawnSync([git, 'ls-files', '-z', ...which], { cwd: root }),
  )
  return listed.every(({ success }) => success) ? listed.flatMap(({ stdout }) => String(stdout).split('\0')) : undefined
}

const FOLDERS = ['.ci', '.github', 'docs', 'drizzle', 'public', 'src', 'tests']

async function filesIn(root: string): Promise<string[]> {
  const found = await Promise.all([
    readdir(root),
    ...FOLDERS.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true }).catch(() => [])).map((path) => `${folder}/${path}`),
    ),
  ])
  return found.flat()
}
