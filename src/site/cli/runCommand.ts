import { join } from 'node:path'
import { ArchiveFailed } from '../../archive/schema'
import { endInterruptedBackup } from '../../archive/server/backup'
import { type Config, ConfigError, readConfig } from '../../config'
import { CannotOpen } from '../../db/database'
import { openDatabase } from '../../db/openDatabase'
import { explain } from '../../server/errors'
import { CommandFailed, type Context, type Module, type Say, WrongUsage } from './command'

/** In the server that has the embedded database open; here if none runs, or if the database is a Postgres server. */
export async function runCommand(
  name: string,
  module: Exclude<Module, { here: unknown }>,
  given: never,
  say: Say,
): Promise<unknown> {
  const config = readConfig(process.env)
  const server = await findServer(config)
  if (!server) return withData(config, (context) => perform(context, module, given, say))
  return 'run' in module ? server.run(name, given) : module.take(server.stream(name, given), given, say)
}

const perform = (context: Context, module: Exclude<Module, { here: unknown }>, given: never, say: Say) =>
  'run' in module ? module.run(context, given) : module.take(module.stream(context, given), given, say)

async function withData<T>(config: Config, work: (context: Context) => Promise<T>): Promise<T> {
  // Only the answer goes to stdout.
  console.log = console.error
  const database = await openDatabase(config, 'as it is')
  if (!database.url) await endInterruptedBackup({ config, database })
  let opening: ReturnType<typeof import('../services')['createServices']> | undefined
  const context: Context = {
    config,
    database,
    async services() {
      opening ??= import('../services').then(({ createServices }) => createServices(config, database))
      return (await opening).services
    },
  }
  try {
    return await work(context)
  } finally {
    if (opening) await (await opening).stop()
    else await database.close()
  }
}

export const folderIn = (dataDir: string) => join(dataDir, 'command')
export const socketIn = (dataDir: string) => join(folderIn(dataDir), 'socket')

const ADDRESS = 'http://wrk/'
export const WRONG_USAGE_STATUS = 400

/** The server that has this environment's embedded database open, if one runs. */
export async function findServer({ databaseUrl, dataDir }: Config) {
  const unix = socketIn(dataDir)
  if (databaseUrl || !(await isAnswering(unix))) return undefined
  async function ask(name: string, given: unknown): Promise<Response> {
    const answer = await fetch(ADDRESS, { unix, method: 'POST', body: JSON.stringify({ name, given }) })
    if (answer.ok) return answer
    throw new (answer.status === WRONG_USAGE_STATUS ? WrongUsage : CommandFailed)(await answer.text())
  }
  return {
    run: async (name: string, given: unknown): Promise<unknown> => (await ask(name, given)).json(),
    async *stream(name: string, given: unknown): AsyncGenerator<Uint8Array> {
      const { body } = await ask(name, given)
      try {
        if (body) yield* body
      } catch {
        throw new CommandFailed('the server did not complete this command; see its log')
      }
    },
  }
}

const isAnswering = (unix: string) =>
  fetch(ADDRESS, { unix }).then(
    ({ ok }) => ok,
    () => false,
  )

const EXPECTED = [CommandFailed, ArchiveFailed, WrongUsage, ConfigError, CannotOpen]
const FAULT = 500

/** A sentence for the command's user, unless the fault is ours. */
export function failureOf(error: unknown): string | undefined {
  if (error instanceof Error && EXPECTED.some((kind) => error instanceof kind)) return error.message
  const { status, body } = explain(error)
  return status === FAULT ? undefined : body.message
}
