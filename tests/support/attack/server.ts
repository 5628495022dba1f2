import { join } from 'node:path'
import { buildIfStale } from '../../../src/site/buildIfStale'
import { placeOn, QUICKER } from '../places'
import type { Memory } from './memory'

const ROOT = join(import.meta.dir, '../../..')

/** The real command as a process of its own, which says on demand what memory it holds once its garbage is gone. */
export async function startMeasured() {
  await buildIfStale()
  const place = await placeOn(QUICKER)
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', TRUST_PROXY: '1', ...place.env }
  const child = Bun.spawn([process.execPath, '--preload', join(import.meta.dir, 'memory.ts'), 'src/main.ts'], {
    cwd: ROOT,
    env,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const complaints: string[] = []
  const tokens: string[] = []
  const up = Promise.withResolvers<string>()
  let measured = Promise.withResolvers<Memory>()
  void read(child.stderr, (line) => complaints.push(line))
  void child.exited.then((code) => up.reject(new Error(`the server ended with ${code}: ${complaints.join('\n')}`)))
  void read(child.stdout, (line) => {
    const origin = /wrk is at ([^\s"]+)/.exec(line)?.[1]
    if (origin) up.resolve(origin.replace('localhost', '127.0.0.1'))
    const token = /[?&]token=([\w-]+)/.exec(line)?.[1]
    if (token) tokens.splice(0, Math.max(0, tokens.length - 20), token)
    if (line.startsWith('memory ')) measured.resolve(JSON.parse(line.slice(7)))
  })
  return {
    origin: await up.promise,
    /** What was mailed lately. */
    tokens,
    complaints,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    memory() {
      measured = Promise.withResolvers()
      child.kill('SIGUSR2')
      return measured.promise
    },
    /** Answers the exit code. */
    async stop() {
      child.kill('SIGTERM')
      const code = await child.exited
      await place.remove()
      return code
    },
  }
}

async function read(stream: ReadableStream<Uint8Array<ArrayBuffer>>, take: (line: string) => void) {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    lines.filter(Boolean).forEach(take)
  }
}
