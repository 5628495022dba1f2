import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  date,
  type ExtraConfigColumn,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { WEEK_STARTS } from '../days'

const id = () => integer().primaryKey().generatedAlwaysAsIdentity()
const moment = () => timestamp({ withTimezone: true, precision: 3 })
const now = () => moment().notNull().defaultNow()
/** A required reference: the row goes with what it belongs to. */
const owned = (id: () => AnyPgColumn) => integer().notNull().references(id, { onDelete: 'cascade' })

/** Sorted by bytes, as JavaScript compares strings, whatever the database's locale. */
const sortKey = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Drizzle's own type passes text, which Bun's client encodes once more. */
const jsonb = customType<{ data: object }>({ dataType: () => 'jsonb' })

/** For searches within a text. Rows are sorted in at once: of a list of those that wait each search reads all, or else all rows. */
const letters = (name: string, column: ExtraConfigColumn) =>
  index(name).using('gin', column.op('gin_trgm_ops')).with({ fastupdate: false })

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
    /** Pro that no payment gave, and no end of one takes back. */
    proGiven: boolean().notNull().default(false),
    operator: boolean().notNull().default(false),
    disabledAt: moment(),
    /** Raised where sessions end from afar: device cookies of before count no more. */
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
    /**
     * The board with which it came, of a name without an account; it goes with that board, by a trigger (drizzle/). Of an account
     * that is being deleted LEAVING (account/server/lookup.ts).
     */
    importedOn: integer(),
    /** Whose name it is, by what was imported: they are asked, once they are on the board. */
    importedEmail: text(),
    /** What is left on that board of somebody whose account is gone: nobody's name, and nobody becomes it. */
    former: boolean().notNull().default(false),
  },
  (t) => [
    // People give usernames and addresses in small letters, so that nobody names, and nothing signs in, who has none.
    check(
      'users_username_form',
      sql`${t.username} ~ case when ${t.importedOn} is null then '^[a-z0-9][a-z0-9._-]{2,29}$' else '^Name-[0-9a-f]{16}$' end`,
    ),
    check('users_email_lower', sql`(${t.email} = lower(${t.email})) = (${t.importedOn} is null)`),
    check(
      'users_names',
      sql`${t.importedOn} is null or (${t.password} is null and ${t.emailVerifiedAt} is null and ${t.disabledAt} is not null)`,
    ),
    check('users_week_starts_on', sql`${t.weekStartsOn} in ('automatic', 'monday', 'sunday', 'saturday')`),
    check('users_former', sql`not ${t.former} or (${t.importedOn} is not null and ${t.importedEmail} is null)`),
    // The owner of an email is asked about one name of a board, whatever its file says.
    uniqueIndex('users_names_of_board').on(t.importedOn, t.importedEmail).where(sql`${t.importedOn} is not null`),
    index('users_operators').on(t.id).where(sql`${t.operator}`),
    letters('users_username_letters', t.username),
    letters('users_name_letters', t.name),
    letters('users_email_letters', t.email),
  ],
)

export const billing = pgTable(
  'billing',
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The account's name at the payment provider: another database may have the same ids. */
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
    /** A session from a reset link may set a password without the old one until then. */
    mayResetUntil: moment(),
    /** With which it began, where an operator had made the link. */
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
    /** Which one they gave the account, where they changed it. */
    email: text(),
    createdAt: now(),
  },
  (t) => [
    index().on(t.userId),
    index().on(t.createdAt),
    check('operator_acts_did', sql`${t.did} in ('made_link', 'link_used', 'changed_email', 'email_used', 'proved_email')`),
  ],
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
    purpose: text({ enum: ['sign-in', 'reset', 'confirm', 'change'] })
      .notNull()
      .default('sign-in'),
    token: text().notNull().unique(),
    /** Whose address becomes `email`, of a link that changes it. */
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    /** The hash of a cookie of the browser that asked for the link. */
    askedBy: text(),
    /** One that an operator handed out shows nothing of who reads the address's mail. */
    mailed: boolean().notNull().default(true),
    /** With which it was made, where an operator had it made. */
    operatorActId: integer().references(() => operatorActs.id, { onDelete: 'set null' }),
    expiresAt: moment().notNull(),
    used: boolean().notNull().default(false),
    createdAt: now(),
  },
  (t) => [
    index().on(t.email),
    index().on(t.userId),
    index().on(t.operatorActId),
    check('magic_links_purpose', sql`${t.purpose} in ('sign-in', 'reset', 'confirm', 'change')`),
    check('magic_links_user', sql`(${t.purpose} = 'change') = (${t.userId} is not null)`),
  ],
)

