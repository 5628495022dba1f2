import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
/** As deep as the folders of the source, so that paths beginning there lead to the same places. */
export const SERVER = join(ROOT, 'build/server')
export const ENTRY = 'start.js'
const MADE_OF = 'source.json'

type MadeOf = { files: string[]; stamp?: string | undefined; hash: string }

/** The server as `bun run build` put it together, which starts sooner; undefined where the source is another since. */
export async function builtServer(folder = SERVER): Promise<typeof import('../start') | undefined> {
  const madeOf = readMadeOf(join(folder, MADE_OF))
  if (!madeOf) return undefined
  // Read on another thread meanwhile; it does nothing before it is started.
  const built = import(join(folder, ENTRY))
  built.catch(() => {})
  return isUnchanged(madeOf) ? built : undefined
}

const isUnchanged = ({ files, stamp, hash }: MadeOf) =>
  (stamp !== undefined && stampOf(files) === stamp) || hashOf(files) === hash

function readMadeOf(path: string): MadeOf | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

export function fingerprintOf(files: string[]): MadeOf {
  // First: what is changed between the two has another stamp later.
  const stamp = stampOf(files)
  return { files, stamp, hash: hashOf(files) }
}

/** To be written last: without it nothing counts as built. */
export const writeMadeOf = (folder: string, madeOf: MadeOf) => Bun.write(join(folder, MADE_OF), JSON.stringify(madeOf))

/** As long as the file system may give two changes the same time. */
const TICK_MS = 100n

/**
 * Which files they are and when each was last changed by anybody, which programs cannot set: asked for much sooner than all
 * are read. Undefined where one is so new that a later change could have its time.
 */
function stampOf(files: string[]): string | undefined {
  const hasher = new Bun.CryptoHasher('sha1')
  const settled = BigInt(Date.now()) - TICK_MS
  for (const file of files) {
    const found = statSync(resolve(ROOT, file), { bigint: true, throwIfNoEntry: false })
    if (!found || found.ctimeMs > settled) return undefined
    hasher.update(`${file} ${found.dev} ${found.ino} ${found.size} ${found.ctimeNs}\n`)
  }
  return hasher.digest('hex')
}

function hashOf(files: string[]): string {
  const hasher = new Bun.CryptoHasher('sha1')
  for (const file of files) {
    const path = resolve(ROOT, file)
    hasher.update(`${file}\n`).update(existsSync(path) ? readFileSync(path) : '')
  }
  return hasher.digest('hex')
}
