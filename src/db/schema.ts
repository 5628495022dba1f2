import { relations, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

const id = () => integer().primaryKey().generatedAlwaysAsIdentity()
const moment = () => timestamp({ withTimezone: true, precision: 3 })
const now = () => moment().notNull().defaultNow()

/** Sorted by bytes, as JavaScript compares strings, whatever the database's locale. */
const sortKey = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

/** Objects as they are: Drizzle's own type hands them over as text, which Bun's client encodes once more. */
const jsonb = customType<{ data: object }>({ dataType: () => 'jsonb' })

export const users = pgTable(
  'users',
  {
    id: id(),
    username: text().notNull().unique(),
    email: text().notNull().unique(),
    /** When its owner proved, by a link or a provider, that the address is theirs. */
    emailVerifiedAt: moment(),
    /** argon2id; null for an account that only signs in elsewhere. */
    password: text(),
    name: text(),
    avatar: text().notNull().default('/images/default-profile.png'),
    description: text(),
    isPro: boolean().notNull().default(false),
    emailNotifications: boolean().notNull().default(true),
    notifyTaskAssigned: boolean().notNull().default(true),
    notifyTaskCommented: boolean().notNull().default(true),
    notifyBoardUpdated: boolean().notNull().default(true),
    notifyTimeEntries: boolean().notNull().default(true),
    /** What the links in notification mails hold: it switches such mails off, and does nothing else. */
    unsubscribeToken: text().notNull().unique().default(sql`gen_random_uuid()::text`),
    /** When they were last mailed a notification: what comes soon after waits, and goes together. */
    notifiedAt: moment(),
    /** Off, only who shares a board with them sees the address on their profile. */
    showEmail: boolean().notNull().default(true),
    stripeCustomerId: text().unique(),
    stripeSubscriptionId: text().unique(),
    createdAt: now(),
  },
  (t) => [
    check('users_username_form', sql`${t.username} ~ '^[a-z0-9][a-z0-9._-]{2,29}$'`),
    check('users_email_lower', sql`${t.email} = lower(${t.email})`),
  ],
)

/** What is known of those who pay for Pro, or began to. A Pro that was given has no row here. */
export const billing = pgTable(
  'billing',
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Names the account to the payment provider: an id may be another database's as well. */
    reference: text().notNull().unique().default(sql`gen_random_uuid()::text`),
    /** The address under which the provider's customer is made: what is asked again under one key must be the same. */
    email: text().notNull(),
    /** Part of those keys; raised where the provider refused, as it says the same again to the same key. */
    attempt: integer().notNull().default(1),
    /** Raised with every answer of the provider that is stored: one that was asked for before the last one is not. */
    version: integer().notNull().default(0),
    /** The subscription as it was last seen; `users` names it while it lasts. */
    subscriptionId: text(),
    status: text(),
    cancelAtPeriodEnd: boolean().notNull().default(false),
    currentPeriodEnd: moment(),
    /** While a payment is past due: how long its owner stays Pro all the same. */
    graceUntil: moment(),
    /** Whether the subscription makes its owner Pro, as far as `users.isPro` was told. */
    isPro: boolean().notNull().default(false),
    /** When the provider is asked next, as an event may have been missed; null where nothing is awaited. */
    lookAt: moment(),
  },
  (t) => [index('billing_look').on(t.lookAt).where(sql`${t.lookAt} is not null`)],
)

/** Customers whose accounts were deleted: the provider is told until it has heard it, or they would go on paying. */
export const departedCustomers = pgTable(
  'departed_customers',
  {
    reference: text().primaryKey(),
    /** Null where one may just have been made: it is looked for by the address. */
    customerId: text(),
    email: text(),
    dueAt: now(),
  },
  (t) => [index().on(t.dueAt)],
)

/** Names that people had before: for a while they lead to who had them, and are given to nobody else. */
export const formerUsernames = pgTable(
  'former_usernames',
  {
    username: text().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    until: moment().notNull(),
  },
  (t) => [index().on(t.userId), index().on(t.until)],
)

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of what the cookie holds. */
    id: text().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment().notNull(),
    createdAt: now(),
    /** When it was last used, to a few minutes. */
    lastSeenAt: now(),
    /** The browser, as it named itself. */
    userAgent: text(),
    /** Until then its user may set a new password without the old one: it came from a reset link. */
    mayResetUntil: moment(),
  },
  (t) => [index().on(t.userId), index().on(t.expiresAt)],
)

