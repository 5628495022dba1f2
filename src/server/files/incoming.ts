import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const DAY_MS = 86_400_000
const folderIn = (dataDir: string) => join(dataDir, 'incoming')

/** Where what is too large for the memory lies while somebody works on it, who deletes it: a file, or a folder. */
export async function incomingPath(dataDir: string): Promise<string> {
  await mkdir(folderIn(dataDir), { recursive: true, mode: 0o700 })
  return join(folderIn(dataDir), crypto.randomUUID())
}

/** What killed processes left. */
export async function sweepIncoming(dataDir: string): Promise<void> {
  for (const name of await readdir(folderIn(dataDir)).catch(() => [])) {
    const path = join(folderIn(dataDir), name)
    const left = await stat(path).catch(() => undefined)
    if (left && left.mtimeMs < Date.now() - DAY_MS) await rm(path, { recursive: true, force: true })
  }
}
