import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { log } from '../../log'
import { streamBody } from '../../server/responseBody'
import type { Context } from './command'
import { COMMANDS } from './commands'
import { failureOf } from './failures'
import { folderIn, socketIn } from './reach'

/** What fits in the address of a Unix socket, on Linux; elsewhere a few less. */
const LONGEST_PATH = 107

/** Bun's types know it only for ports. */
const FOR_EVER: object = { idleTimeout: 0 }

/** Commands reach a running server through it, and with it the embedded database. Needs the lock of the data's folder. */
export async function listenForCommands(context: Context): Promise<{ stop(): void }> {
  const unix = socketIn(context.config.dataDir)
  try {
    makeFolder(folderIn(context.config.dataDir))
    if (Buffer.byteLength(unix) > LONGEST_PATH) throw new Error(`its path is longer than ${LONGEST_PATH} bytes`)
    // Of a server that was killed.
    rmSync(unix, { force: true })
    const server = Bun.serve({ ...FOR_EVER, unix, fetch: (request) => answer(context, request) })
    chmodSync(unix, 0o600)
    return { stop: () => void server.stop(true) }
  } catch (error) {
    log.warn(`commands cannot reach this server through ${unix}: ${error instanceof Error ? error.message : error}`)
    return { stop() {} }
  }
}

function makeFolder(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  if (uid !== process.getuid?.()) throw new Error('its folder belongs to another user')
  chmodSync(folder, 0o700)
}

async function answer(context: Context, request: Request): Promise<Response> {
  if (request.method !== 'POST') return new Response()
  const { name, given } = (await request.json()) as { name: string; given: never }
  try {
    const module = await COMMANDS[name]?.load()
    if (!module || 'here' in module) return refused(`the running server has no command "${name}": is it a different version?`)
    if ('run' in module) return Response.json(await module.run(context, given))
    return new Response(await streamBody(loggingLate(module.stream(context, given)), () => {}))
  } catch (error) {
    return refused(failureOf(error) ?? 'Something went wrong; see the server’s log')
  }
}

const refused = (why: string) => new Response(why, { status: 422 })

/** What fails before the first chunk is refused in words; later only the log can say it. */
async function* loggingLate(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isUnderWay = false
  try {
    for await (const chunk of chunks) {
      yield chunk
      isUnderWay = true
    }
  } catch (error) {
    if (isUnderWay) log.error('a command failed', {}, error)
    throw error
  }
}
