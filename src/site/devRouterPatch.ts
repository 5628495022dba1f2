import type { BunPlugin } from 'bun'

/** For `bun dev` (bunfig.toml): Bun's bundler there evaluates two circular modules of the router in the wrong order. */
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
