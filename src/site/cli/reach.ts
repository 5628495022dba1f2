import { endInterruptedBackup } from '../../archive/server/backup'
import { type Config, readConfig } from '../../config'
import { openDatabase } from '../../db/openDatabase'
import type { Context, Module, Say } from './command'
import { findServer } from './findServer'

/** In the server that has the embedded database; here where none runs, and where the database is a server's own. */
export async function reach(name: string, module: Exclude<Module, { here: unknown }>, given: never, say: Say): Promise<unknown> {
  const config = readConfig(process.env)
  const server = await findServer(config)
  if (!server) return withData(config, (context) => perform(context, module, given, say))
  return 'run' in module ? server.run(name, given) : module.take(server.stream(name, given), given, say)
}

const perform = (context: Context, module: Exclude<Module, { here: unknown }>, given: never, say: Say) =>
  'run' in module ? module.run(context, given) : module.take(module.stream(context, given), given, say)

async function withData<T>(config: Config, work: (context: Context) => Promise<T>): Promise<T> {
  // What is said on stdout is the answer.
  console.log = console.error
  const database = await openDatabase(config, 'as it is')
  if (!database.url) await endInterruptedBackup({ config, database })
  let opening: Promise<Awaited<ReturnType<typeof import('../services')['createServices']>>> | undefined
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
