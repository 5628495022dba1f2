import { builtServer } from './site/builtServer'

/** Starts the server, of the build where it is of this very source. */
export async function main() {
  // Elsewhere its page may have to be built, which the built one cannot.
  const isWhole = process.env.NODE_ENV === 'production' || process.argv.includes('--no-page')
  const reading = isWhole ? builtServer() : undefined
  // Errors surface where it is awaited.
  reading?.catch(() => {})
  if (reading) await warmUp()
  const { start } = (await reading) ?? (await import('./start'))
  await start()
}

/** Loads what a start needs of Bun itself, and its Postgres client where that serves, while another thread reads what was built. */
async function warmUp() {
  await Promise.all([import('node:async_hooks'), import('node:fs/promises')])
  if (process.env.DATABASE_URL) void Bun.SQL
}

if (import.meta.main) await main()
