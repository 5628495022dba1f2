import type { BunPlugin } from 'bun'

/**
 * For `bun dev` only (bunfig.toml). Bun's development bundler evaluates the router's two modules that import each
 * other in an order in which one is not there yet; asked for only when it is called, it is.
 */
const routerInDevelopment: BunPlugin = {
  name: 'router in development',
  setup(build) {
    build.onLoad({ filter: /router-core\/dist\/esm\/router\.js$/ }, async ({ path }) => ({
      loader: 'js',
      contents: (await Bun.file(path).text()).replace(
        '_replaceRouteChunk = replaceRouteChunk',
        '_replaceRouteChunk = (...given) => replaceRouteChunk(...given)',
      ),
    }))
  },
}

export default routerInDevelopment
