import { join } from 'node:path'

/** What drizzle-kit generates from schema.ts. */
export const migrationsFolder = join(import.meta.dir, '../../drizzle')
