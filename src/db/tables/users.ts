import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, timestamp, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { WEEK_STARTS } from '../../days'
import { id, moment, now, oneOf, owned, trigramIndex } from './columns'

export const users = pgTable(
  'users',
  {
    id: id(),
    username: text().notNull().unique(),
    email: text().notNull().unique(),
    emailVerifiedAt: moment(),
    /** argon2id; null when signing in only through a provider. */
    password: text(),
    name: text(),
    avatar: text().notNull().default('/images/default-profile.png'),
    description: text(),
    isPro: boolean().notNull().default(false),
    /** Pro without a payment, which the end of a subscription does not take back. */
    proGiven: boolean().notNull().default(false),
    operator: boolean().notNull().default(false),
    disabledAt: moment(),
    /** Raised when sessions are ended remotely: earlier device cookies no longer count. */
    deviceEpoch: integer().notNull().default(0),
    emailNotifications: boolean().notNull().default(true),
    notifyTaskAssigned: boolean().notNull().default(true),
    notifyTaskCommented: boolean().notNull().default(true),
    notifyBoardUpdated: boolean().notNull().default(true),
    notifyTimeEntries: boolean().notNull().default(true),
    unsubscribeToken: text().notNull().unique().default(sql`gen_random_uuid()::text`),
    notifiedAt: moment(),
    showEmail: boolean().notNull().default(true),
    weekStartsOn: text({ enum: WEEK_STARTS }).notNull().default('automatic'),
    stripeCustomerId: text().unique(),
    stripeSubscriptionId: text().unique(),
    createdAt: now(),
    /** The board of an imported or former person; LEAVING (account/server/lookup.ts) for an account being deleted. */
    importedOn: integer(),
    /** The name's address in the import: its owner is asked once they are on the board. */
    importedEmail: text(),
    /** Stands for someone whose account was deleted: not a name, and nobody can claim it. */
    former: boolean().notNull().default(false),
  },
  (t) => [
    // Typed usernames and addresses are lowercased, so that none can match a row without an account.
    check(
      'users_username_form',
      sql`${t.username} ~ case when ${t.importedOn} is null then '^[a-z0-9][a-z0-9._-]{2,29}$' else '^Name-[0-9a-f]{16}$' end`,
    ),
    check('users_email_lower', sql`(${t.email} = lower(${t.email})) = (${t.importedOn} is null)`),
    check(
      'users_names',
      sql`${t.importedOn} is null or (${t.password} is null and ${t.emailVerifiedAt} is null and ${t.disabledAt} is not null)`,
    ),
    oneOf('users_week_starts_on', t.weekStartsOn, WEEK_STARTS),
    check('users_former', sql`not ${t.former} or (${t.importedOn} is not null and ${t.importedEmail} is null)`),
    // The owner of an email is asked about one name of a board, whatever its file says.
    uniqueIndex('users_names_of_board').on(t.importedOn, t.importedEmail).where(sql`${t.importedOn} is not null`),
    index('users_operators').on(t.id).where(sql`${t.operator}`),
    trigramIndex('users_username_letters', t.username),
    trigramIndex('users_name_letters', t.name),
    trigramIndex('users_email_letters', t.email),
  ],
)

export const billing = pgTable(
  'billing',
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The account's reference at the payment provider: another database may have the same ids. */
    reference: text().notNull().unique().default(sql`gen_random_uuid()::text`),
    /** Kept as it was: requests repeated under one idempotency key must be identical. */
    email: text().notNull(),
    /** Part of idempotency keys; raised after a refusal, which Stripe repeats to the same key. */
    attempt: integer().notNull().default(1),
    /** Raised with every stored answer, so that older answers are discarded. */
    version: integer().notNull().default(0),
    subscriptionId: text(),
    status: text(),
    cancelAtPeriodEnd: boolean().notNull().default(false),
    currentPeriodEnd: moment(),
    graceUntil: moment(),
    /** A subscription's end takes back only what a subscription gave; a gifted Pro stays. */
    isPro: boolean().notNull().default(false),
    /** In case an event is missed; null when nothing is awaited. */
    nextCheckAt: timestamp('look_at', { withTimezone: true, precision: 3 }),
  },
  (t) => [index('billing_look').on(t.nextCheckAt).where(sql`${t.nextCheckAt} is not null`)],
)

