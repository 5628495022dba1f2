import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, jsonb, letters, moment, now, oneOf, owned } from './columns'
import { users } from './users'

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

const INVITATION_STATUSES = ['pending', 'accepted', 'declined', 'revoked'] as const

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
    status: text({ enum: INVITATION_STATUSES }).notNull().default('pending'),
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
    oneOf('board_invitations_status', t.status, INVITATION_STATUSES),
  ],
)

const OFFER_ANSWERS = ['yes', 'no'] as const

/** Whose a name is that came with an import: whom its board's creator has named, and what those who were asked have said. */
export const nameOffers = pgTable(
  'name_offers',
  {
    nameId: owned(() => users.id),
    userId: owned(() => users.id),
    /** By the creator; where not, the name's address alone has asked them. */
    offered: boolean().notNull(),
    /** Null until they answer; after a yes, until all that bears the name is theirs. */
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
    state: text({ enum: IMPORT_STATES }).notNull().default('ready'),
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
    oneOf('imports_state', t.state, IMPORT_STATES),
  ],
)
