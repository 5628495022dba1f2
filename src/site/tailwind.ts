import { dirname } from 'node:path'
import { compile } from '@tailwindcss/node'
import { Scanner } from '@tailwindcss/oxide'
import type { BunPlugin } from 'bun'

/** Runs the installed Tailwind over stylesheets that import it, for the build and for `bun run dev` (bunfig.toml). */
const tailwind: BunPlugin = {
  name: 'tailwind',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const css = await Bun.file(path).text()
      if (!css.includes('@import "tailwindcss"')) return undefined
      const compiler = await compile(css, { base: dirname(path), shouldRewriteUrls: true, onDependency: () => {} })
      const root = compiler.root && compiler.root !== 'none' ? [{ ...compiler.root, negated: false }] : []
      const classes = new Scanner({ sources: [...root, ...compiler.sources] }).scan()
      return { contents: compiler.build(classes), loader: 'css' }
    })
  },
}

export default tailwind
