import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { log } from '../../log'
import { streamBody } from '../../server/responseBody'
import { type Context, WrongUsage } from './command'
import { COMMANDS } from './commands'
import { failureOf, folderIn, socketIn, WRONG_USAGE_STATUS } from './runCommand'

/** What fits in a Unix socket's address on Linux; elsewhere a few bytes less. */
const LONGEST_PATH = 107

/** Bun's types have it only for ports. */
const FOR_EVER: object = { idleTimeout: 0 }

/** Commands reach a running server through it, and so the embedded database. Needs the data folder's lock. */
export async function listenForCommands(context: Context): Promise<{ stop(): void }> {
  const unix = socketIn(context.config.dataDir)
  try {
    makeFolder(folderIn(context.config.dataDir))
    if (Buffer.byteLength(unix) > LONGEST_PATH) throw new Error(`its path is longer than ${LONGEST_PATH} bytes`)
    // Left by a killed server.
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
    return new Response(await streamBody(loggingLate(module.stream(context, given))))
  } catch (error) {
    return refused(failureOf(error) ?? 'Something went wrong; see the server’s log', error instanceof WrongUsage)
  }
}

const refused = (why: string, isUsage = false) => new Response(why, { status: isUsage ? WRONG_USAGE_STATUS : 422 })

/** Failures before the first chunk are refused in words; later ones only reach the log. */
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
