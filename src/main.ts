import { ConfigError, readConfig } from './config'
import { openDatabase } from './db/client'
import { DataDirectoryInUse } from './db/lock'
import type { PageKind } from './serve'

async function main() {
  const config = readConfig(process.env)
  // Most of a start is the database's: the rest of the server is loaded meanwhile.
  const opening = openDatabase(config)
  const starting = import('./serve').then(({ serve }) => serve(config, opening, pageKind()))
  const [running] = await Promise.all([starting, opening])
  console.log(`wrk is at ${running.origin}`)
  const stop = async () => {
    await running.stop()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function pageKind(): PageKind {
  if (process.argv.includes('--no-page')) return 'none'
  return process.argv.includes('--dev') ? 'development' : 'built'
}

const expected = (error: unknown): error is Error =>
  error instanceof ConfigError || error instanceof DataDirectoryInUse || (error as { code?: string }).code === 'EADDRINUSE'

if (import.meta.main)
  await main().catch((error: unknown) => {
    console.error(expected(error) ? error.message : error)
    process.exit(1)
  })