/** The answers to changes that carried a key, written in their transactions. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: owned(() => users.id),
    key: text().notNull(),
    /** A hash of what was asked. */
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

/** One row once the first account has become the operator's, so that nobody else does when all accounts are gone. */
export const firstAccount = pgTable('first_account', { id: integer().primaryKey().default(1) }, (t) => [
  check('first_account_once', sql`${t.id} = 1`),
])

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
    state: text({ enum: ['waiting', 'sent', 'failed'] })
      .notNull()
      .default('waiting'),
    tries: integer().notNull().default(0),
    nextTryAt: now(),
    lastError: text(),
    createdAt: now(),
    sentAt: moment(),
    /** Whose account it counts for. No foreign key: it would lock the account before boards. */
    causedBy: integer(),
  },
  (t) => [
    index().on(t.causedBy),
    index('mails_waiting').on(t.nextTryAt).where(sql`${t.state} = 'waiting'`),
    index('mails_failed').on(t.id).where(sql`${t.state} = 'failed'`),
    index('mails_recipient').on(t.recipient),
    check('mails_state', sql`${t.state} in ('waiting', 'sent', 'failed')`),
  ],
)

export const boards = pgTable(
  'boards',
  {
    id: id(),
    name: text().notNull(),
    description: text(),
    /** Null only once the creator's account is deleted, with the board. */
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    /** Raised by one with every change of the board. */
    version: integer().notNull().default(0),
    createdAt: now(),
    deletedAt: moment(),
    importedAt: moment(),
    /** Whether members may make links to pass on, by which anybody joins. */
    inviteLinks: boolean().notNull().default(true),
  },
  (t) => [
    index().on(t.createdBy),
    letters('boards_letters', t.name),
    index('boards_deleted').on(t.deletedAt).where(sql`${t.deletedAt} is not null`),
    check('boards_name_length', sql`char_length(${t.name}) between 1 and 120`),
    check('boards_creator', sql`${t.createdBy} is not null or ${t.deletedAt} is not null`),
  ],
)

export const boardMembers = pgTable(
  'board_members',
  {
    id: id(),
    boardId: owned(() => boards.id),
    userId: owned(() => users.id),
    addedAt: now(),
    /** Where its member has put the board among their own; null comes last. */
    place: integer(),
    pinned: boolean().notNull().default(false),
  },
  (t) => [unique().on(t.boardId, t.userId), index().on(t.userId)],
)

/**
 * Who left a board: it gets them back only by an invitation that they accept. Or, `removed`, who was removed from it: no
 * invitation made before lets them in, and what they wrote there counts for its creator. The row goes when they come back.
 */
export const leftBoards = pgTable(
  'left_boards',
  {
    boardId: owned(() => boards.id),
    userId: owned(() => users.id),
    leftAt: now(),
    removed: boolean().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.boardId, t.userId] }), index().on(t.userId)],
)

export const boardInvitations = pgTable(
  'board_invitations',
  {
    id: id(),
    token: text().notNull().unique(),
    boardId: owned(() => boards.id),
    /** Null where an account is invited; of a link to pass on both are. */
    email: text(),
    /** The invited account, which left the board before; its inviter learns no email. */
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    invitedBy: owned(() => users.id),
    status: text({ enum: ['pending', 'accepted', 'declined', 'revoked'] })
      .notNull()
      .default('pending'),
    expiresAt: moment().notNull(),
    createdAt: now(),
    acceptedAt: moment(),
    acceptedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    /** Whether somebody has made an account by it, where that takes an invitation. */
    admitted: boolean().notNull().default(false),
    /** Whether who made it was shown its link, so that it proves no address: always of a link to pass on. */
    shown: boolean().notNull().default(false),
  },
  (t) => [
    uniqueIndex('board_invitations_pending').on(t.boardId, t.email).where(sql`${t.status} = 'pending'`),
    uniqueIndex('board_invitations_pending_account').on(t.boardId, t.userId).where(sql`${t.status} = 'pending'`),
    letters('board_invitations_letters', t.email).where(sql`${t.status} = 'pending'`),
    index().on(t.boardId),
    index().on(t.userId),
    index().on(t.invitedBy),
    index().on(t.acceptedBy),
    check(
      'board_invitations_to',
      sql`num_nonnulls(${t.email}, ${t.userId}) = 1 or (${t.shown} and num_nonnulls(${t.email}, ${t.userId}) = 0)`,
    ),
    check('board_invitations_status', sql`${t.status} in ('pending', 'accepted', 'declined', 'revoked')`),
  ],
)

