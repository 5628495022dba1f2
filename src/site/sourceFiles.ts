import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Where `bun run build` lists them. */
export const SOURCE_FILES = 'dist/source.json'

/** What one needs to build wrk, and to change it: nothing in which people keep data or passwords. */
const KINDS = [
  /^src\/.+\.(ts|tsx|css)$/,
  /^src\/.+\/tsconfig\.json$/,
  /^drizzle\/(\d{4}_\w+\.sql|meta\/(_journal|\d{4}_snapshot)\.json)$/,
  /^public\/.+\.(svg|png|webmanifest)$/,
  /^docs\/.+\.(md|webp)$|^docs\/(operating-dashboard\.json|asvs\.csv)$/,
  /^tests\/.+\.tsx?$|^tests\/imports\/fixtures\/[\w.-]+\.(csv|json)$/,
  /^tests\/(api\/tsconfig|timings)\.json$|^tests\/archive\/released\/[\d.]+\.zip$/,
  /^(biome|knip|package|tsconfig)\.json$|^(bun\.lock|bunfig\.toml|drizzle\.config\.ts|Dockerfile|LICENSE)$/,
  /^(AGENTS|CHANGELOG|CODE_OF_CONDUCT|CONTRIBUTING|README|SECURITY)\.md$/,
  /^\.(ci\/run|dockerignore|gitignore)$|^\.github\/.+\.yml$/,
]

/** The paths of the source: of a checkout what is tracked, and what runs though it is not yet, but nothing else that lies there. */
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
