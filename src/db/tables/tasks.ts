import { sql } from 'drizzle-orm'
import { check, date, foreignKey, index, integer, pgTable, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { boardMembers, boards } from './boards'
import { id, jsonb, moment, now, oneOf, owned, sortKey, tsvector } from './columns'
import { users } from './users'

const TASK_STATUSES = ['todo', 'inprogress', 'done'] as const

export const tasks = pgTable(
  'tasks',
  {
    id: id(),
    title: text().notNull(),
    description: text(),
    status: text({ enum: TASK_STATUSES }).notNull().default('todo'),
    /** A fractional index within the column, so that a move writes one row. */
    position: sortKey().notNull(),
    dueDate: date({ mode: 'string' }),
    tags: text().array().notNull().default(sql`'{}'::text[]`),
    boardId: owned(() => boards.id),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: now(),
    updatedAt: moment(),
    /** When it became done; null for tasks done before this was recorded. */
    doneAt: moment(),
    deletedAt: moment(),
    /** No foreign key: clearing two columns in one cascade makes Postgres look up a board that may be going too. */
    deletedBy: integer(),
    /** Grows by one with each change: the ETag. */
    revision: integer().notNull().default(1),
    /** The description's checkboxes; null until counted. */
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
    oneOf('tasks_status', t.status, TASK_STATUSES),
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

/** One row per mentioned person: edits never notify anyone twice. */
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
    /** Null if there is none. Stored as `<filename>-thumbnail`. */
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

/** Rows deleted from a task, kept out of every list and sum until they can no longer be restored. */
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

/** Written by triggers (drizzle/) for tasks and, if `commentId` is not 0, comments; each word is prefixed with its board. */
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
    // Without a pending list, which every search would read.
    index('finder_texts_words').using('gin', t.words).with({ fastupdate: false }),
  ],
)