/** Whose a name is that came with an import: whom its board's creator has named, and what those who were asked have said. */
export const nameOffers = pgTable(
  'name_offers',
  {
    nameId: owned(() => users.id),
    userId: owned(() => users.id),
    /** By the creator; where not, the name's address alone has asked them. */
    offered: boolean().notNull(),
    /** Null until they answer; after a yes, until all that bears the name is theirs. */
    answer: text({ enum: ['yes', 'no'] }),
  },
  (t) => [
    primaryKey({ columns: [t.nameId, t.userId] }),
    index().on(t.userId),
    uniqueIndex('name_offers_offered').on(t.nameId).where(sql`${t.offered}`),
    uniqueIndex('name_offers_accepted').on(t.nameId).where(sql`${t.answer} = 'yes'`),
    check('name_offers_answer', sql`${t.answer} in ('yes', 'no')`),
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
    /** A fractional index within the column, so that a move writes one row. */
    position: sortKey().notNull(),
    dueDate: date({ mode: 'string' }),
    tags: text().array().notNull().default(sql`'{}'::text[]`),
    boardId: owned(() => boards.id),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: now(),
    updatedAt: moment(),
    /** When it came to be done; null for what was done before this was noted. */
    doneAt: moment(),
    deletedAt: moment(),
    /** No foreign key: clearing two columns in one cascade makes Postgres look up a board that may be going too. */
    deletedBy: integer(),
    /** Grows by one with each change: the ETag. */
    revision: integer().notNull().default(1),
    /** Of the description; null until they are counted. */
    checklistDone: integer(),
    checklistAll: integer(),
  },
  (t) => [
    index('tasks_uncounted').on(t.id).where(sql`${t.checklistAll} is null`),
    // Deleted tasks give up their place, so it can be reused before they are purged.
    uniqueIndex('tasks_place').on(t.boardId, t.status, t.position).where(sql`${t.deletedAt} is null`),
    index().on(t.boardId, t.id),
    index().on(t.createdBy),
    index('tasks_due')
      .on(t.boardId, t.dueDate)
      .where(sql`${t.deletedAt} is null and ${t.status} <> 'done' and ${t.dueDate} is not null`),
    index('tasks_deleted').on(t.deletedAt).where(sql`${t.deletedAt} is not null`),
    index('tasks_deleted_of_board').on(t.boardId, t.deletedAt, t.id).where(sql`${t.deletedAt} is not null`),
    check('tasks_title_length', sql`char_length(${t.title}) between 1 and 255`),
    check('tasks_status', sql`${t.status} in ('todo', 'inprogress', 'done')`),
  ],
)

export const taskAssignees = pgTable(
  'task_assignees',
  {
    id: id(),
    taskId: owned(() => tasks.id),
    boardId: integer().notNull(),
    userId: integer().notNull(),
    assignedAt: now(),
  },
  (t) => [
    unique().on(t.taskId, t.userId),
    index().on(t.boardId, t.userId),
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
    taskId: owned(() => tasks.id),
    userId: owned(() => users.id),
    content: text().notNull(),
    createdAt: now(),
    revision: integer().notNull().default(1),
  },
  (t) => [
    index().on(t.taskId, t.createdAt),
    index().on(t.userId),
    check('comments_content_length', sql`char_length(${t.content}) between 1 and 10000`),
  ],
)

