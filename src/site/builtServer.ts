import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
/** As deep as the folders of the source, so that paths beginning there lead to the same places. */
export const SERVER = join(ROOT, 'build/server')
export const ENTRY = 'start.js'
const MADE_OF = 'source.json'

type MadeOf = { files: string[]; hash: string }

/** The server as `bun run build` put it together, which starts sooner; undefined where the source is another since. */
export async function builtServer(folder = SERVER): Promise<typeof import('../start') | undefined> {
  const madeOf = readMadeOf(join(folder, MADE_OF))
  return madeOf && hashOf(madeOf.files) === madeOf.hash ? import(join(folder, ENTRY)) : undefined
}

function readMadeOf(path: string): MadeOf | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** To be written last: without it nothing counts as built. */
export const writeMadeOf = (folder: string, files: string[]) =>
  Bun.write(join(folder, MADE_OF), JSON.stringify({ files, hash: hashOf(files) } satisfies MadeOf))

function hashOf(files: string[]): string {
  const hasher = new Bun.CryptoHasher('sha1')
  for (const file of files) {
    const path = resolve(ROOT, file)
    hasher.update(`${file}\n`).update(existsSync(path) ? readFileSync(path) : '')
  }
  return hasher.digest('hex')
}
