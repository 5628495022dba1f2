import { z } from 'zod'
import { newBoard } from '../boards/schema'
import type { ToUser } from '../protocol'
import { id, requiredName } from '../schema'
import { STATUSES } from '../tasks/limits'
import { userSummary } from '../users/schema'
import { COLUMNS_MAX, ENCODINGS, LISTS_MAX, PEOPLE_MAX, SOURCES } from './limits'

export * from './limits'

/** A loss or change, such as "stickers", 23, with some examples. */
const loss = z.object({ what: z.string(), count: z.number(), examples: z.array(z.string()).max(5) })
export type Loss = z.infer<typeof loss>

/** `rows` counts what bears the person's name. */
const previewPerson = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string().nullable(),
  isMe: z.boolean(),
  rows: z.number(),
  /** Of a deleted account. */
  former: z.boolean().optional(),
})
/** `tasks` does not include its `closed` ones. */
const previewList = z.object({ name: z.string(), tasks: z.number(), closed: z.number().optional(), status: z.enum(STATUSES) })

/** What a CSV column may hold; else `line` (of the description) or `leave`. */
export const TASK_COLUMNS = [
  ...(['title', 'description', 'list', 'state', 'due', 'tags', 'assignee', 'email', 'author', 'created', 'updated'] as const),
  ...(['completed', 'archived', 'comments', 'attachments', 'type', 'indent'] as const),
] as const
export const HOUR_COLUMNS = [
  ...(['project', 'client', 'task', 'note', 'user', 'email', 'tags', 'billable'] as const),
  ...(['startDate', 'startTime', 'endDate', 'endTime', 'duration', 'decimal', 'minutes', 'dayHours'] as const),
] as const
/** One value a row. */
export const SINGLE_TASK_COLUMNS = ['title', 'description', 'list', 'state', 'author'] as const
export const SINGLE_HOUR_COLUMNS = ['project', 'client', 'task', 'note', 'startDate'] as const
export type TaskColumn = (typeof TASK_COLUMNS)[number]
export type HourColumn = (typeof HOUR_COLUMNS)[number]
const columnField = z.enum([
  ...TASK_COLUMNS,
  ...HOUR_COLUMNS.filter((field) => field !== 'email' && field !== 'tags'),
  'line',
  'leave',
])
export type ColumnField = z.infer<typeof columnField>

const statusChoice = z.enum([...STATUSES, 'list'])
export type StatusChoice = z.infer<typeof statusChoice>

const tableKind = z.enum(['tasks', 'hours'])
export const encoding = z.enum(Object.keys(ENCODINGS) as [keyof typeof ENCODINGS])
export type Encoding = z.infer<typeof encoding>
/** For hours: what becomes a list. */
const listedBy = z.enum(['project', 'client'])

/** How a CSV was read: its columns with examples, and the column of each status. */
const readTable = z.object({
  kind: tableKind,
  encoding,
  listedBy,
  columns: z.array(z.object({ name: z.string(), field: columnField, examples: z.array(z.string()) })),
  statuses: z.array(z.object({ name: z.string(), tasks: z.number(), status: statusChoice })),
})
export type ReadTable = z.infer<typeof readTable>

const reading = z
  .object({
    kind: tableKind,
    encoding,
    listedBy,
    columns: z.array(columnField).max(COLUMNS_MAX),
    statuses: z
      .record(z.string(), statusChoice)
      .refine(
        (statuses) => Object.keys(statuses).length <= LISTS_MAX,
        `You can choose columns for at most ${LISTS_MAX} statuses.`,
      ),
  })
  .partial()
  .describe('What you leave out is guessed')
export type Reading = z.output<typeof reading>

const workCounts = z.object({ comments: z.number(), attachments: z.number(), entries: z.number(), minutes: z.number() })
export type WorkCounts = z.infer<typeof workCounts>

