import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Rolldown } from 'vite'
import { INPUT, ROOT } from './bundle'
import { SCREENS } from './paths'

export const config: InlineConfig = {
  configFile: false,
  root: ROOT,
  // The server reads public/ itself.
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), tailwind()],
  // Packages that Vite first finds when a screen loads them would reload the page.
  optimizeDeps: { entries: [INPUT.index, INPUT.signIn, INPUT.page] },
}

const FIRST = { page: INPUT.page, signIn: INPUT.signIn, app: 'src/app/start.tsx', ...SCREENS }
const pathOf = (file: string) => join(ROOT, file)
const FILES = new Set(Object.values(FIRST).map(pathOf))

/**
 * Few scripts for the first load: one shared by all with the public pages, one by sign-in and app, one for the app, one per screen.
 * The bundler splits the rest, and what is used only in part, such as schemas: zod is an eighth of all scripts.
 */
export function firstScripts(): Rolldown.CodeSplittingGroup {
  let modules: [string, Set<string>][] | undefined
  return {
    debugName: 'what loads first',
    name(module, context) {
      modules ??= Object.entries(FIRST).map(([name, file]) => [name, modulesOf(pathOf(file), context)])
      const names = modules.flatMap(([name, loaded]) => (loaded.has(module) ? name : []))
      if (names.length > 1) return names.includes('page') ? 'all' : names.includes('signIn') ? 'shared' : 'app'
      return names[0] ?? null
    },
    test: (module) => !FILES.has(module) && !/\/schema\.ts$|\/node_modules\/zod\/|vite\/preload-helper/.test(module),
  }
}

function modulesOf(module: string, context: Rolldown.ChunkingContext, found = new Set<string>()): Set<string> {
  if (found.has(module)) return found
  found.add(module)
  for (const imported of context.getModuleInfo(module)?.importedIds ?? []) modulesOf(imported, context, found)
  return found
}
