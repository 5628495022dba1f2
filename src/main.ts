import { endInterruptedBackup } from './archive/server/backup'
import { beginSetup } from './auth/server/signUp'
import { type Config, ConfigError, readConfig } from './config'
import { CannotOpen } from './db/database'
import { openDatabase } from './db/openDatabase'
import { log, openLog } from './log'
import type { Services } from './server/context'
import { listenForCommands } from './site/cli/socket'
import { type PageKind, serve } from './site/serve'
import { warningsOf } from './site/warnings'

/** Starts the server as the environment and options say; ends the process if that fails. */
export async function main() {
  await start().catch((error: unknown) => {
    report(error)
    process.exit(1)
  })
}

async function start() {
  const config = readConfig(process.env)
  openLog(config.log)
  for (const warning of warningsOf(config)) log.warn(warning)
  const database = await openDatabase(config)
  if (!database.url) await endInterruptedBackup({ config, database })
  const { origin, services, stop: stopServer } = await serve(config, database, pageKind())
  const commands = database.url ? undefined : await listenForCommands({ config, database, services: async () => services })
  const stop = async () => {
    commands?.stop()
    await stopServer()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  if (process.argv.includes('--json')) console.log(JSON.stringify({ origin }))
  else log.info(`wrk is at ${origin}`)
  await announceSetup(services, config)
}

/** In the log, and readable in a terminal. */
async function announceSetup(services: Services, { log: { format } }: Config) {
  const told = await beginSetup(services).catch((error: unknown) => log.error('the setup link could not be made', {}, error))
  if (!told) return
  log.warn(told)
  if (format === 'json' && process.stdout.isTTY) console.log(told)
}

function pageKind(): PageKind {
  if (process.argv.includes('--no-page')) return 'none'
  return process.argv.includes('--dev') ? 'development' : 'built'
}

function report(error: unknown) {
  const expected = error instanceof ConfigError || error instanceof CannotOpen
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (expected || inUse) log.error(error.message)
  else log.error('wrk could not start', {}, error)
}

if (import.meta.main) await main()