export const PROVIDERS = ['google', 'github', 'oidc'] as const

/** Accounts elsewhere with which a user signs in here. */
export const oauthAccounts = pgTable(
  'oauth_accounts',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text({ enum: PROVIDERS }).notNull(),
    /** The provider's own, unchanging name for the account. */
    subject: text().notNull(),
    createdAt: now(),
  },
  (t) => [
    unique().on(t.provider, t.subject),
    index().on(t.userId),
    check('oauth_accounts_provider', sql`${t.provider} in ('google', 'github', 'oidc')`),
  ],
)

export const magicLinks = pgTable(
  'magic_links',
  {
    id: id(),
    email: text().notNull(),
    purpose: text({ enum: ['sign-in', 'reset'] })
      .notNull()
      .default('sign-in'),
    /** SHA-256 of what the link holds. */
    token: text().notNull().unique(),
    expiresAt: moment().notNull(),
    used: boolean().notNull().default(false),
    createdAt: now(),
  },
  (t) => [index().on(t.email), check('magic_links_purpose', sql`${t.purpose} in ('sign-in', 'reset')`)],
)

/** Mails on their way: written with their cause, sent after the commit. */
export const mails = pgTable(
  'mails',
  {
    id: id(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Emptied once it is sent, for it may hold a link that signs in. */
    text: text().notNull(),
    html: text().notNull(),
    /** Where whoever gets it can end such mails; null where there is nothing to end. */
    unsubscribe: text(),
    state: text({ enum: ['waiting', 'sent', 'failed'] })
      .notNull()
      .default('waiting'),
    tries: integer().notNull().default(0),
    /** The earliest moment of the next try. */
    nextTryAt: now(),
    lastError: text(),
    createdAt: now(),
    sentAt: moment(),
  },
  (t) => [
    index('mails_waiting').on(t.nextTryAt).where(sql`${t.state} = 'waiting'`),
    check('mails_state', sql`${t.state} in ('waiting', 'sent', 'failed')`),
  ],
)

export const boards = pgTable(
  'boards',
  {
    id: id(),
    name: text().notNull(),
    description: text(),
    createdBy: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Grows by one with every change of the board; see design of the live channel in CONTRIBUTING.md. */
    version: integer().notNull().default(0),
    createdAt: now(),
  },
  (t) => [index().on(t.createdBy), check('boards_name_length', sql`char_length(${t.name}) between 1 and 120`)],
)

export const boardMembers = pgTable(
  'board_members',
  {
    id: id(),
    boardId: integer()
      .notNull()
      .references(() => boards.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    addedAt: now(),
  },
  (t) => [unique().on(t.boardId, t.userId), index().on(t.userId)],
)

export const boardInvitations = pgTable(
  'board_invitations',
  {
    id: id(),
    token: text().notNull().unique(),
    boardId: integer()
      .notNull()
      .references(() => boards.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    invitedBy: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text({ enum: ['pending', 'accepted', 'revoked'] })
      .notNull()
      .default('pending'),
    expiresAt: moment().notNull(),
    createdAt: now(),
    acceptedAt: moment(),
    acceptedBy: integer().references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    uniqueIndex('board_invitations_pending').on(t.boardId, t.email).where(sql`${t.status} = 'pending'`),
    index().on(t.boardId),
    index().on(t.invitedBy),
    index().on(t.acceptedBy),
    check('board_invitations_status', sql`${t.status} in ('pending', 'accepted', 'revoked')`),
  ],
)

export const tasks = pgTable(
  'tasks',
  {
    id: id(),
    title: text().notNull(),
    description: text(),
    status: text({ enum: ['todo', 'inprogress', 'done'] })
      .notNull()
      .default('todo'),
    /** The place within its column: a fractional index, so that a move writes one row. */
    position: sortKey().notNull(),
    dueDate: date({ mode: 'string' }),
    tags: text().array().notNull().default(sql`'{}'::text[]`),
    boardId: integer()
      .notNull()
      .references(() => boards.id, { onDelete: 'cascade' }),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: now(),
    updatedAt: moment(),
    /** When it was deleted: it is gone for everyone, but whoever did it can bring it back for a moment. */
    deletedAt: moment(),
    /** No reference: setting it to null with `createdBy` would make Postgres look for the board, which may be going too. */
    deletedBy: integer(),
  },
  (t) => [
    uniqueIndex('tasks_place').on(t.boardId, t.status, t.position).where(sql`${t.deletedAt} is null`),
    index().on(t.boardId),
    index().on(t.createdBy),
    index('tasks_deleted').on(t.deletedAt).where(sql`${t.deletedAt} is not null`),
    check('tasks_title_length', sql`char_length(${t.title}) between 1 and 255`),
    check('tasks_status', sql`${t.status} in ('todo', 'inprogress', 'done')`),
  ],
)

export const taskAssignees = pgTable(
  'task_assignees',
  {
    id: id(),
    taskId: integer()
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    boardId: integer().notNull(),
    userId: integer().notNull(),
    assignedAt: now(),
  },
  (t) => [
    unique().on(t.taskId, t.userId),
    index().on(t.boardId, t.userId),
    // An assignee is a member of the board: with the membership, its assignments go.
    foreignKey({
      columns: [t.boardId, t.userId],
      foreignColumns: [boardMembers.boardId, boardMembers.userId],
      name: 'task_assignees_member',
    }).onDelete('cascade'),
  ],
)

export const comments = pgTable(
  'comments',
  {
    id: id(),
    taskId: integer()
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    content: text().notNull(),
    createdAt: now(),
  },
  (t) => [
    index().on(t.taskId, t.createdAt),
    index().on(t.userId),
    check('comments_content_length', sql`char_length(${t.content}) between 1 and 10000`),
  ],
)

/** Who was told by mail that a comment mentions them: once, however often it is edited. */
export const commentMentions = pgTable(
  'comment_mentions',
  {
    id: id(),
    commentId: integer()
      .notNull()
      .references(() => comments.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [unique().on(t.commentId, t.userId), index().on(t.userId)],
)

export const attachments = pgTable(
  'attachments',
  {
    id: id(),
    taskId: integer()
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The name under which the store keeps it; never what the user called it. */
    filename: text().notNull().unique(),
    originalFilename: text().notNull(),
    fileSize: integer().notNull(),
    mimeType: text().notNull(),
    fileUrl: text().notNull(),
    createdAt: now(),
  },
  (t) => [index().on(t.taskId), index().on(t.userId), check('attachments_size', sql`${t.fileSize} between 0 and 5242880`)],
)

/**
 * Files that are to be deleted from the store. A file that is being uploaded stands here too, before it is written and
 * until its row is: so whoever is killed in between leaves nothing behind. Triggers (drizzle/) put those here whose
 * attachments are deleted, in whatever way, and the avatars that nobody has any more.
 */
export const unwantedFiles = pgTable(
  'unwanted_files',
  {
    /** As in `attachments.filename`, or at the end of `users.avatar`. */
    name: text().primaryKey(),
    dueAt: now(),
  },
  (t) => [index().on(t.dueAt)],
)

export const timeEntries = pgTable(
  'time_entries',
  {
    id: id(),
    taskId: integer()
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Its task's, which never changes: reports read one index by it. Without a reference, as the entry goes with its task. */
    boardId: integer().notNull(),
    startTime: moment().notNull(),
    endTime: moment(),
    /** The calendar day on which the work began, where its owner was: reports go by it, whoever reads them. */
    day: date({ mode: 'string' }).notNull(),
    /** Where its owner was, as IANA names it. */
    timeZone: text().notNull().default('UTC'),
    /** Minutes. Of a timer, the whole ones it had counted when it was last stopped. */
    duration: integer('duration_minutes').notNull(),
    note: text(),
    status: text({ enum: ['completed', 'ACTIVE', 'PAUSED'] })
      .notNull()
      .default('completed'),
    /** Since when a timer runs; null where it rests. */
    runningSince: moment(),
    /** What a timer had counted when it was last started, in milliseconds. */
    counted: bigint({ mode: 'number' }).notNull().default(0),
    /** Up to how much of that its owner was there to see; beyond 8 hours more they are asked. In milliseconds. */
    confirmed: bigint({ mode: 'number' }).notNull().default(0),
    /** When its owner was last asked by mail whether they still work. */
    askedAt: moment(),
    billable: boolean().notNull().default(true),
    createdAt: now(),
  },
  (t) => [
    // Both hold all that lists, reports and sums ask for: they are read without the table.
    index('time_entries_of_task').on(t.taskId, t.startTime, t.id, t.duration, t.status),
    index('time_entries_of_board').on(t.boardId, t.day, t.startTime, t.id, t.userId, t.taskId, t.duration, t.status, t.billable),
    index().on(t.userId),
    index('time_entries_timers').on(t.userId).where(sql`${t.status} <> 'completed'`),
    uniqueIndex('time_entries_one_active').on(t.userId).where(sql`${t.status} = 'ACTIVE'`),
    check('time_entries_status', sql`${t.status} in ('completed', 'ACTIVE', 'PAUSED')`),
    check('time_entries_running', sql`(${t.status} = 'ACTIVE') = (${t.runningSince} is not null)`),
    check('time_entries_duration', sql`${t.duration} between 0 and 44640 and (${t.status} <> 'completed' or ${t.duration} >= 1)`),
  ],
)

/**
 * What an hour of someone's work on a board costs from a day on. What was done before keeps the rate that it had, so that
 * nothing changes of what was invoiced; work that is written down late gets the rate of its own day. They outlast the
 * membership, as the time entries do.
 */
export const rates = pgTable(
  'rates',
  {
    id: id(),
    boardId: integer()
      .notNull()
      .references(() => boards.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The first one begins before all work. */
    from: date('from_day', { mode: 'string' }).notNull(),
    /** An hour. */
    cents: integer().notNull(),
  },
  (t) => [
    unique().on(t.boardId, t.userId, t.from),
    index().on(t.userId),
    check('rates_cents', sql`${t.cents} between 0 and 1000000`),
  ],
)

/** Who did what on a board, and when: written where changes are announced (server/trpc.ts). */
export const activities = pgTable(
  'activities',
  {
    id: id(),
    boardId: integer()
      .notNull()
      .references(() => boards.id, { onDelete: 'cascade' }),
    /** No reference: that a task was deleted is told after it is gone. */
    taskId: integer(),
    taskTitle: text(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** With `detail` one of activity/inputs.ts. */
    kind: text().notNull(),
    detail: jsonb().notNull(),
    /** The clock's, not the transaction's, so that moments follow the ids. */
    createdAt: moment().notNull().default(sql`clock_timestamp()`),
  },
  (t) => [index().on(t.boardId, t.id), index().on(t.taskId, t.id), index().on(t.userId)],
)

const NOTIFICATIONS = [
  ...(['assigned', 'mentioned', 'commented', 'added', 'renamed', 'described'] as const),
  ...(['logged', 'started', 'corrected', 'joined'] as const),
] as const

/** What happened that concerns somebody, in their inbox and, where they want that, in a mail. */
export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    /** Whose inbox it is in. */
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Who did it. */
    actorId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    boardId: integer()
      .notNull()
      .references(() => boards.id, { onDelete: 'cascade' }),
    taskId: integer().references(() => tasks.id, { onDelete: 'cascade' }),
    /** Whose words are in `detail`, and go with it. */
    commentId: integer().references(() => comments.id, { onDelete: 'cascade' }),
    timeEntryId: integer().references(() => timeEntries.id, { onDelete: 'cascade' }),
    kind: text({ enum: NOTIFICATIONS }).notNull(),
    /** The beginning of what was said; of time, how much in the first line. */
    detail: text(),
    createdAt: now(),
    readAt: moment(),
    /** A mail is to tell of it, and has not yet. */
    waits: boolean().notNull().default(false),
  },
  (t) => [
    index().on(t.userId, t.id),
    index().on(t.actorId),
    index().on(t.boardId),
    index().on(t.taskId),
    index().on(t.commentId),
    index().on(t.timeEntryId),
    index('notifications_unread').on(t.userId).where(sql`${t.readAt} is null`),
    index('notifications_waiting').on(t.userId).where(sql`${t.waits}`),
    check(
      'notifications_kind',
      sql`${t.kind} in ('assigned', 'mentioned', 'commented', 'added', 'renamed', 'described', 'logged', 'started', 'corrected', 'joined')`,
    ),
  ],
)

export const boardRelations = relations(boards, ({ many }) => ({ members: many(boardMembers) }))
export const memberRelations = relations(boardMembers, ({ one }) => ({
  board: one(boards, { fields: [boardMembers.boardId], references: [boards.id] }),
  user: one(users, { fields: [boardMembers.userId], references: [users.id] }),
}))