const preview = z.object({
  name: z.string(),
  /** `closed` tasks, and what is on them, count only there. Older previews have no `onClosed`. */
  counts: workCounts.extend({ tasks: z.number(), closed: z.number(), onClosed: workCounts.optional() }),
  /** Lists or projects. Empty for an archive of wrk. */
  lists: z.array(previewList),
  people: z.array(previewPerson),
  losses: z.array(loss),
  table: readTable.nullish(),
})
export type Preview = z.infer<typeof preview>

export const choices = z.object({
  name: newBoard.shape.name,
  columns: z
    .record(z.string(), z.enum([...STATUSES, 'leave']))
    .default({})
    .describe('A column per list, or leave it out with its tasks'),
  closed: z.boolean().default(false).describe('Include archived tasks'),
  boardPerList: z.boolean().default(false).describe('A board per list, and one for tasks without a list'),
  me: z
    .number()
    .int()
    .positive()
    .nullable()
    .optional()
    .describe('Which person in the preview is you; null for none. Guessed from your confirmed email if left out'),
})
export type Choices = z.output<typeof choices>

const state = z.enum(['ready', 'running', 'done', 'failed'])

/** `done` of `total` rows are written; `boardId` once all are. */
export const boardImport = z.object({
  id,
  source: z.enum(Object.keys(SOURCES) as [keyof typeof SOURCES]),
  fileName: z.string(),
  state,
  preview,
  done: z.number(),
  total: z.number(),
  boardId: id.nullable(),
  boards: z.array(z.object({ id, name: z.string() })).describe('The boards made so far, if each list gets one'),
  losses: z.array(loss).describe('What differed from the preview, such as unreachable files'),
  error: z.string().nullable(),
  me: z.number().nullable().describe('Which person in the preview is you'),
  createdAt: z.string(),
  changedAt: z.string(),
})
export type BoardImport = z.infer<typeof boardImport>

export const listedImport = boardImport.omit({ preview: true, boards: true, losses: true, me: true }).extend({ name: z.string() })
export type ListedImport = z.infer<typeof listedImport>

export type ImportProgress = Pick<BoardImport, 'id' | 'state' | 'done' | 'total' | 'boardId' | 'boards' | 'losses' | 'error'>

export const uploadQuery = z.object({ name: requiredName(255, 'The file has no name.') })

export const importInput = z.object({ importId: id })
export const startInput = z.object({ choices })
export const rereadInput = z.object({ reading })
export type RereadInput = z.output<typeof importInput> & z.output<typeof rereadInput>
export type StartInput = z.output<typeof importInput> & z.output<typeof startInput>

/** A Planka server and the user's key for it. */
export const plankaAccess = z.object({ url: z.url().max(500), apiKey: z.string().min(1).max(500) })
export const plankaBoard = plankaAccess.extend({ boardId: z.string().min(1).max(100) })
export const plankaBoards = z.array(z.object({ id: z.string(), name: z.string(), project: z.string() }))

/** A name without an account. Members are asked whether it is theirs, by its address or by the board's creator. */
export const importedName = z.object({
  user: userSummary,
  email: z.string().nullable(),
  asked: z.array(z.object({ userId: id, offered: z.boolean(), answer: z.enum(['yes', 'no']).nullable() })),
  /** For those who are asked, what would become theirs; else null. */
  work: z.object({ tasks: z.number(), comments: z.number(), minutes: z.number() }).nullable(),
})
export type ImportedName = z.infer<typeof importedName>

export const nameInput = z.object({ nameId: id })
/** Null withdraws the question. */
export const nameOffer = z.object({ userId: id.nullable() })
export const nameAnswer = z.object({ isMine: z.boolean() })
export const namesDeclined = z.object({ nameIds: z.array(id).min(1).max(PEOPLE_MAX) })
export type Offer = z.output<typeof nameInput> & z.output<typeof nameOffer>

type ImportMessage = ToUser<'import_changed', { import: ImportProgress }> | ToUser<'names_changed', { boardId: number }>

declare module '../protocol' {
  interface Messages {
    imports: ImportMessage
  }
}
