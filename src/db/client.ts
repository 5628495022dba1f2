import type { Database } from './database'

export type { Database, Db } from './database'

/**
 * Opens the database that the configuration names and brings it to the newest schema. Only the one that serves is
 * loaded: the other would be time and memory for nothing. Throws DataDirectoryInUse, ConfigError.
 */
export async function openDatabase(config: { databaseUrl?: string | undefined; dataDir: string }): Promise<Database> {
  if (config.databaseUrl) return (await import('./postgres')).openServer(config.databaseUrl)
  return (await import('./embedded')).openEmbedded(config.dataDir)
}
