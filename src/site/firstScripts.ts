import type { BuildMetafile } from 'bun'

/** What an address of the app shows first: the server names its scripts in the HTML, so that they come all at once. */
const SHOWN_FIRST = {
  dashboard: ['src/app/Home.tsx'],
  board: ['src/app/BoardScreen.tsx'],
  profile: ['src/app/ProfileScreen.tsx'],
}

export type RouteName = keyof typeof SHOWN_FIRST
export type Routes = Record<RouteName, string[]>

export function routesOf(metafile: BuildMetafile): Routes {
  const main = scriptsOf(metafile, ['src/app/index.html'])
  const more = (modules: string[]) => scriptsOf(metafile, modules).filter((path) => !main.includes(path))
  return {
    dashboard: [...main.slice(1), ...more(SHOWN_FIRST.dashboard)],
    board: [...main.slice(1), ...more(SHOWN_FIRST.board)],
    profile: [...main.slice(1), ...more(SHOWN_FIRST.profile)],
  }
}

/** The scripts of these entries, and all that those import when they load. */
function scriptsOf({ outputs }: BuildMetafile, entries: string[]): string[] {
  const found = new Set<string>()
  const take = (path: string) => {
    const output = outputs[path]
    if (!output || found.has(path)) return
    found.add(path)
    for (const { path: next, kind } of output.imports) if (kind === 'import-statement') take(next)
  }
  const isEntry = ([path, { entryPoint = '' }]: [string, { entryPoint?: string }]) =>
    path.endsWith('.js') && entries.includes(entryPoint)
  for (const [path] of Object.entries(outputs).filter(isEntry)) take(path)
  return [...found].map((path) => path.replace(/^\./, ''))
}

export function routeAt(path: string): RouteName | undefined {
  if (path === '/') return 'dashboard'
  if (BOARD.test(path)) return 'board'
  return /^\/[^/]{3,}$/.test(path) ? 'profile' : undefined
}

const BOARD = /^\/board\/(\d{1,10})$/

/** What the page will ask for first, so that it is under way before any script runs. */
export function firstReads(path: string): string[] {
  const [, boardId] = BOARD.exec(path) ?? []
  return ['/trpc/auth.session', '/trpc/boards.list', ...(boardId ? [`/api/boards/${boardId}/snapshot`] : [])]
}