/** Retried until the provider has deleted the customer, or they would go on paying. */
export const deletedCustomers = pgTable(
  'departed_customers',
  {
    reference: text().primaryKey(),
    /** Null while a customer may be being created: it is looked up by email later. */
    customerId: text(),
    email: text(),
    dueAt: now(),
  },
  (t) => [index().on(t.dueAt)],
)

export const formerUsernames = pgTable(
  'former_usernames',
  {
    username: text().primaryKey(),
    userId: owned(() => users.id),
    until: moment().notNull(),
  },
  (t) => [index().on(t.userId), index().on(t.until)],
)

const OPERATOR_ACTS = ['made_link', 'link_used', 'changed_email', 'email_used', 'proved_email'] as const

export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: owned(() => users.id),
    expiresAt: moment().notNull(),
    createdAt: now(),
    lastSeenAt: now(),
    userAgent: text(),
    /** Until when a session from a reset link may set a password without the old one. */
    mayResetUntil: moment(),
    /** The operator's act that made its link, if any. */
    operatorActId: integer().references(() => operatorActs.id, { onDelete: 'set null' }),
  },
  (t) => [index().on(t.userId), index().on(t.expiresAt), index().on(t.operatorActId)],
)

/** What operators did to an account that lets them act as its owner, who is shown it for 30 days. */
export const operatorActs = pgTable(
  'operator_acts',
  {
    id: id(),
    userId: owned(() => users.id),
    did: text({ enum: OPERATOR_ACTS }).notNull(),
    /** The operator's username; null for a command on the server. */
    by: text(),
    /** The new email, if they changed it. */
    email: text(),
    createdAt: now(),
  },
  (t) => [index().on(t.userId), index().on(t.createdAt), oneOf('operator_acts_did', t.did, OPERATOR_ACTS)],
)

export const PROVIDERS = ['google', 'github', 'oidc'] as const

export const oauthAccounts = pgTable(
  'oauth_accounts',
  {
    id: id(),
    userId: owned(() => users.id),
    provider: text({ enum: PROVIDERS }).notNull(),
    subject: text().notNull(),
    createdAt: now(),
  },
  (t) => [unique().on(t.provider, t.subject), index().on(t.userId), oneOf('oauth_accounts_provider', t.provider, PROVIDERS)],
)

const LINK_PURPOSES = ['sign-in', 'reset', 'confirm', 'change'] as const

export const magicLinks = pgTable(
  'magic_links',
  {
    id: id(),
    email: text().notNull(),
    purpose: text({ enum: LINK_PURPOSES }).notNull().default('sign-in'),
    token: text().notNull().unique(),
    /** For a link that changes the email: whose address becomes `email`. */
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    /** The hash of a cookie of the browser that asked for the link. */
    askedBy: text(),
    /** A link that an operator handed out proves nothing about the mailbox. */
    mailed: boolean().notNull().default(true),
    /** The operator's act that made it, if any. */
    operatorActId: integer().references(() => operatorActs.id, { onDelete: 'set null' }),
    expiresAt: moment().notNull(),
    used: boolean().notNull().default(false),
    createdAt: now(),
  },
  (t) => [
    index().on(t.email),
    index().on(t.userId),
    index().on(t.operatorActId),
    oneOf('magic_links_purpose', t.purpose, LINK_PURPOSES),
    check('magic_links_user', sql`(${t.purpose} = 'change') = (${t.userId} is not null)`),
  ],
)
