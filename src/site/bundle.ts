import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from 'vite'
import type { Assets } from './Document'
import { SCREENS, type Screen } from './paths'

export const ROOT = join(import.meta.dir, '../..')
export const DIST = join(ROOT, 'dist')
export const MANIFEST = 'manifest.json'
export const RENDERER = 'render.js'

export type Renderer = typeof import('./render')

/** A page's parts: built, or from Vite's server in development. */
export type Bundle = {
  renderer(): Promise<Renderer>
  app(screen?: Screen): Assets
  signIn: Assets
  publicPage: Assets
  scripts: string[]
}

/** The files that documents load. */
export const INPUT = {
  index: 'src/app/main.ts',
  signIn: 'src/app/signInMain.tsx',
  page: 'src/site/public/script.ts',
  style: 'src/web/style.css',
  publicStyle: 'src/site/public/page.css',
}

/** Throws when the page is not built. */
export function loadBundle(): Bundle {
  if (!existsSync(join(DIST, RENDERER))) throw new Error('the page is not built: run "bun run build" first')
  const manifest: Manifest = JSON.parse(readFileSync(join(DIST, MANIFEST), 'utf8'))
  const chunk = (source: string) => {
    const found = manifest[source]
    if (!found) throw new Error(`the build has nothing for ${source}`)
    return found
  }
  const addWithImports = (source: string, found: Set<string>) => {
    if (found.has(source)) return
    found.add(source)
    for (const imported of chunk(source).imports ?? []) addWithImports(imported, found)
  }
  const assets = (style: string, script: string, ...others: string[]): Assets => {
    const font = chunk(style).assets?.find((path) => path.includes('geist-latin-wght-normal'))
    const modules = new Set<string>()
    for (const source of [script, ...others]) addWithImports(source, modules)
    modules.delete(script)
    return {
      styles: `/${chunk(style).file}`,
      ...(font && { font: `/${font}` }),
      script: `/${chunk(script).file}`,
      modules: [...modules].map((source) => `/${chunk(source).file}`),
    }
  }
  // What it imports at run time, one after the other.
  const steps = chunk(INPUT.index).dynamicImports ?? []
  return {
    renderer: () => import(join(DIST, RENDERER)),
    app: (screen) => assets(INPUT.style, INPUT.index, ...steps, ...(screen ? [SCREENS[screen]] : [])),
    signIn: assets(INPUT.style, INPUT.signIn),
    publicPage: assets(INPUT.publicStyle, INPUT.page),
    scripts: [...new Set(Object.values(manifest).map(({ file }) => `/${file}`))].filter((path) => path.endsWith('.js')),
  }
}
