import { join } from 'node:path'
import type { Config } from '../../config'
import { CommandFailed } from './command'

export const folderIn = (dataDir: string) => join(dataDir, 'command')
export const socketIn = (dataDir: string) => join(folderIn(dataDir), 'socket')

const ADDRESS = 'http://wrk/'

/** The server that has the embedded database of this environment, if one runs. */
export async function findServer({ databaseUrl, dataDir }: Config) {
  const unix = socketIn(dataDir)
  if (databaseUrl || !(await isAnswering(unix))) return undefined
  async function ask(name: string, given: unknown): Promise<Response> {
    const answer = await fetch(ADDRESS, { unix, method: 'POST', body: JSON.stringify({ name, given }) })
    if (answer.ok) return answer
    throw new CommandFailed(await answer.text())
  }
  return {
    run: async (name: string, given: unknown): Promise<unknown> => (await ask(name, given)).json(),
    async *stream(name: string, given: unknown): AsyncGenerator<Uint8Array> {
      const { body } = await ask(name, given)
      try {
        if (body) yield* body
      } catch {
        throw new CommandFailed('the server did not finish: its log says why')
      }
    },
  }
}

const isAnswering = (unix: string) =>
  fetch(ADDRESS, { unix }).then(
    ({ ok }) => ok,
    () => false,
  )