/** One row per mentioned person: edits never notify anybody twice. */
export const commentMentions = pgTable(
  'comment_mentions',
  {
    id: id(),
    commentId: owned(() => comments.id),
    userId: owned(() => users.id),
  },
  (t) => [unique().on(t.commentId, t.userId), index().on(t.userId)],
)

export const attachments = pgTable(
  'attachments',
  {
    id: id(),
    taskId: owned(() => tasks.id),
    userId: owned(() => users.id),
    filename: text().notNull().unique(),
    originalFilename: text().notNull(),
    fileSize: integer().notNull(),
    mimeType: text().notNull(),
    fileUrl: text().notNull(),
    /** Null where there is none. It is stored as `<filename>-thumbnail`. */
    thumbnailSize: integer(),
    createdAt: now(),
  },
  (t) => [
    index().on(t.taskId),
    index().on(t.userId),
    check('attachments_size', sql`${t.fileSize} between 0 and 67108864`),
    check('attachments_thumbnail_size', sql`${t.thumbnailSize} between 1 and 61440`),
  ],
)

/** Due for deletion. An upload is listed until its row exists; triggers (drizzle/) add the files of rows that go. */
export const unwantedFiles = pgTable(
  'unwanted_files',
  {
    name: text().primaryKey(),
    dueAt: now(),
  },
  (t) => [index().on(t.dueAt)],
)

export const timeEntries = pgTable(
  'time_entries',
  {
    id: id(),
    taskId: owned(() => tasks.id),
    userId: owned(() => users.id),
    /** Copied from the task, which never changes boards: reports read one covering index instead of sorting a join. */
    boardId: integer().notNull(),
    startTime: moment().notNull(),
    /** Of a paused timer, when it was paused. */
    endTime: moment(),
    /** In the owner's time zone when the work began; all reports use it. */
    day: date({ mode: 'string' }).notNull(),
    timeZone: text().notNull().default('UTC'),
    /** Minutes; of a timer, the whole ones up to its last stop. */
    duration: integer('duration_minutes').notNull(),
    note: text(),
    status: text({ enum: ['completed', 'ACTIVE', 'PAUSED'] })
      .notNull()
      .default('completed'),
    runningSince: moment(),
    /** Milliseconds up to the timer's last start. */
    counted: bigint({ mode: 'number' }).notNull().default(0),
    confirmed: bigint({ mode: 'number' }).notNull().default(0),
    askedAt: moment(),
    billable: boolean().notNull().default(true),
    createdAt: now(),
    revision: integer().notNull().default(1),
  },
  (t) => [
    // Covering indexes: lists, reports and sums read them without the table.
    index('time_entries_of_task').on(t.taskId, t.startTime, t.id, t.duration, t.status),
    index('time_entries_of_board').on(t.boardId, t.day, t.startTime, t.id, t.userId, t.taskId, t.duration, t.status, t.billable),
    index('time_entries_of_person').on(t.userId, t.boardId, t.day, t.startTime, t.id),
    index('time_entries_days_of_task').on(t.taskId, t.day, t.startTime, t.id),
    index('time_entries_timers').on(t.userId).where(sql`${t.status} <> 'completed'`),
    uniqueIndex('time_entries_one_active').on(t.userId).where(sql`${t.status} = 'ACTIVE'`),
    check('time_entries_status', sql`${t.status} in ('completed', 'ACTIVE', 'PAUSED')`),
    check('time_entries_running', sql`(${t.status} = 'ACTIVE') = (${t.runningSince} is not null)`),
    check('time_entries_duration', sql`${t.duration} between 0 and 44640 and (${t.status} <> 'completed' or ${t.duration} >= 1)`),
  ],
)

/** What was deleted from a task, in its tables' rows: out of every list and sum, until its time to come back is over. */
export const deletedRows = pgTable(
  'deleted_rows',
  {
    id: id(),
    kind: text({ enum: ['comment', 'attachment', 'entry'] }).notNull(),
    rowId: integer().notNull(),
    taskId: owned(() => tasks.id),
    userId: owned(() => users.id),
    rows: jsonb().notNull(),
    deletedAt: now(),
  },
  (t) => [unique().on(t.kind, t.rowId), index().on(t.taskId), index().on(t.userId), index().on(t.deletedAt)],
)

/** Each backup that was begun. No file is deleted until `holdsUntil`, which a running backup moves on. */
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

