import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Source } from './source'
import { noteCutOff } from './store'

/** Where rows of the embedded database lie until they are in an archive. */
export const spoolIn = (dataDir: string): string => join(dataDir, 'spool')

/** Of the embedded database, which nobody else can have open. */
export async function endCutOff({ config, database }: Source): Promise<void> {
  await rm(spoolIn(config.dataDir), { recursive: true, force: true })
  await noteCutOff(database.db)
}
