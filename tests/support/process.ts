import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { happenings } from './until'

const ROOT = join(import.meta.dir, '../..')

/** Compiling the embedded database a second time, for speed, is a fifth of the work of a process that lives for seconds. */
const SHORT_LIVED = { BUN_JSC_useOMGJIT: '0' }

/** A folder for one server's data, and its removal. */
export async function dataFolder() {
  const path = await mkdtemp(join(tmpdir(), 'wrk-test-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Runs a script of the project as a process of its own, in an environment of its own. */
export const run = (script: string, env: Record<string, string>, ...options: string[]) => runIn(ROOT, script, env, ...options)

function runIn(cwd: string, script: string, env: Record<string, string>, ...options: string[]) {
  const child = Bun.spawn([process.execPath, script, ...options], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...SHORT_LIVED, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return {
    child,
    /** The exit code and everything it said. */
    async end() {
      const [code, out, error] = await Promise.all([
        child.exited,
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ])
      return { code, out, error }
    },
  }
}

/** Starts `bun src/main.ts`, or another script, and waits until it says where it is; fails where it ends instead. */
export const startServer = (env: Record<string, string>, script?: string) =>
  startServerIn(ROOT, env, { script, options: ['--no-page'] })

type Started = { script?: string | undefined; options?: string[] }

/** As above, of the code in any folder, with its page unless told otherwise. */
export const startServerIn = (
  folder: string,
  env: Record<string, string>,
  { script = 'src/main.ts', options = [] }: Started = {},
) => started(runIn(folder, script, { PORT: '0', ...env }, ...options))

/** As `startServer`, with everything that it says until it ends. */
export async function startTalking(env: Record<string, string>) {
  const { child } = runIn(ROOT, 'src/main.ts', { PORT: '0', ...env }, '--no-page')
  let said = ''
  const { happen, until } = happenings()
  const listen = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      said += text
      happen()
    }
  }
  const ended = Promise.all([listen(child.stdout), listen(child.stderr), child.exited])
  const origin = await until(
    () => WHERE.exec(said)?.[1],
    () => `no server: ${said}`,
  )
  return {
    child,
    origin: origin.replace('localhost', '127.0.0.1'),
    /** Ends it as whoever runs it does; what it has said, and how it ended. */
    async stop() {
      child.kill('SIGTERM')
      const [, , code] = await ended
      return { said, code }
    },
  }
}

const WHERE = /wrk is at ([^\s"]+)/

async function started({ child }: ReturnType<typeof run>) {
  let said = ''
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += text
    const origin = WHERE.exec(said)?.[1]
    if (origin) return { child, origin: origin.replace('localhost', '127.0.0.1') }
  }
  throw new Error(`the server ended: ${said}${await new Response(child.stderr).text()}`)
}
