import { z } from 'zod'
import { isStorable, storableText } from '../schema'
import { STATUSES } from '../tasks/basics'

/** Numbers are an archive's own: they join its rows and mean nothing outside of it. */
const number = z.number().int().positive()
const text = storableText()
const hasYear = (given: string) => given >= '0001'
/** In UTC, with milliseconds, however it was written. */
const moment = z.iso
  .datetime({ offset: true })
  .transform((given) => new Date(given).toISOString())
  .refine(hasYear, 'The calendar has no such year')
const day = z.iso.date().refine(hasYear, 'The calendar has no year 0')

const DETAIL_DEPTH = 4
const isKept = (value: unknown, depth = DETAIL_DEPTH): boolean => {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.entries(value).every(([name, one]) => isStorable(name) && isKept(one, depth - 1))
}
const detail = z.record(z.string(), z.unknown()).refine((given) => isKept(given), 'Too deep, or text that cannot be stored')

/** The rows of a board's archive, a shape for each `tables/<name>.ndjson`, in the order in which they are written and read. */
export const boardRows = {
  board: z.object({ name: text, description: text.nullable(), createdAt: moment.nullable() }),
  /** `email` only of those who have proven it and do not hide it; `member` while they are on the board; `former` of deleted accounts. */
  people: z.object({ id: number, name: text, email: text.nullable(), member: z.boolean(), former: z.boolean().optional() }),
  /** In the order of each column. `list` is where it was, for whoever imports to choose its column; `closed` ones are left out unless asked for. */
  tasks: z.object({
    id: number,
    title: text,
    description: text.nullable(),
    status: z.enum(STATUSES),
    list: text.nullable(),
    closed: z.boolean(),
    dueDate: day.nullable(),
    tags: z.array(text),
    createdBy: number.nullable(),
    createdAt: moment.nullable(),
    updatedAt: moment.nullable(),
    doneAt: moment.nullable(),
  }),
  assignees: z.object({ task: number, person: number }),
  comments: z.object({ task: number, person: number, content: text, createdAt: moment }),
  /** `file` and `thumbnail` name entries under `files/`; where `file` is null it is fetched from `url`, if that answers. */
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
  /** `detail` names people by their numbers here. */
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
/** A board on its way in or out, table after table in the order of `boardRows`. */
export type BoardTables = { [Table in BoardTable]: AsyncIterable<BoardRow<Table>> | Iterable<BoardRow<Table>> }
