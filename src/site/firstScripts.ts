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

/** `fileOf` answers which file has what Bun made `output` of, `importsOf` the files that one loads with itself. */
export type Joined = { paths: string[]; fileOf(output: string): string; importsOf(path: string): string[] }

/** By what Bun made, the name of what it loads with: its step of the beginning, or the addresses that show it first. */
export function groupsOf(metafile: BuildMetafile): Map<string, string> {
  const groups = new Map<string, string>()
  const take = (output: string, name: string) => {
    for (const path of closureOf([output], importsIn(metafile))) groups.set(path, groups.get(path) ?? name)
  }
  take(beginning(metafile), 'index')
  for (const [nth, step] of stepsOf(metafile).entries()) take(step, `step-${nth + 1}`)
  const early = new Set(groups.keys())
  const names = Object.keys(SHOWN_FIRST) as RouteName[]
  const shown = names.map((name) => [name, new Set(closureOf(shownFirst(metafile, name), importsIn(metafile)))] as const)
  for (const path of new Set(shown.flatMap(([, paths]) => [...paths])).difference(early))
    groups.set(path, shown.flatMap(([name, paths]) => (paths.has(path) ? name : [])).join('-'))
  // Signing in loads nothing that only the app needs, but what `joinSmall` adds.
  for (const path of closureOf([outputOf(metafile, ENTRANCE)], importsIn(metafile)))
    groups.set(path, `entrance-${groups.get(path) ?? 'only'}`)
  joinSmall(groups, metafile)
  return groups
}

/** Each file is a request, of which browsers make six at a time. */
const SMALL_BYTES = 4_000

/** A small group joins one of those that it imports, if that one loads all the others that it imports. */
function joinSmall(groups: Map<string, string>, metafile: BuildMetafile): void {
  const nameOf = (path: string) => groups.get(path) ?? ''
  const partsOf = (name: string) => [...groups.keys()].filter((path) => nameOf(path) === name)
  const importsOf = (name: string) => partsOf(name).flatMap(importsIn(metafile)).map(nameOf)
  for (const name of new Set(groups.values())) {
    const parts = partsOf(name)
    const bytes = parts.reduce((sum, path) => sum + (metafile.outputs[path]?.bytes ?? 0), 0)
    const others = importsOf(name).filter((other) => other !== name)
    const loadsAll = (other: string) => new Set(others).isSubsetOf(new Set(closureOf([other], importsOf)))
    const joined = bytes < SMALL_BYTES ? others.find(loadsAll) : undefined
    if (joined) for (const path of parts) groups.set(path, joined)
  }
}

export function routesOf(
  metafile: BuildMetafile,
  { fileOf, importsOf }: Joined,
  skeletons: Record<RouteName, () => string>,
): Routes {
  const begins = fileOf(beginning(metafile))
  const route = (name: RouteName) => {
    const scripts = closureOf([...stepsOf(metafile), ...shownFirst(metafile, name)].map(fileOf), importsOf)
    return { scripts: scripts.filter((path) => path !== begins), skeleton: skeletons[name]() }
  }
  return { dashboard: route('dashboard'), board: route('board'), profile: route('profile'), time: route('time') }
}

const ENTRANCE = 'src/app/entrance.html'
const INDEX = 'src/app/index.html'

const beginning = (metafile: BuildMetafile) => outputOf(metafile, INDEX)

/** It begins in steps, which it imports one after the other. */
const stepsOf = (metafile: BuildMetafile) =>
  metafile.outputs[beginning(metafile)]?.imports.flatMap(({ kind, path }) => (kind === 'dynamic-import' ? path : [])) ?? []

const shownFirst = (metafile: BuildMetafile, name: RouteName) => SHOWN_FIRST[name].map((module) => outputOf(metafile, module))

export function outputOf({ outputs }: BuildMetafile, module: string): string {
  const found = Object.entries(outputs).find(([path, { entryPoint }]) => path.endsWith('.js') && entryPoint === module)
  if (!found) throw new Error(`the build has no script of ${module}`)
  return found[0]
}

const importsIn = (metafile: BuildMetafile) => (path: string) =>
  metafile.outputs[path]?.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path) ?? []

/** These, and all that they import when they load. */
export function closureOf(paths: string[], importsOf: (path: string) => string[], found = new Set<string>()): string[] {
  for (const path of paths.filter((path) => !found.has(path))) {
    found.add(path)
    closureOf(importsOf(path), importsOf, found)
  }
  return [...found]
}

export function routeAt(path: string): RouteName | undefined {
  if (path === '/') return 'dashboard'
  if (BOARD.test(path)) return 'board'
  if (path === '/time') return 'time'
  return /^\/[^/]{3,}$/.test(path) && !WITHOUT_SHELL.test(path) ? 'profile' : undefined
}

const WITHOUT_SHELL = /^\/(import|invite|operator|subscribe|unsubscribe)$/i
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
