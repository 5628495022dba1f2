import { builtServer } from './site/builtServer'

/** Starts the server, of the build where it is of this very source. */
export async function main() {
  const built = process.env.NODE_ENV === 'production' ? await builtServer() : undefined
  const { start } = built ?? (await import('./start'))
  await start()
}

if (import.meta.main) await main()
