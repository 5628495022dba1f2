import type { BuildMetafile } from 'bun'

/** Besides the app itself, what an address shows first: the HTML names all of its scripts, so that they come at once. */
const SHOWN_FIRST: Record<RouteName, string[]> = {
  dashboard: ['src/app/Home.tsx'],
  board: ['src/app/BoardScreen.tsx'],
  profile: ['src/app/ProfileScreen.tsx'],
  time: ['src/app/TimeScreen.tsx'],
}

export type RouteName = 'dashboard' | 'board' | 'profile' | 'time'
export type Routes = Record<RouteName, { scripts: string[]; skeleton: string }>

export function routesOf(metafile: BuildMetafile, skeletons: Record<RouteName, () => string>): Routes {
  const begins = outputOf(metafile, 'src/app/index.html')
  // It begins in steps, which it imports one after the other.
  const steps = metafile.outputs[begins]?.imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path) ?? []
  const route = (name: RouteName) => {
    const scripts = scriptsOf(metafile, [...steps, ...SHOWN_FIRST[name].map((module) => outputOf(metafile, module))])
    return {
      scripts: scripts.filter((path) => path !== begins).map((path) => path.replace(/^\./, '')),
      skeleton: skeletons[name](),
    }
  }
  return { dashboard: route('dashboard'), board: route('board'), profile: route('profile'), time: route('time') }
}

function outputOf({ outputs }: BuildMetafile, module: string): string {
  const found = Object.entries(outputs).find(([path, { entryPoint }]) => path.endsWith('.js') && entryPoint === module)
  if (!found) throw new Error(`the build has no script of ${module}`)
  return found[0]
}

/** These, and all that they import when they load. */
function scriptsOf(metafile: BuildMetafile, paths: string[], found = new Set<string>()): string[] {
  for (const path of paths.filter((path) => !found.has(path))) {
    found.add(path)
    const imports = metafile.outputs[path]?.imports.filter(({ kind }) => kind === 'import-statement') ?? []
    scriptsOf(
      metafile,
      imports.map(({ path }) => path),
      found,
    )
  }
  return [...found]
}

export function routeAt(path: string): RouteName | undefined {
  if (path === '/') return 'dashboard'
  if (BOARD.test(path)) return 'board'
  if (path === '/time') return 'time'
  return /^\/[^/]{3,}$/.test(path) && !WITHOUT_SHELL.test(path) ? 'profile' : undefined
}

const WITHOUT_SHELL = /^\/(invite|subscribe|unsubscribe)$/i
const BOARD = /^\/board\/(\d{1,10})$/

export const boardAt = (path: string): string | undefined => BOARD.exec(path)?.[1]

/** What the page will ask for first, so that it is under way before any script runs; `zone` is where its reader is. */
export function firstReads(path: string, zone: string | undefined): string[] {
  const boardId = boardAt(path)
  const input = encodeURIComponent(JSON.stringify({ timeZone: zone }))
  const day = path === '/' && zone ? `/trpc/today.get?input=${input}` : []
  const snapshot = boardId === undefined ? [] : `/api/boards/${boardId}/snapshot`
  return ['/trpc/auth.session', '/trpc/boards.list', day, snapshot].flat()
}
