import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export const mailFolder = (dataDir: string) => join(dataDir, 'mail')

const KEPT_MS = 24 * 3_600_000

/** Mails as files hold links that sign in: they go after a day. */
export async function sweepMailFiles(dataDir: string): Promise<void> {
  const folder = mailFolder(dataDir)
  const names = await readdir(folder).catch(() => [])
  for (const path of names.filter((name) => /\.eml(\.part)?$/.test(name)).map((name) => join(folder, name))) {
    const written = await stat(path).catch(() => null)
    if (written && written.mtimeMs < Date.now() - KEPT_MS) await rm(path, { force: true })
  }
}
