import { builtServer } from './site/builtServer'

/** Starts the server, of the build where it is of this very source. */
export async function main() {
  // Elsewhere its page may have to be built, which the built one cannot.
  const isWhole = process.env.NODE_ENV === 'production' || process.argv.includes('--no-page')
  const built = isWhole ? await builtServer() : undefined
  const { start } = built ?? (await import('./start'))
  await start()
}

if (import.meta.main) await main()
