import { z } from 'zod'
import { day, isStorable, storableText } from '../schema'
import { archivedFields } from '../tasks/schema'

/** Numbers join an archive's rows and mean nothing outside it. */
const number = z.number().int().positive()
const text = storableText()
/** Becomes UTC with milliseconds. */
const moment = z.iso
  .datetime({ offset: true })
  .transform((given) => new Date(given).toISOString())
  .refine((given) => given >= '0001', 'This year is not supported')

const DETAIL_DEPTH = 4
const isKept = (value: unknown, depth = DETAIL_DEPTH): boolean => {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.entries(value).every(([name, one]) => isStorable(name) && isKept(one, depth - 1))
}
const detail = z
  .record(z.string(), z.unknown())
  .refine((given) => isKept(given), 'Nested too deeply, or contains text that cannot be stored')

/** In the order of writing and reading. Older archives lack newer tables, and newer fields, which need a default. */
export const boardRows = {
  board: z.object({ name: text, description: text.nullable(), createdAt: moment.nullable() }),
  /** `email` only if proven and not hidden; `former`: of a deleted account. */
  people: z.object({ id: number, name: text, email: text.nullable(), member: z.boolean(), former: z.boolean().optional() }),
  /** In the order of each column. `list`: the other program's list; `closed` ones are left out unless asked for. */
  tasks: z.object({
    id: number,
    ...archivedFields,
    list: text.nullable(),
    closed: z.boolean(),
    createdBy: number.nullable(),
    createdAt: moment.nullable(),
    updatedAt: moment.nullable(),
    doneAt: moment.nullable(),
  }),
  assignees: z.object({ task: number, person: number }),
  comments: z.object({ task: number, person: number, content: text, createdAt: moment }),
  /** `file` and `thumbnail` name entries under `files/`; without `file` it is fetched from `url`. */
  attachments: z.object({
    task: number,
    person: number,
    name: text,
    file: text.nullable(),
    thumbnail: text.nullable(),
    url: text.nullable(),
    createdAt: moment,
  }),
  entries: z.object({
    task: number,
    person: number,
    startTime: moment,
    endTime: moment.nullable(),
    day,
    timeZone: text,
    minutes: z.number().int().positive(),
    note: text.nullable(),
    billable: z.boolean(),
    createdAt: moment.nullable(),
  }),
  rates: z.object({ person: number, from: day.nullable(), cents: z.number().int().nonnegative() }),
  /** `detail.userId` is a number of `people`. */
  activities: z.object({
    task: number.nullable(),
    taskTitle: text.nullable(),
    person: number,
    kind: text,
    detail,
    createdAt: moment,
  }),
}

export type BoardTable = keyof typeof boardRows
export type BoardRow<Table extends BoardTable> = z.infer<(typeof boardRows)[Table]>
/** A row to write, without what has a default. */
export type NewBoardRow<Table extends BoardTable> = z.input<(typeof boardRows)[Table]>
export type NewBoardRows<Table extends BoardTable> = AsyncIterable<NewBoardRow<Table>> | Iterable<NewBoardRow<Table>>
export type BoardTables = { [Table in BoardTable]: NewBoardRows<Table> }

type TableOfTasks = {
  [Table in BoardTable]: BoardRow<Table> extends { task: number | null; person: number } ? Table : never
}[BoardTable]
const isOfTasks = (table: string): table is TableOfTasks => 'task' in boardRows[table as BoardTable].shape
/** Their rows belong to a task, and to the person who made them. */
export const TABLES_OF_TASKS = Object.keys(boardRows).filter(isOfTasks)

/** The message is a sentence for the user. */
export class ArchiveFailed extends Error {}
