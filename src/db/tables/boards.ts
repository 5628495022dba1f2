import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, jsonb, moment, now, oneOf, owned, trigramIndex } from './columns'
import { users } from './users'

export const boards = pgTable(
  'boards',
  {
    id: id(),
    name: text().notNull(),
    description: text(),
    /** Null only once the creator's account is deleted, with the board. */
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    /** Raised by one with every change to the board. */
    version: integer().notNull().default(0),
    createdAt: now(),
    deletedAt: moment(),
    importedAt: moment(),
    /** Whether members may make links that let anyone join. */
    inviteLinks: boolean().notNull().default(true),
  },
  (t) => [
    index().on(t.createdBy),
    trigramIndex('boards_letters', t.name),
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
    /** The member's own position of the board in their list; null comes last. */
    place: integer(),
    pinned: boolean().notNull().default(false),
  },
  (t) => [unique().on(t.boardId, t.userId), index().on(t.userId)],
)

/**
 * Users who left a board and can only return by accepting an invitation, or who were `removed`: earlier invitations no longer
 * let them in, and what they wrote there counts for its creator. The row is deleted when they return.
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

const INVITATION_STATUSES = ['pending', 'accepted', 'declined', 'revoked'] as const

export const boardInvitations = pgTable(
  'board_invitations',
  {
    id: id(),
    token: text().notNull().unique(),
    boardId: owned(() => boards.id),
    /** Null if an account is invited; for an invite link both are null. */
    email: text(),
    /** The invited account, which had left the board; its inviter learns no email. */
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    invitedBy: owned(() => users.id),
    status: text({ enum: INVITATION_STATUSES }).notNull().default('pending'),
    expiresAt: moment().notNull(),
    createdAt: now(),
    acceptedAt: moment(),
    acceptedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    /** Whether an account was created with it, if sign-up is by invitation. */
    admitted: boolean().notNull().default(false),
    /** Whether the inviter saw its link, so that it proves no address; always true for invite links. */
    shown: boolean().notNull().default(false),
  },
  (t) => [
    uniqueIndex('board_invitations_pending').on(t.boardId, t.email).where(sql`${t.status} = 'pending'`),
    uniqueIndex('board_invitations_pending_account').on(t.boardId, t.userId).where(sql`${t.status} = 'pending'`),
    trigramIndex('board_invitations_letters', t.email).where(sql`${t.status} = 'pending'`),
    index().on(t.boardId),
    index().on(t.userId),
    index().on(t.invitedBy),
    index().on(t.acceptedBy),
    check(
      'board_invitations_to',
      sql`num_nonnulls(${t.email}, ${t.userId}) = 1 or (${t.shown} and num_nonnulls(${t.email}, ${t.userId}) = 0)`,
    ),
    oneOf('board_invitations_status', t.status, INVITATION_STATUSES),
  ],
)

const OFFER_ANSWERS = ['yes', 'no'] as const

/** Whose an imported name is: whom the board's creator asked, and what those who were asked answered. */
export const nameOffers = pgTable(
  'name_offers',
  {
    nameId: owned(() => users.id),
    userId: owned(() => users.id),
    /** By the creator; if false, they are asked because of the name's address. */
    offered: boolean().notNull(),
    /** Null until they answer, and after a yes until all work under the name is theirs. */
    answer: text({ enum: OFFER_ANSWERS }),
  },
  (t) => [
    primaryKey({ columns: [t.nameId, t.userId] }),
    index().on(t.userId),
    uniqueIndex('name_offers_offered').on(t.nameId).where(sql`${t.offered}`),
    uniqueIndex('name_offers_accepted').on(t.nameId).where(sql`${t.answer} = 'yes'`),
    oneOf('name_offers_answer', t.answer, OFFER_ANSWERS),
  ],
)

const IMPORT_STATES = ['ready', 'running', 'done', 'failed'] as const

/** Until it is done, its board counts as deleted and nobody finds it; without this row it is purged. */
export const imports = pgTable(
  'imports',
  {
    id: id(),
    userId: owned(() => users.id),
    source: text().notNull(),
    fileName: text().notNull(),
    /** The archive, in the file store. */
    file: text().notNull().unique(),
    /** The CSV it was made from, in the file store, because the user may choose other columns. */
    original: text().unique(),
    /** Of both files. */
    bytes: bigint({ mode: 'number' }).notNull(),
    state: text({ enum: IMPORT_STATES }).notNull().default('ready'),
    preview: jsonb().notNull(),
    choices: jsonb(),
    result: jsonb(),
    done: integer().notNull().default(0),
    total: integer().notNull().default(0),
    boardId: integer().references(() => boards.id, { onDelete: 'set null' }),
    error: text(),
    /** The process working on it, and until when. */
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
    oneOf('imports_state', t.state, IMPORT_STATES),
  ],
)