/** Until it is done its board is one that was deleted long ago, and nobody's: nothing finds it, and without this row it goes. */
export const imports = pgTable(
  'imports',
  {
    id: id(),
    userId: owned(() => users.id),
    source: text().notNull(),
    fileName: text().notNull(),
    /** The archive, in the file store. */
    file: text().notNull().unique(),
    /** The CSV that it was made of, in the file store, for somebody may choose other columns. */
    original: text().unique(),
    /** Of both. */
    bytes: bigint({ mode: 'number' }).notNull(),
    state: text({ enum: ['ready', 'running', 'done', 'failed'] })
      .notNull()
      .default('ready'),
    preview: jsonb().notNull(),
    choices: jsonb(),
    result: jsonb(),
    done: integer().notNull().default(0),
    total: integer().notNull().default(0),
    boardId: integer().references(() => boards.id, { onDelete: 'set null' }),
    error: text(),
    /** The process that is at it, until then. */
    holder: text(),
    heldUntil: moment(),
    tries: integer().notNull().default(0),
    createdAt: now(),
    changedAt: now(),
  },
  (t) => [
    index().on(t.userId),
    index().on(t.boardId),
    index('imports_running').on(t.heldUntil).where(sql`${t.state} = 'running'`),
    check('imports_state', sql`${t.state} in ('ready', 'running', 'done', 'failed')`),
  ],
)

/** Earlier work keeps its rate, so nothing invoiced changes. Rates outlast the membership, as time entries do. */
export const rates = pgTable(
  'rates',
  {
    id: id(),
    boardId: owned(() => boards.id),
    userId: owned(() => users.id),
    from: date('from_day', { mode: 'string' }).notNull(),
    cents: integer().notNull(),
  },
  (t) => [
    unique().on(t.boardId, t.userId, t.from),
    index().on(t.userId),
    check('rates_cents', sql`${t.cents} between 0 and 1000000`),
  ],
)

/** People are stored by id and named when read, so no name or title outlives its account. */
export const activities = pgTable(
  'activities',
  {
    id: id(),
    boardId: owned(() => boards.id),
    /** No foreign key: a deletion is shown after the task's row is gone. */
    taskId: integer(),
    taskTitle: text(),
    userId: owned(() => users.id),
    kind: text().notNull(),
    detail: jsonb().notNull(),
    /** clock_timestamp(), so that moments follow the ids. */
    createdAt: moment().notNull().default(sql`clock_timestamp()`),
  },
  (t) => [index().on(t.boardId, t.id), index().on(t.taskId, t.id), index().on(t.userId)],
)

/** Kept by triggers (drizzle/), of tasks and (where `commentId` is not 0) comments, each with its board before it. */
export const finderTexts = pgTable(
  'finder_texts',
  {
    boardId: integer().notNull(),
    taskId: integer().notNull(),
    commentId: integer().notNull(),
    words: tsvector().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.taskId, t.commentId] }),
    // Without a list of what is to be added, which every search would read.
    index('finder_texts_words').using('gin', t.words).with({ fastupdate: false }),
  ],
)

const NOTIFICATIONS = [
  ...(['assigned', 'mentioned', 'commented', 'added', 'renamed', 'described'] as const),
  ...(['logged', 'started', 'corrected', 'invited', 'joined', 'declined', 'name_declined', 'account_deleted'] as const),
] as const

export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    userId: owned(() => users.id),
    /** Null where nobody says who it was. */
    actorId: integer().references(() => users.id, { onDelete: 'cascade' }),
    boardId: owned(() => boards.id),
    taskId: integer().references(() => tasks.id, { onDelete: 'cascade' }),
    commentId: integer().references(() => comments.id, { onDelete: 'cascade' }),
    timeEntryId: integer().references(() => timeEntries.id, { onDelete: 'cascade' }),
    kind: text({ enum: NOTIFICATIONS }).notNull(),
    detail: text(),
    createdAt: now(),
    readAt: moment(),
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
      sql`${t.kind} in ('assigned', 'mentioned', 'commented', 'added', 'renamed', 'described', 'logged', 'started', 'corrected', 'invited', 'joined', 'declined', 'name_declined', 'account_deleted')`,
    ),
  ],
)
