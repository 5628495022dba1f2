import { builtServer } from './site/builtServer'

/** Starts the server, of the build where it is of this very source. */
export async function main() {
  // Elsewhere its page may have to be built, which the built one cannot.
  const isWhole = process.env.NODE_ENV === 'production' || process.argv.includes('--no-page')
  const reading = isWhole ? builtServer() : undefined
  if (reading) await warmUp()
  const { start } = (await reading) ?? (await import('./start'))
  await start()
}

/** What every start needs of Bun, while another thread reads what was built. */
const warmUp = () => Promise.all([import('node:async_hooks'), import('node:fs/promises'), import('bun').then(({ SQL }) => SQL)])

if (import.meta.main) await main()
