import { setImmediate } from 'node:timers/promises'
import type { Config } from './config'
import type { Database } from './db/database'
import { log, openLog } from './log'
import type { Services } from './server/context'
import type { Context } from './site/command/command'
import type { PageKind } from './site/serve'

/** Starts what the environment and the command's options say; ends the process where that fails. */
export async function start() {
  await run().catch(async (error: unknown) => {
    await report(error)
    process.exit(1)
  })
}

async function run() {
  const { readConfig } = await import('./config')
  const config = readConfig(process.env)
  openLog(config.log)
  const { warningsOf } = await import('./site/warnings')
  for (const warning of warningsOf(config)) log.warn(warning)
  const opening = open(config)
  // Errors surface where it is awaited.
  opening.catch(() => {})
  // The database is asked before the rest, which takes the processor, is loaded.
  await setImmediate()
  const starting = import('./site/serve').then(({ serve }) => serve(config, opening, pageKind()))
  const [running, database] = await Promise.all([starting, opening])
  let commands: Awaited<ReturnType<typeof listen>> | undefined
  const stop = async () => {
    commands?.stop()
    await running.stop()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  if (!database.url) commands = await listen({ config, database, services: async () => running.services })
  const { origin } = running
  if (process.argv.includes('--json')) console.log(JSON.stringify({ origin }))
  else log.info(`wrk is at ${origin}`)
  await announceSetup(running.services, config)
  await running.loaded
}

/** In the log, and readable where somebody looks on. */
async function announceSetup(services: Services, { log: { format } }: Config) {
  const { beginSetup } = await import('./auth/server/setup')
  const told = await beginSetup(services).catch((error: unknown) => log.error('the setup link could not be made', {}, error))
  if (!told) return
  log.warn(told)
  if (format === 'json' && process.stdout.isTTY) console.log(told)
}

async function open(config: Config): Promise<Database> {
  const { openDatabase } = await import('./db/client')
  const database = await openDatabase(config)
  if (!database.url) await (await import('./archive/server/cutOff')).endCutOff({ config, database })
  return database
}

const listen = async (context: Context) => (await import('./site/command/socket')).listenForCommands(context)

function pageKind(): PageKind {
  if (process.argv.includes('--no-page')) return 'none'
  return process.argv.includes('--dev') ? 'development' : 'built'
}

async function report(error: unknown) {
  const [{ ConfigError }, { CannotOpen }] = await Promise.all([import('./config'), import('./db/database')])
  const expected = error instanceof ConfigError || error instanceof CannotOpen
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (expected || inUse) log.error(error.message)
  else log.error('wrk could not start', {}, error)
}
