import { eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import { users } from '../db/schema'
import type { Profile, UserSummary } from './inputs'

export const summaryColumns = { id: true, username: true, name: true, avatar: true } as const

/** The same as JSON, for a query that joins users. */
export const summaryJson = sql.raw(
  `json_build_object(${Object.keys(summaryColumns)
    .map((column) => `'${column}', users.${column}`)
    .join(', ')})`,
)

export const findByEmail = (db: Db, email: string): Promise<UserSummary | undefined> =>
  db.query.users.findFirst({ where: eq(users.email, email), columns: summaryColumns })

export const findByUsername = (db: Db, username: string): Promise<UserSummary | undefined> =>
  db.query.users.findFirst({ where: eq(users.username, username), columns: summaryColumns })

export const findProfile = (db: Db, username: string): Promise<Profile | undefined> =>
  db.query.users.findFirst({
    where: eq(users.username, username),
    columns: { ...summaryColumns, email: true, description: true },
  })
