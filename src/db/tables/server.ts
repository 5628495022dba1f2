import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, jsonb, moment, now, oneOf, owned } from './columns'
import { users } from './users'

/** Answers to changes with an idempotency key, written in their transactions. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: owned(() => users.id),
    key: text().notNull(),
    /** A hash of the request. */
    request: text().notNull(),
    headers: jsonb().$type<Record<string, string>>().notNull(),
    body: text().notNull(),
    createdAt: now(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] }), index().on(t.createdAt)],
)

export const installation = pgTable('installation', {
  /** As PLANS is set. Without plans every account has Pro. */
  hasPlans: boolean().notNull().default(true),
  id: text().primaryKey().default(sql`gen_random_uuid()::text`),
  /** Signs device cookies. */
  secret: text().notNull().default(sql`gen_random_uuid()::text || gen_random_uuid()::text`),
  /** The hash of the newest setup link, which makes its user the operator while there is none. */
  setupToken: text(),
})

/** One row once the first account has become the operator, so that no other does when all accounts are gone. */
export const firstAccount = pgTable('first_account', { id: integer().primaryKey().default(1) }, (t) => [
  check('first_account_once', sql`${t.id} = 1`),
])

const MAIL_STATES = ['waiting', 'sent', 'failed'] as const

export const mails = pgTable(
  'mails',
  {
    id: id(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Emptied once sent: it may hold a link that signs in. */
    text: text().notNull(),
    html: text().notNull(),
    unsubscribe: text(),
    state: text({ enum: MAIL_STATES }).notNull().default('waiting'),
    tries: integer().notNull().default(0),
    nextTryAt: now(),
    lastError: text(),
    createdAt: now(),
    sentAt: moment(),
    /** The account whose quota it counts toward. No foreign key: it would lock the account before boards. */
    causedBy: integer(),
  },
  (t) => [
    index().on(t.causedBy),
    index('mails_waiting').on(t.nextTryAt).where(sql`${t.state} = 'waiting'`),
    index('mails_failed').on(t.id).where(sql`${t.state} = 'failed'`),
    index('mails_recipient').on(t.recipient),
    oneOf('mails_state', t.state, MAIL_STATES),
  ],
)

/** Due for deletion. An upload is listed until its row exists; triggers (drizzle/) add the files of deleted rows. */
export const unwantedFiles = pgTable(
  'unwanted_files',
  {
    name: text().primaryKey(),
    dueAt: now(),
  },
  (t) => [index().on(t.dueAt)],
)

/** Every backup that was started. No file is deleted before `holdsUntil`, which a running backup keeps moving. */
export const backups = pgTable(
  'backups',
  {
    id: id(),
    begunAt: now(),
    endedAt: moment(),
    holdsUntil: moment(),
    isNightly: boolean().notNull(),
    bytes: bigint({ mode: 'number' }),
    error: text(),
  },
  (t) => [index('backups_hold').on(t.holdsUntil).where(sql`${t.holdsUntil} is not null`)],
)
